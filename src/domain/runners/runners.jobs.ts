import type { Around, Job, Loop } from '#platform/domain.ts'
import { reached } from '#platform/failpoints.ts'
import { Setbacks } from '#platform/jobs/setbacks.ts'
import type { LogChunk, Numbered, Result } from '#platform/runner-protocol.ts'
import type { SettingsReader } from '../settings/index.ts'
import { insertChunks } from './log-chunks.store.ts'
import type { ProcessRunners } from './process.adapter.ts'
import {
  beat,
  goneRunners,
  markGone,
  type RunnerToStart,
  recordProcess,
  runnersUnderWay,
  type Suspect,
  setSecret,
  takeWanted,
  wantAgain,
} from './runner.store.ts'
import type { RunnerWork } from './runner-work.ts'
import { newSecret } from './secret.ts'
import { forgetSpares } from './spare.store.ts'
import type { Spares } from './spares.ts'

export interface RunnerLoopsOptions {
  readonly work: RunnerWork
  readonly processes: ProcessRunners
  readonly site: string
  readonly spares: Spares
  readonly settings: Pick<SettingsReader, 'global'>
}

/** What runs by itself for runners: the service's heartbeat, starting them, finding lost ones, and cleaning up. */
export const runnerLoops = (options: RunnerLoopsOptions): Loop[] => [
  {
    name: 'heartbeat',
    every: 1_000,
    hints: [],
    run: async ({ database }) => {
      await beat(database)
      return false
    },
  },
  { name: 'start runners', every: 1_000, hints: ['runners'], run: around => startWanted(options, around) },
  { name: 'find lost runners', every: 1_000, hints: [], run: lostRunners(options) },
  { name: 'remove folders of runners', every: 1_000, hints: [], run: folderRemoval(options) },
  options.spares.loop(options),
]

export const forgetSparesJob: Job = {
  name: 'runners.forget_spares',
  cron: '41 4 * * *',
  run: async (_payload: object, { database }) => void (await forgetSpares(database)),
}

const atOnce = 10
/** A runner that cannot be started so often will not be. */
const mostStarts = 5

async function startWanted({ work, processes, site }: RunnerLoopsOptions, around: Around): Promise<boolean> {
  const { database } = around
  const taken = await database.transaction(async tx => {
    const wanted = await takeWanted(tx, { site, kind: 'process', limit: atOnce, starter: processes.self })
    const withSecrets = wanted.map(runner => ({ runner, ...newSecret(runner.id) }))
    for (const { runner, sha256 } of withSecrets) await setSecret(tx, runner.id, sha256)
    return withSecrets
  })
  for (const each of taken) {
    try {
      await startOne({ work, processes }, around, each)
    } catch (error) {
      // Those behind it are taken as well, and would stand as begun until they are overdue.
      around.log.error(
        { err: error, runner: each.runner.id },
        'a runner that did not start is tried again when overdue',
      )
    }
  }
  return taken.length === atOnce
}

async function startOne(
  { work, processes }: Pick<RunnerLoopsOptions, 'work' | 'processes'>,
  around: Around,
  { runner, secret }: { readonly runner: RunnerToStart; readonly secret: string },
): Promise<void> {
  try {
    reached('runner-taken')
    const name = await processes.start({ ...runner, secret })
    reached('runner-spawned')
    // One that ended at once is found missing.
    if (name) await recordProcess(around.database, runner.id, name)
  } catch (error) {
    around.log.error({ err: error, runner: runner.id }, 'a runner could not be started')
    await neverCame({ work }, around, runner, (error as Error).message)
  }
}

async function neverCame(
  { work }: Pick<RunnerLoopsOptions, 'work'>,
  { database }: Around,
  runner: Pick<RunnerToStart, 'id' | 'startAttempts'>,
  why: string,
): Promise<void> {
  if (runner.startAttempts < mostStarts) return wantAgain(database, runner.id)
  await database.transaction(async tx => {
    const reason = `no runner could be started: ${why}`
    const held = await markGone(tx, runner.id, reason)
    if (held?.activityId) await work.giveUp(tx, held.activityId, reason)
  })
}

/**
 * Resolves what became of runners that have ended or fallen silent (execution.md 3). Nothing is said of their steps
 * before everything that they had started is dead: only then does nothing run twice.
 */
function lostRunners(options: RunnerLoopsOptions): Loop['run'] {
  const setbacks = new Setbacks()
  return async around => {
    const postponed = new Set(setbacks.postponed())
    for (const runner of await runnersUnderWay(around.database, options.site)) {
      const reason = whyLost(runner, options.processes)
      if (!reason || (runner.of !== 'nothing' && postponed.has(runner.activityId))) continue
      try {
        if (runner.status === 'starting') await resolveUnborn(options, around, runner, reason)
        else await resolveLost(options, around, setbacks, runner, reason)
      } catch (error) {
        around.log.error({ err: error, runner: runner.id }, 'a lost runner could not be resolved; it is tried again')
      }
    }
    return false
  }
}

