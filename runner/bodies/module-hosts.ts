import { availableParallelism } from 'node:os'
import type { Hide, Take } from './body-output.ts'
import { ModuleProcess } from './module-process.ts'
import type { ModuleJob } from './module-protocol.ts'
import { startSupervisor } from './process-supervisor.ts'
import { noLongerWanted, type RunningBody } from './script-pool.ts'
import type { SupervisorPlace } from './supervised-program.ts'

/**
 * Number of rehearsals after which V8 has compiled most of what a step goes through; more gain little, and others want
 * the processor.
 */
const rehearsals = 60
const rehearsal: ModuleJob = {
  action: '',
  file: '',
  // There is no working copy yet: beside its place.
  folder: '..',
  step: 'rehearsal',
  context: '{}',
  env: {},
}

/**
 * Time in milliseconds that a body waits for a process that runs another one. Starting one takes a processor twenty
 * times as long, and until it has compiled what it runs, hundreds of steps more: bodies of a millisecond end sooner in
 * the few that have.
 */
const maxWaitMilliseconds = 25
/** Processes that start or load the program at once. Each has a processor for itself then, and more would end no sooner. */
const mostStarting = availableParallelism()
/**
 * Time in milliseconds after which a process that still loads is no longer counted: it waits for something else than a
 * processor, and delays no others.
 */
const loadingMilliseconds = 1_000

interface Waiting extends PromiseWithResolvers<ModuleProcess> {
  readonly since: number
}

/**
 * The processes that run a repository's own programs: as many as bodies that take their time run at once
 * (docs/adr/0084), and those that have run wait for more.
 */
export class ModuleHosts {
  readonly #place: SupervisorPlace
  readonly #idle: ModuleProcess[] = []
  readonly #busy = new Set<ModuleProcess>()
  readonly #starts = new Set<Promise<void>>()
  /** Bodies without a process, in the order in which they came. */
  readonly #waiting: Waiting[] = []
  #look: NodeJS.Timeout | undefined
  #warming: Promise<void> | undefined
  #wanted = false
  #over = false

  constructor(place: SupervisorPlace) {
    this.#place = place
  }

  /** Starts a process before the first body needs one, and rehearses it until a body arrives. */
  async warm(): Promise<void> {
    if (this.#idle.length > 0) return
    this.#warming = this.#rehearsed()
    await this.#warming.finally(() => {
      this.#warming = undefined
    })
  }

  async start(job: ModuleJob, take: Take, hide: Hide, isWanted = () => true): Promise<RunningBody> {
    this.#wanted = true
    // A failure is reported to the caller that warms it.
    if (this.#warming !== undefined) await this.#warming.catch(() => {})
    const host = this.#takeIdle() ?? (await this.#next())
    if (!isWanted()) {
      this.#give(host)
      throw new Error(noLongerWanted)
    }
    this.#busy.add(host)
    const ended = host.run(job, take, hide, () => this.#lookAgain())
    return {
      root: host.root,
      ended,
      endsWhatIsLeft: this.#place.sandbox.length > 0,
      settled: () => host.settled(),
      free: () => this.#free(host),
    }
  }

  /** Ends the idle processes. */
  async end(): Promise<void> {
    this.#over = true
    await Promise.all(this.#starts)
    for (const host of this.#idle.splice(0)) host.end()
  }

  async #rehearsed(): Promise<void> {
    const host = await this.#start()
    for (let done = 0; done < rehearsals && !this.#wanted && host.usable; done++) {
      await host.run(rehearsal, () => {})
      await host.settled()
      host.freed()
    }
    if (host.usable) this.#idle.push(host)
  }

  async #start(): Promise<ModuleProcess> {
    return new ModuleProcess(await startSupervisor(this.#place, 2), this.#place)
  }

  #takeIdle(): ModuleProcess | undefined {
    for (let host = this.#idle.pop(); host; host = this.#idle.pop()) if (host.usable) return host
    return undefined
  }

  /** Resolves with the next process that has run its body, or has been started. */
  #next(): Promise<ModuleProcess> {
    const waiting = { ...Promise.withResolvers<ModuleProcess>(), since: performance.now() }
    this.#waiting.push(waiting)
    this.#grow()
    return waiting.promise
  }

  #free(host: ModuleProcess): void {
    this.#busy.delete(host)
    if (host.freed()) this.#give(host)
    else this.#lookAgain()
  }

  #give(host: ModuleProcess): void {
    const first = this.#waiting.shift()
    if (first) first.resolve(host)
    else if (this.#over) host.end()
    else this.#idle.push(host)
  }

  #lookAgain(): void {
    clearTimeout(this.#look)
    this.#look = undefined
    this.#grow()
  }

  /** Starts another one when it is time, for as long as bodies wait. */
  #grow(): void {
    if (this.#look !== undefined || this.#waiting.length === 0) return
    const left = this.#untilNextStart()
    if (left > 0) {
      this.#look = setTimeout(() => this.#lookAgain(), left)
      return
    }
    const start = this.#startAnother().finally(() => {
      this.#starts.delete(start)
      this.#lookAgain()
    })
    this.#starts.add(start)
    this.#grow()
  }

  /** Milliseconds until another process may start, while a body waits. */
  #untilNextStart(): number {
    if (this.#busy.size + this.#starts.size === 0) return 0
    const now = performance.now()
    const loading = [...this.#busy].filter(host => host.isLoading(now - loadingMilliseconds))
    if (this.#starts.size + loading.length >= mostStarting) return loadingMilliseconds
    return this.#waiting[0]!.since + maxWaitMilliseconds - now
  }

  async #startAnother(): Promise<void> {
    try {
      this.#give(await this.#start())
    } catch (error) {
      this.#waiting.shift()?.reject(error)
    }
  }
}
