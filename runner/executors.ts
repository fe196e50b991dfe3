import { chownSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { downloadTree, Refused } from './download.ts'
import { ExecutorGone, ExecutorHost } from './executor-host.ts'
import type { FrameKind, Root } from './executor-protocol.ts'
import { endAll, findBearers, type Process } from './processes.ts'
import type { RunningStep, StepSurroundings } from './running-step.ts'
import { findBubblewrap, sandboxed } from './sandbox.ts'
import { baseEnvironment } from './step-environment.ts'
import type { SupervisorOptions } from './supervise.ts'

/** Whoever is told what comes on a channel. */
export type Listener = Pick<RunningStep, 'take' | 'started' | 'executorGone'>

/**
 * The executor that there is, and the next one when it is gone; the first makes the working copy. It is started as soon as
 * the runner has said hello, and the copy is made as soon as the commit is known: both take as long as the service needs
 * for the first step.
 */
export class Executors {
  readonly surroundings: Pick<
    StepSurroundings,
    'work' | 'baseEnvironment' | 'executor' | 'openChannel' | 'closeChannel' | 'except'
  >
  readonly #options: SupervisorOptions
  readonly #address: () => string
  readonly #complain: (line: string) => void
  readonly #work: string
  readonly #node: string
  readonly #listeners = new Map<number, Listener>()
  #nextChannel = 1
  #commit: string | undefined
  #current: ExecutorHost | undefined
  #ready: Promise<ExecutorHost> | undefined
  #copyMade = false
  #starting = false
  #held = false
  #ended = false
  /** It has been said that there is no sandbox. */
  #refused = false

  constructor(options: SupervisorOptions, address: () => string, complain: (line: string) => void) {
    const { runAs, program } = options.start
    this.#options = options
    this.#address = address
    this.#complain = complain
    this.#work = join(options.folder, 'work')
    this.#node = program?.node ?? process.execPath
    mkdirSync(this.#work, { recursive: true, mode: 0o700 })
    if (runAs) chownSync(this.#work, runAs.uid, runAs.gid)
    const userName = runAs?.name ?? userInfo().username
    this.surroundings = {
      work: this.#work,
      baseEnvironment: baseEnvironment({ runnerId: options.runnerId, work: this.#work, node: this.#node, userName }),
      executor: () => this.#executor(),
      openChannel: step => this.open(step),
      closeChannel: channel => void this.#listeners.delete(channel),
      except: () => new Set(this.#current ? [this.#current.pid] : []),
    }
  }

  /** Starts one, to be there when it is wanted. */
  begin(): void {
    if (!this.#current && !this.#ended) this.#spawn()
  }

  workOn(commit: string): void {
    this.#commit ??= commit
    // What is wrong with it is told to the steps, which ask for it again.
    this.#executor().catch(() => {})
  }

  /** There is no work yet, and time to make ready for it. */
  warm(): void {
    this.begin()
    this.#current?.ask('warm', {}).catch(error => this.#complain(String(error)))
  }

  open(listener: Listener): number {
    const channel = this.#nextChannel++
    this.#listeners.set(channel, listener)
    return channel
  }

  close(channel: number): void {
    this.#listeners.delete(channel)
  }

  hold(on: boolean): void {
    if (on === this.#held) return
    this.#held = on
    this.#current?.hold(on)
  }

  /** The step's folder is no more needed. */
  over(step: string): void {
    this.#current?.tell({ over: step })
  }

  /** Removes all that steps have left in the runner's folder, and ends. */
  async end(): Promise<void> {
    this.#ended = true
    const executor = this.#current
    if (!executor) return
    await executor.ask('clear', {}).catch(error => this.#complain(`the working copy stays: ${error.message}`))
    this.#current = undefined
    await executor.kill()
    await endAll(() => this.#left(), 0)
  }

  /** The keepers and the processes for programs. What a step may leave carries the step's mark too. */
  #left(): Process[] {
    const { runnerId, start } = this.#options
    const wanted = (environment: string) => !environment.includes('\0SLUICE_STEP_ID=')
    return findBearers({ environment: [`SLUICE_RUNNER_ID=${runnerId}`], except: new Set(), wanted }, start.runAs)
  }

  #executor(): Promise<ExecutorHost> {
    this.#ready ??= this.#startAlone().catch(error => {
      // The next step tries again.
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
    // A service that is away is waited for, for about as long as its absence may last.
    for (let attempt = 1, pause = 100; ; attempt++, pause = Math.min(pause * 2, 5_000)) {
      const executor = this.#current ?? this.#spawn()
      try {
        await this.#makeReady(executor)
        return executor
      } catch (error) {
        await executor.kill()
        if (this.#current === executor) this.#current = undefined
        if (this.#ended || attempt === 20 || error instanceof Refused) {
          throw new Error(`the working copy of ${this.#commit} could not be made: ${(error as Error).message}`)
        }
        await wait(pause)
      }
    }
  }

  #spawn(): ExecutorHost {
    const { runAs, program } = this.#options.start
    const place = {
      node: this.#node,
      program: program?.folder ?? import.meta.dirname,
      work: this.#work,
      env: this.surroundings.baseEnvironment,
      ...(runAs && { runAs }),
    }
    const events = {
      frame: (kind: FrameKind, channel: number, bytes: Buffer) => this.#listeners.get(channel)?.take(kind, bytes),
      started: (channel: number, root: Root) => this.#listeners.get(channel)?.started(root),
    }
    const executor = new ExecutorHost(place, events, this.#options.limits.hangMilliseconds)
    this.#current = executor
    executor.hold(this.#held)
    this.#open(executor)
    void executor.ended.then(how => this.#lost(executor, how))
    return executor
  }

  #lost(executor: ExecutorHost, how: string): void {
    if (executor !== this.#current) return
    this.#complain(`the executor ended: ${how}`)
    this.#current = undefined
    // One that is only being made ready is replaced by whoever does that: two at once would take the copy from each other.
    if (!this.#starting) this.#ready = undefined
    for (const listener of [...this.#listeners.values()]) listener.executorGone(how)
  }

  async #makeReady(executor: ExecutorHost): Promise<void> {
    const unpack = !this.#copyMade
    const ready = executor.ask('ready', { unpack }).catch(error => {
      throw error instanceof ExecutorGone ? error : new Refused(error.message)
    })
    if (unpack) await Promise.all([ready, this.#download(executor)])
    else executor.archive.end()
    await ready
    this.#copyMade = true
  }

  #open(executor: ExecutorHost): void {
    const sandbox = this.#sandbox()
    executor.ask('open', { env: this.surroundings.baseEnvironment, ...(sandbox && { sandbox }) }).then(
      ({ refused }) => {
        if (!refused || this.#refused) return
        this.#refused = true
        this.#complain(`bubblewrap is installed but cannot be used here, so steps run without it: ${refused}`)
      },
      // Whoever asks it next is told.
      error => this.#complain(String(error)),
    )
  }

  async #download(executor: ExecutorHost): Promise<void> {
    const url = new URL(`/runner/archive/${this.#commit}`, this.#address())
    await downloadTree({ url, secret: this.#options.start.secret }, executor.archive)
  }

  #sandbox(): string[] | undefined {
    const { hide, runAs, sandbox } = this.#options.start
    const bwrap = sandbox ? findBubblewrap() : undefined
    // Another user's folders are closed to it anyway, and it could mount nothing over them.
    const view = runAs || hide.length === 0 ? { hide: [], show: [] } : { hide, show: [this.#work] }
    if (!bwrap) return undefined
    return sandboxed([], { bwrap, cwd: this.#work, ...view })
  }
}
