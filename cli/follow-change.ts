import { setTimeout as pause } from 'node:timers/promises'
import { type Change, isFinal, type Resource, type Sluice } from '../client/sluice.ts'
import { type Line, LogReader } from './log-reader.ts'
import { coloured, cutTo, plainText } from './plain-text.ts'
import { fitted, type StepRecord, treeLine } from './step-tree.ts'

export interface Following {
  readonly steps: boolean
  readonly logs: boolean
  readonly out: NodeJS.WriteStream
  /** Ends it early, after what is being read is shown. */
  readonly until?: AbortSignal | undefined
}

/** How often is asked: often at first, when people look, and calmly when it takes long. */
const pauses = { first: 150, growth: 1.02, longest: 1_000 }

/**
 * Shows a change as it goes on, until it has ended or `until` says so. On a terminal log lines scroll above the tree of
 * steps, which is drawn anew in its place; in a pipe each transition of a step is a line of its own.
 *
 * @returns the change as it was last.
 */
export async function followChange(sluice: Sluice, id: string, how: Following): Promise<Resource<Change>> {
  const display = how.out.isTTY ? onTerminal(how) : inPipe(how)
  const log = new LogReader(sluice, id)
  for (let wait = pauses.first; ; wait = Math.min(wait * pauses.growth, pauses.longest)) {
    // The change first: what is read after it cannot be older than the end that it reports.
    const change = await sluice.call('GET /api/changes/{id}', { path: { id } })
    const ended = isFinal(change.attributes.status_code)
    if (how.steps || how.logs) {
      const steps = await allSteps(sluice, id)
      display.began(steps)
      if (how.logs) for await (const line of log.fresh(steps, ended)) display.line(line)
      display.is(steps, ended)
    }
    if (ended || how.until?.aborted) return change
    await pause(wait, undefined, how.until ? { signal: how.until } : {}).catch(ignoreAbort)
  }
}

export async function allSteps(sluice: Sluice, id: string): Promise<StepRecord[]> {
  const steps: StepRecord[] = []
  for await (const { data } of sluice.pages(`/api/changes/${id}/steps`, { limit: 1_000 }))
    steps.push(...(data as unknown as StepRecord[]))
  return steps
}

export const logText = ({ step, record }: Line, colours: boolean): string => {
  const name = step.split('/').at(-1) ?? ''
  const label = `${plainText(name)} |`
  return `${name === '' ? '' : `${colours ? coloured(90, label) : label} `}${plainText(record.attributes.message)}\n`
}

interface Display {
  /** Steps that have news, before what they wrote. */
  began(steps: readonly StepRecord[]): void
  line(line: Line): void
  /** Steps as they are, after what they wrote. */
  is(steps: readonly StepRecord[], ended: boolean): void
}

function onTerminal({ out, steps: tree }: Following): Display {
  let drawn: readonly string[] = []
  const rub = () => {
    if (drawn.length > 0) out.write(`\x1b[${drawn.length}A\x1b[J`)
    drawn = []
  }
  const draw = (tree: readonly string[]) => {
    // A line that wraps would make the tree's height wrong. Some terminals say that they are 0 wide.
    const lines = tree.map(text => `${cutTo(text, (out.columns || 80) - 1)}\n`)
    if (lines.join('') === drawn.join('')) return
    rub()
    out.write(lines.join(''))
    drawn = lines
  }
  return {
    began: () => {},
    line: line => {
      rub()
      out.write(logText(line, true))
    },
    is: (steps, ended) => {
      if (!tree) return
      draw(ended ? steps.map(step => treeLine(step, true)) : fitted(steps, (out.rows || 24) - 2, true))
    },
  }
}

function inPipe({ out, steps: tree }: Following): Display {
  const known = new Map<string, string>()
  const tell = (steps: readonly StepRecord[]) => {
    if (!tree) return
    for (const step of steps) {
      const { status_code: status } = step.attributes
      if (status === (known.get(step.id) ?? 'pending')) continue
      known.set(step.id, status)
      out.write(`${treeLine(step, false)}\n`)
    }
  }
  const hasEnded = ({ attributes }: StepRecord) => isFinal(attributes.status_code)
  return {
    began: steps => tell(steps.filter(step => !hasEnded(step))),
    line: line => void out.write(logText(line, false)),
    // Children end before their parents.
    is: steps => tell(steps.filter(hasEnded).toReversed()),
  }
}

function ignoreAbort(error: unknown): void {
  if ((error as Error).name !== 'AbortError') throw error
}
