import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { isFinal } from '#platform/lifecycle/lifecycle.ts'
import { contentsOf } from '../../logs/index.ts'
import { detachRunners } from '../../runners/index.ts'
import { activityLife } from '../rules/activity.lifecycle.ts'
import { lockActivity } from './activity.store.ts'
import { isAwaited } from './workflow-news.store.ts'

/**
 * Answer to a request to purge. unfinished: it has not ended. runner: it has, and its runner has not yet. unrecorded: the
 * run that made it has not heard of it.
 */
export type PurgeAnswer = 'missing' | 'unfinished' | 'runner' | 'unrecorded' | { readonly contents: readonly string[] }

/** Whether `activities a` can be purged, according to its own row. */
export const isPurgeable = sql<boolean>`
  a.final and not ${isAwaited}
  and not exists (select from runners ending where ending.activity_id = a.id and ending.status <> 'gone')`

/**
 * Deletes an activity that has ended, with its steps. Its log and the contents of its artefacts, which may be large,
 * must be deleted afterwards, in batches (`deletePurgedData`): nothing refers to them any more.
 *
 * @returns the hashes of the contents of its artefacts
 */
export async function purgeActivity(tx: Tx, activityId: string): Promise<PurgeAnswer> {
  const activity = await lockActivity(tx, activityId)
  if (!activity) return 'missing'
  if (!isFinal(activityLife, activity.status)) return 'unfinished'
  if (await tx.one(sql`select from activities a where a.id = ${activityId}::uuid and ${isAwaited}`)) return 'unrecorded'
  if (!(await detachRunners(tx, activityId))) return 'runner'
  const contents = await contentsOf(tx, activityId)
  await tx.count(sql`delete from activities where id = ${activityId}`)
  return { contents }
}
