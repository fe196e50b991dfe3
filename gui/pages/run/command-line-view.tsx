import { Copy } from 'lucide-react'
import { IconButton } from '../../components/button/button.tsx'
import { useToast } from '../../components/toast/toast.tsx'
import { general } from '../../messages/general.ts'
import { run as texts } from '../../messages/run.ts'
import styles from './run-sheet.module.css'

/** Command that does what is chosen, to copy. */
export function CommandLine({ command }: { command: string }) {
  const toast = useToast()
  const copy = () => {
    // Only pages over HTTPS or on localhost may write to the clipboard.
    const writing = navigator.clipboard?.writeText(command) ?? Promise.reject(new Error(texts.copyFailed))
    writing.then(
      () => toast.done(texts.copied),
      () => toast.failed(new Error(texts.copyFailed)),
    )
  }
  return (
    <div className={styles['group']}>
      <h3>{texts.asCommand}</h3>
      <div className={styles['command']}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls sideways, also by keyboard. */}
        <pre tabIndex={0}>
          <code>{command}</code>
        </pre>
        <IconButton label={general.copy} onClick={copy}>
          <Copy size={15} aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}
