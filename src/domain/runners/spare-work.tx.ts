import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import type { LiveRunner } from './runner.ts'
import type { RunnerWork } from './runner-work.port.ts'
import type { RunnerSession } from './session.adapter.ts'
import { takenOf } from './spare.store.ts'
import type { Spares } from './spares.jobs.ts'

interface Parts {
  readonly database: Database
  readonly work: RunnerWork
  readonly spares: Spares
  readonly log: Log
  readonly apiUrl: () => string
}

/** Notifies spares that were assigned meanwhile of their work and first steps. */
export async function giveWork(parts: Parts, sessions: ReadonlyMap<string, RunnerSession>): Promise<void> {
  const idle = [...sessions].filter(([, { runner }]) => runner.of === 'nothing').map(([id]) => id)
  if (idle.length === 0) return
  const taken = await takenOf(parts.database, idle)
  await Promise.all(taken.map(its => giveWorkTo(parts, sessions.get(its.id), its)))
}

async function giveWorkTo(
  { database, work, log, spares, apiUrl }: Parts,
  session: RunnerSession | undefined,
  its: Omit<LiveRunner, 'session'>,
): Promise<void> {
  // Another poll was quicker, or it has reconnected and got its work with the welcome.
  if (session?.runner.of !== 'nothing') return
  const runner: LiveRunner = { ...its, session: session.runner.session }
  session.runner = runner
  spares.left(runner.id)
  failpoint('spare-given')
  try {
    const told = work.commit(database, runner).then(commit => session.send({ type: 'work', commit, apiUrl: apiUrl() }))
    // A runner has its task from the start; the steps of a change are claimed meanwhile.
    if (runner.of === 'activity') await Promise.all([told, session.claim(told)])
    else await told.then(async () => session.runAgain(await work.running(database, runner.id)))
  } catch (error) {
    log.warn({ err: error, runner: runner.id }, 'assigning work to a spare runner failed; the runner reconnects')
    session.close(1011)
  }
}
