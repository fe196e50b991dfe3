import type { Actor } from '#platform/actor.ts'
import { join, type Sql, sql } from '#platform/db/sql.ts'
import { predicate } from '#platform/jsonapi/predicates.ts'
import type { Column } from '#platform/jsonapi/resource.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { usersPath } from '../users/index.ts'

/** Record that a search found. */
export interface FoundRow {
  readonly type: string
  readonly id: string
  readonly name: string
  readonly code: string | null
  /** Path of its node, or its own; null for a user. */
  readonly path: string | null
  readonly status_code: string | null
  readonly link: string
}

/** Maximum number of records of one kind that a search ranks. */
const mostFound = 500
/** Number of newest records that are searched of kinds without an index for parts of texts. */
const windowSize = 2_000
/** Maximum stored size in bytes of metadata that is searched. */
const largestMetadata = 16_384

/** Kinds of records that are searched, each by a statement with bounded work. */
export const searchKinds: Readonly<Record<string, (text: string, actor: Actor) => Sql<FoundRow>>> = {
  node: nodes,
  activity: activities,
  workflow: (text, actor) => ownPlaces('workflow', sql`workflows t`, text, actor),
  template: (text, actor) => ownPlaces('template', sql`templates t`, text, actor),
  scheduled_activity: (text, actor) => schedules(text, actor),
  user: (text, actor) => users(text, actor),
}

const plain = (of: Sql): Column => ({ kind: 'text', sql: of, describe: '' })

const contains = (text: string, ...columns: readonly Column[]): Sql<boolean> =>
  sql<boolean>`(${join(
    columns.map(column => predicate('i_cont').sql(column, text)),
    ' or ',
  )})`

/** Whether an index of trigrams finds the text. */
const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

function nodes(text: string, { rights }: Actor): Sql<FoundRow> {
  const column = (name: Sql): Column => ({ kind: 'text', sql: name, describe: '', trigrams: true, beginnings: true })
  const name = column(sql`n.name`)
  const found = text.startsWith('/')
    ? sql`n.path >= ${text} and n.path < ${`${text}\u{10ffff}`}`
    : hasTrigram(text)
      ? contains(text, name, column(sql`n.code`))
      : // An index finds the beginning of a short text within each type.
        sql`n.node_type in ('project', 'environment', 'asset', 'agent') and ${predicate('start').sql(name, text)}`
  return sql<FoundRow>`
    select n.node_type as type, n.id, n.name, n.code, n.path, null as status_code, '/api' || n.path as link
      from nodes n
     where n.destroyed_at is null and ${found}
       and ${rights.visible({ projectId: sql`n.project_id`, path: sql`n.path` })}
     limit ${mostFound}`
}

function activities(text: string, { rights }: Actor): Sql<FoundRow> {
  const readable = sql`${isOfExistingNode(sql`a.node_id`)} and ${rights.visible({ projectId: sql`a.project_id`, path: sql`a.path` })}`
  const columns = sql`
    a.kind as type, a.id, coalesce(c.action, r.workflow_code) as name, null as code, a.path,
    a.reported_status as status_code, '/api/' || a.kind || 's/' || a.id as link`
  const joins = sql`left join changes c on c.id = a.id left join workflow_runs r on r.id = a.id`
  const range = rangeOfIds(text)
  if (range)
    return sql<FoundRow>`
      select ${columns} from activities a ${joins}
       where a.id between ${range.from}::uuid and ${range.to}::uuid and ${readable}
       limit ${mostFound}`
  const metadata = sql`coalesce(c.metadata, r.metadata)`
  return sql<FoundRow>`
    select ${columns}
      from (select a.* from activities a
             where ${readable}
             order by a.created_at desc, a.id desc
             limit ${windowSize}) a ${joins}
     where ${contains(text, plain(sql`coalesce(c.action, r.workflow_code)`), plain(sql`a.path`))}
        or case when pg_column_size(${metadata}) <= ${largestMetadata} then ${contains(text, plain(sql`${metadata}::text`))} end
     order by a.created_at desc, a.id desc
     limit ${mostFound}`
}

/** Range of the UUIDs that begin with a text of at least eight hexadecimal digits. */
function rangeOfIds(text: string): { from: string; to: string } | undefined {
  const hex = text.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{8}(-|$)/i.test(text) || !/^[0-9a-f]{8,32}$/.test(hex)) return undefined
  return { from: hex.padEnd(32, '0'), to: hex.padEnd(32, 'f') }
}

/** Workflows and templates: records of a project with a path of their own, `t`. */
const ownPlaces = (
  type: 'workflow' | 'template',
  from: Sql,
  text: string,
  { rights }: Actor,
): Sql<FoundRow> => sql<FoundRow>`
  select ${type} as type, t.id, t.name, t.code, t.path, null as status_code, '/api' || t.path as link
    from ${from}
   where ${isOfExistingNode(sql`t.project_id`)} and ${contains(text, plain(sql`t.name`), plain(sql`t.code`))}
     and ${rights.visible({ projectId: sql`t.project_id`, path: sql`t.path` })}
   limit ${mostFound}`

const schedules = (text: string, { rights }: Actor): Sql<FoundRow> => sql<FoundRow>`
  select s.kind as type, s.id, coalesce(s.action, s.workflow_code) as name, null as code, n.path, null as status_code,
         '/api/scheduled_activities/' || s.id as link
    from (select s.* from scheduled_activities s
           where ${isOfExistingNode(sql`s.node_id`)}
             and ${rights.visible({ projectId: sql`s.project_id`, path: sql`s.path` })}
           order by s.created_at desc, s.id desc
           limit ${windowSize}) s
    join nodes n on n.id = s.node_id
   where ${contains(text, plain(sql`coalesce(s.action, s.workflow_code)`), plain(sql`n.path`))}
   order by s.created_at desc, s.id desc
   limit ${mostFound}`

const users = (text: string, { rights, userId }: Actor): Sql<FoundRow> => sql<FoundRow>`
  select 'user' as type, u.id, coalesce(u.display_name, u.username) as name, u.username as code, null as path,
         null as status_code, null as link
    from users u
   where u.deleted_at is null and ${contains(text, plain(sql`u.username`), plain(sql`u.display_name`))}
     and (u.id = ${userId}::uuid or ${sql.lit(rights.may('read', usersPath))})
   limit ${mostFound}`
