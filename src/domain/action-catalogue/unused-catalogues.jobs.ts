import { inBatches } from '#platform/db/batches.ts'
import { sql } from '#platform/db/sql.ts'
import type { Job } from '#platform/domain.ts'

/**
 * Actions that were derived from the properties of assets which have others by now. They are kept for a month: properties
 * that come back find theirs. Those of a commit itself stay for as long as its remote does.
 */
export const deleteUnusedCatalogues: Job = {
  name: 'templates.delete_unused_catalogues',
  cron: '37 3 * * *',
  run: (_: object, { database, stopping }) =>
    inBatches(stopping, most =>
      database.count(sql`
        delete from action_catalogues
         where id in (select k.id
                        from action_catalogues k
                       where k.input_sha <> '' and k.derived_at < sluice_now() - interval '30 days'
                         and not exists (select from node_actions o where o.catalogue_id = k.id)
                       limit ${most}
                         for update skip locked)`),
    ),
}
