import { inBatches } from '#platform/db/batches.ts'
import type { Job } from '#platform/domain.ts'
import { deleteUnused } from './catalogue.store.ts'

/**
 * Actions that were derived from the properties of assets which have others by now. They are kept for a month: properties
 * that come back find theirs. Those of a commit itself stay for as long as its remote does.
 */
export const deleteUnusedCatalogues: Job = {
  name: 'templates.delete_unused_catalogues',
  cron: '37 3 * * *',
  run: (_: object, { database, stopping }) => inBatches(stopping, most => deleteUnused(database, most)),
}
