import { actOf } from '../../keyboard/keys.ts'

/** Node of a tree before it is drawn. */
export interface Branch<Item> {
  readonly id: string
  readonly item: Item
  readonly children: readonly Branch<Item>[]
}

/** Row of a tree as it is drawn: one line, with its place for screen readers. */
export interface TreeRow<Item> {
  readonly id: string
  readonly item: Item
  /** 1 at the root. */
  readonly level: number
  /** Place among its siblings, from 1, and their number. */
  readonly position: number
  readonly setSize: number
  /** Undefined for rows without children. */
  readonly isExpanded: boolean | undefined
  readonly parent: string | undefined
}

/** Rows of the expanded part of a tree, from top to bottom. */
export function treeRows<Item>(
  branches: readonly Branch<Item>[],
  isExpanded: (branch: Branch<Item>) => boolean,
): TreeRow<Item>[] {
  const rows: TreeRow<Item>[] = []
  const add = (siblings: readonly Branch<Item>[], level: number, parent: string | undefined) => {
    for (const [i, branch] of siblings.entries()) {
      const { id, item, children } = branch
      const isOpen = children.length === 0 ? undefined : isExpanded(branch)
      rows.push({ id, item, level, position: i + 1, setSize: siblings.length, isExpanded: isOpen, parent })
      if (isOpen) add(children, level + 1, id)
    }
  }
  add(branches, 1, undefined)
  return rows
}

/** Result of a key in a tree: another row becomes active, or a row opens or closes. */
export type TreeMove = { readonly active: number } | { readonly toggle: number } | undefined

/** Keys of the ARIA pattern of a tree. `active`: index of the row that the keyboard is on. */
export function treeMove(key: string, rows: readonly TreeRow<unknown>[], active: number, page: number): TreeMove {
  const row = rows[active]
  const act = actOf('trees', key)
  if (!row) return rows.length > 0 && starts.includes(act) ? { active: 0 } : undefined
  const to = (index: number): TreeMove => ({ active: Math.min(rows.length - 1, Math.max(0, index)) })
  switch (act) {
    case 'next':
      return to(active + 1)
    case 'previous':
      return to(active - 1)
    case 'pageDown':
      return to(active + page)
    case 'pageUp':
      return to(active - page)
    case 'first':
      return to(0)
    case 'last':
      return to(rows.length - 1)
    case 'expand':
      if (row.isExpanded === false) return { toggle: active }
      return row.isExpanded ? to(active + 1) : undefined
    case 'collapse':
      if (row.isExpanded) return { toggle: active }
      return row.parent === undefined ? undefined : to(rows.findIndex(({ id }) => id === row.parent))
    default:
      return undefined
  }
}

const starts: readonly unknown[] = ['next', 'previous', 'first', 'last']
