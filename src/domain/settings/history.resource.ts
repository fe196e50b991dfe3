import { sql } from '#platform/db/sql.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { historyOfNode, versionsColumn } from '../nodes/index.ts'

/**
 * JSON:API resource of the history of a node's settings: the versions in each of its layers, from the installation's
 * down, with their starts. There is no entry for layers that the caller may not read.
 */
export const settingsHistory: Resource = {
  type: 'settings_history',
  types: {
    all: ['system_configuration', 'project', 'environment', 'asset', 'agent'],
    of: row => String(row['owner_type']),
    borrowed: true,
  },
  describe: 'The versions of settings in each layer of a node.',
  from: sql`nodes a cross join lateral (
    with owners as (
      select n.id, n.node_type as type, n.code, n.name,
             case n.node_type when 'project' then 1 when 'environment' then 2 else 3 end as place
        from nodes n where n.id in (a.project_id, a.environment_id, a.id)
      union all
      select i.id, 'system_configuration', 'installation', 'Installation', 0 from installation i
    )
    select owners.*, r.id as settings_id, r.project_id, r.path,
           (dense_rank() over (order by owners.place))::int - 1 as level
      from owners
      join settings r on r.owner_id = owners.id and r.destroyed_at is null
  ) o`,
  id: sql`o.id`,
  ...historyOfNode('settings'),
  columns: {
    level: { kind: 'integer', sql: sql`o.level`, describe: 'Position among the layers; 0 is the installation’s.' },
    code: { kind: 'text', sql: sql`o.code`, describe: 'Code of the owner; installation for the installation.' },
    name: { kind: 'text', sql: sql`o.name`, describe: 'Name of the owner.' },
    settings_versions: versionsColumn(
      sql`select v.version, v.active_from as start_date from settings_versions v where v.settings_id = o.settings_id`,
      'Versions of its settings, each with the start of its period.',
    ),
  },
  rights: { projectId: sql`o.project_id`, path: sql`o.path` },
}
