import { setTimeout as pause } from 'node:timers/promises'
import type { LogLine } from '../client/generated/api.ts'
import { type Change, isFinal, Refused, type Resource, type Sluice } from '../client/sluice.ts'
import { FollowedSteps } from './followed-steps.ts'
import { type Line, LogReader } from './log-reader.ts'
import { type Display, displayOf, type Shown } from './step-display.ts'
import type { StepRecord } from './step-tree.ts'
import { reportingWaitReasons } from './wait-reasons.ts'

export interface Following extends Shown {
  readonly logs: boolean
  /** The change was just created, so a service that cannot be reached is expected back. */
  readonly justMade?: boolean
  /** Stops following early, after the current batch has been shown. */
  readonly until?: AbortSignal | undefined
}

/**
 * Shows the progress of a change until it has ended or `until` is aborted.
 *
 * @returns the latest state of the change
 */
export async function followChange(sluice: Sluice, id: string, how: Following): Promise<Resource<Change>> {
  const display = displayOf(how)
  const path = `/api/changes/${encodeURIComponent(id)}`
  return reportingWaitReasons(sluice, path, display.waits, () => followed(sluice, id, how, display))
}

async function followed(sluice: Sluice, id: string, how: Following, display: Display): Promise<Resource<Change>> {
  const steps = new FollowedSteps()
  const show = (step: StepRecord) => {
    steps.add(step)
    display.step(step)
  }
  while (!(await streamed(sluice, id, { ...how, display, known: steps, show }))) {
    // The user has reached the limit of live streams; poll for the end instead.
    const change = await sluice.call('GET /api/changes/{id}', { path: { id } })
    if (isFinal(change.attributes.status_code)) {
      const all = await allSteps(sluice, id)
      if (how.logs) for await (const line of new LogReader(sluice, id).fresh(all, true)) display.line(line)
      // Children end before their parents.
      all.toReversed().forEach(show)
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
  readonly show: (step: StepRecord) => void
}

/** Shows the live stream of a change to its end; returns false if the limit of live streams is reached. */
async function streamed(sluice: Sluice, id: string, how: Streaming): Promise<boolean> {
  const { display, known, show, logs, until, justMade } = how
  const path = `/api/changes/${encodeURIComponent(id)}/live`
  let begun = false
  try {
    for await (const batch of sluice.live(path, { log_lines: logs }, { stop: until, retryFirst: justMade })) {
      begun = true
      for (const { kind, data } of batch) {
        if (kind === 'step') show(data as StepRecord)
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
  // The lines of a step that was just added can arrive before the step itself.
  if (!steps.get(stepId)) steps.add(await sluice.call('GET /api/steps/{id}', { path: { id: stepId } }))
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
