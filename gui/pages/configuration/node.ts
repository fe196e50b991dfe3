import type { Resource } from '../../api/records.ts'

/** Node of any type, as far as its configuration needs it. */
export type ConfiguredNode = Resource<{ readonly created_at: string; readonly archived: boolean }>

/** Properties of the tabs. */
export interface ConfigurationTabProps {
  readonly node: ConfiguredNode
  /** Path of the node: `/projects/bank/environments/live`. */
  readonly path: string
}

export type Part = 'properties' | 'settings'

/** Path in the API of the node's own properties or settings. */
export const ownPath = (node: ConfiguredNode, part: Part): string | undefined =>
  node.relationships?.[part]?.links?.related

type Authorisations = Readonly<Record<string, Readonly<Record<string, boolean>>>>

/** Whether the user has a right on a part of the node. */
export const mayOn = ({ meta }: ConfiguredNode, part: Part | 'secrets', right: string): boolean =>
  (meta?.['authorisations'] as Authorisations | undefined)?.[part]?.[right] === true
