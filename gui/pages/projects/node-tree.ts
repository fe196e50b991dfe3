import type { NodeSummary } from '../../api/records.ts'
import { nodeCode } from '../../components/node-path/nodes-in-path.ts'
import type { Branch } from '../../components/tree/tree-rows.ts'
import { type NodeType, parentPathOf } from './node.ts'

/** Node in the tree, with the number of activities on it and on everything below it. */
export interface TreeNode {
  readonly node: NodeSummary
  /** Its code; for a node whose parent may not be read, the rest of its path. */
  readonly label: string
  readonly active: number
  readonly waiting: number
  /** Number of nodes with a background task in progress, itself included. */
  readonly tasks: number
}

export type NodeBranch = Branch<TreeNode>

const order: Readonly<Record<NodeType, number>> = { project: 0, environment: 1, asset: 2, agent: 3 }

/** Tree of the nodes that the user may read. A node whose parent is not among them moves up to the nearest one that is. */
export function nodeTree(nodes: readonly NodeSummary[]): NodeBranch[] {
  const known = new Set(nodes.map(({ path }) => path))
  const below = new Map<string, NodeSummary[]>()
  for (const node of nodes) {
    const parent = nearest(known, node.path) ?? ''
    const siblings = below.get(parent)
    if (siblings) siblings.push(node)
    else below.set(parent, [node])
  }
  const branchesOf = (parent: string): NodeBranch[] =>
    (below.get(parent) ?? []).toSorted(byTypeAndCode).map(node => {
      const children = branchesOf(node.path)
      const item: TreeNode = {
        node,
        label: parentPathOf(node.path) === (parent || undefined) ? nodeCode(node.path) : node.path,
        active: children.reduce((sum, each) => sum + each.item.active, node.active_count),
        waiting: children.reduce((sum, each) => sum + each.item.waiting, node.waiting_count),
        tasks: children.reduce((sum, each) => sum + each.item.tasks, node.task_active ? 1 : 0),
      }
      return { id: node.path, item, children }
    })
  return branchesOf('')
}

/** Path of the node that is `step` rows after a node under the same parent; undefined at the end. */
export function siblingOf(branches: readonly NodeBranch[], path: string, step: 1 | -1): string | undefined {
  const index = branches.findIndex(({ id }) => id === path)
  if (index >= 0) return branches[index + step]?.id
  for (const { children } of branches) {
    const found = siblingOf(children, path, step)
    if (found !== undefined) return found
  }
  return undefined
}

function nearest(known: ReadonlySet<string>, path: string): string | undefined {
  let parent = parentPathOf(path)
  while (parent !== undefined && !known.has(parent)) parent = parentPathOf(parent)
  return parent
}

const byTypeAndCode = (one: NodeSummary, other: NodeSummary): number =>
  order[one.node_type] - order[other.node_type] || (one.path < other.path ? -1 : 1)

/** Branches with a node whose path or name contains all words of the filter, and what is above them. */
export function filteredTree(branches: readonly NodeBranch[], filter: string): readonly NodeBranch[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return branches
  const matches = ({ node }: TreeNode) => {
    const text = `${node.path}\n${node.name}`.toLowerCase()
    return words.every(word => text.includes(word)) && lastWordIsOwn(node, words)
  }
  const keep = (branch: NodeBranch): NodeBranch[] => {
    const children = branch.children.flatMap(keep)
    return children.length > 0 || matches(branch.item) ? [{ ...branch, children }] : []
  }
  return branches.flatMap(keep)
}

/** Whether at least one word is part of the node's own code or name: a word of its project alone would find everything. */
const lastWordIsOwn = ({ path, name }: NodeSummary, words: readonly string[]): boolean => {
  const own = `${nodeCode(path)}\n${name}`.toLowerCase()
  return words.some(word => own.includes(word))
}

/** Status that the row of a node shows: what runs on it, else how its last activity ended. */
export function nodeStatus({ active_count, waiting_count, last_status }: NodeSummary): string | undefined {
  if (waiting_count > 0) return 'waiting'
  return active_count > 0 ? 'running' : (last_status ?? undefined)
}

/** Numbers of nodes below a project by type, and what happens on them. */
export interface ProjectCounts {
  readonly environments: number
  readonly assets: number
  readonly agents: number
  readonly running: number
  readonly waiting: number
  /** Nodes whose last activity failed. */
  readonly failed: number
}

export function countsOf(project: NodeBranch): ProjectCounts {
  const nodes = allOf(project).map(({ item }) => item.node)
  const count = (is: (node: NodeSummary) => boolean) => nodes.filter(is).length
  return {
    environments: count(each => each.node_type === 'environment'),
    assets: count(each => each.node_type === 'asset'),
    agents: count(each => each.node_type === 'agent'),
    running: project.item.active - project.item.waiting,
    waiting: project.item.waiting,
    failed: count(each => each.last_status === 'error' || each.last_status === 'system_error'),
  }
}

const allOf = (branch: NodeBranch): NodeBranch[] => [branch, ...branch.children.flatMap(allOf)]
