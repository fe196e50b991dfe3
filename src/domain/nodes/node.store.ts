import type { Actor } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { failure, missing } from '#platform/failure.ts'
import type { ParentRow } from '#platform/jsonapi/resource.ts'
import { isCalled } from '../users/index.ts'
import { blockerLimit } from './archive-blockers.ts'
import { type Node, type NodeType, nodePathOf, type ProjectType, projectPathOf } from './node.ts'

const columns = sql`
  n.id, n.node_type, n.code, n.name, n.description, n.parent_id, n.project_id, n.environment_id, n.path, n.archived,
  n.row_version, n.created_at, p.project_type`

const nodesWithProject = sql`nodes n join nodes p on p.id = n.project_id`

/** The node that path parameters name, as one row {id, path, project_id, node_type, project_type, archived, …}. */
export const nodeByPath = (params: Readonly<Record<string, string>>): Sql<Node & ParentRow> =>
  sql<Node & ParentRow>`
    select ${columns} from ${nodesWithProject} where n.path = ${nodePathOf(params)} and n.destroyed_at is null`

/** Condition that an id is that of a path's project. */
export const isProjectOf = (projectId: Sql, path: string): Sql<boolean> => sql<boolean>`
  ${projectId} = (select of.id from nodes of where of.path = ${projectPathOf(path)} and of.destroyed_at is null)`

/**
 * Condition that a node is not destroyed. Records of a destroyed node are gone for every reader; their rows are deleted
 * afterwards.
 */
export function isOfExistingNode(nodeId: Sql): Sql<boolean> {
  return sql<boolean>`exists (select from nodes standing where standing.id = ${nodeId} and standing.destroyed_at is null)`
}

export const findNode = (queries: Queries, params: Readonly<Record<string, string>>): Promise<Node | undefined> =>
  queries.one(nodeByPath(params))

/** @param path such as `/projects/bank/environments/live`, without /api. */
export const findNodeAt = (queries: Queries, path: string): Promise<Node | undefined> =>
  queries.one(sql<Node>`
    select ${columns} from ${nodesWithProject} where n.path = ${path} and n.destroyed_at is null`)

/** Nodes at these paths, as far as they exist. */
export const nodesAt = (queries: Queries, paths: readonly string[]): Promise<Node[]> =>
  queries.rows(sql<Node>`
    select ${columns} from ${nodesWithProject} where n.path = any(${[...paths]}::text[]) and n.destroyed_at is null`)

/** Type and path of the nodes that have these ids. */
export const pathsOfNodes = (
  queries: Queries,
  ids: readonly string[],
): Promise<{ id: string; type: NodeType; path: string }[]> =>
  queries.rows(sql<{ id: string; type: NodeType; path: string }>`
    select id, node_type as type, path from nodes where id = any(${[...ids]}::uuid[]) and destroyed_at is null`)

/** The nodes at these paths, in the order of the paths, each locked against every other change of it. */
export const lockNodesAt = (tx: Tx, paths: readonly string[]): Promise<Node[]> =>
  tx.rows(sql<Node>`
    select ${columns}
      from ${nodesWithProject}
     where n.path = any(${[...paths]}::text[]) and n.destroyed_at is null
     order by n.path
       for no key update of n`)

export const findNodeById = (queries: Queries, id: string): Promise<Node | undefined> =>
  queries.one(sql<Node>`
    select ${columns} from ${nodesWithProject} where n.id = ${id}::uuid and n.destroyed_at is null`)

/**
 * Node whose lock protects a record against archiving: the one that it belongs to, or the project of templates and
 * their versions.
 */
export const holderOf = async (
  queries: Queries,
  { owner_id, project_id }: { readonly owner_id: string; readonly project_id: string | null },
): Promise<Node | undefined> =>
  (await findNodeById(queries, owner_id)) ?? (project_id === null ? undefined : await findNodeById(queries, project_id))

