/** State of the installation as the oracle knows it: updated from responses only, and the basis of all predictions. */
export interface World {
  readonly nodes: Node[]
  readonly bookmarks: Bookmark[]
  readonly schedules: Schedule[]
  readonly changes: Change[]
  /** Includes revoked tokens, which no longer authenticate. */
  readonly tokens: Token[]
  readonly rights: Rights
}

export type NodeType = 'project' | 'environment' | 'asset' | 'agent'

export interface Node {
  readonly id: string
  readonly type: NodeType
  readonly code: string
  /** Path below /api. */
  readonly path: string
  readonly parent: Node | null
  readonly projectType: 'Standard' | 'Enterprise'
  readonly createdBy: string
  readonly properties: Document
  readonly settings: Document
  name: string
  description: string
  archived: boolean
  templateVersion: string | null
}

export interface Document {
  readonly kind: 'properties' | 'settings'
  readonly id: string
  /** Versions of the document, beginning with version 1. */
  readonly versions: object[]
}

export interface Bookmark {
  readonly id: string
  readonly node: Node
  readonly createdBy: string
  description: string
  url: string | null
}

export interface Schedule {
  readonly id: string
  readonly node: Node
  enabled: boolean
}

/** Unfinished changes: nothing starts here, so an uncancelled change is pending. */
export interface Change {
  readonly id: string
  readonly node: Node
  readonly createdBy: string
  cancelledBy: string | null
}

export interface Token {
  readonly id: string
  readonly owner: string
  readonly secret: string
  isRevoked: boolean
}

/** Users with their policies, and the rights of these. */
interface Rights {
  readonly policies: Policy[]
  readonly rules: Rule[]
  readonly ties: Tie[]
  readonly assignments: Assignment[]
}

export interface Policy {
  readonly id: string
  readonly system: boolean
  name: string
  description: string | null
}

export interface Allowed {
  path: string
  read: boolean | null
  update: boolean | null
  execute: boolean | null
  delete: boolean | null
}

export interface Rule extends Allowed {
  readonly id: string
}

export interface Tie {
  /** Unknown for a rule that was created with its policy. */
  readonly id?: string
  readonly policy: Policy
  readonly rule: Rule
}

export interface Assignment {
  readonly id: string
  readonly policy: Policy
  readonly username: string | null
  readonly groupname: string | null
}

export const collections = {
  project: 'projects',
  environment: 'environments',
  asset: 'assets',
  agent: 'agents',
} as const satisfies Record<NodeType, string>

/** Types of nodes that may be directly in it. */
export function childTypes({ type, projectType }: Node): readonly NodeType[] {
  if (type === 'project') return projectType === 'Standard' ? ['environment'] : ['environment', 'asset', 'agent']
  return type === 'environment' && projectType === 'Enterprise' ? ['asset'] : []
}

export const childrenOf = (world: World, node: Node): Node[] => world.nodes.filter(({ parent }) => parent === node)

export const isBelow = (node: Node, above: Node): boolean =>
  node === above || (node.parent !== null && isBelow(node.parent, above))

/** Codes are case-insensitive. */
export const siblingCalled = (world: World, parent: Node | null, type: NodeType, code: string): Node | undefined =>
  world.nodes.find(
    node => node.parent === parent && node.type === type && node.code.toLowerCase() === code.toLowerCase(),
  )

/** Removes matching elements from a list. */
export function removeFrom<T>(list: T[], fits: (each: T) => boolean): void {
  for (let at = list.length - 1; at >= 0; at--) if (fits(list[at]!)) list.splice(at, 1)
}
