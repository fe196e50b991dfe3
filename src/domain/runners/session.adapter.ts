import { setTimeout as wait } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { clockOf } from '#platform/db/clock.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import type { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import {
  type Attempt,
  closeCodes,
  type LogChunk,
  type Numbered,
  type Result,
  type ToRunner,
} from '#protocol/runner-protocol.ts'
import { type LogWriter, storeLines, storeLinesOneByOne } from '../logs/index.ts'
import { nextBatch } from './next-batch.ts'
import { nameOf } from './reconcile.ts'
import { lockLiveSession, lockSession } from './runner.store.ts'
import type { LiveRunner, SpareRunner } from './runner.ts'
import { RunnerLine } from './runner-line.adapter.ts'
import type { RunnerWork, StepMessage } from './runner-work.port.ts'
import { failedUnsent, isTooLong } from './unsent.ts'

export type SessionParts = {
  database: Database
  work: RunnerWork
  writer: LogWriter
  log: Log
  /**
   * Back-off of all runners of this process: of activities whose results cannot be applied, and of runners whose logs
   * cannot be stored.
   */
  backoff: RetryBackoff
  /** Whether this process hands out no more steps. */
  closing: () => boolean
}

/**
 * Number of concurrent steps whose ends are predicted. More are rare, and would be much to read for the first of them.
 */
const maxPredictedSteps = 32
/** Number of failures (about half a minute) before results that cannot be applied are tried one by one. */
const triesTogether = 8

/** One connection of one runner: its messages are stored in order, and acknowledged when they are. */
export class RunnerSession {
  runner: LiveRunner | SpareRunner
  /** The newest number that is stored. */
  acked: number
  readonly #line: RunnerLine
  readonly #parts: SessionParts
  readonly #held: Map<string, Attempt>
  /** Attempts that it was ordered to stop, with the reason. */
  readonly #cancelled = new Map<string, string>()
  #unsure = false
  #claiming: Promise<void> | undefined
  #queue: Numbered[] = []
  #working = false
  #stopSent = false
  /** Error of results that could not be applied, if it could not be recorded either: the database was unavailable. */
  #unrecorded: unknown

  constructor(
    socket: WebSocket,
    runner: (LiveRunner | SpareRunner) & { acked: number },
    held: readonly Attempt[],
    parts: SessionParts,
  ) {
    this.runner = runner
    this.acked = runner.acked
    this.#line = new RunnerLine(socket)
    this.#parts = parts
    this.#held = new Map(held.map(attempt => [nameOf(attempt), attempt]))
  }

  /** Steps that it holds at the moment. */
  get steps(): number {
    return this.#held.size
  }

  send(message: ToRunner): void {
    this.#line.send(message)
  }

  run(steps: readonly StepMessage[]): void {
    for (const step of steps) {
      const { stepId, attempt, fence } = step
      this.#held.set(nameOf(step), { stepId, attempt, fence })
      const text = `{"type":"run","step":${step.text}}`
      if (isTooLong(text)) this.take(failedUnsent(step))
      else this.#line.sendText(text)
      // The cancel was sent before it knew the step, and messages about unknown steps are ignored.
      const reason = this.#cancelled.get(nameOf(step))
      if (reason !== undefined) this.#sendCancel(step, reason)
    }
  }

  /** Sends steps again that were claimed for the runner and never reached it. */
  async runAgain(lost: readonly Attempt[]): Promise<void> {
    const { database, work } = this.#parts
    const { runner } = this
    if (runner.of === 'nothing' || lost.length === 0) return
    try {
      this.run(
        await database.transaction(async tx =>
          (await lockLiveSession(tx, runner)) ? await work.again(tx, runner, lost) : [],
        ),
      )
    } catch (error) {
      this.#unsure = true
      throw error
    }
  }

