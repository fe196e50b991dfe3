import type { ReactNode } from 'react'
import { Refused, Unreachable } from '#client/sluice.ts'
import { general } from '../../messages/general.ts'
import { Button } from '../button/button.tsx'
import styles from './state.module.css'

/** States of a page or panel that has nothing to show: empty, loading, failed. */

interface EmptyStateProps {
  readonly title: string
  /** The next step. */
  readonly children?: ReactNode
  /** Command that does the next step on the command line. */
  readonly command?: string
}

export function EmptyState({ title, children, command }: EmptyStateProps) {
  return (
    <div className={styles['state']}>
      <p className={styles['title']}>{title}</p>
      {children !== undefined && <div className={styles['detail']}>{children}</div>}
      {command !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long command scrolls sideways, also by keyboard.
        <pre className={styles['command']} tabIndex={0}>
          <code>{command}</code>
        </pre>
      )}
    </div>
  )
}

/** Failure of a request, with the service's own words, its code and "Try again". */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, code } = describeError(error)
  return (
    <div className={styles['state']} role="alert">
      <p className={styles['title']}>{title}</p>
      <p className={styles['detail']}>{detail}</p>
      {code !== undefined && <p className={styles['code']}>{code}</p>}
      {onRetry && (
        <Button onClick={isMissingScript(error) ? () => location.reload() : onRetry}>{general.tryAgain}</Button>
      )}
    </div>
  )
}

interface Described {
  readonly title: string
  readonly detail: string
  /** Code and id of the error, to look up in the documentation and the service's log. */
  readonly code?: string | undefined
}

function describeError(error: unknown): Described {
  if (error instanceof Refused) {
    const [fault] = error.faults
    const code = [fault?.code, fault?.id && general.errorId(fault.id)].filter(Boolean).join(' · ') || undefined
    if (error.status === 404) return { title: general.notFound, detail: general.notFoundDetail }
    if (error.status === 403) return { title: general.forbidden, detail: faultText(error), code }
    return { title: fault?.title ?? general.failed, detail: faultText(error), code }
  }
  if (error instanceof Unreachable || isMissingScript(error))
    return { title: general.unreachable, detail: general.unreachableDetail }
  return { title: general.failed, detail: error instanceof Error ? error.message : String(error) }
}

/**
 * Whether a part of the application could not be loaded: the service is away, or has been upgraded and has other files
 * now. Browsers keep such a failure, so that only loading the page again helps.
 */
const isMissingScript = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|importing a module script|preload CSS/i.test(error.message)

/** Text of a failed request in one or several sentences. */
export const faultText = (error: unknown): string =>
  error instanceof Refused && error.faults.length > 0
    ? error.faults.map(({ detail, title, code }) => detail ?? title ?? code).join(' ')
    : error instanceof Unreachable
      ? general.unreachable
      : (error as Error).message

/** Placeholder while the first answer is awaited; it appears after 150 ms, so that quick answers do not flicker. */
export function Skeleton({ rows = 6 }: { rows?: number | undefined }) {
  return (
    <div className={styles['skeleton']} role="status">
      <span className="visually-hidden">{general.loading}</span>
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars have no identity.
        <span key={i} className={styles['bar']} style={{ inlineSize: `${90 - ((i * 17) % 40)}%` }} />
      ))}
    </div>
  )
}
