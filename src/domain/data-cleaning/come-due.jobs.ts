import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Loop, Runtime } from '#platform/domain.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { enqueueCleaning } from './clean.jobs.ts'
import { nextDueOf } from './cleanup-definition.ts'
import { beginRun, releaseLeft } from './cleanup-run.store.ts'
import { dueDefinitions, lockDue, noteRun } from './definition.store.ts'

const mostAtOnce = 50

/**
 * Begins the runs of due definitions, by the database's clock, in whichever process is first: the run, its next due
 * time, and the job that works on it are written in one transaction. Several missed due times are one run.
 */
export function dueLoop(): Loop {
  const backoff = new RetryBackoff()
  return {
    name: 'data_cleaning',
    every: 1_000,
    hints: ['data_cleaning'],
    run: async runtime => {
      const { database, log } = runtime
      await database.transaction(async tx => {
        if ((await releaseLeft(tx)) > 0) await enqueueCleaning(runtime, tx)
      })
      const due = await dueDefinitions(database, backoff.postponed(), mostAtOnce)
      for (const id of due) {
        try {
          await database.transaction(tx => begin(runtime, tx, id))
          backoff.succeeded(id)
        } catch (error) {
          if (isDatabaseAway(error)) throw error
          backoff.failed(id)
          log.error({ err: error, definition: id }, 'due cleanup could not be started; retrying')
        }
      }
      return due.length === mostAtOnce
    },
  }
}

async function begin(runtime: Pick<Runtime, 'enqueue'>, tx: Tx, id: string): Promise<void> {
  const definition = await lockDue(tx, id)
  if (!definition) return
  const begun = !definition.ahead && (await beginRun(tx, definition))
  await noteRun(tx, id, nextDueOf(definition, definition.now), begun)
  if (begun) await enqueueCleaning(runtime, tx)
}
