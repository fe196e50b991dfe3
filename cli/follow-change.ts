import { setTimeout as pause } from 'node:timers/promises'
import type { LogLine } from '../client/generated/api.ts'
import { type Change, isFinal, Refused, type Resource, type Sluice } from '../client/sluice.ts'
import { FollowedSteps } from './followed-steps.ts'
import { type Line, LogReader } from './log-reader.ts'
import { type Display, displayOf, type Shown } from './step-display.ts'
import type { StepRecord } from './step-tree.ts'
import { tellingWhyItWaits } from './why-it-waits.ts'

export interface Following extends Shown {
  readonly logs: boolean
  /** It was made a moment ago, by this service: one that is away now comes back. */
  readonly justMade?: boolean
  /** Ends it early, after what is being read is shown. */
  readonly until?: AbortSignal | undefined
}

/**
 * Shows a change as it goes on, until it has ended or `until` says so.
 *
 * @returns the change as it was last.
 */
export async function followChange(sluice: Sluice, id: string, how: Following): Promise<Resource<Change>> {
  const display = displayOf(how)
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

interface Streaming extends Pick<Following, 'logs' | 'until' | 'justMade'> {
  readonly display: Display
  readonly known: FollowedSteps
  readonly tell: (step: StepRecord) => void
}

/** Shows what the live stream of a change sends, to its end; false where none is to be had now. */
async function streamed(sluice: Sluice, id: string, how: Streaming): Promise<boolean> {
  const { display, known, tell, logs, until, justMade } = how
  const path = `/api/changes/${encodeURIComponent(id)}/live`
  let begun = false
  try {
    for await (const batch of sluice.live(path, { log_lines: logs }, until, justMade)) {
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

function ignoreAbort(error: unknown): void {
  if ((error as Error).name !== 'AbortError') throw error
}
