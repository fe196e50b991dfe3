import Type, { type TSchema } from 'typebox'
import { shownNameForm, shownNamePattern } from '#platform/display-name.ts'
import { type Failure, type Fault, failure } from '#platform/failure.ts'

/** Values and rules of nodes: no database, no clock. */

export type NodeType = 'project' | 'environment' | 'asset' | 'agent'
export const nodeTypes: readonly NodeType[] = ['project', 'environment', 'asset', 'agent']

/**
 * A node as other domains use it. `path` is the one on which rights are checked: `/projects/bank/environments/live`.
 */
export interface Node {
  readonly id: string
  readonly node_type: NodeType
  readonly code: string
  readonly name: string
  /** Description; empty if none was given. */
  readonly description: string
  readonly parent_id: string | null
  readonly project_id: string
  readonly environment_id: string | null
  readonly path: string
  /** Standard or Enterprise: type of the node's project. */
  readonly project_type: ProjectType
  readonly archived: boolean
  readonly row_version: number
  readonly created_at: string
}

export type ProjectType = 'Standard' | 'Enterprise'
export const projectTypes: readonly ProjectType[] = ['Standard', 'Enterprise']

const project = '/projects/:project_code'
const environment = `${project}/environments/:environment_code`

/** The shapes of path under which a node of each type is found, below /api. */
export const pathsOfType: Readonly<Record<NodeType, readonly string[]>> = {
  project: [project],
  environment: [environment],
  asset: [`${environment}/assets/:asset_code`, `${project}/assets/:asset_code`],
  agent: [`${project}/agents/:agent_code`],
}

/** Paths of nodes, in all five shapes. */
export const nodePaths: readonly string[] = nodeTypes.flatMap(type => pathsOfType[type])

/** Collections in which nodes of one type are listed and created, with the types of their parents. */
export const collections: Readonly<Record<NodeType, { name: string; under: readonly NodeType[] }>> = {
  project: { name: 'projects', under: [] },
  environment: { name: 'environments', under: ['project'] },
  asset: { name: 'assets', under: ['environment', 'project'] },
  agent: { name: 'agents', under: ['project'] },
}

/**
 * Paths of a single node of one type: its path, and its id below the list of all nodes of its type. Wherever a path
 * takes a code it also takes the node's id (`namedByIds`).
 */
export const pathsOfOne = (type: NodeType): readonly string[] =>
  type === 'project' ? pathsOfType.project : [...pathsOfType[type], `/${collections[type].name}/:id`]

export type PathParams = Readonly<Record<string, string>>

/**
 * The node path that a request's parameters name. Other parameters (an id further on) are ignored. A `/` in a code
 * stays encoded: decoded, `bank%2Fassets%2Fweb` would name an asset where the route takes a project.
 */
export function nodePathOf({ project_code, environment_code, asset_code, agent_code }: PathParams): string {
  const part = (collection: string, code: string | undefined) =>
    code === undefined ? '' : `/${collection}/${encodeURIComponent(code)}`
  return [
    part('projects', project_code ?? ''),
    part('environments', environment_code),
    part('assets', asset_code),
    part('agents', agent_code),
  ].join('')
}

export const parentPathOf = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf('/', path.lastIndexOf('/') - 1)))

/** Project of a path: its first two segments. */
export const projectPathOf = (path: string): string => path.split('/', 3).join('/')

/** Capabilities of a node, as in its `meta`. */
export interface Capabilities {
  readonly can_have_changes: boolean
  readonly can_have_children: boolean
  readonly can_have_properties: boolean
  readonly can_have_settings: boolean
  readonly can_have_templates: boolean
  readonly requires_template: boolean
  readonly child_node_types: readonly NodeType[]
  readonly can_have_workflows: boolean
}

const always = { can_have_properties: true, can_have_settings: true }
const leaf = {
  ...always,
  can_have_children: false,
  can_have_templates: false,
  requires_template: true,
  child_node_types: [],
  can_have_workflows: false,
}

const capabilities: Readonly<Record<NodeType, Readonly<Record<ProjectType, Capabilities>>>> = {
  project: {
    Enterprise: {
      ...always,
      can_have_changes: true,
      can_have_children: true,
      can_have_templates: true,
      requires_template: false,
      child_node_types: ['environment', 'asset', 'agent'],
      can_have_workflows: true,
    },
    Standard: {
      ...always,
      can_have_changes: false,
      can_have_children: true,
      can_have_templates: false,
      requires_template: false,
      child_node_types: ['environment'],
      can_have_workflows: false,
    },
  },
  environment: {
    Enterprise: { ...environmentOf(['asset']), can_have_children: true },
    Standard: { ...environmentOf([]), can_have_children: false },
  },
  asset: both({ ...leaf, can_have_changes: true }),
  agent: both({ ...leaf, can_have_changes: false }),
}

function environmentOf(child_node_types: readonly NodeType[]) {
  return {
    ...always,
    can_have_changes: true,
    can_have_templates: false,
    requires_template: false,
    child_node_types,
    can_have_workflows: false,
  }
}

function both(one: Capabilities) {
  return { Enterprise: one, Standard: one }
}

export const capabilitiesOf = (node: { node_type: NodeType; project_type: ProjectType }): Capabilities =>
  capabilities[node.node_type][node.project_type]

/** Refuses a command on an archived node, which cannot be changed. Checked again under a lock: `lockUnarchived`. */
export const refuseArchived = ({ node }: { readonly node?: Node | undefined }): Failure | undefined =>
  node?.archived ? failure('archived', `${node.path} is archived: restore it first.`) : undefined

/** 409 for a child that such a node cannot hold, with the reason. */
export function refuseChild(parent: Node, type: NodeType): Failure | undefined {
  if (capabilitiesOf(parent).child_node_types.includes(type)) return undefined
  const why =
    parent.project_type === 'Standard'
      ? `a Standard project holds environments only`
      : `a ${parent.node_type} holds none`
  return failure('not-supported-here', `${parent.path} cannot hold ${collections[type].name}: ${why}.`)
}

/** Schema of a code in bodies. */
export const codeSchema = (description: string): TSchema =>
  Type.String({
    pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,98}[A-Za-z0-9])?$',
    shouldBe: 'letters, digits, _ and -, at most 100 of them, with a letter or digit at both ends',
    description,
  })

/** A name given by people. Earlier names remain valid. */
export const nameSchema = (description: string): TSchema =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: shownNamePattern,
    shouldBe: shownNameForm,
    description,
  })

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Faults of a code beyond its pattern: since a path takes an id or a code, the two must differ in form. */
export const codeFaults = (code: string): Fault[] =>
  uuidForm.test(code)
    ? [
        {
          code: 'invalid',
          detail: `A code may not have the form of a UUID; "${code}" has.`,
          source: { pointer: '/data/attributes/code' },
        },
      ]
    : []

/** The place of a record in the tree, as its events carry it. */
export const eventNode = (node: Pick<Node, 'id' | 'path' | 'project_id' | 'code' | 'node_type'>) => ({
  id: node.id,
  path: node.path,
  projectId: node.project_id,
  code: node.code,
  nodeType: node.node_type,
})
