import type { Actor } from '../actor.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Resource } from './resource.ts'
import { switched } from './switched.ts'

/**
 * The named filter `mine` of every list whose records have a creator.
 *
 * @param userId id of the record's creator; ids are compared, because names may change
 */
export const createdByCaller = (userId: Sql): NonNullable<Resource['named']> => ({
  mine: {
    describe: 'Those that the caller made.',
    sql: (value: string, actor: Actor) => switched(value, sql`${userId} = ${actor.userId}::uuid`),
  },
})
