import { setTimeout as pause } from 'node:timers/promises'
import type { LogLine } from '../client/generated/api.ts'
import { type Change, isFinal, Refused, type Resource, type Sluice } from '../client/sluice.ts'
import { EndedSteps, FollowedSteps } from './followed-steps.ts'
import { type Line, LogReader } from './log-reader.ts'
import { coloured, cutTo, plainText } from './plain-text.ts'
import { fitted, type StepRecord, treeLine } from './step-tree.ts'
import { say } from './terminal.ts'
import { tellingWhyItWaits } from './why-it-waits.ts'

export interface Following {
  readonly steps: boolean
  readonly logs: boolean
  readonly out: NodeJS.WriteStream
  /** Ends it early, after what is being read is shown. */
  readonly until?: AbortSignal | undefined
}

/**
 * Shows a change as it goes on, until it has ended or `until` says so. On a terminal log lines scroll above the tree of
 * steps, which is drawn anew in its place; in a pipe each transition of a step is a line of its own.
 *
 * @returns the change as it was last.
 */
export async function followChange(sluice: Sluice, id: string, how: Following): Promise<Resource<Change>> {
  const display = how.out.isTTY ? onTerminal(how) : inPipe(how)
  const path = `/api/changes/${encodeURIComponent(id)}`
  return tellingWhyItWaits(sluice, path, display.waits, () => followed(sluice, id, how, display))
}

async function followed(sluice: Sluice, id: string, how: Following, display: Display): Promise<Resource<Change>> {
  const steps = new FollowedSteps()
  const tell = (step: StepRecord) => {
    steps.is(step)
    display.step(step)
  }
  while (!(await streamed(sluice, id, { ...how, display, known: steps, tell }))) {
    // All streams of this user are taken. Who waits is told of the end all the same.
    const change = await sluice.call('GET /api/changes/{id}', { path: { id } })
    if (isFinal(change.attributes.status_code)) {
      const all = await allSteps(sluice, id)
      if (how.logs) for await (const line of new LogReader(sluice, id).fresh(all, true)) display.line(line)
      // Children end before their parents.
      all.toReversed().forEach(tell)
      break
    }
    if (how.until?.aborted) break
    await pause(1_000, undefined, how.until ? { signal: how.until } : {}).catch(ignoreAbort)
  }
  const change = await sluice.call('GET /api/changes/{id}', { path: { id } })
  display.ended(steps.inOrder(), isFinal(change.attributes.status_code))
  return change
}

interface Streaming extends Pick<Following, 'logs' | 'until'> {
  readonly display: Display
  readonly known: FollowedSteps
  readonly tell: (step: StepRecord) => void
}

/** Shows what the live stream of a change sends, to its end; false where none is to be had now. */
async function streamed(sluice: Sluice, id: string, how: Streaming): Promise<boolean> {
  const { display, known, tell, logs, until } = how
  let begun = false
  try {
    for await (const batch of sluice.live(`/api/changes/${encodeURIComponent(id)}/live`, { log_lines: logs }, until)) {
      begun = true
      for (const { kind, data } of batch) {
        if (kind === 'step') tell(data as StepRecord)
        if (kind !== 'log_lines') continue
        for (const record of data as Resource<LogLine>[]) display.line(await lineOf(sluice, known, record))
      }
      display.drawn(known.inOrder())
    }
    return true
  } catch (error) {
    if (until?.aborted) return true
    if (!begun && error instanceof Refused && error.status === 429) return false
    throw error
  }
}

async function lineOf(sluice: Sluice, steps: FollowedSteps, record: Resource<LogLine>): Promise<Line> {
  const { step_id: stepId } = record.attributes
  if (!stepId) return { step: '', record }
  // A step that was added and wrote between two looks of the stream is told of behind its lines.
  if (!steps.get(stepId)) steps.is(await sluice.call('GET /api/steps/{id}', { path: { id: stepId } }))
  return { step: steps.get(stepId)!.attributes.full_path, record }
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
  /** A step has news; what it wrote before that has come before. */
  step(step: StepRecord): void
  line(line: Line): void
  /** Why the change does not go on. */
  waits(why: string): void
  /** What came at once has been told. */
  drawn(steps: readonly StepRecord[]): void
  /** Nothing more comes: because the change has ended, or because nobody waits any longer. */
  ended(steps: readonly StepRecord[], final: boolean): void
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
  const drawFitted = (steps: readonly StepRecord[]) => {
    if (tree) draw(fitted(steps, (out.rows || 24) - 2, true))
  }
  return {
    step: () => {},
    line: line => {
      rub()
      out.write(logText(line, true))
    },
    waits: why => {
      const below = drawn
      rub()
      out.write(`${why}\n`)
      out.write(below.join(''))
      drawn = below
    },
    drawn: drawFitted,
    ended: (steps, final) => {
      if (!final) drawFitted(steps)
      else if (tree) draw(steps.map(step => treeLine(step, true)))
    },
  }
}

function inPipe({ out, steps: tree }: Following): Display {
  const known = new Map<string, string>()
  const ended = new EndedSteps()
  const tell = (step: StepRecord) => {
    const { status_code: status } = step.attributes
    if (!tree || status === (known.get(step.id) ?? 'pending')) return
    known.set(step.id, status)
    out.write(`${treeLine(step, false)}\n`)
  }
  return {
    step: step => {
      if (!isFinal(step.attributes.status_code)) tell(step)
      ended.is(step).forEach(tell)
    },
    line: line => void out.write(logText(line, false)),
    // Beside what a program may read.
    waits: say,
    drawn: () => {},
    ended: () => ended.rest().forEach(tell),
  }
}

function ignoreAbort(error: unknown): void {
  if ((error as Error).name !== 'AbortError') throw error
}
