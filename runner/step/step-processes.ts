import type { Attempt } from '../../protocol/runner-protocol.ts'
import type { Root } from '../bodies/supervised-program.ts'
import { commandOf, endAll, findMarked, isHolder, type Process, startOf, type User } from '../sandbox/processes.ts'

/** The runner that started them, as far as it matters to find and to end them. */
export interface StartedBy {
  readonly runnerId: string
  readonly runAs?: User
  readonly limits: { readonly killAfterMilliseconds: number }
}

/**
 * Processes of one attempt of a step, also those that have lost their parents: found by the marks in their environment.
 */
export class StepProcesses {
  /** Root process of the present body. */
  root: Root | undefined
  readonly #attempt: Attempt
  readonly #by: StartedBy
  #ending: Promise<void> | undefined

  constructor(attempt: Attempt, by: StartedBy) {
    this.#attempt = attempt
    this.#by = by
  }

  /**
   * Resolves when none is left. While that is under way it is the same for all who ask for it: many programs that clean up
   * upon SIGTERM leave at once upon a second one.
   */
  end(): Promise<void> {
    this.#ending ??= endAll(() => this.#found(), this.#by.limits.killAfterMilliseconds).finally(() => {
      this.#ending = undefined
    })
    return this.#ending
  }

  /**
   * Commands, unmasked, and process ids of those that run now below the root, without those that the runner itself
   * started for the step.
   */
  left(): string[] {
    return this.#found()
      .filter(({ name }) => !isHolder(name))
      .flatMap(({ pid, name }) => {
        const command = commandOf(pid) ?? name
        return command.includes('module-host.') ? [] : [`${command} (${pid})`]
      })
  }

  #found(): Process[] {
    const { stepId, attempt } = this.#attempt
    const { runnerId, runAs } = this.#by
    const environment = [`SLUICE_STEP_ID=${stepId}`, `SLUICE_ATTEMPT=${attempt}`, `SLUICE_RUNNER_ID=${runnerId}`]
    const roots = this.root ? [this.root] : []
    return findMarked({ environment, roots, since: startOf(process.pid) }, runAs)
  }
}
