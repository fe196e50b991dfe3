import type { Attempt, Result, StepToRun } from '../../protocol/runner-protocol.ts'
import type { Bodies } from '../bodies/bodies.ts'
import type { Take } from '../bodies/body-output.ts'
import type { RunningBody } from '../bodies/script-pool.ts'
import type { End } from '../bodies/supervised-program.ts'
import { Complaints, type Installation, installing, noNpm } from '../executor/install.ts'
import type { Installer } from '../executor/installer.ts'
import type { SharedDependencies } from '../executor/shared-dependencies.ts'
import { failpoint } from '../failpoints.ts'
import type { Collected } from '../supervisor/executor-protocol.ts'
import type { Executors } from '../supervisor/executors.ts'
import { actAfter } from '../supervisor/long-timer.ts'
import type { Unnumbered } from '../supervisor/spool.ts'
import type { Upload } from '../supervisor/upload.ts'
import { exitWords } from './exit-code.ts'
import { printable } from './lines.ts'
import { Mask } from './masking.ts'
import { oversized } from './oversized.ts'
import { type StepHost, stepEnvironment, stepFolderName } from './step-environment.ts'
import { places } from './step-folder.ts'
import { type ChunkLimits, microsecondTime, StepLog, type Stream } from './step-log.ts'
import { type StartedBy, StepProcesses } from './step-processes.ts'
import { readStepResult } from './step-result.ts'
import { contentsOf, isLight, whatRuns } from './what-runs.ts'
import { namedWithoutSecrets, withoutSecrets } from './without-secrets.ts'

/** Services of the runner that a running step uses. */
export type StepSurroundings = StepHost &
  StartedBy & {
    limits: ChunkLimits
    executors: Pick<Executors, 'copy' | 'ask' | 'stepEnded' | 'wantsDependencies' | 'haveDependencies'>
    installation: Installation
    /** Dependencies shared with other runners; absent: nothing is shared. */
    shared?: (() => Promise<SharedDependencies>) | undefined
    /** Node, and npm if it is installed, for the installation. */
    node: string
    npm?: string | undefined
    bodies: Pick<Bodies, 'start'>
    report(message: Unnumbered): void
    upload(upload: Upload): Promise<void>
    complain(line: string): void
  }

/** Why a step is stopped from outside: with this outcome, or without any result (the service has given it up). */
export type Stopping = { outcome: 'cancelled' | 'error'; message: string } | 'dropped'

type Ending = Pick<Result, 'outcome' | 'exitCode' | 'errorMessage'> & Partial<Result>

/** One attempt of one step, from its start to the result in the spool. */
export class RunningStep {
  readonly attempt: Attempt
  finished: Promise<void> = Promise.resolve()
  readonly #step: StepToRun
  readonly #around: StepSurroundings
  /** Name of its folder. */
  readonly #folder: string
  #madeMask: Mask | undefined
  #begunLog: StepLog | undefined
  readonly #processes: StepProcesses
  #stopping: Stopping | undefined
  /** Ends waiting for what is outside of this process; made when something is waited for. */
  #halt: AbortController | undefined
  /** Whether the process of its body keeps the step's folder for its next step. */
  #folderKept = false
  /** Whether something of the step that knows its folder may still be running. */
  #unusable = false
  /** Ends the time that it may take. */
  #endTime = () => {}

  constructor(step: StepToRun, around: StepSurroundings) {
    const { stepId, attempt, fence } = step
    this.attempt = { stepId, attempt, fence }
    this.#step = step
    this.#around = around
    this.#folder = stepFolderName(step)
    this.#processes = new StepProcesses(this.attempt, around)
  }

