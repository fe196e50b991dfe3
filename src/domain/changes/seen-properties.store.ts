import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { StoredChange } from './change.store.ts'

/** Time at which a version of the properties that the change sees was last written by anything but its own steps. */
export async function lastWrittenByOthers(queries: Queries, change: StoredChange): Promise<string | null> {
  const row = await queries.one(sql<{ at: string | null }>`
    with recursive retries as (
      select id, retry_of from changes where id = ${change.id}::uuid
      union
      select c.id, c.retry_of from retries r join changes c on c.id = r.retry_of
    ),
    owners as (
      select n.id from nodes n where n.id = ${change.node_id}::uuid
      union
      select n.environment_id from nodes n where n.id = ${change.node_id}::uuid
      union
      select ${change.project_id}::uuid
      union
      select v.template_id from template_version_names v where v.template_version_id = ${change.template_version_id}::uuid
      union
      select ${change.template_version_id}::uuid
    )
    select to_char(max(v.active_from) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from owners o
      join properties p on p.owner_id = o.id
     cross join lateral (
       select v.active_from
         from properties_versions v
        where v.properties_id = p.id
          and not exists (select from steps s join retries r on r.id = s.activity_id where s.id = v.step_id)
        order by v.version desc
        limit 1) v`)
  return row!.at
}
