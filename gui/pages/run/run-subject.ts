import type { Change, Resource } from '../../api/records.ts'
import type { NodeRecord } from '../projects/node.ts'

/** What the dialog runs: an action of a node, or a change once more. */
export type RunSubject =
  | {
      readonly node: NodeRecord
      /** Path of the node. */
      readonly path: string
      /** Action to begin with; empty to choose one. */
      readonly action: string
    }
  | { readonly retryOf: RetriedChange }

/** Attributes of a change that its retry begins with. */
type RetriedChange = Resource<
  Pick<Change, 'action' | 'node_path' | 'skip_steps' | 'property_overrides' | 'metadata' | 'approved_by'>
>
