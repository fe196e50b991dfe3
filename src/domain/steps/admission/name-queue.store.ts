import type { Database, Tx } from '#platform/db/database.ts'
import { lockNamed } from '#platform/db/locks.ts'
import { sql } from '#platform/db/sql.ts'
import type { Activity } from '../store/activity.store.ts'

/**
 * Queue of the activities of each name. `head` means that nothing older of the name is unfinished; it is moved only
 * under the lock of the name, until the transaction ends. Finding the next by comparing all older ones took 21 ms with
 * 90,000 of one name pending, by an index on heads 0.3 ms.
 *
 * @param how `shared`: for an activity that need not wait for others of its name. Only an exclusive lock blocks it
 */
export const lockName = (
  tx: Tx,
  { site, nameKey }: { site: string; nameKey: string },
  how: 'alone' | 'shared' = 'alone',
): Promise<void> => lockNamed(tx, `name: ${site} ${nameKey}`, how)

/**
 * Requests that the next activity of an ended one's name be moved to the head: in a transaction of its own, since this
 * one locks an activity, and a transaction that locks one must never wait for another. Inserting a row waits for no
 * lock.
 */
export async function askForNameCheck(tx: Tx, activity: Pick<Activity, 'site' | 'name_key'>): Promise<void> {
  await tx.count(sql`insert into name_checks (site, name_key) values (${activity.site}, ${activity.name_key})`)
}

/** Moves the next activity to the head of each name in which one has ended. */
export async function moveAllHeads(database: Database): Promise<void> {
  while (await moveHeads(database));
}

/** Maximum number of names per transaction, which locks them. */
const atOnce = 50

/** Returns whether there may be more. */
function moveHeads(database: Database): Promise<boolean> {
  return database.transaction(async tx => {
    const names = await tx.rows(sql<{ site: string; name_key: string; ended: number }>`
      with taken as (
        delete from name_checks
         where id in (select id from name_checks order by id limit ${atOnce} for update skip locked)
        returning site, name_key
      )
      select site, name_key, count(*)::int as ended from taken group by site, name_key order by site, name_key`)
    for (const { site, name_key } of names) {
      await lockName(tx, { site, nameKey: name_key })
      await tx.count(sql`
        update activities
           set head = true
         where id = (select id
                       from activities
                      where site = ${site} and name_key = ${name_key} and not final
                      order by number
                      limit 1)
           and not head`)
    }
    return names.reduce((sum, { ended }) => sum + ended, 0) === atOnce
  })
}
