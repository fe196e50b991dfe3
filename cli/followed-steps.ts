import { isFinal } from '../client/sluice.ts'
import type { StepRecord } from './step-tree.ts'

/** The steps of a change as a live stream has told of them so far, in the order of the tree. */
export class FollowedSteps {
  readonly #steps = new Map<string, StepRecord>()
  #order: string[] | undefined

  is(step: StepRecord): void {
    if (!this.#steps.has(step.id)) this.#order = undefined
    this.#steps.set(step.id, step)
  }

  get(id: string): StepRecord | undefined {
    return this.#steps.get(id)
  }

  /** Each before those beneath it. */
  inOrder(): StepRecord[] {
    this.#order ??= this.#ordered()
    return this.#order.map(id => this.#steps.get(id)!)
  }

  #ordered(): string[] {
    const beneath = Map.groupBy(this.#steps.values(), parentOf)
    const walk = (parent: string | undefined): string[] =>
      (beneath.get(parent) ?? [])
        .toSorted((a, b) => a.attributes.step_sequence - b.attributes.step_sequence)
        .flatMap(({ id }) => [id, ...walk(id)])
    return walk(undefined)
  }
}

function parentOf(step: StepRecord): string | undefined {
  const data = step.relationships?.['parent']?.data
  return data && !Array.isArray(data) ? data.id : undefined
}

/** Hands on steps that have ended, children before their parents, whatever the order in which they are told of. */
export class EndedSteps {
  /** Of steps that have not been handed on: how many beneath them have not either. */
  readonly #open = new Map<string, number>()
  readonly #waiting = new Map<string, StepRecord>()
  readonly #known = new Set<string>()

  /** What may be handed on now that this is so. */
  is(step: StepRecord): StepRecord[] {
    const parent = parentOf(step)
    if (!this.#known.has(step.id)) {
      this.#known.add(step.id)
      if (parent !== undefined) this.#open.set(parent, (this.#open.get(parent) ?? 0) + 1)
    }
    if (!isFinal(step.attributes.status_code)) return []
    this.#waiting.set(step.id, step)
    return this.#released(step.id)
  }

  /** What was waiting for steps beneath it that nobody will tell of any more. */
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
