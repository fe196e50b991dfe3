import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Dependencies, stagingFolder } from '../executor/dependencies.ts'
import { startIn, unpackingInto } from '../executor/placed-program.ts'
import { whyRefused } from '../sandbox/sandbox.ts'
import { beginning, smallArchiveBytes } from './beginning.ts'
import { ExecutorGone, ExecutorHost, type ExecutorPlace } from './executor-host.ts'
import type { FrameKind, Question, Questions } from './executor-protocol.ts'
import { Refused } from './setup-error.ts'
import type { SupervisorOptions } from './supervisor-options.ts'

/** Receiver of the frames of a channel. */
export interface Listener {
  take(kind: FrameKind, bytes: Buffer): void
  executorGone(how: string): void
}

/**
 * The current executor, and its replacement when it is gone; the first makes the working copy. It is started at once,
 * and the copy is made as soon as the commit is known: both take as long as the service needs for the first step.
 */
export class Executors {
  readonly #options: SupervisorOptions
  readonly #address: () => string
  readonly #complain: (line: string) => void
  #place: ExecutorPlace
  readonly #listeners = new Map<number, Listener>()
  #nextChannel = 1
  #commit: string | undefined
  #current: ExecutorHost | undefined
  #ready: Promise<ExecutorHost> | undefined
  #copyMade = false
  #sandboxHolds = false
  #dependencies: Dependencies = 'none'
  #starting = false
  #ended = false

  constructor(
    options: SupervisorOptions,
    place: ExecutorPlace,
    address: () => string,
    complain: (line: string) => void,
  ) {
    this.#options = options
    this.#place = place
    this.#address = address
    this.#complain = complain
  }

