import { join, type Sql, sql } from '../db/sql.ts'
import type { Fault } from '../failure.ts'
import { filterLimits } from './filters.ts'
import { kinds, operand, typed } from './kinds.ts'
import type { Query } from './query-string.ts'
import type { Column, Kind, Resource, Row, Sort } from './resource.ts'

type Direction = 'asc' | 'desc'

export interface Order {
  readonly sorts: readonly Sort[]
  /** Whether the caller asked for the order: then 'newest last' does not reverse the page. */
  readonly asked: boolean
}

/** `filter[sorts]=name desc`, several as `filter[sorts][]=`; without a direction ascending. */
export function readOrder(resource: Resource, query: Query, faults: Fault[]): Order {
  const given = [query['filter[sorts]'] ?? []].flat()
  const source = { parameter: 'filter[sorts]' }
  if (given.length > filterLimits.sorts) {
    faults.push({ code: 'too-many', detail: `A list is sorted by at most ${filterLimits.sorts} attributes.`, source })
    return defaultOrder(resource)
  }
  const sorts = given.flatMap(text => {
    const sort = readSort(resource, text)
    if (typeof sort !== 'string') return [sort]
    faults.push({ code: 'unknown-sort', detail: sort, source })
    return []
  })
  return sorts.length ? { sorts: total(resource, sorts), asked: true } : defaultOrder(resource)
}

function readSort(resource: Resource, text: string): Sort | string {
  const [, name = '', word = 'asc'] = /^\s*(\S+?)(?:\s+(asc|desc))?\s*$/i.exec(text) ?? []
  if (!name) return `"${text}" is not of the form "<attribute> asc" or "<attribute> desc".`
  const column = sortable(resource, name)
  if (!column) return `A list of ${resource.type} has no attribute "${name}".`
  if (column.kind === 'opaque') return `${name} is encrypted: nothing can be filtered or sorted by it.`
  if (!kinds[column.kind].ordered) return `${name} is an array or object: there is no order of these.`
  if (column.showOnly) return `${name} is shown on single records only: lists do not filter or sort by it.`
  return { name, column, direction: word.toLowerCase() as Direction }
}

const sortable = (resource: Resource, name: string): Column | undefined => {
  if (name === 'id') return { kind: 'id', sql: resource.id, describe: 'Its id.' }
  return Object.hasOwn(resource.columns, name) ? resource.columns[name] : undefined
}

function defaultOrder(resource: Resource): Order {
  const byDefault = resource.defaultSort ?? (resource.columns['created_at'] ? newestFirst : [])
  const sorts = byDefault.map(({ column, direction }) => ({
    name: column,
    column: sortable(resource, column)!,
    direction,
  }))
  return { sorts: total(resource, sorts), asked: false }
}

const newestFirst = [{ column: 'created_at', direction: 'desc' }] as const

/** Order from oldest to newest, for downloads. */
export function oldestFirst(resource: Resource): Order {
  const createdAt = resource.columns['created_at']
  if (createdAt && !createdAt.showOnly) {
    const sort: Sort = { name: 'created_at', column: createdAt, direction: 'asc' }
    return { sorts: total(resource, [sort]), asked: true }
  }
  const { sorts } = defaultOrder(resource)
  return { sorts: sorts[0]?.direction === 'desc' ? sorts.map(turned) : sorts, asked: true }
}

const turned = (sort: Sort): Sort => ({ ...sort, direction: sort.direction === 'asc' ? 'desc' : 'asc' })

export const isSameOrder = (some: readonly Sort[], others: readonly Sort[]): boolean =>
  some.length === others.length &&
  some.every(({ name, direction }, at) => name === others[at]!.name && direction === others[at]!.direction)

export const isTurnedOrder = (some: readonly Sort[], others: readonly Sort[]): boolean =>
  isSameOrder(some, others.map(turned))

/** Sorts rows in memory as PostgreSQL does: nulls as the greatest value, text bytewise. */
export const inSortedOrder = (sorts: readonly Sort[], rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => {
    for (const { name, direction, column } of sorts) {
      const found = compared(column.kind, a[name], b[name])
      if (found !== 0) return direction === 'asc' ? found : -found
    }
    return 0
  })