  /** Mask of the step's secrets, created at first use: a step without output needs none. */
  get #mask(): Mask {
    this.#madeMask ??= new Mask([...this.#step.secrets, this.#step.apiToken])
    return this.#madeMask
  }

  get #log(): StepLog {
    const { limits, report } = this.#around
    this.#begunLog ??= new StepLog(this.attempt, this.#mask, limits, chunk => report(chunk))
    return this.#begunLog
  }

  /** Resolves when its result is in the spool and nothing is left of it but what a success may leave. */
  run(): Promise<void> {
    this.finished = this.#run()
    return this.finished
  }

  async #run(): Promise<void> {
    const startedAt = microsecondTime()
    const ending = await this.#toItsEnd()
    this.#endTime()
    if (ending.outcome !== 'success') await this.#processes.end()
    if (this.#stopping !== 'dropped') this.#reportAnyhow(ending, startedAt)
    if (!this.#folderKept) this.#around.executors.stepEnded(this.#folder, this.#unusable)
  }

  /**
   * Reports the result whatever the step has left: a result that cannot be written as a message fails the step, not the
   * runner.
   */
  #reportAnyhow(ending: Ending, startedAt: string): void {
    try {
      this.#report(ending, startedAt)
    } catch (error) {
      this.#report(failed(`the result of the step could not be reported: ${(error as Error).message}`), startedAt)
    }
  }

  #report(ending: Ending, startedAt: string): void {
    if (ending.errorMessage) this.#log.say(ending.errorMessage)
    this.#begunLog?.flush()
    this.#around.report({
      type: 'result',
      ...this.attempt,
      propertiesDiffs: {},
      artefacts: [],
      ...ending,
      errorMessage: ending.errorMessage && this.#mask.text(printable(ending.errorMessage)),
      startedAt,
      finishedAt: microsecondTime(),
    })
  }

  /** Masks a secret in all later output of the step. */
  mask(secret: string): void {
    this.#mask.add(secret)
  }

  /** Text as the log would show it. */
  masked(text: string): string {
    return this.#mask.text(text)
  }

  /** Ends it and all that it started. The first reason counts. */
  stop(why: Stopping): void {
    if (this.#stopping === undefined) this.#stopping = why
    this.#halt?.abort(new Error('stopped'))
    this.#endInPassing()
  }

  /** Ends the step's processes in the background; the loop that does so ends once none is left. */
  #endInPassing(): void {
    this.#processes.end().catch(error => this.#around.complain(`ending step ${this.attempt.stepId}: ${error}`))
  }

  async #toItsEnd(): Promise<Ending> {
    try {
      const copy = this.#around.executors.copy()
      if (copy !== undefined) await this.#unlessStopped(copy)
      const ending = await this.#work()
      return this.#stopped() ?? ending
    } catch (error) {
      return this.#stopped() ?? failed((error as Error).message)
    }
  }

  async #unlessStopped<Done>(work: Promise<Done>): Promise<Done> {
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    this.#signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
    if (this.#stopping) reject(new Error('stopped'))
    return Promise.race([work, stopped])
  }

  get #signal(): AbortSignal {
    this.#halt ??= new AbortController()
    if (this.#stopping) this.#halt.abort(new Error('stopped'))
    return this.#halt.signal
  }

  #stopped(): Ending | undefined {
    if (this.#stopping === undefined) return undefined
    if (this.#stopping === 'dropped') return failed('given up')
    return { outcome: this.#stopping.outcome, exitCode: null, errorMessage: this.#stopping.message }
  }

  async #work(): Promise<Ending> {
    const { timeoutSeconds, folder } = this.#step
    if (timeoutSeconds) {
      const message = `timed out after ${timeoutSeconds} s`
      this.#endTime = actAfter(timeoutSeconds * 1000, () => this.stop({ outcome: 'error', message }))
    }
    const tooLong = this.#oversized()
    if (tooLong !== undefined) return failed(tooLong)
    const { executors, installation } = this.#around
    if (executors.wantsDependencies) {
      const why = await installation.have(
        () => executors.wantsDependencies && !this.#stopping,
        underWay => this.#unlessStopped(underWay),
        () => this.#install(),
      )
      if (why !== undefined) return failed(why)
      if (this.#stopping) return failed('stopped')
    }
    const place = { step: this.#folder, folder }
    if (!isLight(this.#step, this.#around)) await executors.ask('prepare', { place, contents: contentsOf(this.#step) })
    const failure = await this.#bodies()
    this.#endTime()
    if (this.#stopping) return failure ?? failed('stopped')
    if (this.#folderKept) return this.#success(nothingLeft)
    try {
      // To read much of it takes its time, in which the step may be stopped.
      const collected = await this.#unlessStopped(executors.ask('collect', place))
      const artefacts = await this.#keep(collected)
      return { ...(failure ?? this.#success(collected)), artefacts }
    } catch (error) {
      if (!failure) throw error
      this.#log.say((error as Error).message)
      return failure
    }
  }

  /** Checks all bodies before the first starts: otherwise a prerequisite may have done something by then. */
  #oversized(): string | undefined {
    for (const index of this.#step.bodies.keys()) {
      const what = whatRuns(this.#step, index, this.#around)
      const words = 'program' in what ? oversized(what.program.argv, what.program.env) : oversized([], what.module.env)
      if (words !== undefined) return words
    }
    return undefined
  }

  /**
   * Installs dependencies by npm ci unless another runner has done it: where no step can reach them, or else in the
   * working copy, as a program of this step. Returns the reason of a failure.
   */
  async #install(): Promise<string | undefined> {
    const { npm, node, executors } = this.#around
    const { env } = this.#step
    const shared = await this.#around.shared?.()
    if (shared && (await this.#unlessStopped(shared.restored(env)))) {
      executors.haveDependencies()
      return undefined
    }
    if (npm === undefined) return noNpm
    this.#log.say('npm ci: what the lock file names is installed')
    const complaints = new Complaints()
    const take: Take = (stream, bytes) => {
      complaints.hear(stream, bytes)
      this.#take(stream, bytes)
    }
    const apart = await shared?.installer()
    const end = await this.#ran(await this.#startNpm({ node, npm }, apart, take))
    if (end.code !== 0)
      return complaints.words(end.why ?? end.signal ?? `exit code ${end.code}`, text => this.masked(text))
    if (shared && apart) await this.#unlessStopped(shared.handOver(env, this.#signal))
    executors.haveDependencies()
    return undefined
  }

  #startNpm(npm: { node: string; npm: string }, apart: Installer | undefined, take: Take): Promise<RunningBody> {
    const { work, baseEnvironment, bodies } = this.#around
    const env = stepEnvironment(this.#step, {}, this.#around)
    if (apart) return this.#unlessStopped(apart.start(npm, env, take, this.#signal))
    const program = installing({ ...npm, copy: places.copy(work, '') }, { ...baseEnvironment, ...env })
    return bodies.start({ program }, take, secret => this.mask(secret))
  }

  /** Runs the bodies in order; the first that fails ends the step. */
  async #bodies(): Promise<Ending | undefined> {
    const { bodies } = this.#step
    const last = bodies.length - 1
    for (const [i, body] of bodies.entries()) {
      if (this.#stopping) return undefined
      if (last > 0) this.#log.say(`${body.action}${i < last ? ' (prerequisite)' : ''}`)
      const exit = await this.#body(i)
      if (exit.code === 0) continue
      const script = 'run' in body ? body.run : undefined
      const how = exit.why ?? (exit.signal ? `killed by ${exit.signal}` : exitWords(exit.code, script))
      return failed(i < last ? `prerequisite ${body.action}: ${how}` : how, exit.code)
    }
    return undefined
  }

  async #body(index: number): Promise<End> {
    const { bodies } = this.#around
    const what = whatRuns(this.#step, index, this.#around)
    const isWanted = () => this.#stopping === undefined
    const end = await this.#ran(await bodies.start(what, this.#take, secret => this.mask(secret), isWanted))
    this.#folderKept = end.folderKept === true
    return end
  }

  async #ran(body: RunningBody): Promise<End> {
    this.#processes.root = body.root
    failpoint('body-spawned')
    // Stopped while it was being started: the stop may have found nothing to end yet.
    if (this.#stopping) this.#endInPassing()
    const end = await body.ended
    failpoint('body-exited')
    const ok = end.code === 0
    this.#unusable ||= !ok || !end.alone
    // Its process continues with other steps, and must not be ended with this one.
    this.#processes.root = ok && (end.alone || !this.#stopping) ? undefined : body.root
    // Something of a failed body may hold the pipes open, or still be running; after a success it may.
    if (!ok || this.#stopping) await this.#processes.end()
    await body.settled()
    this.#begunLog?.endOfOutput()
    if (ok && !end.alone && !this.#stopping) this.#tellLeft(body.endsWhatIsLeft)
    body.free()
    return end
  }

  /** Logs what a successful step has left running, so that its owner finds it. */
  #tellLeft(isEnded: boolean): void {
    try {
      const left = this.#processes.left()
      if (left.length === 0) return
      const named =
        left
          .slice(0, mostNamed)
          .map(each => shortened(this.masked(each)))
          .join(', ') + (left.length > mostNamed ? `, and ${left.length - mostNamed} more` : '')
      const what =
        left.length === 1
          ? 'A process that the step left running'
          : `${left.length} processes that the step left running`
      const becomes = isEnded
        ? left.length === 1
          ? 'is ended'
          : 'are ended'
        : left.length === 1
          ? 'continues'
          : 'continue'
      this.#log.say(`${what} ${becomes}: ${named}`)
    } catch (error) {
      this.#around.complain(`looking for what step ${this.attempt.stepId} left running failed: ${error}`)
    }
  }

  readonly #take = (stream: Stream, bytes: Buffer): void => this.#log.bytes(stream, bytes)

  #success({ result, unreadable }: Collected): Ending {
    if (unreadable) return failed(unreadable, 0)
    const said = readStepResult(result)
    if ('malformed' in said) return failed(said.malformed, 0)
    const shown = result === undefined ? said : withoutSecrets(said, this.#mask)
    if ('secretAt' in shown) return failed(shown.secretAt, 0)
    return { outcome: 'success', exitCode: 0, errorMessage: null, ...shown }
  }

  async #keep({ problems, artefacts }: Collected): Promise<Result['artefacts']> {
    const { attempt } = this
    const kept = artefacts.length === 0 ? nothingNamed : namedWithoutSecrets(artefacts, this.#mask)
    for (const problem of [...problems, ...kept.problems]) this.#log.say(problem)
    for (const artefact of kept.named) await this.#around.upload({ attempt, artefact, signal: this.#signal })
    return kept.named.map(({ name, sha256, byteSize }) => ({ name, sha256, byteSize }))
  }
}

/** Processes that a step left running, in one line of its log. */
const mostNamed = 10
const mostOfCommand = 200

/**
 * The beginning of a command, and its process number at the end. A command that was masked before shows no beginning of
 * a secret.
 */
const shortened = (command: string): string =>
  command.length > mostOfCommand
    ? `${command.slice(0, mostOfCommand)}… ${/\(\d+\)$/.exec(command)?.[0] ?? ''}`
    : command

const nothingLeft: Collected = { problems: [], artefacts: [] }
const nothingNamed: ReturnType<typeof namedWithoutSecrets> = { named: [], problems: [] }

const failed = (errorMessage: string, exitCode: number | null = null): Ending => ({
  outcome: 'error',
  exitCode,
  errorMessage,
})
