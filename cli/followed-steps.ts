import { isFinal } from '../client/sluice.ts'
import type { StepRecord } from './step-tree.ts'

/** The latest state of each step received from a live stream, in tree order. */
export class FollowedSteps {
  readonly #steps = new Map<string, StepRecord>()
  #order: string[] | undefined

  add(step: StepRecord): void {
    if (!this.#steps.has(step.id)) this.#order = undefined
    this.#steps.set(step.id, step)
  }

  get(id: string): StepRecord | undefined {
    return this.#steps.get(id)
  }

  /** Steps in tree order, parents before children. */
  inOrder(): StepRecord[] {
    this.#order ??= this.#ordered()
    return this.#order.map(id => this.#steps.get(id)!)
  }

  #ordered(): string[] {
    const children = Map.groupBy(this.#steps.values(), parentOf)
    const walk = (parent: string | undefined): string[] =>
      (children.get(parent) ?? [])
        .toSorted((a, b) => a.attributes.step_sequence - b.attributes.step_sequence)
        .flatMap(({ id }) => [id, ...walk(id)])
    return walk(undefined)
  }
}

function parentOf(step: StepRecord): string | undefined {
  const data = step.relationships?.['parent']?.data
  return data && !Array.isArray(data) ? data.id : undefined
}

/** Reorders ended steps so that children come before their parents, whatever the order in which they arrive. */
export class EndedSteps {
  /** Number of children not yet released, by id of a step not yet released. */
  readonly #open = new Map<string, number>()
  readonly #waiting = new Map<string, StepRecord>()
  readonly #known = new Set<string>()

  /** Records the state of a step and returns the ended steps that it releases. */
  add(step: StepRecord): StepRecord[] {
    const parent = parentOf(step)
    if (!this.#known.has(step.id)) {
      this.#known.add(step.id)
      if (parent !== undefined) this.#open.set(parent, (this.#open.get(parent) ?? 0) + 1)
    }
    if (!isFinal(step.attributes.status_code)) return []
    this.#waiting.set(step.id, step)
    return this.#released(step.id)
  }

  /** Ended steps that still wait for children which will not be reported any more. */
  rest(): StepRecord[] {
    const rest = [...this.#waiting.values()].toReversed()
    this.#waiting.clear()
    return rest
  }

  #released(id: string | undefined): StepRecord[] {
    const step = id === undefined ? undefined : this.#waiting.get(id)
    if (!step || (this.#open.get(step.id) ?? 0) > 0) return []
    this.#waiting.delete(step.id)
    const parent = parentOf(step)
    if (parent !== undefined) this.#open.set(parent, this.#open.get(parent)! - 1)
    return [step, ...this.#released(parent)]
  }
}
