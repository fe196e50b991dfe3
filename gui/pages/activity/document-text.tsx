import styles from './activity-page.module.css'
import { yamlText } from './yaml-text.ts'

/** Document of a record, such as its metadata, as text. */
export function DocumentText({ label, value }: { label: string; value: unknown }) {
  return (
    <section className={styles['document']} aria-label={label}>
      <h3>{label}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll sideways, also by keyboard. */}
      <pre tabIndex={0}>
        <code>{yamlText(value)}</code>
      </pre>
    </section>
  )
}
