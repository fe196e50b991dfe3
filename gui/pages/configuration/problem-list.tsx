import type { Problem } from '../../components/editor/problems.ts'
import { configuration as texts } from '../../messages/configuration.ts'
import styles from './configuration.module.css'

/** Problems of a text with their places, below its editor. */
export function ProblemList({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null
  return (
    <div role="alert" className={styles['problems']}>
      <p className={styles['strong']}>{texts.problems(problems.length)}</p>
      <ul>
        {problems.slice(0, 20).map(({ line, column, message }) => (
          <li key={`${line}:${column}:${message}`}>
            <code>{texts.problemAt(line, column)}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  )
}
