import { chownSync, mkdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { ExecutorGone, ExecutorHost } from './executor-host.ts'
import type { Exited, FrameKind } from './executor-protocol.ts'
import type { RunningStep, StepSurroundings } from './running-step.ts'
import { findBubblewrap, sandboxed } from './sandbox.ts'
import { baseEnvironment } from './step-environment.ts'
import type { SupervisorOptions } from './supervise.ts'

/** Whoever is told what comes on a channel. */
export type Listener = Pick<RunningStep, 'take' | 'exited' | 'executorGone'>

/** A repository need not have a package.json; that Node then looks at a file to know what it is, is no news to a log. */
const moduleHostOptions = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--disable-warning=ExperimentalWarning']

/**
 * The executor that there is, and the next one when it is gone; the first makes the working copy. It is started with the
 * runner and the copy is made as soon as the commit is known: both take as long as the service needs for the first step.
 */
export class Executors {
  readonly surroundings: Pick<
    StepSurroundings,
    'work' | 'baseEnvironment' | 'executor' | 'openChannel' | 'closeChannel' | 'command' | 'moduleHost' | 'except'
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
  #held = false
  #sandbox: Promise<string | undefined> | undefined
  #ended = false

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
      command: (argv, cwd) => this.#command(argv, cwd),
      moduleHost: [this.#node, ...moduleHostOptions, join(program?.folder ?? import.meta.dirname, 'module-host.ts')],
      except: () => new Set(this.#current ? [this.#current.pid] : []),
    }
    this.#spawn()
  }

  workOn(commit: string): void {
    this.#commit ??= commit
    // What is wrong with it is told to the steps, which ask for it again.
    this.#executor().catch(() => {})
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

  /** Removes a step's folder, when there is someone to do it. */
  tidy(step: string): void {
    this.#current
      ?.ask('remove', { step })
      .catch(error => this.#complain(`the folder of ${step} stays: ${error.message}`))
  }

  /** Removes all that steps have left in the runner's folder, and ends. */
  async end(): Promise<void> {
    this.#ended = true
    const executor = this.#current
    if (!executor) return
    await executor
      .ask('remove', { step: '' })
      .catch(error => this.#complain(`the working copy stays: ${error.message}`))
    this.#current = undefined
    await executor.kill()
  }

  #executor(): Promise<ExecutorHost> {
    this.#ready ??= this.#start().catch(error => {
      // The next step tries again.
      this.#ready = undefined
      throw error
    })
    return this.#ready
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
      exited: (channel: number, exit: Omit<Exited, 'exited'>) => this.#listeners.get(channel)?.exited(exit),
    }
    const executor = new ExecutorHost(place, events, this.#options.limits.hangMilliseconds)
    this.#current = executor
    executor.hold(this.#held)
    void executor.ended.then(how => this.#lost(executor, how))
    return executor
  }

  #lost(executor: ExecutorHost, how: string): void {
    if (executor !== this.#current) return
    this.#complain(`the executor ended: ${how}`)
    this.#current = undefined
    this.#ready = undefined
    for (const listener of [...this.#listeners.values()]) listener.executorGone(how)
  }

  async #makeReady(executor: ExecutorHost): Promise<void> {
    if (this.#copyMade) {
      executor.archive.end()
      await executor.ask('ready', { unpack: false })
      return
    }
    const unpacked = executor.ask('ready', { unpack: true }).catch(error => {
      throw error instanceof ExecutorGone ? error : new Refused(error.message)
    })
    await Promise.all([unpacked, this.#download(executor)])
    this.#copyMade = true
  }

  async #download(executor: ExecutorHost): Promise<void> {
    const answer = await fetch(new URL(`/runner/archive/${this.#commit}`, this.#address()), {
      headers: { authorization: `Bearer ${this.#options.start.secret}` },
    })
    if (!answer.ok || !answer.body) {
      const why = `the service answered ${answer.status} ${(await answer.text()).slice(0, 500)}`
      throw answer.status < 500 ? new Refused(why) : new Error(why)
    }
    await pipeline(Readable.fromWeb(answer.body as never), executor.archive)
  }

  async #command(argv: string[], cwd: string): Promise<{ argv: string[]; keep: boolean }> {
    this.#sandbox ??= this.#usableSandbox()
    const bwrap = await this.#sandbox
    return bwrap ? { argv: sandboxed(argv, { bwrap, cwd, ...this.#view() }), keep: false } : { argv, keep: true }
  }

  #view(): { hide: string[]; show: string[] } {
    const { hide, runAs } = this.#options.start
    // Another user's folders are closed to it anyway, and it could mount nothing over them.
    return runAs || hide.length === 0 ? { hide: [], show: [] } : { hide, show: [this.#work] }
  }

  async #usableSandbox(): Promise<string | undefined> {
    const bwrap = this.#options.start.sandbox ? findBubblewrap() : undefined
    if (!bwrap) return undefined
    const argv = sandboxed(['/bin/true'], { bwrap, cwd: '/', ...this.#view() })
    const { refused } = await (await this.#executor()).ask('trySandbox', { argv })
    if (refused) this.#complain(`bubblewrap is installed but cannot be used here, so steps run without it: ${refused}`)
    return refused ? undefined : bwrap
  }
}

/** The service or the archive itself says no, and will say the same again. */
class Refused extends Error {}
