import { may } from './may.ts'
import { anyNode } from './node-views.ts'
import { answered, type Body, type Drawing, type Pairs, type Question } from './predicted.ts'
import type { Node, World } from './world.ts'

/** Converged documents of a node belong to the node; their sources belong to the owners. */

/** A node and its ancestors, the project first. Templates and repositories state nothing here. */
const lineOf = (node: Node): Node[] => [...(node.parent ? lineOf(node.parent) : []), node]

const statedBy = (node: Node, kind: 'properties' | 'settings'): Record<string, unknown> =>
  node[kind].versions.at(-1) as Record<string, unknown>

/** No two documents here state parts of the same object. */
const inForce = (node: Node, kind: 'properties' | 'settings'): Record<string, unknown> =>
  Object.assign({}, ...lineOf(node).map(each => statedBy(each, kind)))

function converged(drawing: Drawing, below: string, shows: (node: Node) => (body: Body) => Pairs): Question {
  const { world, by } = drawing
  const node = anyNode(drawing)
  const kind = below.startsWith('settings') ? 'settings' : 'properties'
  const predicted = answered(
    {
      missing: !may(world, by, 'read', node.path),
      forbidden: () => !may(world, by, 'read', `${node.path}/${kind}`),
    },
    { status: 200, shows: shows(node) },
  )
  return { method: 'GET', path: `${node.path}/converged_${below}`, by, predicted }
}

export const showProperties = (drawing: Drawing): Question =>
  converged(drawing, 'properties', node => ({ data, included }) => [
    [data.attributes.data, inForce(node, 'properties')],
    [ownersIn(included), readable(drawing, lineOf(node))],
    [data.relationships.properties.data.length, included.filter(isDocument).length],
  ])

const isDocument = (each: Body) => each.type === 'properties_version'

/** Documents of nodes: those of templates are empty, and may be left out. */
const ownersIn = (included: readonly Body[]): string[] =>
  included
    .filter(isDocument)
    .filter(each => !/^Template/.test(each.attributes.owner_type))
    .map(each => each.attributes.owner_type)

const readable = ({ world, by }: Drawing, nodes: readonly Node[]): string[] =>
  nodes.filter(each => readsProperties(world, by, each)).map(ownerType)

const ownerType = ({ type }: Node) => `${type[0]!.toUpperCase()}${type.slice(1)}`

const readsProperties = (world: World, by: string, node: Node) => may(world, by, 'read', `${node.path}/properties`)

export const showSettings = (drawing: Drawing): Question =>
  converged(drawing, 'settings', node => ({ data }) => [
    // Agents read no repository, and do not have this setting.
    [data.attributes.data.repo_folder, node.type === 'agent' ? data.attributes.data.repo_folder : folderOf(node)],
  ])

const folderOf = (node: Node) => inForce(node, 'settings')['repo_folder'] ?? '.sluice'

/** Every layer that states the value, of which the last wins; values of unreadable layers are hidden. */
export const explainProperty = (drawing: Drawing): Question =>
  converged(drawing, 'properties/explain?pointer=/release', node => ({ data: { attributes } }) => {
    const { world, by } = drawing
    const value = inForce(node, 'properties')['release']
    const layers = lineOf(node).filter(each => 'release' in statedBy(each, 'properties'))
    return [
      [attributes.is_set, layers.length > 0],
      [attributes.value, value],
      [
        attributes.layers.map((layer: Body) => [layer.source, layer.wins, layer.hidden === true, layer.value]),
        layers.map((each, at) => {
          const isHidden = !readsProperties(world, by, each)
          const stated = isHidden ? undefined : statedBy(each, 'properties')['release']
          return [`${ownerType(each)}: ${each.name} (${each.code})`, at === layers.length - 1, isHidden, stated]
        }),
      ],
    ]
  })
