import { pipeline } from 'node:stream/promises'
import type { SupervisorPlace } from '../bodies/supervised-program.ts'
import type { Executors } from '../supervisor/executors.ts'
import { CachedDependencies, type CachePlace } from './cached-dependencies.ts'
import { Installer } from './installer.ts'

/** @param installer npm in a place that no step can reach */
export const openShared = (given: {
  executors: Executors
  kept: CachePlace
  installer: Omit<SupervisorPlace, 'intake'>
  complain: (line: string) => void
}): SharedDependencies => {
  const { executors, complain } = given
  const installer = new Installer(given.installer, () => executors.archive())
  return new SharedDependencies(executors, { kept: new CachedDependencies(given.kept), installer }, complain)
}

/**
 * Dependencies installed by npm and shared by the runners of a host. Used only if no step can reach what is shared:
 * otherwise each runner installs for itself, in its own working copy.
 */
export class SharedDependencies {
  readonly #executors: Pick<Executors, 'commit' | 'receive'>
  readonly #kept: CachedDependencies
  readonly #installer: Installer
  readonly #complain: (line: string) => void

  constructor(
    executors: Pick<Executors, 'commit' | 'receive'>,
    by: { kept: CachedDependencies; installer: Installer },
    complain: (line: string) => void,
  ) {
    this.#executors = executors
    this.#kept = by.kept
    this.#installer = by.installer
    this.#complain = complain
  }

  /** Installer for all runners; undefined where steps could reach it. */
  async installer(): Promise<Installer | undefined> {
    return (await this.#installer.isUsable()) ? this.#installer : undefined
  }

  /** Copies what another runner has installed into the working copy, if there is an archive for this environment. */
  async restored(env: Readonly<Record<string, string>>): Promise<boolean> {
    const name = this.#name(env)
    if (!(await this.#kept.has(name)) || !(await this.#installer.isUsable())) return false
    try {
      const right = await this.#executors.receive(to => this.#kept.read(name, to))
      if (!right) this.#complain(`the kept dependencies ${name} are not what a runner has kept, and are removed`)
      return right
    } catch (error) {
      this.#complain(`the kept dependencies ${name} cannot be used: ${(error as Error).message}`)
      return false
    }
  }

  /** Stores what was installed, and copies it into the working copy. */
  async handOver(env: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
    const name = this.#name(env)
    const made = await this.#keep(name, signal)
    const taken =
      made === undefined
        ? await this.#handOverUncached(signal)
        : await this.#executors.receive(to => this.#kept.read(name, to, made))
    if (!taken) throw new Error('what npm has installed could not be taken into the working copy')
    // The step need not wait for it; the rest is removed with the runner's folder.
    this.#installer.clear().catch(() => {})
  }

  /** The digest of the stored archive; undefined if it cannot be stored, which does not affect the step. */
  async #keep(name: string, signal: AbortSignal): Promise<string | undefined> {
    const { archive, ended } = this.#installer.pack(signal)
    try {
      const [made] = await Promise.all([this.#kept.keep(name, archive, signal), ended])
      return made
    } catch (error) {
      if (signal.aborted) throw error
      this.#complain(`the dependencies ${name} cannot be kept for others: ${(error as Error).message}`)
      return undefined
    }
  }

  async #handOverUncached(signal: AbortSignal): Promise<boolean> {
    const { archive, ended } = this.#installer.pack(signal)
    const receiving = this.#executors.receive(async to => {
      await pipeline(archive, to)
      return true
    })
    const [taken] = await Promise.all([receiving, ended])
    return taken
  }

  #name(env: Readonly<Record<string, string>>): string {
    return this.#kept.nameOf(this.#executors.commit, env)
  }
}
