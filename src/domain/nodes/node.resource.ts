import { type Sql, sql } from '#platform/db/sql.ts'
import { missing } from '#platform/failure.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import {
  type Column,
  type Identifier,
  type ListRoute,
  mostRelated,
  type Relationship,
  type Resource,
  type Row,
} from '#platform/jsonapi/resource.ts'
import { underNode } from '#platform/jsonapi/under.ts'
import { nodeMeta } from './authorisations.ts'
import { nodeByPath } from './node.store.ts'
import {
  capabilitiesOf,
  collections,
  type Node,
  type NodeType,
  nodePathOf,
  type ProjectType,
  parentPathOf,
  pathsOfOne,
  pathsOfType,
  projectTypes,
} from './node.ts'

/**
 * JSON:API resources of the four types of node, with their own columns only. Templates, properties, tasks and the rest
 * of a node's document are added by the domains that own them.
 */
export const nodeResource = (type: NodeType): Resource => ({
  type,
  describe: describes[type],
  // `n` is the node, `p` its project: extensions use both aliases.
  from: sql`nodes n`,
  // Every node has one; as a left join it is dropped if no column uses it.
  joins: { project: sql`left join nodes p on p.id = n.project_id` },
  id: sql`n.id`,
  // A literal, so that PostgreSQL need not plan again for the number of nodes of this type (ADR 43).
  where: sql<boolean>`n.node_type = ${sql.lit(type)} and n.destroyed_at is null`,
  lists: listsOf(type),
  shows: pathsOfOne(type).map(path => ({
    path: `/api${path}`,
    find: params =>
      params['id'] === undefined
        ? sql<boolean>`n.path = ${nodePathOf(params)}`
        : sql<boolean>`n.id = ${params['id']}::uuid`,
  })),
  columns: type === 'project' ? { ...columns, project_type: projectType } : columns,
  extra: {
    path: sql`n.path`,
    project_id: sql`n.project_id`,
    environment_id: sql`n.environment_id`,
    type_of_project: sql`p.project_type`,
    project_path: sql`p.path`,
  },
  named: { ...createdByCaller(sql`n.user_id`), ...(type !== 'project' && underNode(sql`n.path`)) },
  relationships: relationshipsOf(type),
  links: row => linksOf(type, row),
  meta: (row, { actor }) => nodeMeta(placed(type, row), actor.rights) as unknown as Record<string, unknown>,
  included: includedByDefault[type],
  listRightsPath: parent => (parent || type === 'project' ? `${parent?.path ?? ''}/${collections[type].name}` : '/'),
  rights: { projectId: sql`n.project_id`, path: sql`n.path` },
  rowVersion: sql<number>`n.row_version`,
})

const describes: Readonly<Record<NodeType, string>> = {
  project: 'Root of a tree of nodes, isolated from other projects.',
  environment: 'A place within a project that holds assets.',
  asset: 'A target of changes, created from a template version.',
  agent: 'A long-running container, created from a template version.',
}

const includedByDefault: Readonly<Record<NodeType, readonly string[]>> = {
  project: ['children'],
  environment: ['project'],
  asset: ['project', 'bookmarks'],
  agent: ['project'],
}

const columns: Readonly<Record<string, Column>> = {
  code: { kind: 'text', sql: sql`n.code`, trigrams: true, describe: 'Code: its segment of the path.' },
  name: { kind: 'text', sql: sql`n.name`, trigrams: true, describe: 'Display name.' },
  description: {
    kind: 'text',
    sql: sql`n.description`,
    trigrams: true,
    describe: 'Description; empty if none was given.',
  },
  archived: { kind: 'boolean', sql: sql`n.archived`, describe: 'Archived nodes are read-only and accept nothing new.' },
  created_by: { kind: 'text', sql: sql`n.created_by`, describe: 'User who created it.' },
  created_at: { kind: 'time', sql: sql`n.created_at`, describe: 'When it was created.' },
  updated_at: { kind: 'time', sql: sql`n.updated_at`, describe: 'When it was last updated.' },
}

const projectType: Column = {
  kind: 'text',
  sql: sql`n.project_type`,
  describe: 'Standard or Enterprise.',
  values: projectTypes,
}

