import type { ActionReference } from './action-reference.ts'
import { type NamedAction, type StepEntry, writtenEntry } from './step-entry.ts'

export type Strategy = 'sequential' | 'parallel'

/** Possible entry among the steps of an action. */
export type Entry = ActionReference | NamedAction | StepEntry

/** Steps that a body adds below its own; sent to the service when the body has succeeded. */
export class ChildSteps {
  #entries: unknown[] | undefined
  #replaces = false
  #strategy: Strategy | undefined

  append(entries: readonly Entry[]): void {
    this.#entries = [...(this.#entries ?? []), ...written('appendSteps', entries)]
  }

  replace(entries: readonly Entry[]): void {
    this.#entries = written('replaceSteps', entries)
    this.#replaces = true
  }

  get strategy(): Strategy | undefined {
    return this.#strategy
  }

  set strategy(strategy: Strategy | undefined) {
    if (strategy !== 'sequential' && strategy !== 'parallel')
      throw new TypeError(`childStrategy = "${strategy}": it is "sequential" or "parallel".`)
    this.#strategy = strategy
  }

  /** Content for step_result.json. */
  said(): object {
    return {
      ...(this.#entries && { child_steps: this.#entries }),
      ...(this.#replaces && { replace_child_steps: true }),
      ...(this.#strategy && { child_execution_strategy: this.#strategy }),
    }
  }
}

function written(by: string, entries: readonly Entry[]): unknown[] {
  return entries.map((entry, at) => {
    const made = writtenEntry(entry)
    if (typeof made === 'string' || (typeof made === 'object' && made !== null)) return made
    throw new TypeError(`${by}(…): number ${at + 1} is no action, stage, wait or input.`)
  })
}
