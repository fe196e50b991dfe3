import { createContext, use } from 'react'
import type { Query } from '#client/sluice.ts'
import type { ListResult } from '../../api/queries.ts'
import type { NodeSummary } from '../../api/records.ts'

export const nodesPath = '/api/nodes'

/** The whole tree in one answer; only the largest installations have more than one page. */
export const nodesQuery = (withArchived: boolean): Query => ({
  limit: 10_000,
  ...(!withArchived && { 'filter[archived_eq]': false }),
})

/** State of the tree pane, which the panes beside it share. */
interface TreeState {
  readonly nodes: ListResult<NodeSummary>
  readonly isHidden: boolean
  readonly setIsHidden: (hidden: boolean) => void
}

export const TreeContext = createContext<TreeState | undefined>(undefined)

export function useTree(): TreeState {
  const state = use(TreeContext)
  if (!state) throw new Error('useTree needs the page of projects around it')
  return state
}
