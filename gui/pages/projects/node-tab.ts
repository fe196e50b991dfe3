import type { ComponentType } from 'react'
import type { NodeRecord } from './node.ts'

/** Properties of the component of a tab. */
export interface NodeTabProps {
  readonly node: NodeRecord
  /** Path of the node: `/projects/bank/environments/live`. */
  readonly path: string
}

export interface NodeTab {
  /** Value of the search parameter `tab`. */
  readonly id: string
  readonly text: string
  /** Whether nodes of this kind have the tab; without it, all have it. */
  readonly on?: (node: NodeRecord) => boolean
  /** Loaded when the tab is opened. */
  readonly component: ComponentType<NodeTabProps>
}
