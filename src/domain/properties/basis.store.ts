import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { versionInForce } from '#platform/documents/document-store.ts'
import { type Node, type NodeType, nodeByPath } from '../nodes/index.ts'
import type { SettingsReader } from '../settings/index.ts'

/** Difference of a change from its node: its commit and its template version. */
export interface ChangePlace {
  /** Commit of the change. Absent: that of the node's template version, if it has one. */
  readonly commit?: { readonly gitRemoteId: string; readonly commitSha: string }
  /** Template version, if the node has a template. Absent: the node's. */
  readonly templateVersionId?: string
}

/** Facts that determine what a node converges to, as versions: while they are unchanged, so is the document. */
export interface Basis {
  /** The node and its ancestors, root first. */
  readonly line: readonly { id: string; node_type: NodeType; code: string; name: string; path: string }[]
  readonly template: Template | null
  readonly commit: { readonly gitRemoteId: string; readonly commitSha: string } | null
  /** Version of properties in force for each owner that has a record, with the path on which rights to it are checked. */
  readonly versions: readonly { owner_id: string; version_id: string; path: string }[]
  /** The versions of settings in force: they say where in a commit its property files are. */
  readonly settings: string
}

interface Template {
  readonly template_id: string
  readonly template_version_id: string
  readonly template_code: string
  readonly template_name: string
  readonly version: string
  /** All current versions of the template: their ids by their names. */
  readonly template_versions: Readonly<Record<string, string>>
}

interface When {
  /** An instant; default now. */
  readonly at?: string | undefined
  readonly change?: ChangePlace | undefined
}

export async function readBasis(
  queries: Queries,
  settings: SettingsReader,
  { id, project_id, environment_id }: Node,
  when: When,
): Promise<Basis> {
  const { row } = (await queries.one(sql<{ row: BasisRow }>`
    with asked as (select ${id}::uuid as id, ${project_id}::uuid as project_id, ${environment_id}::uuid as environment_id)
    select to_json(basis) as row from (${basisOf(settings, when)}) basis`))!
  return fromRow(row, when)
}

/** Current bases of many nodes, by the nodes' ids, in one statement. */
export async function readBases(
  queries: Queries,
  settings: SettingsReader,
  nodes: readonly Node[],
): Promise<ReadonlyMap<string, Basis>> {
  const rows = await queries.rows(sql<{ id: string; row: BasisRow }>`
    select nodes.id, found.row
      from unnest(${nodes.map(({ id }) => id)}::uuid[], ${nodes.map(({ project_id }) => project_id)}::uuid[],
                  ${nodes.map(({ environment_id }) => environment_id)}::uuid[]) nodes (id, project_id, environment_id),
           lateral (with asked as (select nodes.id, nodes.project_id, nodes.environment_id)
                    select to_json(basis) as row from (${basisOf(settings, {})}) basis) found`)
  return new Map(rows.map(({ id, row }) => [id, fromRow(row, {})]))
}

/** The node of path parameters together with its current basis: one statement is enough for a cached response. */
export async function findWithBasis(
  queries: Queries,
  settings: SettingsReader,
  params: Readonly<Record<string, string>>,
): Promise<{ node: Node; basis: Basis } | undefined> {
  const found = await queries.one(sql<Node & { basis: BasisRow }>`
    with asked as materialized (${nodeByPath(params)})
    select asked.*, (select to_json(basis) from (${basisOf(settings, {})}) basis) as basis from asked`)
  if (!found) return undefined
  const { basis, ...node } = found
  return { node, basis: fromRow(basis, {}) }
}

type BasisRow = Omit<Basis, 'template' | 'commit'> & { origin: Origin | null }
type Origin = Template & { git_remote_id: string | null; commit_sha: string | null }

/** Basis of the one row of `asked` {id, project_id, environment_id}. */
function basisOf(settings: SettingsReader, { at, change = {} }: When): Sql {
  const line = sql`(select array[project_id, environment_id, id] from asked)::uuid[]`
  return sql`
    with origin as (${originOf(at, change.templateVersionId)}),
    owners as (
      select unnest(${line}) as id
       union all select template_id from origin
       union all select template_version_id from origin
    )
    select (select json_agg(json_build_object('id', n.id, 'node_type', n.node_type, 'code', n.code, 'name', n.name,
                                              'path', n.path)
                            order by length(n.path))
              from nodes n
             where n.id = any(${line})) as line,
           (select to_json(origin)::jsonb || jsonb_build_object('template_versions',
                     (select json_object_agg(v.version, v.id order by v.created_at, v.id)
                        from template_versions v where v.template_id = origin.template_id))
              from origin) as origin,
           coalesce((select json_agg(json_build_object('owner_id', r.owner_id, 'version_id', v.id, 'path', r.path)
                                     order by r.owner_id)
                       from properties r
                       ${versionInForce('properties', at)}
                      where r.owner_id in (select id from owners) and r.destroyed_at is null), '[]') as versions,
           ${settings.versions(line, at)} as settings`
}

function fromRow({ origin, ...rest }: BasisRow, { change = {} }: When): Basis {
  if (!origin) return { ...rest, template: null, commit: change.commit ?? null }
  const { git_remote_id, commit_sha, ...template } = origin
  const stored = git_remote_id && commit_sha ? { gitRemoteId: git_remote_id, commitSha: commit_sha } : null
  return { ...rest, template, commit: change.commit ?? stored }
}

/** Origin of the requested node: its template version at the instant, and the commit of that version then. */
function originOf(at: string | undefined, templateVersionId: string | undefined): Sql {
  // Current versions are those without an end: a clock that was set back does not reach earlier ones.
  const inForce = (alias: string) =>
    at === undefined
      ? sql`${sql.ref(`${alias}.active_to`)} is null`
      : sql`${sql.ref(`${alias}.active_from`)} <= ${at}::timestamptz
        and (${sql.ref(`${alias}.active_to`)} is null or ${at}::timestamptz < ${sql.ref(`${alias}.active_to`)})`
  return templateVersionId
    ? sql`
      select names.template_id, names.template_version_id, names.template_code, names.template_name, names.version,
             c.git_remote_id, c.commit_sha
        from template_version_names names
        left join template_version_commits c using (template_version_id)
       where template_version_id = ${templateVersionId}::uuid
       order by c.active_from desc nulls last
       limit 1`
    : sql`
      select h.template_id, h.template_version_id, h.template_code, h.template_name, h.version,
             c.git_remote_id, c.commit_sha
        from node_template_versions h
        left join template_version_commits c on c.template_version_id = h.template_version_id
                                            and ${inForce('c')}
       where h.node_id = (select id from asked) and ${inForce('h')}`
}
