import type { LiveMessage } from '#client/sluice.ts'
import type { LineRange, LogLine, RangeLines } from '../../components/log-window/lines.ts'

/** Log that is shown: of a whole activity, of one step, or of a step with all steps below it. */
export interface LogSubject {
  /** Path of the log in the API, without a query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /**
   * Lines of the stream that belong to it. `polled`: the stream does not say where lines belong, so the end of the log is
   * read again.
   */
  readonly follows: 'change' | 'step' | 'polled'
  readonly stepId?: string
}

/** Line of the API's range of a log. */
interface ShownLine {
  readonly line: number
  readonly logged_at: string
  readonly category: LogLine['category']
  readonly attempt: number
  readonly step_id?: string | null
  readonly workflow_step_id?: string | null
  /** Log of a workflow run: the change that the line comes from. */
  readonly change_id?: string
  readonly message: string
}

const noLine: LogLine = { loggedAt: '', category: 'runner', attempt: 0, stepId: '', message: '' }

/** Reads the answer to a range: JSON lines, and `Content-Range: lines 500-999/200000`. */
export function lineRange(from: number | undefined, contentRange: string | null, body: string): LineRange {
  const [, first, , total] = /^lines (?:(\d+)-(\d+)|\*)\/(\d+)$/.exec(contentRange ?? '') ?? []
  const start = from ?? Number(first ?? 0)
  const lines: LogLine[] = []
  for (const text of body.split('\n')) {
    if (text === '') continue
    const { line, ...shown } = JSON.parse(text) as ShownLine
    // A line that was never stored has an index all the same.
    while (lines.length < line - start) lines.push(noLine)
    lines.push(logLine(shown))
  }
  return { from: start, lines, total: Number(total ?? lines.length) }
}

const logLine = (shown: Omit<ShownLine, 'line'>): LogLine => ({
  loggedAt: shown.logged_at,
  category: shown.category,
  attempt: shown.attempt,
  stepId: shown.step_id ?? shown.workflow_step_id ?? '',
  ...(shown.change_id !== undefined && { changeId: shown.change_id }),
  message: shown.message,
})

/** Query of a range for `count` lines from an index, or for the last ones. */
export function rangeQuery({ query }: LogSubject, from: number | undefined, count: number): string {
  const range = from === undefined ? { tail: String(count) } : { from: String(from), lines: String(count) }
  return String(new URLSearchParams({ ...query, ...range }))
}

interface StreamedLine {
  readonly attributes: Omit<ShownLine, 'line'>
}

/**
 * Adds the lines of stream messages to a log.
 *
 * @returns whether the end of the log has to be read again, because the messages do not say where their lines belong
 */
export function addStreamed(lines: RangeLines, subject: LogSubject, messages: readonly LiveMessage[]): boolean {
  // Without messages the stream has begun in the middle.
  if (subject.follows === 'polled' || messages.length === 0) return true
  let hasGap = false
  for (const { data, meta = {} } of messages) {
    const added = (data as StreamedLine[]).map(({ attributes }) => logLine(attributes))
    if (subject.follows === 'step') {
      const from = meta['step_line']
      if (added[0]?.stepId !== subject.stepId) continue
      if (typeof from !== 'number') hasGap = true
      else lines.put({ from, lines: added, total: Math.max(lines.count ?? 0, from + added.length) })
      continue
    }
    const { line, line_count: total } = meta
    if (typeof line !== 'number' || typeof total !== 'number') hasGap = true
    else if (line + added.length === total) lines.put({ from: line, lines: added, total })
    else lines.invalidate(line, total)
  }
  return hasGap
}
