import type { Queries } from './database.ts'
import { sql } from './sql.ts'

/** The database's time, in milliseconds since 1970: the one by which all processes agree, and which a standstill moves on. */
export const clockOf = async (queries: Queries): Promise<number> =>
  Date.parse((await queries.one(sql<{ now: string }>`select sluice_now() as now`))!.now)
