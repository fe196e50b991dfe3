import { sql } from '#platform/db/sql.ts'
import { isoTime } from '#platform/db/values.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'
import { historyOfNode, versionsColumn } from '../nodes/index.ts'

/**
 * JSON:API resource of the history of a node's properties: the versions in each of its layers with their periods, and
 * which template version an asset or agent had when: the instants between which `converge_date` makes a difference.
 * There is an entry for each template that the node ever had, and none for layers that the caller may not read.
 */
export const propertiesHistory: Resource = {
  type: 'properties_history',
  types: {
    all: ['project', 'environment', 'template', 'template_version', 'asset', 'agent'],
    of: row => String(row['owner_type']),
    borrowed: true,
  },
  describe: 'The versions of properties in each layer of a node, and the template versions that it had.',
  from: sql`nodes a cross join lateral (
    with had as (
      select template_id, template_version_id from node_template_versions where node_id = a.id group by 1, 2
    ),
    owners as (
      select n.id, n.node_type as type, n.code, n.name, n.path,
             case n.node_type when 'project' then 0 when 'environment' then 1 else 4 end as place
        from nodes n where n.id in (a.project_id, a.environment_id, a.id)
      union all
      select t.id, 'template', t.code, t.name, t.path, 2
        from templates t where t.id in (select template_id from had)
      union all
      select v.id, 'template_version', v.version, v.version, v.path, 3
        from template_versions v where v.id in (select template_version_id from had)
    )
    select owners.*, (dense_rank() over (order by place))::int - 1 as level from owners
  ) o`,
  id: sql`o.id`,
  ...historyOfNode('properties'),
  columns: {
    level: { kind: 'integer', sql: sql`o.level`, describe: 'Position among the layers; 0 is the project’s.' },
    code: { kind: 'text', sql: sql`o.code`, describe: 'Code of the owner; for a template version, its name.' },
    name: { kind: 'text', sql: sql`o.name`, describe: 'Name of the owner.' },
    properties_versions: versionsColumn(
      sql`select v.version, v.created_at as start_date
              from properties r join properties_versions v on v.properties_id = r.id
             where r.owner_id = o.id and r.destroyed_at is null`,
      'Versions of its properties, each with the start of its period.',
    ),
    template_versions: {
      kind: 'json',
      nullable: true,
      sql: sql`
        case when o.id = a.id then
          (select json_agg(json_build_object('version', h.version, 'active_from', h.active_from::text,
                                             'active_to', h.active_to::text) order by h.active_from)::jsonb
             from node_template_versions h where h.node_id = a.id) end`,
      describe: 'Template versions that the asset or agent had, and when; absent in other entries.',
      when: row => row['owner_type'] === 'asset' || row['owner_type'] === 'agent',
      read: versions =>
        ((versions ?? []) as { version: string; active_from: string; active_to: string | null }[]).map(each => ({
          version: each.version,
          active_from: isoTime(each.active_from),
          active_to: each.active_to === null ? null : isoTime(each.active_to),
        })),
    },
  },
  rights: { projectId: sql`a.project_id`, path: sql`(o.path || '/properties')` },
}