/** Nodes in the order of their paths: at most `limit` behind the path `after`. @param condition over `n` */
export const findNodes = (
  queries: Queries,
  condition: Sql<boolean>,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Node[]> =>
  queries.rows(sql<Node>`
    select ${columns}
      from ${nodesWithProject}
     where n.destroyed_at is null and n.path > ${after} and ${condition}
     order by n.path
     limit ${limit}`)

/** The node and its ancestors, root first. */
export const lineOf = (queries: Queries, node: OnLine): Promise<Node[]> => lineOfAll(queries, [node])

/** The nodes and those above them, each once, root first. */
export const lineOfAll = (queries: Queries, nodes: readonly OnLine[]): Promise<Node[]> =>
  queries.rows(sql<Node>`
    select ${columns}
      from ${nodesWithProject}
     where n.id = any(${[...new Set(nodes.flatMap(lineIds))]}::uuid[])
     order by length(n.path)`)

type OnLine = Pick<Node, 'id' | 'project_id' | 'environment_id'>

/** Ids of the node and of those above it, root first. */
export const lineIds = (node: OnLine): string[] => [
  ...new Set([node.project_id, ...(node.environment_id ? [node.environment_id] : []), node.id]),
]

/**
 * Locks the node and its ancestors against archiving until the transaction ends, and refuses if one of them is
 * archived. Code that adds something to a node (a child, a change, a schedule, a document) calls it first.
 */
export async function lockUnarchived(
  tx: Tx,
  node: Pick<Node, 'id' | 'project_id' | 'environment_id' | 'path'>,
): Promise<void> {
  const held = await lockLine(tx, node)
  if (held.some(({ destroyed }) => destroyed)) throw missing()
  const archived = held.find(each => each.archived)
  if (archived) throw failure('archived', `${archived.path} is archived: restore it first.`)
}

/**
 * Locks the node and its ancestors in the same way, whatever state they are in: for callers that need these locks
 * before others.
 */
export const lockLine = (
  tx: Tx,
  node: Pick<Node, 'id' | 'project_id' | 'environment_id'>,
): Promise<{ path: string; archived: boolean; destroyed: boolean }[]> =>
  tx.rows(sql<{ path: string; archived: boolean; destroyed: boolean }>`
    select path, archived, destroyed_at is not null as destroyed
      from nodes
     where id = any(${lineIds(node)}::uuid[])
     order by path
       for share`)

/** The current node, locked against every other change of it. */
export const lockNode = (
  tx: Tx,
  id: string,
): Promise<{ archived: boolean; name: string; description: string; row_version: number } | undefined> =>
  tx.one(sql<{ archived: boolean; name: string; description: string; row_version: number }>`
    select archived, name, description, row_version from nodes where id = ${id}::uuid and destroyed_at is null for no key update`)

export interface NewNode {
  readonly type: NodeType
  readonly code: string
  readonly name: string
  readonly description: string
  /** Type of a project. */
  readonly projectType?: ProjectType
  readonly parent?: Node
  readonly path: string
}

/** Inserts a node. Undefined when the code is taken among its siblings, archived ones included. */
export async function insertNode(tx: Tx, node: NewNode, author: Actor): Promise<Node | undefined> {
  const inserted = await tx.one(sql<{ id: string }>`
    with given as (select sluice_uuid7() as id)
    insert into nodes (id, node_type, code, name, description, project_type, parent_id, project_id, environment_id,
                       path, created_by, user_id)
    select id, ${node.type}, ${node.code}, ${node.name}, ${node.description}, ${node.projectType ?? null},
           ${node.parent?.id ?? null}::uuid,
           coalesce(${node.parent?.project_id ?? null}::uuid, id),
           case when ${node.type} = 'environment' then id else ${node.parent?.environment_id ?? null}::uuid end,
           ${node.path}, ${author.username}, ${author.userId}::uuid
      from given
        on conflict do nothing
    returning id`)
  return inserted && findNodeById(tx, inserted.id)
}

/** Whether a code is taken, in any case of A to Z, as codes are unique among siblings of a type. */
export async function isCodeTaken(
  tx: Tx,
  { type, code, parent }: Pick<NewNode, 'type' | 'code'> & { readonly parent: Pick<Node, 'id'> | undefined },
): Promise<boolean> {
  const found = await tx.one(sql`
    select from nodes
     where coalesce(parent_id, '00000000-0000-0000-0000-000000000000') =
           coalesce(${parent?.id ?? null}::uuid, '00000000-0000-0000-0000-000000000000')
       and node_type = ${type} and ${isCalled(sql`code`, code)} and destroyed_at is null`)
  return found !== undefined
}

export interface NodeChanges {
  readonly name?: string
  readonly description?: string | null
  readonly archived?: boolean
}

/**
 * Writes the given attributes and keeps the others; also increments the row's version if only something of an extension
 * changed.
 */
export async function updateNode(tx: Tx, id: string, changes: NodeChanges): Promise<void> {
  await tx.count(sql`
    update nodes
       set name        = coalesce(${changes.name ?? null}, name),
           description = case when ${changes.description !== undefined} then ${changes.description ?? ''} else description end,
           archived    = coalesce(${changes.archived ?? null}::boolean, archived),
           archived_at = case ${changes.archived ?? null}::boolean
                           when true then sluice_now()
                           when false then null
                           else archived_at
                         end,
           row_version = row_version + 1,
           updated_at  = sluice_now()
     where id = ${id}::uuid`)
}

/** The children that block archiving. */
export const activeChildren = (tx: Tx, id: string): Promise<{ id: string; what: string; path: string }[]> =>
  tx.rows(sql<{ id: string; what: string; path: string }>`
    select id, node_type as what, path
      from nodes
     where parent_id = ${id}::uuid and not archived and destroyed_at is null
     order by path
     limit ${blockerLimit}`)

/**
 * Marks the node and its descendants as destroyed: gone for every reader, with their codes reusable. Returns them, root
 * first.
 */
export const markDestroyed = (tx: Tx, node: Node): Promise<Node[]> =>
  tx.rows(sql<Node>`
    with gone as (
      update nodes
         set destroyed_at = sluice_now(), updated_at = sluice_now(), row_version = row_version + 1
       where destroyed_at is null
         and project_id = ${node.project_id}::uuid
         and (id = ${node.id}::uuid or (path >= ${`${node.path}/`} and path < ${`${node.path}0`}))
      returning *
    )
    select n.id, n.node_type, n.code, n.name, n.description, n.parent_id, n.project_id, n.environment_id, n.path,
           n.archived, n.row_version, n.created_at, ${node.project_type}::text as project_type
      from gone n
     order by n.path`)
