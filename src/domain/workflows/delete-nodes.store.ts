import { inBatches } from '#platform/db/batches.ts'
import { sql } from '#platform/db/sql.ts'
import type { Runtime } from '#platform/domain.ts'

/** Deletes the workflows of destroyed projects; the domain of runs has already deleted their runs. */
export async function deleteWorkflowsOfNodes(
  { database, stopping }: Runtime,
  nodes: readonly string[],
): Promise<string[]> {
  const ofThem = sql`select w.id from workflows w where w.project_id = any(${[...nodes]}::uuid[])`
  await inBatches(stopping, most =>
    database.count(sql`
      delete from workflow_versions
       where id in (select id from workflow_versions where workflow_id in (${ofThem}) limit ${most})`),
  )
  await inBatches(stopping, most => database.count(sql`delete from workflows where id in (${ofThem} limit ${most})`))
  return []
}
