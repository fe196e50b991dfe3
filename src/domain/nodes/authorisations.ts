import type { Right, Rights } from '#platform/actor.ts'
import { type Capabilities, capabilitiesOf, type NodeType, nodeTypes, type ProjectType, projectTypes } from './node.ts'

/**
 * A row: which nodes have the area, and on which path below the node each of its rights is checked. `/actions/*` is at
 * least one of the actions.
 */
interface Area {
  readonly on: (node: Pick<Placed, 'node_type' | 'project_type'>, can: Capabilities) => boolean
  readonly rights: Readonly<Record<string, readonly [right: Right, ...subpaths: string[]]>>
}

interface Placed {
  readonly node_type: NodeType
  readonly project_type: ProjectType
  readonly path: string
}

const readUpdate = (area: string): Area['rights'] => ({ read: ['read', area], update: ['update', area] })
const full = (area: string): Area['rights'] => ({ ...readUpdate(area), delete: ['delete', area] })

const areas: Readonly<Record<string, Area>> = {
  properties: { on: () => true, rights: readUpdate('/properties') },
  settings: { on: () => true, rights: readUpdate('/settings') },
  scheduled_activities: { on: (_, can) => can.can_have_changes, rights: full('/scheduled_activities') },
  git_remotes: { on: node => node.node_type === 'project', rights: full('/git_remotes') },
  templates: { on: (_, can) => can.can_have_templates, rights: full('/templates') },
  workflows: { on: (_, can) => can.can_have_workflows, rights: full('/workflows') },
  environments: { on: (_, can) => can.child_node_types.includes('environment'), rights: full('/environments') },
  assets: { on: (_, can) => can.child_node_types.includes('asset'), rights: full('/assets') },
  agents: { on: (_, can) => can.child_node_types.includes('agent'), rights: full('/agents') },
  changes: {
    on: (_, can) => can.can_have_changes,
    rights: { read: ['read', ''], execute: ['execute', '/actions/*'], delete: ['delete', '/actions'] },
  },
  workflow_runs: {
    on: (_, can) => can.can_have_workflows,
    rights: { read: ['read', ''], execute: ['execute', '/workflows/*'], delete: ['delete', '/workflows'] },
  },
  // Resolving one kind of secret is allowed on its own path or on that of all secrets of the node; storing on any of them.
  secrets: {
    on: () => true,
    rights: {
      settings: ['execute', '/settings/secrets', '/secrets'],
      properties: ['execute', '/properties/secrets', '/secrets'],
      model: ['execute', '/model/secrets', '/secrets'],
      store: ['update', '/secrets', '/properties/secrets', '/settings/secrets'],
    },
  },
  self: { on: () => true, rights: { update: ['update', ''], execute: ['execute', ''], delete: ['delete', ''] } },
}

interface Asked {
  readonly name: string
  readonly rights: readonly { flag: string; right: Right; subpaths: readonly string[] }[]
}

/** One kind of node: the rights to check for each node, compiled once, and the cached `meta` objects. */
interface Kind {
  readonly can: Capabilities
  readonly asked: readonly Asked[]
  /** All rights of the areas, in the order of the bits of `heldRights`. */
  readonly every: number
  readonly answered: Map<number, NodeMeta>
}

const kinds: Readonly<Record<string, Kind>> = Object.fromEntries(
  nodeTypes.flatMap(node_type =>
    projectTypes.map(project_type => [`${node_type} ${project_type}`, kindOf({ node_type, project_type })]),
  ),
)

function kindOf(node: Pick<Placed, 'node_type' | 'project_type'>): Kind {
  const can = capabilitiesOf(node)
  const here = Object.entries(areas).filter(([, area]) => area.on(node, can))
  const asked = here.map(([name, { rights }]) => ({
    name,
    rights: Object.entries(rights).map(([flag, [right, ...subpaths]]) => ({ flag, right, subpaths })),
  }))
  const count = asked.reduce((sum, { rights }) => sum + rights.length, 0)
  return { can, asked, every: 2 ** count - 1, answered: new Map() }
}

/** `meta` of a node: its capabilities, and area → right → whether this caller has it. Only areas that the node has. */
export type NodeMeta = Capabilities & { readonly authorisations: Readonly<Record<string, Record<string, boolean>>> }

/** Maximum number of different cached answers of one kind; there are a handful. */
const mostAnswers = 1_000

/** Frozen, and the same object for all nodes of a kind on which the caller has the same rights: a list makes it once. */
export function nodeMeta(node: Placed, rights: Rights): NodeMeta {
  const kind = kinds[`${node.node_type} ${node.project_type}`]!
  const held = rights.superuser ? kind.every : heldRights(kind, node.path, rights)
  const known = kind.answered.get(held)
  if (known) return known
  const made = Object.freeze({ ...kind.can, authorisations: flagsOf(kind, held) })
  if (kind.answered.size >= mostAnswers) kind.answered.clear()
  kind.answered.set(held, made)
  return made
}

/** Bit set of rights, the first bit for the first right: forty of them still fit into an integer. */
function heldRights({ asked }: Kind, path: string, rights: Rights): number {
  const may = rights.mayBelow?.(path) ?? ((right: Right, below: string) => rights.may(right, path + below))
  let [held, bit] = [0, 1]
  for (const area of asked) {
    for (const { right, subpaths } of area.rights) {
      if (subpaths.some(below => may(right, below))) held += bit
      bit *= 2
    }
  }
  return held
}

function flagsOf({ asked }: Kind, held: number): NodeMeta['authorisations'] {
  let bit = 1
  const all: Record<string, Record<string, boolean>> = {}
  for (const { name, rights } of asked) {
    const flags: Record<string, boolean> = {}
    for (const { flag } of rights) {
      flags[flag] = Math.floor(held / bit) % 2 === 1
      bit *= 2
    }
    all[name] = flags
  }
  return all
}
