import type { Attempt, Body, ModuleBody, Result, ScriptBody, StepToRun } from '../src/platform/runner-protocol.ts'
import { ExecutorGone, type ExecutorHost } from './executor-host.ts'
import { type Collected, type Exited, type FrameKind, frame, type StepPlace } from './executor-protocol.ts'
import { reached } from './failpoints.ts'
import { printable } from './lines.ts'
import { Mask } from './masking.ts'
import { endAll, findMarked, type Process, startOf, type User } from './processes.ts'
import type { Unnumbered } from './spool.ts'
import { stepEnvironment, stepFolderName } from './step-environment.ts'
import { places } from './step-folder.ts'
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
  /** A number under which frames and exits reach this step. */
  openChannel(step: RunningStep): number
  closeChannel(channel: number): void
  /** The command as it is to be started: inside the sandbox, where there is one. */
  command(argv: string[], cwd: string): Promise<{ argv: string[]; keep: boolean }>
  /** Starts a process for the repository's own programs. */
  moduleHost: string[]
  report(message: Unnumbered): void
  upload(upload: Upload): Promise<void>
  except(): ReadonlySet<number>
  complain(line: string): void
}

/** Why a step is stopped from outside: with this outcome, or without any result (the service has given it up). */
export type Stopping = { outcome: 'cancelled' | 'error'; message: string } | 'dropped'

type Ending = Pick<Result, 'outcome' | 'exitCode' | 'errorMessage'> & Partial<Result>
type Exit = Omit<Exited, 'exited'>

/** One attempt of one step, from its start to the result in the spool. */
export class RunningStep {
  readonly attempt: Attempt
  /** Name of its folder. */
  readonly folder: string
  finished: Promise<void> = Promise.resolve()
  readonly #step: StepToRun
  readonly #around: StepSurroundings
  readonly #log: StepLog
  readonly #mask: Mask
  readonly #place: StepPlace
  readonly #roots = new Set<{ pid: number; started: number }>()
  #exited = Promise.withResolvers<Exit>()
  #drained = Promise.withResolvers<void>()
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
    this.#mask = new Mask([...step.secrets, step.apiToken])
    this.#log = new StepLog(this.attempt, this.#mask, around.limits, chunk => around.report(chunk))
    this.folder = stepFolderName(this.attempt)
    this.#place = { step: this.folder, folder: step.folder }
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
    this.#log.flush()
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
    // Its own loop goes on by itself once nothing of it is left.
    this.#endProcesses().catch(error => this.#around.complain(`ending step ${this.attempt.stepId}: ${error}`))
  }

  take(kind: FrameKind, bytes: Buffer): void {
    if (kind === frame.end) this.#drained.resolve()
    else this.#log.bytes(streams[kind] ?? 'stderr', bytes)
  }

  exited(exit: Exit): void {
    this.#exited.resolve(exit)
  }

  executorGone(how: string): void {
    const gone = new ExecutorGone(how)
    for (const waiting of [this.#exited, this.#drained]) {
      waiting.promise.catch(() => {})
      waiting.reject(gone)
    }
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
    const { bodies, files, context, timeoutSeconds } = this.#step
    const { scripts } = await executor.ask('prepare', {
      ...this.#place,
      context: JSON.stringify(context),
      scripts: bodies.flatMap(body => ('run' in body ? [body.run] : [])),
      files,
    })
    if (timeoutSeconds) {
      const message = `timed out after ${timeoutSeconds} s`
      this.#timer = setTimeout(() => this.stop({ outcome: 'error', message }), timeoutSeconds * 1000)
    }
    const failure = await this.#bodies(executor, scripts)
    clearTimeout(this.#timer)
    if (this.#stopping) return failure ?? failed('stopped')
    const collected = await executor.ask('collect', this.#place)
    const artefacts = await this.#keep(collected, executor)
    return { ...(failure ?? success(collected)), artefacts }
  }

  /** In order; the first that fails ends the step. */
  async #bodies(executor: ExecutorHost, scripts: string[]): Promise<Ending | undefined> {
    const last = this.#step.bodies.length - 1
    for (const [i, body] of this.#step.bodies.entries()) {
      if (this.#stopping) return undefined
      if (last > 0) this.#log.say(`${body.action}${i < last ? ' (prerequisite)' : ''}`)
      const exit = await this.#body(executor, body, 'run' in body ? scripts.shift()! : '')
      if (exit.code === 0) continue
      const how = exit.why ?? (exit.signal ? `killed by ${exit.signal}` : `exit code ${exit.code}`)
      return failed(i < last ? `prerequisite ${body.action}: ${how}` : how, exit.code)
    }
    return undefined
  }

  async #body(executor: ExecutorHost, body: Body, script: string): Promise<Exit> {
    this.#exited = Promise.withResolvers()
    this.#drained = Promise.withResolvers()
    const channel = this.#around.openChannel(this)
    try {
      const { pid } =
        'run' in body
          ? await this.#script(executor, channel, body, script)
          : await this.#module(executor, channel, body)
      const root = { pid, started: startOf(pid) ?? 0 }
      this.#roots.add(root)
      reached('body-spawned')
      // Stopped while it was being started: whoever stopped it may have found nothing to end yet.
      if (this.#stopping) await this.#endProcesses()
      const exit = await this.#exited.promise
      reached('body-exited')
      // Something of a failed body may hold the pipes open, or go on; after a success it may.
      if (exit.code !== 0 || this.#stopping) await this.#endProcesses()
      // Its process goes on to run other steps, and is no more this one's to end.
      else if ('module' in body) this.#roots.delete(root)
      await executor.ask('finish', { channel })
      await this.#drained.promise
      return exit
    } finally {
      this.#around.closeChannel(channel)
      this.#log.endOfOutput()
    }
  }

  async #script(executor: ExecutorHost, channel: number, body: ScriptBody, script: string): Promise<{ pid: number }> {
    const cwd = places.copy(this.#around.work, this.#step.folder)
    const command = await this.#around.command([...body.interpreter, script], cwd)
    const env = stepEnvironment(this.#step, body.env, this.#around)
    return executor.ask('spawn', { channel, ...command, cwd, env })
  }

  async #module(executor: ExecutorHost, channel: number, body: ModuleBody): Promise<{ pid: number }> {
    const { work, baseEnvironment: env, moduleHost } = this.#around
    const [copy, cwd] = [places.copy(work, ''), places.copy(work, this.#step.folder)]
    const command = await this.#around.command(moduleHost, copy)
    const action = body.lists ? null : body.action
    const job = { action, file: body.module, copy, cwd, env: stepEnvironment(this.#step, {}, this.#around) }
    return executor.ask('module', { channel, ...command, env, job })
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
    return findMarked({ environment, roots: [...this.#roots], except: this.#around.except() }, this.#around.runAs)
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
