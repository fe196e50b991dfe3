import { join } from 'node:path'
import {
  type Attempt,
  type Hello,
  protocolVersion,
  type ToRunner,
  type Welcome,
  type Work,
} from '../../protocol/runner-protocol.ts'
import type { Bodies } from '../bodies/bodies.ts'
import { hasSubreaper } from '../bodies/process-supervisor.ts'
import { Installation } from '../executor/install.ts'
import { failpoint } from '../failpoints.ts'
import { beginParts, type Parts } from '../parts.ts'
import { endAll, findBearers, type Process, startOf } from '../sandbox/processes.ts'
import { RunningStep, type StepSurroundings, type Stopping } from '../step/running-step.ts'
import { Connection } from './connection.ts'
import { ranAlready } from './duplicate-attempt.ts'
import type { Executors } from './executors.ts'
import type { ServiceAddress } from './service-address.ts'
import { Spool, type Unnumbered } from './spool.ts'
import type { SupervisorOptions } from './supervisor-options.ts'
import { uploadArtefact } from './upload.ts'

export type Supervisor = {
  /** Stops running steps, reports them, and ends when that is acknowledged. */
  stop(why: string): void
  /** The exit code. */
  ended: Promise<number>
}

/**
 * The whole life of a runner, from the first connection to the last acknowledgement.
 *
 * @param parts started before everything that this needs was loaded
 */
export function supervise(options: SupervisorOptions, parts: Parts = beginParts(options)): Supervisor {
  const runner = new Runner(options, parts)
  return { stop: why => runner.stop(why), ended: runner.ended.promise }
}

class Runner {
  readonly ended = Promise.withResolvers<number>()
  readonly #options: SupervisorOptions
  readonly #address: ServiceAddress
  readonly #spool: Spool
  readonly #steps = new Map<string, RunningStep>()
  /** Attempts that were ever given to this runner: one that is given twice is run once. */
  readonly #known = new Set<string>()
  readonly #connection: Connection
  readonly #executors: Executors
  readonly #bodies: Bodies
  readonly #surroundings: StepSurroundings
  readonly #watch: NodeJS.Timeout
  readonly #complain: (line: string) => void
  #stopped = false

