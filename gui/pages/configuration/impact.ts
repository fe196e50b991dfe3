import type { Document, Resource } from '../../api/records.ts'

/** One step of a JSON Patch. */
export interface Operation {
  readonly op: string
  readonly path: string
  readonly value?: unknown
}

/** Node whose converged document would change. */
interface AffectedNode {
  readonly node_path: string
  readonly node_type: string
  readonly changes: readonly Operation[]
}

/** Answer of the API to "what would this document change". */
export type ImpactDocument = Document<Resource<AffectedNode>[]> & {
  readonly meta: {
    readonly nodes_examined: number
    /** More nodes follow that were not examined. */
    readonly partial_response: boolean
    readonly not_converging: readonly { readonly node_path: string; readonly reason: string }[]
  }
}

/** Nodes on which the same values change in the same way. */
export interface AffectedGroup {
  readonly paths: readonly string[]
  readonly changes: readonly Operation[]
}

export interface Impact {
  /** Groups of affected nodes, the largest first. */
  readonly groups: readonly AffectedGroup[]
  /** Numbers of nodes by their type, in the order of their first occurrence. */
  readonly counts: readonly (readonly [type: string, count: number])[]
  readonly examined: number
  readonly isPartial: boolean
  readonly notConverging: ImpactDocument['meta']['not_converging']
}

export function impactOf({ data, meta }: ImpactDocument): Impact {
  const nodes = data.map(({ attributes }) => attributes)
  const byType = Map.groupBy(nodes, ({ node_type }) => node_type)
  const byChanges = Map.groupBy(nodes, ({ changes }) => JSON.stringify(changes))
  const groups = [...byChanges.values()].map(some => ({
    paths: some.map(({ node_path }) => node_path),
    changes: some[0]?.changes ?? [],
  }))
  return {
    groups: groups.toSorted((a, b) => b.paths.length - a.paths.length),
    counts: [...byType].map(([type, some]) => [type, some.length] as const),
    examined: meta.nodes_examined,
    isPartial: meta.partial_response,
    notConverging: meta.not_converging,
  }
}
