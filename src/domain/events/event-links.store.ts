import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'

/** Place of a record that a custom event is linked to. */
interface Place {
  node_id: string | null
  project_id: string | null
  path: string
  activity_id: string | null
  /** Type of a node. */
  node_type?: string
}

interface Link {
  /** The type of the event's source; absent for links to nodes, which are the source when no other record is named. */
  source?: string
  find: (value: string) => Sql<Place>
}

const node = (condition: Sql) => sql<Place>`
  select id as node_id, project_id, path, null::uuid as activity_id, node_type from nodes where ${condition} and destroyed_at is null`

const activity = (kind: string) => (id: string) =>
  sql<Place>`
  select node_id, project_id, path, id as activity_id from activities where id = ${id}::uuid and kind = ${kind}`

const step = (kind: string) => (id: string) =>
  sql<Place>`
  select a.node_id, a.project_id, a.path, a.id as activity_id
    from steps s
    join activities a on a.id = s.activity_id
   where s.id = ${id}::uuid and a.kind = ${kind}`

/** Records of tables with project and path columns, as every listed one has. */
const placed = (table: string) => (id: string) =>
  sql<Place>`
  select null::uuid as node_id, project_id, path, null::uuid as activity_id from ${sql.table(table)} where id = ${id}::uuid`

const scheduledChange = (id: string) => sql<Place>`
  select node_id, project_id, path, null::uuid as activity_id
    from scheduled_activities
   where id = ${id}::uuid and kind = 'scheduled_change'`

const version = (table: string, of: string) => (id: string) =>
  sql<Place>`
  select null::uuid as node_id, o.project_id, o.path, null::uuid as activity_id
    from ${sql.table(table)} v
    join ${sql.table(of)} o on o.id = v.${sql.ref(`${of}_id`)}
   where v.id = ${id}::uuid`

/**
 * Attributes by which a custom event can be linked to a record, and how to find it. Read-only queries on tables of
 * folders to the right: these know nothing of custom events, and an interface for each of them would be needed for one
 * statement. The first attribute that an event has takes precedence.
 */
export const links: Readonly<Record<string, Link>> = {
  node_path: { find: path => node(sql`path = ${path}`) },
  node_id: { find: id => node(sql`id = ${id}::uuid`) },
  step_id: { source: 'step', find: step('change') },
  change_id: { source: 'change', find: activity('change') },
  workflow_step_id: { source: 'workflow_step', find: step('workflow_run') },
  workflow_run_id: { source: 'workflow_run', find: activity('workflow_run') },
  scheduled_change_id: { source: 'scheduled_change', find: scheduledChange },
  bookmark_id: { source: 'bookmark', find: placed('bookmarks') },
  template_version_id: { source: 'template_version', find: placed('template_versions') },
  template_id: { source: 'template', find: placed('templates') },
  git_remote_id: { source: 'git_remote', find: placed('git_remotes') },
  properties_version_id: { source: 'properties_version', find: version('properties_versions', 'properties') },
  properties_id: { source: 'properties', find: placed('properties') },
  settings_version_id: { source: 'settings_version', find: version('settings_versions', 'settings') },
  settings_id: { source: 'settings', find: placed('settings') },
  project_path: { find: path => node(sql`path = ${path} and node_type = 'project'`) },
  project_id: { find: id => node(sql`id = ${id}::uuid and node_type = 'project'`) },
}

export interface Linked {
  /** The places of all links that were named and found, the one that takes precedence first. */
  places: readonly Place[]
  source: { type: string; id: string } | undefined
  /** Names of links whose record does not exist. */
  lost: readonly string[]
}

export async function findLinks(queries: Queries, attributes: Readonly<Record<string, unknown>>): Promise<Linked> {
  const places: Place[] = []
  const lost: string[] = []
  let source: Linked['source']
  let node: Linked['source']
  for (const [name, link] of Object.entries(links)) {
    const value = attributes[name]
    if (typeof value !== 'string') continue
    const place = await queries.one(link.find(value))
    if (!place) lost.push(name)
    else {
      places.push(place)
      if (link.source) source ??= { type: link.source, id: value }
      else if (place.node_id && place.node_type) node ??= { type: place.node_type, id: place.node_id }
    }
  }
  return { places, source: source ?? node, lost }
}
