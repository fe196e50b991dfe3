import { sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'

/** Deletes the statuses of destroyed agents. @returns no node: nothing of it is in progress */
export async function deleteStatusesOfNodes({ database }: Runtime, nodes: readonly string[]): Promise<string[]> {
  await database.count(sql`delete from agent_statuses where node_id = any(${[...nodes]}::uuid[])`)
  return []
}
