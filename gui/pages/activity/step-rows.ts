import type { TreeRow } from '../../components/tree/tree-rows.ts'

/** Steps by their ids, in the order in which they are shown. */
export interface StepNodes {
  readonly roots: readonly string[]
  readonly childrenOf: (id: string) => readonly string[]
}

/**
 * Rows of the tree of steps from the top, those in closed groups left out; steps that `isShown` refuses are as though not
 * there. Rows have the ids of steps and not their records, so that they stay while steps move.
 */
export function stepRows(
  { roots, childrenOf }: StepNodes,
  isOpen: (id: string) => boolean,
  isShown: (id: string) => boolean = () => true,
): TreeRow<string>[] {
  const rows: TreeRow<string>[] = []
  // A stack instead of recursion, since trees may be deep.
  const pending: TreeRow<string>[] = []
  const push = (ids: readonly string[], parent: string | undefined, level: number) => {
    const shown = ids.filter(isShown)
    for (let i = shown.length - 1; i >= 0; i--) {
      const id = shown[i]!
      const children = childrenOf(id)
      const hasChildren = children.length > 0 && children.some(isShown)
      pending.push({
        id,
        item: id,
        parent,
        level,
        setSize: shown.length,
        position: i + 1,
        isExpanded: hasChildren ? isOpen(id) : undefined,
      })
    }
  }
  push(roots, undefined, 1)
  for (let row = pending.pop(); row; row = pending.pop()) {
    rows.push(row)
    if (row.isExpanded) push(childrenOf(row.id), row.id, row.level + 1)
  }
  return rows
}

/** Steps that match, with all steps above them. */
export function withAncestors({ roots, childrenOf }: StepNodes, matches: (id: string) => boolean): ReadonlySet<string> {
  const found = new Set<string>()
  // Children come before their parents when the walk is read backwards.
  const walk: string[] = []
  for (const pending = [...roots]; pending.length > 0; ) {
    const id = pending.pop()!
    walk.push(id)
    pending.push(...childrenOf(id))
  }
  for (let i = walk.length - 1; i >= 0; i--) {
    const id = walk[i]!
    if (matches(id) || childrenOf(id).some(child => found.has(child))) found.add(id)
  }
  return found
}
