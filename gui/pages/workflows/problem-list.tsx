import { CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import { faultText } from '../../components/state/state.tsx'
import { workflowEditor as texts } from '../../messages/workflows.ts'
import styles from './editor-tab.module.css'
import type { CheckState } from './use-check.ts'

interface ProblemListProps {
  readonly check: CheckState
  readonly onGoTo: (line: number, column: number) => void
}

/** Outcome of the check below the editor: its errors, each of which leads to its place. */
export function ProblemList({ check: { result, error, isPending }, onGoTo }: ProblemListProps) {
  const problems = result?.problems ?? []
  return (
    <section className={styles['problems']} aria-label={texts.problemsLabel}>
      <p role="status" className={styles['outcome']}>
        {isPending ? (
          <>
            <LoaderCircle size={15} aria-hidden />
            {texts.checking}
          </>
        ) : error ? (
          <>
            <CircleX size={15} className={styles['bad']} aria-hidden />
            {`${texts.checkFailed}: ${faultText(error)}`}
          </>
        ) : problems.length > 0 ? (
          <>
            <CircleX size={15} className={styles['bad']} aria-hidden />
            {texts.problems(problems.length)}
          </>
        ) : (
          <>
            <CircleCheck size={15} className={styles['good']} aria-hidden />
            {texts.noProblems}
          </>
        )}
      </p>
      {problems.length > 0 && (
        <ul className={styles['list']}>
          {problems.map(({ line, column, message }) => (
            <li key={`${line}:${column}:${message}`}>
              <button type="button" onClick={() => onGoTo(line, column)}>
                <span className={styles['place']} title={texts.problemPlace(line, column)}>
                  {`${line}:${column}`}
                </span>
                {message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
