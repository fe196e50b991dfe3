import type { Attempt, Result, StepToRun } from '../src/platform/runner-protocol.ts'
import { bodyToRun } from './body-to-run.ts'
import { ExecutorGone, type ExecutorHost } from './executor-host.ts'
import { type BodyEnd, type Collected, type FrameKind, frame, type Root, type StepPlace } from './executor-protocol.ts'
import { reached } from './failpoints.ts'
import { printable } from './lines.ts'
import { Mask } from './masking.ts'
import { endAll, findMarked, type Process, type User } from './processes.ts'
import type { Unnumbered } from './spool.ts'
import { stepFolderName } from './step-environment.ts'
import { type ChunkLimits, microsecondTime, StepLog, type Stream } from './step-log.ts'
import { readStepResult } from './step-result.ts'
import type { Upload } from './upload.ts'

/** What a running step needs of the runner around it. */
export type StepSurroundings = {
  runnerId: string
  /** The folder that steps work in. */
  work: string
  apiUrl: string
  runAs?: User
  limits: ChunkLimits & { killAfterMilliseconds: number }
  baseEnvironment: Record<string, string>
  /** An executor with its working copy. */
  executor(): Promise<ExecutorHost>
  /** A number under which what a body writes reaches this step. */
  openChannel(step: RunningStep): number
  closeChannel(channel: number): void
  report(message: Unnumbered): void
  upload(upload: Upload): Promise<void>
  except(): ReadonlySet<number>
  complain(line: string): void
}

/** Why a step is stopped from outside: with this outcome, or without any result (the service has given it up). */
export type Stopping = { outcome: 'cancelled' | 'error'; message: string } | 'dropped'

type Ending = Pick<Result, 'outcome' | 'exitCode' | 'errorMessage'> & Partial<Result>

/** One attempt of one step, from its start to the result in the spool. */
export class RunningStep {
  readonly attempt: Attempt
  /** Name of its folder. */
  readonly folder: string
  finished: Promise<void> = Promise.resolve()
  readonly #step: StepToRun
  readonly #around: StepSurroundings
  readonly #place: StepPlace
  #madeMask: Mask | undefined
  #begunLog: StepLog | undefined
  /** Beneath which the present body runs. */
  #root: Root | undefined
  /** Bytes of the present body that have come, and whoever waits for so many. */
  #taken = 0
  #awaited: { bytes: number; all: PromiseWithResolvers<void> } | undefined
  #stopping: Stopping | undefined
  /** Ends waiting for what is outside of this process. */
  readonly #halt = new AbortController()
  readonly #halted: Promise<never>
  #timer: NodeJS.Timeout | undefined

