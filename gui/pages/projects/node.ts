import type { Asset, Environment, NodeSummary, Project, Resource } from '../../api/records.ts'

export type NodeType = NodeSummary['node_type']

/** Node of any type, as the API returns it at its own path. */
export type NodeRecord = Resource<Environment & Partial<Pick<Project, 'project_type'>> & Partial<Asset>>

/** `meta` of a node: what it can hold, and the rights of the caller on its parts. */
interface NodeMeta {
  readonly can_have_changes: boolean
  readonly child_node_types: readonly NodeType[]
  readonly authorisations: Readonly<Record<string, Readonly<Record<string, boolean>>>>
}

const metaOf = ({ meta }: NodeRecord): Partial<NodeMeta> => (meta ?? {}) as Partial<NodeMeta>

/** Whether the record is a node: what else lies below a project in the API, such as its workflows, is none. */
export const isNode = ({ type }: Resource<unknown>): boolean => Object.hasOwn(collectionOf, type)

export const nodeType = (node: NodeRecord): NodeType => node.type as NodeType

/** Path of the node: `/projects/bank/environments/live`. */
export const nodePath = (node: NodeRecord): string => node.links?.['self']?.replace(/^\/api/, '') ?? ''

/** Path behind `/projects/`, which is the address of the node in the application. */
export const splatOf = (path: string): string => path.replace(/^\/projects\//, '')

/** Whether the user has a right on a part of the node: `isPermitted(node, 'assets', 'update')`. */
export const isPermitted = (node: NodeRecord, part: string, right: string): boolean =>
  metaOf(node).authorisations?.[part]?.[right] === true

/** Whether changes can run on nodes of this kind. */
export const canHaveChanges = (node: NodeRecord): boolean => metaOf(node).can_have_changes === true

/** Types of nodes that can be created below the node. */
export const childTypes = (node: NodeRecord): readonly NodeType[] => metaOf(node).child_node_types ?? []

export const hasTemplate = (node: NodeRecord): boolean => typeof node.attributes.template_code === 'string'

/** Collection of a type in paths: `/environments`. */
export const collectionOf: Readonly<Record<NodeType, string>> = {
  project: 'projects',
  environment: 'environments',
  asset: 'assets',
  agent: 'agents',
}

/** Path of the project that a node belongs to. */
export const projectPathOf = (path: string): string => path.split('/', 3).join('/')

/** Path of the node directly above; undefined for a project. */
export function parentPathOf(path: string): string | undefined {
  const parent = path.split('/').slice(0, -2).join('/')
  return parent === '' ? undefined : parent
}
