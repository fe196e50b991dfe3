import { setTimeout as pause } from 'node:timers/promises'
import { clockOf } from '#platform/db/clock.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Database } from '#platform/db/database.ts'
import type { Loop, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { Attempt, LogChunk, Numbered, Result } from '#protocol/runner-protocol.ts'
import { insertChunks } from '../logs/index.ts'
import { nameOf } from './reconcile.ts'
import {
  markGone,
  markSpareGone,
  type RunnerToStart,
  runnersUnderWay,
  runnerUnderWay,
  type Suspect,
  wantAgain,
} from './runner.store.ts'
import type { LiveRunner } from './runner.ts'
import type { Observed, RunnerDriver, RunnerDrivers } from './runner-driver.port.ts'
import type { RunnerWork } from './runner-work.port.ts'

export interface LostRunnersOptions {
  readonly work: RunnerWork
  readonly drivers: RunnerDrivers
  readonly site: string
  /** Back-off after failed starts of this process. */
  readonly starts: RetryBackoff
}

interface Resolving extends Omit<LostRunnersOptions, 'drivers'> {
  readonly driver: RunnerDriver
  readonly backoff: RetryBackoff
}

/**
 * Resolves runners that have ended or fallen silent. The outcome of their steps is decided only once everything that
 * they had started is dead: so nothing runs twice.
 */
export function lostRunners(options: LostRunnersOptions): Loop['run'] {
  const backoff = new RetryBackoff()
  /** Ids of the runners being resolved. */
  const underWay = new Set<string>()
  let heard = new Set<string>()
  const notTakenOver = new Set<string>()
  return async runtime => {
    const { database, log } = runtime
    const postponed = new Set(backoff.postponed())
    const suspects = await runnersUnderWay(database, options.site)
    heard = noteHeard(options.starts, suspects, heard)
    for (const driver of options.drivers.values()) {
      const its = suspects.filter(({ kind }) => kind === driver.kind)
      const observed = await driver.observe(its)
      takeOver(driver, its, observed, { log, told: notTakenOver })
      for (const { id } of its.filter(runner => whyLost(runner, observed.get(runner.id)))) {
        if (underWay.has(id)) continue
        // Resolving the earlier ones took time, in which it may have reconnected, or been resolved.
        const runner = await runnerUnderWay(database, id)
        const reason = runner && whyLost(runner, (await driver.observe([runner])).get(id))
        if (!reason || postponed.has(subjectOf(runner))) continue
        underWay.add(id)
        const work = resolveLater({ ...options, driver, backoff }, runtime, runner, reason).finally(() =>
          underWay.delete(id),
        )
        if (await lasts(work))
          log.warn({ runner: id }, 'processes of a lost runner do not end; other runners are resolved meanwhile')
      }
    }
    return false
  }
}

const resolving = 'resolve a lost runner'
const starting = 'start a runner'

/**
 * Makes runners of this host that no service process is connected to connect to this one: theirs may have ended for
 * good, or have another address or data folder by now. A service that is only slow keeps its connected runners.
 */
function takeOver(
  driver: RunnerDriver,
  suspects: readonly Suspect[],
  observed: ReadonlyMap<string, Observed>,
  { log, told }: { log: Runtime['log']; told: Set<string> },
): void {
  for (const runner of suspects) {
    const { id, of, folder, unheard } = runner
    if (!unheard || of === 'nothing' || observed.get(id)?.is !== 'alive') continue
    try {
      driver.takeOver(runner)
    } catch (error) {
      if (told.has(id)) continue
      told.add(id)
      log.warn(
        { err: error, runner: id, folder },
        'runner of another service process on this host cannot be adopted: its folder is not writable',
      )
    }
  }
}

/** Records a successful start for each runner that has connected, once. Returns all connected ones. */
function noteHeard(starts: RetryBackoff, suspects: readonly Suspect[], before: ReadonlySet<string>): Set<string> {
  const heard = suspects.filter(({ status }) => status !== 'starting')
  for (const each of heard) if (!before.has(each.id)) starts.succeeded(subjectOf(each), starting)
  return new Set(heard.map(({ id }) => id))
}

/**
 * Maximum time to wait for the end of a process. A process that waits for a disk or file server that hangs cannot be
 * killed.
 */
const maxWaitMilliseconds = 5_000

/** Whether the work is unfinished after that time. */
async function lasts(work: Promise<void>): Promise<boolean> {
  const over = new AbortController()
  const timer = pause(maxWaitMilliseconds, true, { signal: over.signal }).catch(() => true)
  try {
    return await Promise.race([work.then(() => false), timer])
  } finally {
    over.abort()
  }
}

async function resolveLater(options: Resolving, runtime: Runtime, runner: Suspect, reason: string): Promise<void> {
  const { database, log } = runtime
  const resolve = runner.status === 'starting' ? resolveUnborn : resolveLost
  try {
    await resolve(options, runtime, runner, reason)
  } catch (error) {
    log.error({ err: error, runner: runner.id }, 'lost runner could not be resolved; retrying')
    if (isDatabaseAway(error)) return
    // This result may no longer be awaited. If the database is unavailable by now, it is retried at once.
    const now = await clockOf(database).catch(() => undefined)
    if (now !== undefined) options.backoff.failed(subjectOf(runner), now, resolving)
  }
}

/** Id whose retries are backed off when its runner cannot be resolved. */
const subjectOf = (runner: Suspect): string => (runner.of === 'nothing' ? runner.id : runner.activityId)

/** Why a runner counts as lost, or undefined while it may still reconnect. */
export function whyLost(runner: Suspect, observed: Observed | undefined): string | undefined {
  if (observed?.is === 'ended' || observed?.is === 'gone') return observed.why
  if (runner.silent) return `nothing was heard of it for ${runner.lostAfterSeconds} s`
  return runner.overdue ? 'it did not announce itself within 30 s' : undefined
}

async function resolveUnborn(options: Resolving, runtime: Runtime, runner: Suspect, reason: string): Promise<void> {
  const complaints = await options.driver.complaints(runner)
  runtime.log.warn({ runner: runner.id, reason, complaints }, 'runner did not connect in time')
  if ((await options.driver.kill(runner.id, [])) === 'unreachable') throw unreachable()
  await resolveOrDefer(options, runtime, runner, async () => {
    // Nothing waits for it: another is started in its place.
    if (runner.of === 'nothing') await markSpareGone(runtime.database, runner.id, reason)
    else await neverCame(options, runtime, runner, [reason, complaints].filter(Boolean).join(': '))
  })
  runtime.database.hints.emit('runners')
}

/**
 * Starts a runner again that never connected, after a growing pause. A full disk or a host that cannot start processes
 * is no fault of the runner's work: it is recorded, and the work is ended only after an hour without success while
 * other runners came up.
 */
export async function neverCame(
  { work, starts }: Pick<LostRunnersOptions, 'work' | 'starts'>,
  { database, log }: Runtime,
  runner: Pick<LiveRunner, 'of' | 'activityId'> & Pick<RunnerToStart, 'id' | 'startAttempts'>,
  why: string,
): Promise<void> {
  await wantAgain(database, runner)
  const error = new Error(`no runner could be started: ${why}`)
  await work.deferred(runner, error, { backoff: starts, doing: starting, log })
}

/**
 * Resolves a runner, or defers that after a failure. Called only once everything that it started is dead: no other code
 * ends its activity before.
 */
async function resolveOrDefer(
  { work, backoff }: Resolving,
  { log }: Runtime,
  runner: Suspect,
  resolve: () => Promise<void>,
): Promise<void> {
  try {
    await resolve()
    backoff.succeeded(subjectOf(runner), resolving)
  } catch (error) {
    if (runner.of === 'nothing') throw error
    await work.deferred(runner, error, { backoff, doing: resolving, log })
  }
}

async function resolveLost(options: Resolving, runtime: Runtime, suspect: Suspect, reason: string): Promise<void> {
  const { work, driver } = options
  const { database, log } = runtime
  const before = await lookAt(options, database, suspect.id)
  if (!before) return
  if (before.running.length > 0) {
    const complaints = await driver.complaints(suspect)
    const about = { runner: suspect.id, reason, steps: before.running.length, complaints }
    log.warn(about, 'runner is lost; its processes were ended')
  }
  await end(driver, suspect, before.running)
  // Until it was dead it could be given work, and write messages.
  const after = await lookAt(options, database, suspect.id)
  if (!after) return
  const known = new Set(before.running.map(nameOf))
  const late = after.running.filter(attempt => !known.has(nameOf(attempt)))
  if (late.length > 0) await end(driver, suspect, late)
  failpoint('lost-runner-killed')
  const { runner, unsent } = after
  await resolveOrDefer(options, runtime, runner, async () => {
    await applyUnsent(work, runtime, runner, unsent)
    await database.transaction(async tx => {
      const held = await markGone(tx, runner.id, reason)
      if (held?.activityId) await work.resolveLost(tx, { ...held, runnerId: runner.id, reason })
      failpoint('lost-runner-before-commit')
    })
  })
}

/**
 * Kills a runner. One that has been silent for long has stopped its steps by itself, also if its host does not answer.
 */
async function end(driver: RunnerDriver, { id, silent }: Suspect, running: readonly Attempt[]): Promise<void> {
  if ((await driver.kill(id, running)) === 'unreachable' && !silent) throw unreachable()
}

const unreachable = () => new Error('its host does not answer, so that its steps may still run')

/**
 * Reads the unsent messages and running steps of a runner. Processes left by a successful step are not included, and
 * keep running.
 */
async function lookAt({ work, driver }: Resolving, database: Database, id: string) {
  const runner = await runnerUnderWay(database, id)
  if (!runner) return undefined
  const unsent = (await driver.unsent(runner)).filter(({ seq }) => seq > runner.ackedSeq)
  const ended = new Set(
    unsent.filter(message => message.type === 'result' && message.outcome === 'success').map(({ stepId }) => stepId),
  )
  const attempts = runner.of === 'nothing' ? [] : await work.running(database, id)
  return { runner, unsent, running: attempts.filter(({ stepId }) => !ended.has(stepId)) }
}

/**
 * Number of chunks of a runner's log that are stored at once. A runner that was silent for an hour may have left ten
 * thousand small ones.
 */
const chunksAtOnce = 64

/** Applies messages that the service had not received. */
async function applyUnsent(
  work: RunnerWork,
  { database }: Runtime,
  runner: Suspect,
  unsent: readonly Numbered[],
): Promise<void> {
  const chunks = unsent.filter((message): message is LogChunk => message.type === 'log')
  const results = unsent.filter((message): message is Result => message.type === 'result')
  for (let from = 0; from < chunks.length; from += chunksAtOnce) {
    const some = chunks.slice(from, from + chunksAtOnce)
    await insertChunks(
      database,
      some.map(chunk => ({ runnerId: runner.id, chunk })),
    )
  }
  if (results.length === 0 || runner.of === 'nothing') return
  const { id, activityId, of, stepId } = runner
  await database.transaction(tx => work.applyResults(tx, { id, activityId, of, stepId, session: 0 }, results, false))
}
