import type { ReactNode } from 'react'
import { Panel } from '../../components/page/page.tsx'
import styles from './dashboard-page.module.css'

interface ListPanelProps {
  readonly title: string
  readonly count?: number
  readonly none: string
  /** Link to the whole list, shown if the panel has rows. */
  readonly all?: ReactNode
  readonly children: readonly ReactNode[]
}

/** Panel with a list of the dashboard, or a sentence if it is empty. */
export function ListPanel({ title, count, none, all, children }: ListPanelProps) {
  return (
    <Panel
      flush
      title={
        <h2>
          {title}
          {count ? <span className={styles['count']}>{count}</span> : null}
        </h2>
      }
      actions={children.length > 0 ? all : undefined}
    >
      {children.length === 0 ? <p className={styles['none']}>{none}</p> : <ul>{children}</ul>}
    </Panel>
  )
}