  constructor(step: StepToRun, around: StepSurroundings) {
    const { stepId, attempt, fence } = step
    this.attempt = { stepId, attempt, fence }
    this.#step = step
    this.#around = around
    this.#halted = new Promise((_, reject) => {
      this.#halt.signal.addEventListener('abort', () => reject(this.#halt.signal.reason), { once: true })
    })
    this.#halted.catch(() => {})
    this.folder = stepFolderName(this.attempt)
    this.#place = { step: this.folder, folder: step.folder }
  }

  /** Made when there is something to hide: a step that says nothing needs none. */
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
    clearTimeout(this.#timer)
    if (ending.outcome !== 'success') await this.#endProcesses()
    if (this.#stopping === 'dropped') return
    if (ending.errorMessage) this.#log.say(ending.errorMessage)
    this.#begunLog?.flush()
    this.#around.report({
      type: 'result',
      ...this.attempt,
      propertiesDiffs: {},
      artefacts: [],
      ...ending,
      errorMessage: ending.errorMessage && this.#mask.line(printable(ending.errorMessage)),
      startedAt,
      finishedAt: microsecondTime(),
    })
  }

  /** Ends it and all that it started. The first reason counts. */
  stop(why: Stopping): void {
    if (this.#stopping === undefined) this.#stopping = why
    this.#halt.abort(new Error('stopped'))
    this.#endInPassing()
  }

  /** Its own loop goes on by itself once nothing of it is left. */
  #endInPassing(): void {
    this.#endProcesses().catch(error => this.#around.complain(`ending step ${this.attempt.stepId}: ${error}`))
  }

  take(kind: FrameKind, bytes: Buffer): void {
    this.#log.bytes(streams[kind] ?? 'stderr', bytes)
    this.#taken += bytes.length
    if (this.#awaited && this.#taken >= this.#awaited.bytes) this.#awaited.all.resolve()
  }

  started(root: Root): void {
    this.#root = root
    // Stopped while it was being started: whoever stopped it may have found nothing to end yet.
    if (this.#stopping) this.#endInPassing()
  }

  executorGone(how: string): void {
    this.#awaited?.all.reject(new ExecutorGone(how))
  }

  async #toItsEnd(): Promise<Ending> {
    try {
      const executor = await Promise.race([this.#around.executor(), this.#halted])
      const ending = await this.#work(executor)
      return this.#stopped() ?? ending
    } catch (error) {
      return this.#stopped() ?? failed((error as Error).message)
    }
  }

  #stopped(): Ending | undefined {
    if (this.#stopping === undefined) return undefined
    if (this.#stopping === 'dropped') return failed('given up')
    return { outcome: this.#stopping.outcome, exitCode: null, errorMessage: this.#stopping.message }
  }

  async #work(executor: ExecutorHost): Promise<Ending> {
    const { timeoutSeconds } = this.#step
    if (timeoutSeconds) {
      const message = `timed out after ${timeoutSeconds} s`
      this.#timer = setTimeout(() => this.stop({ outcome: 'error', message }), timeoutSeconds * 1000)
    }
    const { failure, collected: atItsEnd } = await this.#bodies(executor)
    clearTimeout(this.#timer)
    if (this.#stopping) return failure ?? failed('stopped')
    const collected = atItsEnd ?? (await executor.ask('collect', this.#place))
    const artefacts = await this.#keep(collected, executor)
    return { ...(failure ?? success(collected)), artefacts }
  }

  /** In order; the first that fails ends the step. */
  async #bodies(executor: ExecutorHost): Promise<{ failure?: Ending; collected?: Collected }> {
    const { bodies } = this.#step
    const last = bodies.length - 1
    for (const [i, body] of bodies.entries()) {
      if (this.#stopping) return {}
      if (last > 0) this.#log.say(`${body.action}${i < last ? ' (prerequisite)' : ''}`)
      const exit = await this.#body(executor, i)
      if (exit.code === 0) {
        if (i === last) return exit.collected ? { collected: exit.collected } : {}
        continue
      }
      const how = exit.why ?? (exit.signal ? `killed by ${exit.signal}` : `exit code ${exit.code}`)
      return { failure: failed(i < last ? `prerequisite ${body.action}: ${how}` : how, exit.code) }
    }
    return {}
  }

  async #body(executor: ExecutorHost, index: number): Promise<BodyEnd> {
    this.#taken = 0
    this.#awaited = undefined
    const channel = this.#around.openChannel(this)
    try {
      const ending = executor.ask('body', bodyToRun(this.#step, index, channel, this.#around))
      reached('body-spawned')
      const end = await ending
      reached('body-exited')
      const ok = end.code === 0
      // What it ran in goes on to run other steps, and is no more this one's to end.
      this.#root = ok && (end.alone || !this.#stopping) ? undefined : end.root
      // Something of a failed body may hold the pipes open, or go on; after a success it may.
      if (!ok || this.#stopping) await this.#endProcesses()
      const written = end.written ?? (await executor.ask('settle', { channel })).written
      await this.#all(written)
      return end
    } finally {
      executor.tell({ freed: channel })
      this.#around.closeChannel(channel)
      this.#begunLog?.endOfOutput()
    }
  }

  /** Resolves when so many bytes of the body have come. */
  #all(bytes: number): Promise<void> {
    if (this.#taken >= bytes) return Promise.resolve()
    this.#awaited = { bytes, all: Promise.withResolvers() }
    return this.#awaited.all.promise
  }

  async #keep(collected: Collected, executor: ExecutorHost): Promise<Result['artefacts']> {
    for (const problem of collected.problems) this.#log.say(problem)
    const { attempt } = this
    const { signal } = this.#halt
    for (const artefact of collected.artefacts) await this.#around.upload({ attempt, artefact, executor, signal })
    return collected.artefacts.map(({ name, sha256, byteSize }) => ({ name, sha256, byteSize }))
  }

  #endProcesses(): Promise<void> {
    return endAll(() => this.#processes(), this.#around.limits.killAfterMilliseconds)
  }

  #processes(): Process[] {
    const { stepId, attempt } = this.attempt
    const environment = [
      `SLUICE_STEP_ID=${stepId}`,
      `SLUICE_ATTEMPT=${attempt}`,
      `SLUICE_RUNNER_ID=${this.#around.runnerId}`,
    ]
    return findMarked(
      { environment, roots: this.#root ? [this.#root] : [], except: this.#around.except() },
      this.#around.runAs,
    )
  }
}

const streams: Partial<Record<FrameKind, Stream>> = {
  [frame.stdout]: 'stdout',
  [frame.stderr]: 'stderr',
  [frame.action]: 'action',
}

const failed = (errorMessage: string, exitCode: number | null = null): Ending => ({
  outcome: 'error',
  exitCode,
  errorMessage,
})

function success({ result, unreadable }: Collected): Ending {
  if (unreadable) return failed(unreadable, 0)
  const said = readStepResult(result)
  return 'malformed' in said
    ? failed(said.malformed, 0)
    : { outcome: 'success', exitCode: 0, errorMessage: null, ...said }
}