  /** Starts one, to be ready when it is needed. */
  begin(): void {
    if (!this.#current && !this.#ended) this.#spawn()
  }

  workOn(commit: string): void {
    this.#commit ??= commit
    // The failure is reported to the steps, which retry it.
    this.#executor().catch(() => {})
  }

  /** Resolves when the working copy has been made; undefined when it has. */
  copy(): Promise<void> | undefined {
    return this.#copyMade ? undefined : this.#executor().then(() => {})
  }

  /** Whether the working copy needs dependencies that npm has not installed yet. Known once the copy has been made. */
  get wantsDependencies(): boolean {
    return this.#dependencies === 'wanted'
  }

  /** Records that the dependencies have been installed in the working copy. */
  haveDependencies(): void {
    this.#dependencies = 'there'
  }

  /** Commit that the runner works on; read once there is a working copy. */
  get commit(): string {
    if (this.#commit === undefined) throw new Error('the runner works on no commit yet')
    return this.#commit
  }

  /** Address of the archive of the commit's tree. */
  archive(): { url: URL; secret: string } {
    return { url: new URL(`/runner/archive/${this.commit}`, this.#address()), secret: this.#options.start.secret }
  }

  /**
   * Unpacks dependencies beside the working copy, as a step would, and moves them into it once all of them are there.
   *
   * @param read writes them as tar; returns whether they may be used
   */
  async receive(read: (to: Writable) => Promise<boolean>): Promise<boolean> {
    await this.ask('beside', {})
    const { stdin, stdout, ended } = startIn(this.#place, unpackingInto(stagingFolder(this.#place.work)))
    stdout.resume()
    const [unpacked, right] = await Promise.allSettled([ended, read(stdin)])
    const usable = unpacked.status === 'fulfilled' && right.status === 'fulfilled' && right.value
    await this.ask(usable ? 'adopt' : 'beside', {})
    if (unpacked.status === 'rejected') throw unpacked.reason
    if (right.status === 'rejected') throw right.reason
    return usable
  }

  /** Asks the current executor, and the next one if it ends meanwhile: each request can be repeated. */
  async ask<Q extends Question>(question: Q, ask: Questions[Q]['ask']): Promise<Questions[Q]['answer']> {
    const executor = await this.#executor()
    try {
      return await executor.ask(question, ask)
    } catch (error) {
      if (!(error instanceof ExecutorGone)) throw error
      // Its replacement is known by then.
      await executor.ended
      return (await this.#executor()).ask(question, ask)
    }
  }

  open(listener: Listener): number {
    const channel = this.#nextChannel++
    this.#listeners.set(channel, listener)
    return channel
  }

  close(channel: number): void {
    this.#listeners.delete(channel)
  }

  /** Reports that the step's folder is no longer needed. `unusable`: a process of the step may still use it. */
  stepEnded(step: string, unusable: boolean): void {
    this.#current?.tell({ ended: step, unusable })
  }

  /** Removes everything that steps have left in the runner's folder, and ends. */
  async end(): Promise<void> {
    this.#ended = true
    const executor = this.#current
    if (!executor) return
    await executor.ask('clear', {}).catch(error => this.#complain(`the working copy stays: ${error.message}`))
    this.#current = undefined
    await executor.kill()
  }

  #executor(): Promise<ExecutorHost> {
    this.#ready ??= this.#startAlone().catch(error => {
      // The next step retries it.
      this.#ready = undefined
      throw error
    })
    return this.#ready
  }

  async #startAlone(): Promise<ExecutorHost> {
    this.#starting = true
    try {
      return await this.#start()
    } finally {
      this.#starting = false
    }
  }

  async #start(): Promise<ExecutorHost> {
    // Waits for an unavailable service, for about as long as its absence may last.
    for (let attempt = 1, pause = 100; ; attempt++, pause = Math.min(pause * 2, 5_000)) {
      const executor = this.#current ?? this.#spawn()
      try {
        await this.#makeReady(executor)
        return executor
      } catch (error) {
        await executor.kill()
        if (this.#current === executor) this.#current = undefined
        await this.#withoutSandboxIfRefused()
        if (this.#ended || attempt === 20 || error instanceof Refused) {
          throw new Error(`the working copy of ${this.#commit} could not be made: ${(error as Error).message}`)
        }
        await wait(pause)
      }
    }
  }

  /**
   * Gives up the sandbox when it is refused from the start, which is reported by the processes that run the steps. A
   * sandbox that has worked is not given up: otherwise a step that exhausts its user's limit of processes or namespaces
   * would let the next executor see more than a step does.
   */
  async #withoutSandboxIfRefused(): Promise<void> {
    const { sandbox } = this.#place
    if (this.#sandboxHolds || sandbox.length === 0) return
    if (await whyRefused(sandbox, this.#place)) this.#place = { ...this.#place, sandbox: [] }
  }

  #spawn(): ExecutorHost {
    const take = (kind: FrameKind, channel: number, bytes: Buffer) => this.#listeners.get(channel)?.take(kind, bytes)
    const executor = new ExecutorHost(this.#place, take, this.#options.limits.hangMilliseconds)
    this.#current = executor
    void executor.ended.then(how => this.#lost(executor, how))
    return executor
  }

  #lost(executor: ExecutorHost, how: string): void {
    if (executor !== this.#current) return
    this.#complain(`the executor ended: ${how}`)
    this.#current = undefined
    // An executor that is being prepared is replaced by the code that prepares it: two at once would overwrite each
    // other's copy.
    if (!this.#starting) this.#ready = undefined
    for (const listener of [...this.#listeners.values()]) listener.executorGone(how)
  }

  async #makeReady(executor: ExecutorHost): Promise<void> {
    const archive = this.#copyMade ? undefined : await this.#archiveUnlessCopied()
    const copy = this.#copyMade ? 'made' : archive ? 'archive' : 'copied'
    const ready = executor.ask('ready', { copy }).catch(error => {
      throw error instanceof ExecutorGone ? error : new Refused(error.message)
    })
    if (archive) await Promise.all([ready, pipeline(archive, executor.archive)])
    else executor.archive.end()
    const { dependencies } = await ready
    if (dependencies) this.#dependencies = dependencies
    this.#copyMade = true
    this.#sandboxHolds = this.#place.sandbox.length > 0
  }

  /** The commit's tree from the service; undefined if a large one was copied from what runners share. */
  async #archiveUnlessCopied(): Promise<Readable | undefined> {
    const { trees, runAs: steps, prepareAs: preparer } = this.#options.start
    const { env, work } = this.#place
    const place = trees && steps && preparer ? { folder: trees, steps, preparer, env } : undefined
    const isThere = place && existsSync(join(place.folder, this.commit))
    // The imports of these take long to load, and are loaded for the connection meanwhile.
    const shared = async () => new (await import('../executor/shared-trees.ts')).SharedTrees(place!)
    const target = join(work, 'copy.copied')
    if (isThere && (await (await shared()).copy(this.commit, target))) return undefined
    const { openTree } = await import('../executor/download.ts')
    const { whole, all } = await beginning(await openTree(this.archive()), smallArchiveBytes)
    if (whole || !place) return all
    const large = await shared()
    await large.make(this.commit, all)
    if (!(await large.copy(this.commit, target))) throw new Error('the tree was removed meanwhile')
    return undefined
  }
}
