import { join, type Sql, sql } from '../db/sql.ts'
import type { Position } from './cursor.ts'
import type { Resource, Row } from './resource.ts'
import { all, joinedFrom, selection } from './select.ts'
import type { Shape } from './shape.ts'
import { orderBy, orderByNames, rangesAfter, type Sort } from './sorts.ts'

interface PageAsked {
  readonly resource: Resource
  readonly shape: Shape
  readonly sorts: readonly Sort[]
  readonly conditions: readonly Sql<boolean>[]
  /** The sorts or the conditions speak of the resource's joins. */
  readonly joined: boolean
  readonly after: Position | undefined
  readonly size: number
}

/** The records behind a position, or the first ones: one more than `size`, which tells whether there are more. */
export function pageOf(asked: PageAsked): Sql<Row> {
  const joins = Object.values(asked.resource.joins ?? {})
  return joins.length ? joinedPage(asked, joins) : plainPage(asked)
}

function plainPage({ resource, shape, ...asked }: PageAsked): Sql<Row> {
  return cut({ ...asked, columns: selection(resource, shape), from: resource.from, limit: sql`${asked.size + 1}` })
}

/**
 * First which records, then what is joined to them: 100 of a million take as long as 100 of 100. Written in one, a sort
 * that no index serves would join everything before the limit could cut it.
 */
function joinedPage({ resource, shape, joined, ...asked }: PageAsked, joins: readonly Sql[]): Sql<Row> {
  const sorted = asked.sorts.map(({ name, column }) => sql`${column.sql} as ${sql.raw(`"${name}"`)}`)
  const page = cut({
    ...asked,
    columns: join(sorted, ', '),
    from: joined ? joinedFrom(resource) : resource.from,
    // A number and no parameter: a plan that is kept for any limit takes it for a tenth of the table.
    limit: sql.lit(asked.size + 1),
  })
  return sql<Row>`
    select ${selection(resource, shape)}
      from ${resource.from}
      join (${page}) page on page.id = ${resource.id}
           ${join(joins, ' ')}
     order by ${orderBy(asked.sorts)}`
}

interface Cut extends Pick<PageAsked, 'sorts' | 'conditions' | 'after'> {
  readonly columns: Sql
  readonly from: Sql
  readonly limit: Sql
}

function cut({ columns, from, limit, sorts, conditions, after }: Cut): Sql<Row> {
  const select = (range: readonly Sql<boolean>[]) => sql<Row>`
    select ${columns}
      from ${from}
     where ${all([...conditions, ...range])}
     order by ${orderBy(sorts)}
     limit ${limit}`
  const [first, second] = after ? rangesAfter(sorts, after) : []
  if (!second) return select(first ? [first] : [])
  return sql<Row>`
    select * from (${join([sql`(${select([first!])})`, sql`(${select([second])})`], ' union all ')}) page
     order by ${orderByNames(sorts)}
     limit ${limit}`
}
