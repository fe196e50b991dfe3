import type { Database } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** Ends the runners of all activities as a crash would; they are found lost within about two seconds. */
export async function loseRunners(database: Database): Promise<void> {
  const runners = await database.rows(sql<{ pid: number }>`
    select pid from runners where status = 'live' and activity_id is not null and pid is not null`)
  for (const { pid } of runners) process.kill(pid, 'SIGKILL')
}
