import type { ReactNode } from 'react'
import styles from './gallery.module.css'

interface SpecimenProps {
  /** State that is shown. */
  readonly title: string
  /** Takes the whole width of the page; otherwise two stand side by side in wide windows. */
  readonly wide?: boolean
  /** Name of the CSS container in which pages place the component. */
  readonly inside?: 'configuration' | 'log' | 'shell'
  /** Lays the examples out in a row, as toolbars do. */
  readonly row?: boolean
  readonly children: ReactNode
}

/** One state of a component, or several that are compared. */
export function Specimen({ title, wide = false, inside, row = false, children }: SpecimenProps) {
  const classes = [styles['stage'], row && styles['row'], inside && styles[inside]].filter(Boolean).join(' ')
  return (
    <section className={`${styles['specimen']} ${wide ? styles['wide'] : ''}`}>
      <h2 className={styles['title']}>{title}</h2>
      <div className={classes}>{children}</div>
    </section>
  )
}
