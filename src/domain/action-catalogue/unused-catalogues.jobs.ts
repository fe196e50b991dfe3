import { inBatches } from '#platform/db/batches.ts'
import type { Job } from '#platform/domain.ts'
import { deleteUnused } from './catalogue.store.ts'

/**
 * Job that deletes actions derived from properties that assets no longer have. They are kept for a month, in case the
 * properties return. Those of a commit itself remain as long as its remote does.
 */
export const deleteUnusedCatalogues: Job = {
  name: 'templates.delete_unused_catalogues',
  cron: '37 3 * * *',
  run: (_: object, { database, stopping }) => inBatches(stopping, most => deleteUnused(database, most)),
}
