import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import fastify from 'fastify'
import { passwords } from '../src/domain/users/index.ts'
import { assemble } from '../src/main/domains.ts'
import { openKeyring, rootKey } from '../src/platform/crypto/index.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { join as joined, type Sql, sql } from '../src/platform/db/sql.ts'
import { type AssetRow, assetDocument, assetFields, type ShownRow, shownDocument } from './documents-by-hand.ts'
import { namedLists } from './seeded/named-lists.ts'

/**
 * The floor of `lists.ts` and of `named-lists.ts`: the lists of assets and the page of one, written by hand for these
 * requests only. A bare server, the same authentication, the best statements for these responses, literals for their
 * documents. Started with the database's URL and the data folder of the measured installation; prints its address.
 */
const [url = '', dataDir = ''] = process.argv.slice(2)
const database = openDatabase({ url, size: 20, name: 'by hand' })
const keyring = await openKeyring({
  database,
  rootKey: await rootKey({ given: undefined, file: join(dataDir, 'root.key'), database }),
})
const { authenticate } = await assemble({
  config: {
    dataDir,
    gitProtocols: ['file'],
    authorities: undefined,
    privateAddresses: [],
    settingOverrides: {},
    passedOn: {},
    role: 'api',
  },
  database,
  keyring,
  passwords: passwords(),
  apiUrl: () => '',
  log: { info: () => {}, warn: () => {}, error: console.error },
})

const jsonApi = 'application/vnd.api+json'
const server = fastify({ logger: false })
interface Asking {
  headers: IncomingHttpHeaders
  ip: string
  host: string
  method: string
}
const whoAsks = ({ headers, ip, host, method }: Asking) =>
  authenticate({ headers, remoteAddress: ip, host, method, signsIn: false })

server.get('/api/projects/:project/environments/:environment/assets', async (request, reply) => {
  const { rights } = await whoAsks(request)
  const { project, environment } = request.params as Record<string, string>
  const path = `/projects/${project}/environments/${environment}`
  const parent = await database.one(sql<{ id: string }>`
    select id from nodes where path = ${path} and destroyed_at is null`)
  if (!parent || !rights.may('read', path)) return reply.status(404).send()
  const { limit } = request.query as { limit: string }
  const rows = await database.rows(sql<AssetRow>`
    select ${assetFields}
      from nodes n
      join nodes p on p.id = n.project_id
     where n.node_type = 'asset' and n.destroyed_at is null and n.parent_id = ${parent.id}::uuid
       and ${rights.visible({ projectId: sql`n.project_id`, path: sql`n.path` })}
     order by n.created_at desc, n.id desc
     limit ${sql.lit(Number(limit) + 1)}`)
  const may = (right: 'update' | 'delete') => rights.may(right, `${path}/assets`)
  const document = {
    data: rows.map(row => assetDocument(row, rights)),
    links: { self: request.url },
    meta: { authorisations: { update: may('update'), delete: may('delete') }, partial_response: false },
  }
  return reply.type(jsonApi).send(Buffer.from(JSON.stringify(document)))
})

/** A named list of a superuser: the ids of its records, planned for the values, and then their content, prepared. */
server.get('/named/:name', async (request, reply) => {
  const { rights } = await whoAsks(request)
  const { name = '' } = request.params as Record<string, string>
  const { round, projects, home = '' } = request.query as Record<string, string>
  const which = namedLists[name]!.byHand(Number(round), { projects: Number(projects), home })
  const picked = await database.rows(asSql<{ id: string }>(which), { plannedAnew: true })
  const cut = picked.length > pageSize
  const ids = picked.slice(0, pageSize).map(({ id }) => id)
  const rows = ids.length ? await database.rows(assetsOf(ids), { byKeys: true }) : []
  const byId = new Map(rows.map(row => [row.id, row]))
  const document = {
    data: ids.map(id => assetDocument(byId.get(id)!, rights)),
    links: { self: request.url },
    meta: { authorisations: { update: true, delete: true }, partial_response: cut },
  }
  return reply
    .status(cut ? 206 : 200)
    .type(jsonApi)
    .send(Buffer.from(JSON.stringify(document)))
})

