import { inBatches } from '#platform/db/batches.ts'
import type { Around, Job } from '#platform/domain.ts'
import { deleteModelsOf, deleteModelsOvertaken } from './model.store.ts'

/** Each may be megabytes. */
const atOnce = 100

export async function forgetModels({ database, stopping }: Around, nodes: readonly string[]): Promise<string[]> {
  await inBatches(stopping, most => deleteModelsOf(database, nodes, most), atOnce)
  return []
}

/** Models of what has long been otherwise. Properties that come back within a quarter find theirs. */
export const deleteOldModels: Job = {
  name: 'models.delete_overtaken',
  cron: '43 3 * * *',
  run: (_: object, { database, stopping }) =>
    inBatches(stopping, most => deleteModelsOvertaken(database, most), atOnce),
}
