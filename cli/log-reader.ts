import type { LogLine } from '../client/generated/api.ts'
import { isFinal, type Query, type Resource, type Sluice } from '../client/sluice.ts'
import type { StepRecord } from './step-tree.ts'

export interface Line {
  /** Full path of the step that wrote the line; empty for lines of the change itself. */
  readonly step: string
  readonly record: Resource<LogLine>
}

/**
 * Reads each log line of a change exactly once while the log grows. Lines of a step are read by sequence number, which
 * is correct even if lines with an earlier timestamp are stored later.
 */
export class LogReader {
  readonly #sluice: Sluice
  readonly #changeId: string
  /** Last attempt and sequence number read, by step id. */
  readonly #read = new Map<string, { attempt: number; sequence: number; complete: boolean }>()
  #own = false

  constructor(sluice: Sluice, changeId: string) {
    this.#sluice = sluice
    this.#changeId = changeId
  }

  /** Yields the lines stored since the last call. `steps` must have been read before this call. */
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
    // Earlier attempts are read to their end first.
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
