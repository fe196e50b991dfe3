import { isDeepStrictEqual } from 'node:util'
import type { Queries } from '../../src/platform/db/database.ts'
import { type Sql, sql } from '../../src/platform/db/sql.ts'
import type { Told } from './journal.ts'

type Record = Readonly<{ [name: string]: unknown }>

/** Rules for one kind of record: how it is derived from events alone, and how the database stores it. */
interface Subject {
  readonly events: RegExp
  /** Attribute → its default at creation. */
  readonly usual: Record
  readonly rows: Sql<{ id: string }>
  /** Converts an event whose form differs from the values of a request. */
  readonly read?: (event: Told, now: Record | undefined) => Record
}

/** Stored form: names are normalized, and null becomes the empty text in some columns. */
const kept = (name: string, value: unknown, usual: Record): unknown => {
  if (value === null && usual[name] === '') return ''
  return name === 'name' && typeof value === 'string' ? value.normalize('NFC') : value
}

const ofRequest = ({ attributes }: Told, usual: Record): Record =>
  Object.fromEntries(
    Object.keys(usual).flatMap(name => {
      const value = attributes[`request_body_${name}`]
      return value === undefined ? [] : [[name, kept(name, value, usual)]]
    }),
  )

const only = (attributes: Record, names: Record): Record =>
  Object.fromEntries(
    Object.entries(names).flatMap(([name, told]) => {
      const value = attributes[String(told)]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const subjects: { readonly [name: string]: Subject } = {
  nodes: {
    events: /^api:(projects|nodes):(create|update|destroy)$/,
    usual: { code: '', name: '', description: '', archived: false, template_version: null },
    rows: sql`select id, code, name, description, archived, template_version from nodes where destroyed_at is null`,
    read: ({ attributes }) => only(attributes, { template_version: 'template_version' }),
  },
  bookmarks: {
    events: /^api:bookmarks:/,
    usual: { description: '', url: null },
    rows: sql`
      select b.id, b.description, b.url from bookmarks b join nodes n on n.id = b.node_id where n.destroyed_at is null`,
  },
  'git remotes': {
    events: /^api:git_remotes:/,
    usual: { name: '', url: '', periodic_fetch_interval: null, archived: false },
    rows: sql`select id, name, url, periodic_fetch_interval, archived from git_remotes`,
  },
  templates: {
    events: /^api:templates:/,
    usual: { code: '', name: '', description: null, archived: false, disabled: false },
    rows: sql`select id, code, name, description, archived, disabled from templates`,
  },
  'template versions': {
    events: /^api:template_versions:(update|destroy)$/,
    usual: { version: '', description: '', git_rev: '', locked: false, float_git_rev: false, archived: false },
    rows: sql`select id, version, description, git_rev, locked, float_git_rev, archived from template_versions`,
    read: ({ attributes }) => only(attributes, { version: 'name' }),
  },
  workflows: {
    events: /^api:workflow(s|_versions):(create|update|destroy|publish)$/,
    usual: { code: '', name: '', description: null, archived: false, latest: 1, published: null },
    rows: sql`
      select id, code, name, description, archived, latest_version as latest, latest_published_version as published
        from workflows`,
    read: ({ type, attributes }, now) => ({
      ...(type === 'api:workflow_versions:create' && { latest: attributes['version'] }),
      ...(type.endsWith(':publish') && {
        published: Math.max(Number(attributes['version']), Number(now?.['published'] ?? 0)),
      }),
    }),
  },
  users: {
    events: /^api:users:/,
    usual: { username: '', display_name: null, email_address: null, disabled: false },
    rows: sql`select id, username, display_name, email_address, disabled from users where deleted_at is null`,
  },
  tokens: {
    events: /^api:tokens:/,
    usual: { description: '' },
    // Tokens of a deleted user are revoked with the user.
    rows: sql`
      select t.id, t.description
        from tokens t join users u on u.id = t.user_id and u.deleted_at is null
       where t.kind = 'personal' and t.revoked_at is null`,
  },
  policies: {
    events: /^api:authorisation_policies:/,
    usual: { name: '', description: null },
    rows: sql`select id, name, description from authorisation_policies where system is null`,
  },
  rules: {
    events: /^api:authorisation_rules:/,
    usual: { path: '', name: null, read: null, update: null, execute: null, delete: null },
    rows: sql`select id, path, name, read, update, execute, delete from authorisation_rules`,
    read: ({ attributes }) =>
      Object.fromEntries(
        ['path', 'name', 'read', 'update', 'execute', 'delete'].map(name => [name, attributes[`rule_${name}`]]),
      ),
  },
  'rules in policies': {
    events: /^api:policy_rules:/,
    usual: { policy: null, rule: null },
    rows: sql`select id, policy_id as policy, rule_id as rule from policy_rules`,
    read: ({ attributes }) => only(attributes, { policy: 'authorisation_policy_id', rule: 'authorisation_rule_id' }),
  },
  assignments: {
    events: /^api:policy_assignments:/,
    usual: { policy: null, assignee: null, groupname: null },
    rows: sql`
      select a.id, a.policy_id as policy, u.username as assignee, a.groupname
        from policy_assignments a left join users u on u.id = a.assignee_id
        join authorisation_policies p on p.id = a.policy_id and p.system is null`,
    read: ({ attributes }) =>
      only(attributes, { policy: 'authorisation_policy_id', assignee: 'assignee', groupname: 'groupname' }),
  },
  schedules: {
    events: /^api:scheduled_(changes|workflows):(create|update|destroy)$/,
    usual: { action: null, cron_schedule: null, enabled: true, maximum_run_count: null, repeat: true },
    rows: sql`
      select s.id, s.action, s.cron_schedule, s.enabled, s.maximum_run_count, s.repeat
        from scheduled_activities s join nodes n on n.id = s.node_id where n.destroyed_at is null`,
    read: ({ attributes }, now) => {
      // A due time of the other kind replaces the current one, with everything that it implies.
      if (attributes['request_body_run_at']) return { cron_schedule: null, repeat: false }
      return attributes['request_body_cron_schedule'] && now && now['cron_schedule'] === null ? { repeat: true } : {}
    },
  },
  'properties and settings': {
    events: /^api:(properties|settings):update$/,
    usual: { version: 1, by: null, of: null },
    rows: sql`
      select p.id, p.version, v.created_by as by, p.owner_id as of
        from properties p join properties_versions v on v.properties_id = p.id and v.version = p.version
       where p.version > 1 and p.destroyed_at is null
       union all
      select s.id, s.version, v.created_by, s.owner_id
        from settings s join settings_versions v on v.settings_id = s.id and v.version = s.version
       where s.version > 1 and s.destroyed_at is null`,
    read: ({ username, attributes }) => ({ version: attributes['version'], by: username, of: attributes['owner_id'] }),
  },
  'changes and runs': {
    events: /^api:(changes|workflow_runs):(create|start|success|error|abort|cancel|system_error|pause|resume|destroy)$/,
    usual: { state: 'create', paused: false },
    rows: sql`
      select a.id, a.pause_state <> 'none' as paused,
             case when a.status in ('initializing', 'pending') then 'create'
                  when not a.final then 'start'
                  when a.status = 'cancelled' then 'cancel'
                  when a.status = 'aborted' then 'abort'
                  else a.status::text end as state
        from activities a join nodes n on n.id = a.node_id
       where n.destroyed_at is null`,
    read: ({ type }) => {
      const what = type.split(':').at(-1)!
      if (what === 'pause' || what === 'resume') return { paused: what === 'pause' }
      return { state: what, ...(/^(create|start)$/.test(what) ? {} : { paused: false }) }
    },
  },
}

/**
 * Differences between the records derived from events and the database. `before`: records older than the first event.
 */
export async function differing(
  queries: Queries,
  events: readonly Told[],
  before: ReadonlySet<string>,
): Promise<string[]> {
  const wrong: string[] = []
  const gone = destroyedPaths(events)
  for (const [name, subject] of Object.entries(subjects)) {
    const told = retold(subject, events, gone)
    const rows = (await queries.rows(subject.rows)).filter(({ id }) => !before.has(id))
    for (const { id, ...row } of rows) {
      const retelling = told.get(id)
      told.delete(id)
      if (!isDeepStrictEqual({ ...retelling }, { ...row }))
        wrong.push(`${name} ${id}: told ${JSON.stringify(retelling)}, is ${JSON.stringify(row)}`)
    }
    for (const [id, record] of told)
      if (!before.has(id)) wrong.push(`${name} ${id}: told ${JSON.stringify(record)}, is not there`)
  }
  return wrong
}

/** Time of destruction of a node, by its path: everything on it was destroyed with it. */
function destroyedPaths(events: readonly Told[]): ReadonlyMap<string, string> {
  const forced = events.filter(
    ({ type, attributes }) => /^api:(projects|nodes):destroy$/.test(type) && attributes['forced'],
  )
  return new Map(forced.map(({ path, id }) => [path!, id]))
}

function retold({ events: types, usual, read }: Subject, events: readonly Told[], gone: ReadonlyMap<string, string>) {
  const records = new Map<string, Record>()
  for (const event of events) {
    const { type, source_id: id, attributes, path } = event
    // Documents are deleted with their template or version.
    if (/^api:template(s|_versions):destroy$/.test(type))
      for (const [document, record] of records) if (record['of'] === id) records.delete(document)
    if (!types.test(type) || id === null || !event.system || attributes['kind'] === 'session') continue
    if (path !== null && (gone.get(path) ?? '') > event.id) continue
    if (type.endsWith(':destroy') && attributes['archived'] !== true) {
      records.delete(id)
      continue
    }
    const now = records.get(id)
    // Activities on a destroyed node end after it.
    if (!now && /^api:(changes|workflow_runs):(?!create$)/.test(type)) continue
    const archived = type.endsWith(':destroy') ? { archived: true } : {}
    records.set(id, { ...(now ?? usual), ...ofRequest(event, usual), ...read?.(event, now), ...archived })
  }
  return records
}