  constructor(options: SupervisorOptions, { place, address, executors, bodies, shared, complain }: Parts) {
    this.#options = options
    this.#spool = new Spool(join(options.folder, 'spool'), ringBytes(options.limits), complain)
    this.#address = address
    this.#executors = executors
    this.#bodies = bodies
    this.#complain = complain
    this.#surroundings = {
      runnerId: options.runnerId,
      limits: options.limits,
      apiUrl: '',
      work: place.work,
      baseEnvironment: place.env,
      hasSubreaper: hasSubreaper(),
      ...(place.runAs && { runAs: place.runAs }),
      executors: this.#executors,
      installation: new Installation(),
      shared,
      node: place.node,
      npm: options.start.npm,
      bodies: this.#bodies,
      report: message => this.#report(message),
      upload: upload => uploadArtefact(upload, { ...this.#access, executors: this.#executors }),
      complain,
    }
    this.#connection = new Connection({
      address: this.#address,
      secret: options.start.secret,
      limits: options.limits,
      events: {
        hello: () => this.#hello(),
        message: message => this.#hear(message),
        welcomed: () => {
          this.#spool.startOver()
          this.#sendOn()
        },
        gone: why => void this.#abandon(why),
        ended: () => void this.#end(0),
      },
    })
    this.#watch = setInterval(() => this.#checkSilence(), Math.min(1_000, options.limits.silenceMilliseconds / 10))
  }

  stop(why: string): void {
    this.#stopped = true
    this.#stopAll({ outcome: 'error', message: why })
    this.#endWhenDone()
  }

  get #access() {
    return { address: () => this.#address.current(), secret: this.#options.start.secret }
  }

  #hello(): Hello {
    return {
      type: 'hello',
      protocol: protocolVersion,
      runnerId: this.#options.runnerId,
      pid: process.pid,
      pidStarted: startOf(process.pid) ?? 0,
      host: this.#options.start.host,
      holding: [...this.#steps.values()].map(({ attempt }) => attempt),
      reported: this.#spool.reported(),
    }
  }

  /** Handlers of the messages, by type. */
  readonly #meanings: { [T in ToRunner['type']]: (message: Extract<ToRunner, { type: T }>) => void } = {
    welcome: message => this.#welcome(message),
    work: message => this.#workOn(message),
    run: ({ step }) => this.#run(step),
    cancel: ({ reason, ...attempt }) => {
      failpoint('cancel-heard')
      this.#steps.get(nameOf(attempt))?.stop({ outcome: 'cancelled', message: reason })
    },
    mask: ({ id, secret, ...attempt }) => {
      this.#steps.get(nameOf(attempt))?.mask(secret)
      this.#connection.say({ type: 'masked', id })
    },
    mask_texts: ({ id, texts, ...attempt }) => {
      const step = this.#steps.get(nameOf(attempt))
      if (step) this.#connection.say({ type: 'masked_texts', id, texts: texts.map(text => step.masked(text)) })
    },
    ack: ({ seq }) => {
      this.#spool.acknowledged(seq)
      this.#sendOn()
      this.#relieve()
      this.#endWhenDone()
    },
    stop: ({ now }) => {
      this.#stopped = true
      if (now) this.#stopAll({ outcome: 'error', message: 'the runner was stopped' })
      this.#endWhenDone()
    },
    alive: () => {},
  }

  #hear(message: ToRunner): void {
    const meaning = this.#meanings[message.type] as ((message: ToRunner) => void) | undefined
    try {
      // A newer service may send messages that this runner does not know.
      meaning?.(message)
    } catch (error) {
      // The steps beside it continue.
      this.#complain(`a message ${message.type} of the service could not be handled: ${(error as Error).stack}`)
    }
  }

  #welcome({ acked, apiUrl, commit, drop }: Welcome): void {
    if (commit !== null) this.#workOn({ commit, apiUrl })
    else this.#bodies.warm()
    for (const attempt of drop) this.#steps.get(nameOf(attempt))?.stop('dropped')
    this.#spool.acknowledged(acked)
    this.#relieve()
    this.#endWhenDone()
  }

  #workOn({ commit, apiUrl }: Pick<Work, 'commit' | 'apiUrl'>): void {
    this.#surroundings.apiUrl = apiUrl
    this.#executors.workOn(commit)
  }

  #run(step: Extract<ToRunner, { type: 'run' }>['step']): void {
    const name = nameOf(step)
    if (this.#known.has(name)) {
      this.#givenAgain(step)
      return
    }
    failpoint('run-received')
    this.#known.add(name)
    const running = new RunningStep(step, this.#surroundings)
    this.#steps.set(name, running)
    // A step that arrives after the order to stop ends like the others: with a result that says so.
    if (this.#stopped) running.stop({ outcome: 'error', message: 'the runner was stopped' })
    void running
      .run()
      .catch(error => this.#complain(`step ${step.stepId} could not be ended in order: ${error.stack}`))
      .finally(() => {
        this.#steps.delete(name)
        this.#endWhenDone()
      })
  }

  /**
   * Handles an attempt that was given before. A service that does not know whether an attempt reached the runner gives
   * it again while it runs or its result is not stored. It does not do so with one whose result was stored, unless its
   * database has been restored from a backup: people decide whether to run that once more.
   */
  #givenAgain({ stepId, attempt, fence }: Attempt): void {
    const name = nameOf({ stepId, attempt, fence })
    if (this.#steps.has(name) || this.#spool.reported().some(each => nameOf(each) === name)) return
    this.#report({ type: 'result', stepId, attempt, fence, ...ranAlready() })
  }

  #report(message: Unnumbered): void {
    this.#spool.add(message)
    failpoint(message.type === 'log' ? 'log-spooled' : 'result-spooled')
    this.#sendOn()
    if (message.type === 'result') failpoint('result-sent')
    this.#relieve()
  }

  #sendOn(): void {
    if (!this.#connection.welcomed) return
    const { underWayBytes } = this.#options.limits
    for (let next = this.#spool.next(underWayBytes); next; next = this.#spool.next(underWayBytes))
      this.#connection.send(next)
  }

  /**
   * Applies backpressure while too much is unacknowledged: the output of bodies remains in their pipes, and they block.
   * Nothing is dropped.
   */
  #relieve(): void {
    const { unacknowledgedBytes } = this.#options.limits
    if (this.#spool.bytes > unacknowledgedBytes) this.#bodies.hold(true)
    else if (this.#spool.bytes < unacknowledgedBytes / 2) this.#bodies.hold(false)
  }

  /** Stops a runner that has lost the service: after a while its steps are given to another. */
  #checkSilence(): void {
    const { silenceMilliseconds, orphanedMilliseconds } = this.#options.limits
    if (this.#connection.silence < silenceMilliseconds) return
    const seconds = Math.round(silenceMilliseconds / 1000)
    this.#stopAll({ outcome: 'error', message: `stopped: the runner had no contact with the service for ${seconds} s` })
    // Its unsent messages are in its spool, where the service finds them when it is back, if it ever is.
    const orphaned = this.#connection.silence > orphanedMilliseconds
    if (this.#steps.size === 0 && (this.#spool.empty || orphaned)) void this.#abandon('no contact, and nothing to do')
  }

  #stopAll(why: Stopping): void {
    for (const step of this.#steps.values()) step.stop(why)
  }

  #endWhenDone(): void {
    if (this.#stopped && this.#steps.size === 0 && this.#spool.empty) void this.#end(0)
  }

  async #abandon(why: string): Promise<void> {
    this.#complain(why)
    this.#stopAll('dropped')
    await Promise.all([...this.#steps.values()].map(step => step.finished))
    await this.#end(1)
  }

  async #end(code: number): Promise<void> {
    clearInterval(this.#watch)
    if (code === 0) failpoint('all-acknowledged')
    await this.#connection.close()
    await this.#executors.end()
    await this.#bodies.end()
    await endAll(() => this.#left(), 0)
    this.ended.resolve(code)
  }

  /** The supervisors and the processes for programs. Processes left by a step carry the step's mark too. */
  #left(): Process[] {
    const { runnerId, start } = this.#options
    const wanted = (environment: string) => !environment.includes('\0SLUICE_STEP_ID=')
    const environment = [`SLUICE_RUNNER_ID=${runnerId}`]
    return findBearers({ environment, since: startOf(process.pid), wanted }, start.runAs)
  }
}

/** Size of the ring buffer: chunks that are begun when bodies are held still follow. */
const ringBytes = ({ unacknowledgedBytes, chunkBytes }: SupervisorOptions['limits']) =>
  unacknowledgedBytes + 2 * chunkBytes

const nameOf = ({ stepId, attempt, fence }: Attempt) => `${stepId}/${attempt}/${fence}`
