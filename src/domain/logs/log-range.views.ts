import Type from 'typebox'
import { type AnyView, view } from '#platform/domain.ts'
import { Failure } from '#platform/failure.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import type { ViewContext } from '#platform/view-context.ts'
import type { LogOwners } from './log-owners.port.ts'
import { type LogRange, type PlacedLine, readRange } from './log-range.tx.ts'
import { logOf, type OwnerOfLog, ownerOfLog, type ReadableLog, readableLogs } from './readable-logs.tx.ts'

const [ndjson, plainText] = ['application/x-ndjson', 'text/plain'] as const
const lines = { default: 500, maximum: 10_000 } as const

/** A range of the lines of a log, by their indexes. */
export const logRangeViews = (owners: LogOwners, lineResource: Resource): AnyView[] =>
  readableLogs(owners).map(log =>
    view<OwnerOfLog>({
      name: `${log.name}.log`,
      summary: `Lines of the log of ${log.of}, by their index`,
      describe: `${describedRange} ${log.stepOf ? describedOrderOfStep : describedOrderByTime}`,
      method: 'GET',
      paths: [`${log.path}/log`],
      parameters: {
        from: {
          schema: Type.Integer({ minimum: 0, default: 0 }),
          describe: 'Index of the first line, from 0.',
        },
        lines: {
          schema: Type.Integer({ minimum: 1, maximum: lines.maximum, default: lines.default }),
          describe: 'Maximum number of lines from there.',
        },
        tail: {
          schema: Type.Integer({ minimum: 1, maximum: lines.maximum }),
          describe: 'Number of last lines, instead of `from` and `lines`.',
        },
        ...log.parameters,
      },
      answer: Type.String(),
      mediaTypes: [ndjson, plainText],
      ranged: true,
      statuses: [206],
      find: context => ownerOfLog(log, context),
      needs: ({ readPath }) => [{ right: 'read', path: readPath }],
      run: async (owner, context) => {
        const wanted = rangeIn(context.query)
        const range = await readRange(context.database, logOf(lineResource, log, owner, context), wanted)
        return {
          status: range.lines.length === range.total ? 200 : 206,
          body: Buffer.from(context.mediaType === ndjson ? asJson(range.lines, log) : asText(range.lines)),
          headers: { 'content-range': contentRange(range) },
        }
      },
    }),
  )

const describedRange =
  'One JSON object for each line (`application/x-ndjson`), or the text of the lines alone (`text/plain`), as `Accept` says. `Content-Range: lines 150000-150499/200000` names the indexes of the first and the last line, and the number of lines of the log; without a line in the range it is `lines */200000`. 206 unless the answer has all lines. An answer ends early after some megabytes. The objects have `line` (the index), `logged_at`, `category`, `attempt`, `message`, and `step_id` or `workflow_step_id` of the step that wrote it, as log lines have them, in the log of a run with the `change_id` of lines of changes. For the whole log as a file use the list of log lines with `download`.'

const describedOrderByTime =
  'Lines are in the order of the list of log lines: by time, then by step. The index of a line is the number of lines before it; while steps run in parallel, a line that is stored later may have an earlier time and then moves the lines behind it. Indexes are final once all steps have ended.'

const describedOrderOfStep =
  'Lines are in the order in which the step wrote them, attempt by attempt, and the index of a line never changes. With `include_child_steps` they are ordered by time, and while steps run in parallel a line that is stored later may move others.'

function rangeIn(query: ViewContext['query']): { from: number | undefined; count: number } {
  const { from, lines: count, tail } = query
  if (tail === undefined) return { from: Number(from ?? 0), count: Number(count ?? lines.default) }
  const other = from !== undefined ? 'from' : count !== undefined ? 'lines' : undefined
  if (other !== undefined) {
    const detail = `Use either tail or ${other}, not both.`
    throw new Failure([{ code: 'wrong-kind', detail, source: { parameter: 'tail' } }])
  }
  return { from: undefined, count: Number(tail) }
}

function contentRange({ lines: found, total }: LogRange): string {
  const [first, last] = [found[0], found.at(-1)]
  return first && last ? `lines ${first.index}-${last.index}/${total}` : `lines */${total}`
}

const asText = (found: readonly PlacedLine[]): string => found.map(({ line }) => `${line.message}\n`).join('')

function asJson(found: readonly PlacedLine[], log: ReadableLog): string {
  return found.map(({ index, line }) => `${JSON.stringify(shownLine(index, line, log))}\n`).join('')
}

/** Only the log of a run has lines of several activities. */
function shownLine(index: number, line: PlacedLine['line'], { ofRun }: ReadableLog): object {
  const { logged_at, category, attempt, message, kind } = line
  const writer =
    kind === 'change'
      ? { ...(ofRun && { change_id: line['change_id'] }), step_id: line['step_id'] }
      : { workflow_step_id: line['workflow_step_id'] }
  return { line: index, logged_at, category, attempt, ...writer, message }
}
