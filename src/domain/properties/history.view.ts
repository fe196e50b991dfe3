import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { isoTime } from '#platform/db/values.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { findNode, type Node, pathsOfType } from '../nodes/index.ts'

interface Entry {
  readonly id: string
  readonly type: string
  readonly code: string
  readonly name: string
  readonly versions: { version: number; start_date: string }[]
}

const anything = Type.Object({}, { additionalProperties: true })

/**
 * GET …/assets/{a}/properties_history: which versions of properties there are in each of the layers of an asset, and from
 * when on, and which template version it had when: the instants between which `converge_date` makes a difference. Of
 * templates there is an entry for each that the asset ever had.
 */
export const propertiesHistoryView: AnyView = view<Node & { readonly readPath: string }>({
  name: 'properties_history.list',
  summary: 'The versions of properties in each layer of an asset, and the template versions that it had.',
  method: 'GET',
  paths: pathsOfType.asset.map(path => `/api${path}/properties_history`),
  answer: Type.Object({ data: Type.Array(anything) }, { additionalProperties: true }),
  find: async ({ database, params }) => {
    const node = await findNode(database, params)
    return node && { ...node, readPath: node.path }
  },
  needs: node => [{ right: 'read', path: `${node.path}/properties` }],
  run: async (node, { database }) => {
    const entries = await database.rows(sql<Entry>`
      with had as (
        select template_id, template_version_id, min(active_from) as since
          from node_template_versions where node_id = ${node.id}::uuid group by 1, 2
      ),
      owners as (
        select n.id, n.node_type as type, n.code, n.name, length(n.path) as place, null::timestamptz as since
          from nodes n where n.id = any(${[...new Set([node.project_id, node.environment_id ?? node.id])]}::uuid[]) and n.id <> ${node.id}::uuid
        union all
        select t.id, 'template', t.code, t.name, 100000, min(had.since)
          from had join templates t on t.id = had.template_id group by t.id
        union all
        select v.id, 'template_version', v.version, v.version, 100001, had.since
          from had join template_versions v on v.id = had.template_version_id
        union all
        select n.id, n.node_type, n.code, n.name, 100002, null from nodes n where n.id = ${node.id}::uuid
      )
      select o.id, o.type, o.code, o.name,
             coalesce((select json_agg(json_build_object('version', v.version, 'start_date', v.created_at::text) order by v.version)
                         from properties r join properties_versions v on v.properties_id = r.id
                        where r.owner_id = o.id and r.destroyed_at is null), '[]') as versions
        from owners o
       order by o.place, o.since, o.id`)
    const had = await database.rows(sql<{ version: string; active_from: string; active_to: string | null }>`
      select version, active_from, active_to
        from node_template_versions where node_id = ${node.id}::uuid order by active_from`)
    const types = [...new Set(entries.map(({ type }) => type))]
    return {
      body: {
        data: entries.map(({ id, type, code, name, versions }) => ({
          id,
          type,
          attributes: {
            level: types.indexOf(type),
            code,
            name,
            properties_versions: versions.map(each => ({ ...each, start_date: isoTime(each.start_date) })),
            ...(type === 'asset' && { template_versions: had }),
          },
        })),
        links: { self: `/api${node.path}/properties_history` },
      },
    }
  },
})
