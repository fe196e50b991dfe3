import { type Sql, sql } from '../db/sql.ts'
import type { Fault } from '../failure.ts'
import type { Column, Resource } from './resource.ts'
import { all } from './select.ts'

/** Attribute by whose values the records of a list are counted. */
export interface CountBy {
  readonly name: string
  readonly column: Column
}

/** Attributes that a list can be counted by: those with few possible values. */
export const countedBy = ({ columns }: Resource): readonly string[] =>
  Object.entries(columns)
    .filter(([, { values, kind, showOnly }]) => !showOnly && (values !== undefined || kind === 'boolean'))
    .map(([name]) => name)

/** Reads `count_by`. */
export function readCountBy(
  resource: Resource,
  given: string | string[] | undefined,
  faults: Fault[],
): CountBy | undefined {
  if (given === undefined) return undefined
  const known = countedBy(resource)
  if (typeof given === 'string' && known.includes(given)) return { name: given, column: resource.columns[given]! }
  const detail = known.length
    ? `count_by is one of ${known.join(', ')}.`
    : `A list of ${resource.type} has no attribute to count by.`
  faults.push({ code: 'wrong-kind', detail, source: { parameter: 'count_by' } })
  return undefined
}

export interface CountRow {
  readonly value: string | null
  readonly count: number
}

/** Statement that counts records by the values of an attribute, at most `most` records. */
export const countsBy = (
  { column }: CountBy,
  from: Sql,
  conditions: readonly Sql<boolean>[],
  most: number,
): Sql<CountRow> => sql<CountRow>`
  select counted.value, count(*)::int as count
    from (select (${column.sql})::text collate "C" as value from ${from} where ${all(conditions)} limit ${most}) counted
   group by counted.value
   order by counted.value`

/**
 * `meta.counts` of a list. If there are more records than are counted, each count is a lower bound.
 *
 * @param most maximum number of counted records; the rows are of one more
 */
export function countsOf(rows: readonly CountRow[], most: number) {
  const all = rows.reduce((sum, { count }) => sum + count, 0)
  return {
    counts: Object.fromEntries(rows.map(({ value, count }) => [value ?? 'null', count])),
    counts_exact: all <= most,
  }
}
