import type { Queries } from './database.ts'
import { type Sql, sql } from './sql.ts'

/**
 * The database's time, in milliseconds since 1970: the only clock that all processes and machines share, and which
 * advances while they are suspended.
 */
export const clockOf = async (queries: Queries): Promise<number> =>
  Date.parse((await queries.one(sql<{ now: string }>`select sluice_now() as now`))!.now)

/**
 * Whether a recorded time can only be from a clock that has been set back since: anything that waits for it to pass
 * would wait for as long as that was. Minutes are tolerated, because a worker that waited for a row may come a little
 * before its time.
 */
export const isInFuture = (time: Sql): Sql<boolean> => sql<boolean>`(${time} > sluice_now() + interval '5 minutes')`
