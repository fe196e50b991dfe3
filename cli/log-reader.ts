import type { LogLine } from '../client/generated/api.ts'
import { isFinal, type Query, type Resource, type Sluice } from '../client/sluice.ts'
import type { StepRecord } from './step-tree.ts'

export interface Line {
  /** The full path of the step that wrote it; empty where the change itself says something. */
  readonly step: string
  readonly record: Resource<LogLine>
}

/**
 * Reads each line of a change's log once, while it is written: of every step in the order of the step's own numbers,
 * which is right also when lines of an earlier moment are stored later.
 */
export class LogReader {
  readonly #sluice: Sluice
  readonly #changeId: string
  /** The last number read of each attempt of each step. */
  readonly #read = new Map<string, { attempt: number; sequence: number; complete: boolean }>()
  #own = false

  constructor(sluice: Sluice, changeId: string) {
    this.#sluice = sluice
    this.#changeId = changeId
  }

  /** What has been stored since it was asked last, of steps as they were before this was asked. */
  async *fresh(steps: readonly StepRecord[], changeHasEnded: boolean): AsyncGenerator<Line> {
    for (const step of steps) yield* this.#ofStep(step)
    if (!changeHasEnded || this.#own) return
    this.#own = true
    for await (const record of this.#lines(`/api/changes/${this.#changeId}/log_lines`, { 'filter[step_id_null]': '1' }))
      yield { step: '', record }
  }

  async *#ofStep({ id, attributes: step }: StepRecord): AsyncGenerator<Line> {
    const ended = isFinal(step.status_code)
    const before = this.#read.get(id) ?? { attempt: 1, sequence: 0, complete: false }
    if (before.complete || (!step.started_at && !ended)) return
    // An attempt that another has followed is read to its end first.
    for (let attempt = before.attempt; attempt <= Math.max(1, step.attempt); attempt++) {
      let sequence = attempt === before.attempt ? before.sequence : 0
      const query = { 'filter[attempt_eq]': attempt, 'filter[sequence_gt]': sequence }
      for await (const record of this.#lines(`/api/steps/${id}/log_lines`, query)) {
        sequence = record.attributes.sequence
        yield { step: step.full_path, record }
      }
      this.#read.set(id, { attempt, sequence, complete: ended && attempt >= step.attempt })
    }
  }

  async *#lines(path: string, filters: Query): AsyncGenerator<Resource<LogLine>> {
    const query = { ...filters, 'filter[sorts]': 'sequence asc' }
    for await (const { data } of this.#sluice.pages(path, query)) yield* data as unknown as Resource<LogLine>[]
  }
}
