import type { Right, Rights } from '#platform/actor.ts'
import { type Capabilities, capabilitiesOf, type NodeType, nodeTypes, type ProjectType, projectTypes } from './node.ts'

/** A row: which nodes have the area, and on which path below the node each of its rights is asked (access.md 2). */
interface Area {
  readonly on: (node: Pick<Placed, 'node_type' | 'project_type'>, can: Capabilities) => boolean
  readonly rights: Readonly<Record<string, readonly [right: Right, ...beneath: string[]]>>
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
    rights: { read: ['read', ''], execute: ['execute', '/actions'], delete: ['delete', '/actions'] },
  },
  workflow_runs: {
    on: (_, can) => can.can_have_workflows,
    rights: { read: ['read', ''], execute: ['execute', '/workflows'], delete: ['delete', '/workflows'] },
  },
  // Resolving one kind of secret is allowed on its own path or on that of all secrets of the node.
  secrets: {
    on: () => true,
    rights: {
      settings: ['execute', '/settings/secrets', '/secrets'],
      properties: ['execute', '/properties/secrets', '/secrets'],
      model: ['execute', '/model/secrets', '/secrets'],
    },
  },
  self: { on: () => true, rights: { update: ['update', ''], delete: ['delete', ''] } },
}

type Asked = readonly { name: string; rights: readonly { flag: string; right: Right; beneath: readonly string[] }[] }[]

/** What is asked of each kind of node, laid out once: a list asks it for every record. */
const asked = Object.fromEntries(
  nodeTypes.flatMap(node_type =>
    projectTypes.map(project_type => [`${node_type} ${project_type}`, askedOf({ node_type, project_type })]),
  ),
)

function askedOf(node: Pick<Placed, 'node_type' | 'project_type'>): Asked {
  const can = capabilitiesOf(node)
  const here = Object.entries(areas).filter(([, area]) => area.on(node, can))
  return here.map(([name, { rights }]) => ({
    name,
    rights: Object.entries(rights).map(([flag, [right, ...beneath]]) => ({ flag, right, beneath })),
  }))
}

/** `meta.authorisations` of a node: area → right → whether this caller has it. Only areas that the node has. */
export function nodeAuthorisations(node: Placed, rights: Rights): Record<string, Record<string, boolean>> {
  const { path } = node
  const all: Record<string, Record<string, boolean>> = {}
  for (const area of asked[`${node.node_type} ${node.project_type}`]!) {
    const flags: Record<string, boolean> = {}
    for (const { flag, right, beneath } of area.rights) {
      flags[flag] = beneath.some(below => rights.may(right, path + below))
    }
    all[area.name] = flags
  }
  return all
}
