import { decision as texts } from '../../messages/decision.ts'
import styles from './decision.module.css'
import { differenceText, type PropertyDifference } from './property-difference.ts'

interface PropertyDifferencesProps {
  readonly differences: readonly PropertyDifference[]
  /** Number of those that are listed. */
  readonly most: number
  /** Number of all, if not all are given. */
  readonly count?: number
}

/** Properties that differ, each with its value before and after. */
export function PropertyDifferences({ differences, most, count = differences.length }: PropertyDifferencesProps) {
  return (
    <ul className={styles['differences']}>
      {differences.slice(0, most).map(({ name, before, after }) => (
        <li key={name}>
          <strong>{name}</strong>
          <span className={styles['values']}>
            <code className={styles['before']}>{differenceText(before) ?? texts.absent}</code>
            <span aria-hidden>→</span>
            <code className={styles['after']}>{differenceText(after) ?? texts.absent}</code>
          </span>
        </li>
      ))}
      {count > most && <li>{texts.moreDifferences(count - most)}</li>}
    </ul>
  )
}