function compared(kind: Kind, a: unknown, b: unknown): number {
  const [noA, noB] = [a === null || a === undefined, b === null || b === undefined]
  if (noA || noB) return Number(noA) - Number(noB)
  if (kind === 'integer' || kind === 'number' || kind === 'boolean') return Number(a) - Number(b)
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

function total(resource: Resource, sorts: readonly Sort[]): Sort[] {
  const distinct = sorts.filter((sort, index) => sorts.findIndex(({ name }) => name === sort.name) === index)
  const byId = distinct.findIndex(({ name }) => name === 'id')
  // Columns behind the id do not affect the order.
  if (byId >= 0) return distinct.slice(0, byId + 1)
  const key = resource.key ?? { id: { kind: 'id', sql: resource.id, describe: 'Its id.' } }
  const direction = distinct[0]?.direction ?? 'desc'
  const ties = Object.entries(key).filter(([name]) => !distinct.some(sort => sort.name === name))
  return [...distinct, ...ties.map(([name, column]) => ({ name, column, direction }))]
}

/**
 * Content of ORDER BY. Nulls sort as PostgreSQL does by default, as the greatest value: anything else could not use an
 * index.
 */
export const orderBy = (sorts: readonly Sort[]): Sql =>
  join(
    sorts.map(({ column, direction }) => sql`${operand(column)} ${sql.raw(direction)}`),
    ', ',
  )

/** Order by the column names of a subselect. */
export const orderByNames = (sorts: readonly Sort[], of: string): Sql =>
  orderBy(sorts.map(sort => ({ ...sort, column: { ...sort.column, sql: sql.ref(`${of}.${sort.name}`) } })))

/**
 * The records after the one with these values, as ranges that follow one another: PostgreSQL reads each from an index
 * and stops at the limit. One nullable sort makes two ranges; the single condition that says the same is an OR, which
 * reads the whole table (29 ms against 0.5 ms on 100,000 rows).
 */
export function rangesAfter(sorts: readonly Sort[], values: readonly (string | null)[]): Sql<boolean>[] {
  const directions = new Set(sorts.map(sort => sort.direction))
  const nullable = sorts.some(sort => sort.column.nullable)
  if (directions.size === 1 && !nullable) return [rowAfter(sorts, values)]
  if (directions.size === 1 && sorts.length === 2) return rangesOfNullable(sorts as [Sort, Sort], values)
  // Steps of one change behind a given step, and then those of older changes: as one condition it would read every step
  // from the first one on for each page.
  if (!nullable) return casesAfter(sorts, values).toReversed()
  return [sql<boolean>`(${join(casesAfter(sorts, values), ' or ')})`]
}

/** Condition for records behind a position, if no index has the order. */
export const isBehind = (sorts: readonly Sort[], values: readonly (string | null)[]): Sql<boolean> =>
  sql<boolean>`(${join(rangesAfter(sorts, values), ' or ')})`

function rowAfter(sorts: readonly Sort[], values: readonly (string | null)[]): Sql<boolean> {
  const columns = sorts.map(sort => operand(sort.column))
  const bounds = sorts.map((sort, index) => typed(sort.column.kind, values[index] ?? null))
  return sql<boolean>`(${join(columns, ', ')}) ${beyond(sorts[0]!.direction)} (${join(bounds, ', ')})`
}

const beyond = (direction: Direction): Sql => sql.raw(direction === 'asc' ? '>' : '<')

function rangesOfNullable(sorts: readonly [Sort, Sort], values: readonly (string | null)[]): Sql<boolean>[] {
  const [{ column, direction }, id] = sorts
  const [value, idValue] = values as [string | null, string]
  const isNull = sql<boolean>`(${column.sql}) is null`
  const isNotNull = sql<boolean>`(${column.sql}) is not null`
  if (value !== null) {
    const rest = rowAfter(sorts, values)
    return direction === 'asc' ? [rest, isNull] : [rest]
  }
  const otherNulls = sql<boolean>`${isNull} and ${id.column.sql} ${beyond(direction)} ${typed('id', idValue)}`
  return direction === 'asc' ? [otherNulls] : [otherNulls, isNotNull]
}

/**
 * Conditions of the records beyond a position for any mixture of directions: equal in the first k parts and beyond in
 * the next, for each k from 0.
 */
function casesAfter(sorts: readonly Sort[], values: readonly (string | null)[]): Sql<boolean>[] {
  return sorts.map((sort, index) => {
    const before = sorts.slice(0, index).map((each, at) => same(each, values[at] ?? null))
    return sql<boolean>`(${join([...before, beyondValue(sort, values[index] ?? null)], ' and ')})`
  })
}

const same = ({ column }: Sort, value: string | null): Sql =>
  value === null ? sql`(${column.sql}) is null` : sql`${operand(column)} = ${typed(column.kind, value)}`

function beyondValue({ column, direction }: Sort, value: string | null): Sql {
  if (direction === 'asc') {
    if (value === null) return sql`false`
    const greater = sql`${operand(column)} > ${typed(column.kind, value)}`
    return column.nullable ? sql`(${greater} or (${column.sql}) is null)` : greater
  }
  if (value === null) return sql`(${column.sql}) is not null`
  return sql`${operand(column)} < ${typed(column.kind, value)}`
}
