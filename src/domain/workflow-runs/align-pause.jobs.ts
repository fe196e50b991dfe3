import { theService } from '#platform/actor.ts'
import type { Context } from '#platform/commands/command.ts'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { newestEventOf } from '../events/index.ts'
import { settleRunPause, unfinishedOf } from '../steps/for-workflow-runs.ts'
import { type Activity, lockActivity, type RunnerParts, requestPause, requestResume } from '../steps/index.ts'
import { nameOfActivity, pauseOf } from './run.store.ts'

const jobName = 'workflow_runs.align_pause'

/** Enqueues the job in the transaction that pauses or resumes a run. */
const ask = ({ enqueue }: Pick<Context, 'enqueue'>, id: string) => enqueue(jobName, { id }, { key: `${jobName}:${id}` })

const subjects = { change: 'changes', workflow_run: 'workflow_runs' } as const

/**
 * Job that sets the children of a run, and their children in turn, to the pause state of the run. Each in a transaction
 * of its own, which reads the run once it has locked the child: so of a concurrent pause and resume the later one wins,
 * and a job that was killed runs again.
 */
const job = (engine: RunnerParts): Job => ({
  name: jobName,
  run: async ({ id }: { id: string }, runtime) => {
    const { database } = runtime
    const failed: unknown[] = []
    for (const made of await unfinishedOf(database, id)) {
      try {
        await align(engine, runtime, id, made)
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        failed.push(error)
      }
      failpoint('workflow-pause-passed-on')
    }
    await database.transaction(async tx => {
      const run = await lockActivity(tx, id)
      if (run) await settleRunPause(tx, run)
    })
    // The other children have the state of the run. Those that cannot be changed are retried.
    if (failed.length > 0) throw failed[0]
  },
})

const align = (engine: RunnerParts, { database, enqueue, record }: Runtime, id: string, made: string): Promise<void> =>
  database.transaction(async tx => {
    const activity = await lockActivity(tx, made)
    const run = await pauseOf(tx, id)
    if (!activity || !run) return
    const what = run.paused ? 'pause' : 'resume'
    const answer = run.paused
      ? await requestPause(engine, tx, made, { username: run.by ?? theService.username })
      : await requestResume(engine, tx, made)
    if (answer === 'done') {
      const actor = (await newestEventOf(tx, `api:workflow_runs:${what}`, id)) ?? theService
      await record(tx, { type: `api:${subjects[activity.kind]}:${what}`, actor, ...(await about(tx, activity)) })
    }
    // A child run that is ending would resume its own children instead of pausing them.
    const isAlike = answer === 'done' || answer === 'already'
    if (isAlike && activity.kind === 'workflow_run') await ask({ enqueue: (...given) => enqueue(tx, ...given) }, made)
  })

/** Event attributes as for the command that pauses or resumes this activity alone. */
async function about(tx: Tx, { id, kind, node_id, path, project_id }: Activity) {
  const name = await nameOfActivity(tx, id)
  return {
    source: { type: kind, id },
    node: { id: node_id, path, projectId: project_id },
    activityId: id,
    attributes: { name },
  }
}

export const alignJob = { ask, job } as const
