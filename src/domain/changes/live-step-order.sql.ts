import { type Sql, sql } from '#platform/db/sql.ts'
import type { Listed } from '#platform/jsonapi/read.ts'
import type { Row } from '#platform/jsonapi/resource.ts'

/** Order in which steps are read, page by page, and sent. */
export interface StepOrder {
  readonly by: Sql
  /** Condition in SQL for the steps behind a row. */
  readonly behind: (last: Row) => Sql
  readonly sorted: (page: readonly Listed[]) => readonly Listed[]
}

export const inTreeOrder: StepOrder = {
  by: sql`s.tree_order`,
  behind: last => sql`and s.tree_order > ${String(last['tree_order'])}`,
  sorted: rows => rows,
}

/**
 * Steps in the order of their moves. At the same time ends come before starts, the last of the tree first, so that a
 * parent ends after its children; and starts in the order of the tree, so that a parent starts before them.
 */
export const asTheyMoved: StepOrder = {
  by: sql`s.updated_at, s.tree_order`,
  behind: last =>
    sql`and (s.updated_at, s.tree_order) > (${String(last['updated_at'])}::timestamptz, ${String(last['tree_order'])})`,
  sorted: rows => parentsBehind(rows.toSorted(byMoment)),
}

/**
 * A parent and its last child end in one statement, which stamps them in no fixed order: an end is moved behind the
 * last end below it.
 */
function parentsBehind(rows: readonly Listed[]): readonly Listed[] {
  const ordered = [...rows]
  for (const row of rows.toReversed()) {
    if (!hasEnded(row)) continue
    const prefix = `${row.shown.attributes['full_path']}/`
    const at = ordered.indexOf(row)
    const last = ordered.findLastIndex(
      each => hasEnded(each) && String(each.shown.attributes['full_path']).startsWith(prefix),
    )
    if (last <= at) continue
    ordered.splice(last + 1, 0, row)
    ordered.splice(at, 1)
  }
  return ordered
}

function byMoment(one: Listed, other: Listed): number {
  const [ended, otherEnded] = [hasEnded(one), hasEnded(other)]
  const at = compare(one, other, 'updated_at')
  if (at !== 0) return at
  if (ended !== otherEnded) return ended ? -1 : 1
  return compare(one, other, 'tree_order') * (ended ? -1 : 1)
}

/** Times have microseconds and so all have the same length. */
function compare({ row: one }: Listed, { row: other }: Listed, name: string): number {
  const [a, b] = [String(one[name]), String(other[name])]
  return a < b ? -1 : a > b ? 1 : 0
}

export const hasEnded = ({ shown }: Listed): boolean => shown.attributes['finished_at'] !== null
