import { may, type Right, rulesFor } from './may.ts'
import { answered, type Body, type Drawing, type Pairs, type Predicted, type Question } from './predicted.ts'
import { childrenOf, childTypes, collections, type Node, type NodeType, type World } from './world.ts'

const readBy = (world: World, by: string) => (node: Node) => may(world, by, 'read', node.path)

/** A show of a node as a given caller sees it. */
export const shownNode =
  (world: World, by: string, node: Node) =>
  ({ data }: Body): Pairs => {
    const { code, name, description, archived, created_by, project_type, template_version } = data.attributes
    const children = childrenOf(world, node).filter(readBy(world, by))
    const bookmarks = world.bookmarks.filter(bookmark => bookmark.node === node)
    return [
      [data.id, node.id],
      [
        { code, name, description, archived, created_by, project_type, template_version },
        {
          code: node.code,
          name: node.name,
          description: node.description,
          archived: node.archived,
          created_by: node.createdBy,
          project_type: node.type === 'project' ? node.projectType : undefined,
          template_version: node.templateVersion ?? undefined,
        },
      ],
      [data.meta.authorisations, authorisations(world, by, node)],
      [data.meta.child_node_types, childTypes(node)],
      [idsOf(data.relationships.children?.data ?? []), idsOf(children)],
      [idsOf(data.relationships.bookmarks.data), idsOf(bookmarks)],
    ]
  }

/** Usually a readable one: others have only one response. */
export function anyNode({ world, chance, by }: Drawing, fits: (node: Node) => boolean = () => true): Node {
  const all = world.nodes.filter(fits)
  const readable = all.filter(readBy(world, by))
  return chance.of(readable.length > 0 && chance.is(0.8) ? readable : all)
}

const idsOf = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id).toSorted()

export function showNode({ world, chance, by }: Drawing): Question {
  const node = anyNode({ world, chance, by })
  const predicted = answered(
    { missing: !readBy(world, by)(node) },
    { status: 200, shows: body => shownNode(world, by, node)(body) },
  )
  return { method: 'GET', path: node.path, by, predicted }
}

const full: readonly Right[] = ['read', 'update', 'delete']

/** Rights of a caller on a node, by area; only areas that it has. */
function authorisations(world: World, by: string, node: Node) {
  const on = (area: string, rights: readonly Right[]) =>
    Object.fromEntries(rights.map(right => [right, may(world, by, right, `${node.path}/${area}`)]))
  const isEnterprise = node.projectType === 'Enterprise'
  const hasChanges = node.type === 'project' ? isEnterprise : node.type !== 'agent'
  const secret = (area: string) =>
    [`${area}/secrets`, 'secrets'].some(path => may(world, by, 'execute', `${node.path}/${path}`))
  const areas = [
    ...(hasChanges ? ['scheduled_activities'] : []),
    ...(node.type === 'project' ? ['git_remotes'] : []),
    ...(node.type === 'project' && isEnterprise ? ['templates', 'workflows'] : []),
    ...childTypes(node).map(type => collections[type]),
  ]
  const runs = (area: string) => ({
    ...on(area, ['read', 'delete']),
    execute: atLeastOne(world, by, `${node.path}/${area}`),
  })
  return {
    properties: on('properties', ['read', 'update']),
    settings: on('settings', ['read', 'update']),
    ...Object.fromEntries(areas.map(area => [area, on(area, full)])),
    ...(hasChanges && { changes: runs('actions') }),
    ...(node.type === 'project' && isEnterprise && { workflow_runs: runs('workflows') }),
    secrets: {
      ...{ settings: secret('settings'), properties: secret('properties'), model: secret('model') },
      store: ['secrets', 'properties/secrets', 'settings/secrets'].some(area =>
        may(world, by, 'update', `${node.path}/${area}`),
      ),
    },
    self: Object.fromEntries(
      (['update', 'execute', 'delete'] as const).map(right => [right, may(world, by, right, node.path)]),
    ),
  }
}

/** A name below a path that a caller may run, if there is one: a name in a rule, or any other. */
function atLeastOne(world: World, by: string, path: string): boolean {
  const depth = path.split('/').length
  const named = rulesFor(world, by).map(rule => rule.path.split('/')[depth] ?? 'any')
  return ['any', ...named].some(name => may(world, by, 'execute', `${path}/${name}`))
}

/** All nodes of a type that a caller may read, or those directly in a node. */
export function listNodes({ world, chance, by }: Drawing): Question {
  const parent = chance.is(0.3)
    ? null
    : anyNode({ world, chance, by }, ({ type }) => type === 'project' || type === 'environment')
  const types: readonly NodeType[] =
    parent?.type === 'environment'
      ? ['asset']
      : ['environment', 'asset', 'agent', ...(parent ? [] : ['project' as const])]
  const type = chance.of(types)
  const path = `${parent?.path ?? ''}/${collections[type]}`
  const listed = world.nodes
    .filter(node => node.type === type && (parent === null || node.parent === parent))
    .filter(readBy(world, by))
  const missing = parent !== null && (!readBy(world, by)(parent) || !childTypes(parent).includes(type))
  const owner = parent ? path : type === 'project' ? '/projects' : '/'
  return {
    method: 'GET',
    path: `${path}?limit=1000`,
    by,
    predicted: answered({ missing }, list(world, by, owner, listed)),
  }
}

/** Newest first, which is the reverse here. */
export const list = (world: World, by: string, owner: string, records: readonly { id: string }[]): Predicted => ({
  status: 200,
  shows: ({ data, meta }: Body) => [
    [data.map(({ id }: { id: string }) => id), records.map(({ id }) => id).toReversed()],
    [meta.authorisations, { update: may(world, by, 'update', owner), delete: may(world, by, 'delete', owner) }],
  ],
})