/** Lists of the nodes of a type: all that the caller may read, and those under one node. */
function listsOf(type: NodeType): ListRoute[] {
  const { name, under } = collections[type]
  const below: ListRoute[] = under.flatMap(above =>
    pathsOfType[above].map(path => ({
      path: `/api${path}/${name}`,
      parent: nodeByPath,
      scope: parent => sql<boolean>`n.parent_id = ${parent.id}::uuid`,
      refuse: parent =>
        capabilitiesOf(parent as unknown as Node).child_node_types.includes(type) ? undefined : missing(),
    })),
  )
  return [{ path: `/api/${name}` }, ...below]
}

function relationshipsOf(type: NodeType): Readonly<Record<string, Relationship>> {
  const isRoot = type === 'project'
  const holdsOthers = isRoot || type === 'environment'
  return {
    parents,
    ...(!isRoot && { parent, project }),
    ...(holdsOthers && { children }),
    bookmarks,
  }
}

/** Ancestors of a node, root first, from its own columns. */
function aboveIt(row: Row): Identifier[] {
  const above = [
    { type: 'project', id: row['project_id'] as string },
    { type: 'environment', id: row['environment_id'] as string | null },
  ]
  return above.filter((each): each is Identifier => each.id !== null && each.id !== row.id)
}

/** `/projects/bank/environments/live/assets/web` is in `/projects/bank` and in `/projects/bank/environments/live`. */
function pathsAbove(path: string): string[] {
  const parent = parentPathOf(path)
  return parent === '' ? [] : [...pathsAbove(parent), parent]
}

const parents: Relationship = {
  kind: 'many',
  type: 'any',
  known: aboveIt,
  paths: row => pathsAbove(String(row['path'])),
  describe: 'The nodes above it, root first.',
}

const parent: Relationship = {
  kind: 'one',
  type: 'any',
  known: row => aboveIt(row).slice(-1),
  paths: row => [parentPathOf(String(row['path']))],
  describe: 'The node directly above it.',
  related: row => `/api${parentPathOf(String(row['path']))}`,
}

const project: Relationship = {
  kind: 'one',
  type: 'project',
  known: row => aboveIt(row).slice(0, 1),
  paths: row => [String(row['project_path'])],
  describe: 'Its project.',
  related: row => `/api${row['project_path']}`,
}

/**
 * Readable children of a node, read in their order from the index of a node's children, with the rights checked for
 * each. `offset 0` keeps the rights out of the index lookups: for paths that the plan does not know PostgreSQL expects
 * a two-hundredth of all nodes, and reads every node that the caller may read for each node of the page.
 */
const childrenWhere = (readable: Sql<boolean>): Sql => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('id', child.id, 'type', child.node_type) order by child.created_at, child.id), '[]')
     from (select below.id, below.node_type, below.created_at
             from (select own.* from nodes own
                    where own.parent_id = n.id and own.destroyed_at is null
                    order by own.node_type, own.created_at, own.id
                   offset 0) below
            where ${readable}
            order by below.node_type, below.created_at, below.id
            limit ${sql.raw(String(mostRelated + 1))}) child)`

const children: Relationship = {
  kind: 'many',
  type: 'any',
  sql: childrenWhere(sql<boolean>`true`),
  bounded: ({ visible }) => childrenWhere(visible({ projectId: sql`below.project_id`, path: sql`below.path` })),
  describe: 'The nodes directly below it, a thousand at most; the lists of them have all.',
}

const bookmarksOfNode = sql`
  array(select b.id from bookmarks b where b.node_id = n.id order by b.created_at, b.id limit ${sql.raw(String(mostRelated + 1))})`

const bookmarks: Relationship = {
  kind: 'many',
  type: 'bookmark',
  sql: bookmarksOfNode,
  // Readers of the node may read them.
  bounded: () => bookmarksOfNode,
  describe: 'Its bookmarks, a thousand at most; their list has all.',
}

function linksOf(type: NodeType, row: Row): Record<string, string> {
  const path = `/api${row['path']}`
  const links: Record<string, string> = { self: path }
  if (type !== 'project') links['parent'] = parentPathOf(path)
  links['bookmarks'] = `${path}/bookmarks`
  for (const child of capabilitiesOf(placed(type, row)).child_node_types) {
    const { name } = collections[child]
    links[name] = `${path}/${name}`
  }
  return links
}

const placed = (type: NodeType, row: Row) => ({
  node_type: type,
  project_type: row['type_of_project'] as ProjectType,
  path: String(row['path']),
})