const pageSize = 100

const assetsOf = (ids: readonly string[]) => sql<AssetRow>`
  select ${assetFields}
    from nodes n
    join nodes p on p.id = n.project_id
   where n.id = any(${ids}::uuid[])`

/** A text with `$1`…, and its values. */
function asSql<Row>({ text, values }: { text: string; values: readonly string[] }): Sql<Row> {
  const parts = text.split(/\$(\d+)/)
  return joined(
    parts.map((part, at) => (at % 2 ? sql`${values[Number(part) - 1]}` : sql.raw(part))),
    '',
  ) as Sql<Row>
}

server.get('/api/projects/:project/environments/:environment/assets/:asset', async (request, reply) => {
  const { rights } = await whoAsks(request)
  const { project, environment, asset } = request.params as Record<string, string>
  const path = `/projects/${project}/environments/${environment}/assets/${asset}`
  const row = await database.one(sql<ShownRow>`
    select ${assetFields},
           (select k.actions
              from template_version_commits c
              join action_catalogues k on k.git_remote_id = c.git_remote_id and k.commit_sha = c.commit_sha
                                      and k.folder = t.code and k.input_sha = '' and k.state = 'ready'
             where c.template_version_id = v.id and c.active_to is null) as actions,
           coalesce((select f.content
              from template_version_commits c
              join model_files f on f.git_remote_id = c.git_remote_id and f.commit_sha = c.commit_sha and f.folder = t.code
             where c.template_version_id = v.id and c.active_to is null), '') as erb_file_content,
           p.code as p_code, p.name as p_name, p.description as p_description, p.archived as p_archived,
           p.created_by as p_created_by, p.created_at as p_created_at, p.updated_at as p_updated_at,
           array(select b.id from bookmarks b where b.node_id = p.id order by b.created_at, b.id) as p_bookmarks,
           (select json_agg(json_build_object('type', below.node_type, 'id', below.id) order by below.created_at, below.id)
              from nodes below
             where below.parent_id = p.id and below.destroyed_at is null) as p_children,
           p.settings_id as p_settings, p.properties_id as p_properties,
           t.name as t_name, t.description as t_description, t.archived as t_archived, t.disabled as t_disabled,
           t.template_type as t_template_type, t.created_at as t_created_at, t.updated_at as t_updated_at,
           t.git_remote_id as t_git_remote, ts.id as t_settings, td.id as t_properties,
           array(select w.id from template_versions w where w.template_id = t.id order by w.created_at, w.id) as t_versions,
           (select json_agg(json_build_object('type', o.node_type, 'id', o.id) order by o.created_at, o.id)
              from template_version_histories g
              join nodes o on o.id = g.node_id and o.destroyed_at is null
             where g.template_id = t.id and g.active_to is null) as t_nodes,
           v.description as v_description, v.state, v.created_by as v_created_by, v.archived as v_archived,
           v.initialization_error, v.locked, v.float_git_rev, v.float_refresh_error, v.created_at as v_created_at,
           v.updated_at as v_updated_at, v.has_model, v.git_rev, v.commit_sha, r.name as git_remote_name,
           vs.id as v_settings, vd.id as v_properties
      from nodes n
      join nodes p on p.id = n.project_id
      join templates t on t.id = n.template_id
      left join settings ts on ts.owner_id = t.id
      left join properties td on td.owner_id = t.id
      join template_versions v on v.id = n.template_version_id
      join git_remotes r on r.id = v.git_remote_id
      left join settings vs on vs.owner_id = v.id
      left join properties vd on vd.owner_id = v.id
     where n.path = ${path} and n.node_type = 'asset' and n.destroyed_at is null
       and ${rights.visible({ projectId: sql`n.project_id`, path: sql`n.path` })}`)
  if (!row) return reply.status(404).send()
  return reply.type(jsonApi).send(Buffer.from(JSON.stringify(shownDocument(row, rights))))
})

console.log(await server.listen({ host: '127.0.0.1', port: 0 }))
process.on('SIGTERM', async () => {
  await server.close()
  await database.end()
})
