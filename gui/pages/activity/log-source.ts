import type { LiveMessage } from '#client/sluice.ts'
import type { LineRange, LogLine, RangeLines } from '../../components/log-window/lines.ts'
import type { ActivityKind } from './activity-kind.ts'

/** Log that is shown: of a whole activity, of one step, or of a step with all steps below it. */
export interface LogSubject {
  /** Path of the log in the API, without a query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /**
   * Stream that has its new lines: that of the activity with the places of lines in the log of the `change` or of a
   * `step`, or its `own` one.
   */
  readonly follows: 'change' | 'step' | 'own'
  readonly stepId?: string
}

/** The log of a whole activity. */
export const wholeLog = ({ path, type }: ActivityKind, id: string): LogSubject => ({
  path: `${path(id)}/log`,
  query: {},
  follows: type === 'change' ? 'change' : 'own',
})

/** The log of one step of a change, without those below it. */
export const logOfStep = ({ stepPath }: ActivityKind, stepId: string): LogSubject => ({
  path: `${stepPath(stepId)}/log`,
  query: {},
  follows: 'step',
  stepId,
})

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

/** File with a log, and what of the activity it has. */
export interface LogDownload {
  readonly text: string
  readonly href: string
}

/** Address of a whole log as a file: the list of its lines as text. */
export function downloadOf({ path, query }: LogSubject, name: string): string {
  const file = `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100)}.log`
  return `${path.replace(/\/log$/, '/log_lines')}?${new URLSearchParams({ ...query, download: file })}`
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
  if (messages.length === 0) return true
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
    else {
      const merged = mergedFrom(lines, line, added, total)
      if (merged) lines.put({ from: line, lines: merged, total })
      else lines.invalidate(line, total)
    }
  }
  return hasGap
}

/**
 * Lines of a log from an index on, with lines that belong between them, as those of parallel steps do.
 *
 * @returns undefined if they cannot be known without reading them, because some are not in memory
 */
function mergedFrom(lines: RangeLines, from: number, added: readonly LogLine[], total: number): LogLine[] | undefined {
  const count = total - added.length
  if (lines.count !== count || from > count) return undefined
  const known: LogLine[] = []
  for (let index = from; index < count; index++) {
    const line = lines.get(index)
    if (!line) return undefined
    known.push(line)
  }
  // Lines of one attempt stay in their order: a stable sort, with the new ones behind the known ones.
  return [...known, ...added].sort(byTime)
}

/** Order of the lines of a log: by time, then by step and attempt. Times and ids are texts of fixed width. */
const byTime = (a: LogLine, b: LogLine): number =>
  compared(a.loggedAt, b.loggedAt) || compared(a.stepId, b.stepId) || a.attempt - b.attempt

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
