import type { Actor } from '../actor.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Resource } from './resource.ts'
import { switched } from './switched.ts'

/**
 * The named filter `mine`, which every list has whose records say who made them.
 *
 * @param userId the id of who made the record: names are shown, ids are compared
 */
export const createdByCaller = (userId: Sql): NonNullable<Resource['named']> => ({
  mine: {
    describe: 'Those that the caller made.',
    sql: (value: string, actor: Actor) => switched(value, sql`${userId} = ${actor.userId}::uuid`),
  },
})
