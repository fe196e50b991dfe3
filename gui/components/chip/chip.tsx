import type { ReactNode } from 'react'
import styles from './chip.module.css'

interface ChipProps {
  readonly pressed: boolean
  readonly onPress: () => void
  readonly count?: number | undefined
  readonly children: ReactNode
}

/** Toggle of a filter. */
export function Chip({ pressed, onPress, count, children }: ChipProps) {
  return (
    <button type="button" className={styles['chip']} aria-pressed={pressed} onClick={onPress}>
      {children}
      {count !== undefined && <span className={styles['count']}>{count.toLocaleString('en')}</span>}
    </button>
  )
}

/** Small label beside a name, such as a ticket number. */
export const Tag = ({ children }: { children: ReactNode }) => <span className={styles['tag']}>{children}</span>