  /**
   * Checks the claimed steps after the connection to the database broke at a commit, whose outcome is unknown: the
   * runner may have steps that it was never sent. Runs once the database is available again.
   */
  async makeSure(): Promise<void> {
    if (!this.#unsure || this.#line.closed) return
    const { database, work } = this.#parts
    this.#unsure = false
    try {
      const running = await work.running(database, this.runner.id)
      await this.runAgain(running.filter(attempt => !this.#held.has(nameOf(attempt))))
    } catch (error) {
      this.#unsure = true
      throw error
    }
  }

  cancel(attempt: Attempt, reason: string): void {
    const name = nameOf(attempt)
    if (this.#cancelled.has(name)) return
    this.#cancelled.set(name, reason)
    this.#sendCancel(attempt, reason)
  }

  #sendCancel({ stepId, attempt, fence }: Attempt, reason: string): void {
    this.send({ type: 'cancel', stepId, attempt, fence, reason })
  }

  /** Stops the runner; steps that still run on it have been given up. */
  stop(): void {
    if (this.#stopSent) return
    this.#stopSent = true
    this.send({ type: 'stop', now: true })
  }

  close(code: number): void {
    this.#line.close(code)
  }

  /**
   * Claims steps for it, if there are any, and sends them `after` earlier messages. One claim at a time: false means
   * that another claim was awaited, which may have read the steps before the newest were there.
   */
  async claim(after?: Promise<void>): Promise<boolean> {
    if (this.#claiming !== undefined) {
      await this.#claiming
      return false
    }
    this.#claiming = this.#claim(after)
    try {
      await this.#claiming
    } finally {
      this.#claiming = undefined
    }
    return true
  }

  async #claim(after: Promise<void> | undefined): Promise<void> {
    const { database, work } = this.#parts
    const { runner } = this
    if (runner.of === 'nothing' || this.#line.closed || this.#stopSent || this.#parts.closing()) return
    const steps = await database
      .transaction(async tx => ((await lockLiveSession(tx, runner)) ? await work.claim(tx, runner) : []))
      .catch(error => {
        this.#unsure = true
        throw error
      })
    if (steps.length > 0) failpoint('claim-committed')
    await after
    this.run(steps)
    this.#lookAhead(runner)
  }

  take(message: Numbered): void {
    this.#queue.push(message)
    if (!this.#working) void this.#work()
  }

  async #work(): Promise<void> {
    this.#working = true
    while (this.#queue.length > 0 && !this.#line.closed) {
      const batch = nextBatch(this.#queue)
      this.#queue = this.#queue.slice(batch.length)
      await this.#store(batch)
    }
    this.#working = false
  }

  /** Retries for as long as the connection exists: unacknowledged messages come again, here or elsewhere. */
  async #store(batch: readonly Numbered[]): Promise<void> {
    const ours = batch.filter(message => this.#held.has(nameOf(message)))
    for (let attempt = 1, failures = 0; !this.#line.closed; attempt++) {
      try {
        await this.#storeOnce(ours, failures)
        if (ours[0]?.type === 'result') this.#parts.backoff.succeeded(this.#worker().activityId)
        this.acked = Math.max(this.acked, ...batch.map(({ seq }) => seq))
        this.send({ type: 'ack', seq: this.acked })
        return
      } catch (error) {
        // An unavailable database, however long, says nothing about the messages.
        if (!isDatabaseAway(error)) failures += 1
        this.#parts.log.warn(
          { err: error, runner: this.runner.id, attempt },
          'storing messages of a runner failed; retrying',
        )
        await wait(Math.min(100 * 2 ** attempt, 5_000))
      }
    }
  }

  async #storeOnce(batch: readonly Numbered[], failures: number): Promise<void> {
    const first = batch[0]
    if (first === undefined) return
    if (first.type === 'log') {
      const store = failures === 0 ? storeLines : storeLinesOneByOne
      await store(this.#parts, this.#worker(), batch as LogChunk[])
      failpoint('log-stored')
    } else if (failures < triesTogether) await this.#apply(batch as Result[])
    else await this.#applyOneByOne(batch as Result[])
  }

  async #apply(results: readonly Result[]): Promise<void> {
    const { work } = this.#parts
    const runner = this.#worker()
    const more = !this.#stopSent && !this.#parts.closing()
    try {
      // The usual outcome was predicted.
      const predicted = more ? await work.succeed(runner, results) : undefined
      const { run, again } = predicted ?? { run: await this.#applyLocked(runner, results, more), again: [] }
      failpoint('result-committed')
      for (const each of results) this.#held.delete(nameOf(each))
      this.run(run)
      await this.runAgain(again)
      if (!predicted) this.#lookAhead(runner)
      if (this.#unrecorded !== undefined) void this.#tell(runner, this.#unrecorded)
    } catch (error) {
      // The results come again over the newer connection.
      if (error instanceof Superseded) return this.close(closeCodes.superseded)
      this.#unsure = true
      await this.#tell(runner, error)
      throw error
    }
  }

  async #tell(runner: LiveRunner, error: unknown): Promise<void> {
    this.#unrecorded = undefined
    try {
      await this.#parts.work.retrying(runner, error)
    } catch (failed) {
      this.#unrecorded = error
      this.#parts.log.warn({ err: failed }, 'event for results that could not be applied could not be recorded either')
    }
  }

  /** Returns the steps that the runner continues with. */
  #applyLocked(runner: LiveRunner, results: readonly Result[], more: boolean): Promise<StepMessage[]> {
    const { database, work } = this.#parts
    return database.transaction(async tx => {
      // Not awaited: later statements travel with it, and are rolled back if the session turns out to be an older one.
      const holding = lockSession(tx, runner)
      const [held, applied] = await Promise.allSettled([holding, work.applyResults(tx, runner, results, more)])
      if (held.status === 'fulfilled' && !held.value) throw new Superseded()
      if (applied.status === 'rejected') throw applied.reason
      failpoint('result-before-commit')
      return applied.value.run
    })
  }

  #lookAhead(runner: LiveRunner): void {
    const attempts = [...this.#held.values()]
    if (attempts.length > 0 && attempts.length <= maxPredictedSteps) this.#parts.work.lookAhead(runner, attempts)
  }

  /** Runner with work; a spare one has none, and cannot report a step. */
  #worker(): LiveRunner {
    if (this.runner.of === 'nothing') throw new Error(`the spare runner ${this.runner.id} says something of a step`)
    return this.runner
  }

  /**
   * Applies results one by one: one of them may cause the failure, and the others must not wait for it.
   *
   * @throws the error of the first result that must be retried
   */
  async #applyOneByOne(results: readonly Result[]): Promise<void> {
    const failures: unknown[] = []
    for (const result of results) {
      try {
        await this.#apply([result])
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        if (!(await this.#isOver(result, error))) failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  async #isOver({ stepId }: Result, error: unknown): Promise<boolean> {
    const { database, backoff, work } = this.#parts
    const runner = this.#worker()
    const { isLost } = backoff.failed(runner.activityId, await clockOf(database))
    const isOver = await work.cannotApply(runner, stepId, { error, isLost })
    if (isOver) backoff.remove(runner.activityId)
    return isOver
  }
}

class Superseded extends Error {}