/** Why a runner counts as lost, or undefined while it may yet be heard of. */
export function whyLost(
  runner: Suspect,
  processes: Pick<ProcessRunners, 'host' | 'isAlive' | 'hasProcess'>,
): string | undefined {
  const { id, pid, started, starterPid, starterStarted } = runner
  const here = runner.host === processes.host
  if (here && pid !== null && started !== null) {
    if (!processes.isAlive({ pid, started })) return 'its process has ended'
  } else if (here && starterPid !== null && starterStarted !== null) {
    // One that was started a moment before says hello by itself.
    const starter = { pid: starterPid, started: starterStarted }
    if (!processes.isAlive(starter) && !processes.hasProcess(id)) return 'the service ended before it was started'
  }
  if (runner.silent) return 'nothing was heard of it for 75 s'
  return runner.overdue ? 'it did not announce itself within 30 s' : undefined
}

async function resolveUnborn(
  options: RunnerLoopsOptions,
  around: Around,
  runner: Suspect,
  reason: string,
): Promise<void> {
  const complaints = options.processes.complaints(runner.id)
  around.log.warn({ runner: runner.id, reason, complaints }, 'a runner did not come up')
  await options.processes.kill(runner.id, [])
  // Nobody waits for it: another is started in its place.
  if (runner.of === 'nothing') await markGone(around.database, runner.id, reason)
  else await neverCame(options, around, runner, [reason, complaints].filter(Boolean).join(': '))
  around.database.hints.emit('runners')
}

async function resolveLost(
  { work, processes }: RunnerLoopsOptions,
  around: Around,
  setbacks: Setbacks,
  runner: Suspect,
  reason: string,
): Promise<void> {
  const { database, log } = around
  const unsent = processes.spool(runner.id).filter(({ seq }) => seq > runner.ackedSeq)
  const ended = new Set(
    unsent.filter(message => message.type === 'result' && message.outcome === 'success').map(({ stepId }) => stepId),
  )
  const running = runner.of === 'nothing' ? [] : await work.running(database, runner.id)
  if (running.length > 0) {
    const complaints = processes.complaints(runner.id)
    log.warn(
      { runner: runner.id, reason, steps: running.length, complaints },
      'a runner is lost, and what it ran is ended',
    )
  }
  // What a step that had succeeded left running, lives on.
  await processes.kill(
    runner.id,
    running.filter(({ stepId }) => !ended.has(stepId)),
  )
  reached('lost-runner-killed')
  try {
    await applyUnsent(work, around, runner, unsent)
    await database.transaction(async tx => {
      const held = await markGone(tx, runner.id, reason)
      if (held?.activityId) await work.resolveLost(tx, { ...held, runnerId: runner.id, reason })
      reached('lost-runner-before-commit')
    })
    if (runner.of !== 'nothing') setbacks.over(runner.activityId, resolving)
  } catch (error) {
    // Only now: while something that it started lives, nobody ends its activity.
    if (runner.of === 'nothing') throw error
    await work.heldUp(runner, error, { setbacks, doing: resolving, log })
  }
}

const resolving = 'resolve a lost runner'

/** A runner that nobody heard for an hour may have left ten thousand small ones. */
const chunksAtOnce = 64

/** It had said more than was heard. */
async function applyUnsent(
  work: RunnerWork,
  { database }: Around,
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

/** Folders of runners that are gone, once their process is too. */
function folderRemoval({ processes, work }: RunnerLoopsOptions): Loop['run'] {
  const stuck = new Set<string>()
  return async ({ database, log }) => {
    const folders = processes.folders().filter(id => !stuck.has(id))
    if (folders.length === 0) return false
    for (const { id, host, pid, started, activityId } of await goneRunners(database, folders)) {
      const lives = host === processes.host && pid !== null && started !== null && processes.isAlive({ pid, started })
      const why = lives ? undefined : await whyFolderStays(processes, id)
      if (why === undefined) continue
      if (activityId) await database.transaction(tx => work.folderStays(tx, { id, activityId }, why))
      stuck.add(id)
      log.warn({ runner: id, why }, 'the folder of a runner could not be removed')
    }
    return false
  }
}

/** One that cannot be removed holds up no other. */
async function whyFolderStays(processes: Pick<ProcessRunners, 'remove'>, id: string): Promise<string | undefined> {
  try {
    if (await processes.remove(id)) return undefined
    return 'something in its folder could not be removed by the user of its steps'
  } catch (error) {
    return (error as Error).message
  }
}
