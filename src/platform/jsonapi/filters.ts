import type { Actor } from '../actor.ts'
import { join, type Sql, sql } from '../db/sql.ts'
import { Failure, type Fault } from '../failure.ts'
import { kinds, truth } from './kinds.ts'
import { predicate, predicates, splitFilterName } from './predicates.ts'
import type { Query } from './query-string.ts'
import type { Column, FilterPart, Resource } from './resource.ts'
import { beginningOf } from './text-patterns.ts'
import { plusHint } from './times.ts'
import { type Attributes, filteredValue } from './values-in-memory.ts'

export const filterLimits = { filters: 32, values: 1000, sorts: 8 } as const

/**
 * Limits on the texts that a list searches for: each is compared with every record examined, so their number and length
 * determine the work per record.
 */
const searchLimits = {
  /** Maximum number of characters of one text or pattern. */
  length: 2_000,
  /** Maximum number of texts in all filters of a list. */
  texts: 1_000,
  /** Maximum number of characters of all these texts. */
  characters: 100_000,
} as const

export interface Filters {
  readonly condition: Sql<boolean>
  /** Whether it uses the resource's joins. */
  readonly joined: boolean
  /** Parts of the condition, all of which hold; absent if filters are combined by *or*. */
  readonly parts?: readonly FilterPart[] | undefined
  /** Evaluates the condition in memory; absent if it contains a named filter, which only SQL can evaluate. */
  readonly holds?: ((record: Attributes) => boolean) | undefined
}

/**
 * Whether a record passes the filters of a list, with the result of their SQL condition. Pure; for live streams of lists.
 *
 * @param record its attributes as lists show them, with its `id`
 * @throws Error if the filters contain a named one, which only the database can answer
 */
export function matches(record: Attributes, filters: Filters | undefined): boolean {
  if (!filters) return true
  if (!filters.holds) throw new Error('a named filter cannot be evaluated in memory')
  return filters.holds(record)
}

/**
 * The condition of `filter[…]`, or undefined without filters. Filters combine by *and*, or by *or* with `filter[m]=or`;
 * the caller's rights and the path of the list never join that *or*.
 */
export function readFilters(resource: Resource, query: Query, actor: Actor, faults: Fault[]): Filters | undefined {
  const filters = Object.entries(query).flatMap(([parameter, value]) => {
    const name = /^filter\[(.*)\]$/s.exec(parameter)?.[1]
    return name === undefined || name === 'm' || name === 'sorts' ? [] : [{ parameter, name, value }]
  })
  if (filters.length > filterLimits.filters) {
    faults.push({ code: 'too-many', detail: `A list takes at most ${filterLimits.filters} filters.` })
    return undefined
  }
  const any = combination(query['filter[m]'], faults) === 'or'
  const read = filters.flatMap(filter => {
    const found = readFilter(resource, filter, actor)
    if (!Array.isArray(found)) return [found]
    faults.push(...found.map(fault => ({ source: { parameter: filter.parameter }, ...fault })))
    return []
  })
  if (!read.length) return undefined
  const tooMuch = beyondSearch(read)
  if (tooMuch) {
    faults.push(tooMuch)
    return undefined
  }
  const conditions = read.map(each => sql`(${each.condition})`)
  return {
    condition: sql<boolean>`(${join(conditions, any ? ' or ' : ' and ')})`,
    joined: read.some(each => each.joined),
    parts: any ? undefined : read,
    holds: inMemory(read, any),
  }
}

function inMemory(parts: readonly FilterPart[], any: boolean): Filters['holds'] {
  const tests = parts.flatMap(({ holds }) => holds ?? [])
  if (tests.length < parts.length) return undefined
  return record => (any ? tests.some(holds => holds(record)) : tests.every(holds => holds(record)))
}

/** Fault when the search texts of all filters together exceed the limits of a list. */
function beyondSearch(parts: readonly FilterPart[]): Fault | undefined {
  const texts = parts.flatMap(({ searches }) => searches ?? [])
  if (texts.length > searchLimits.texts) {
    const detail = `A list looks for at most ${searchLimits.texts} texts in all of its filters, not ${texts.length}: ask several times.`
    return { code: 'too-many', detail }
  }
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  if (characters <= searchLimits.characters) return undefined
  const detail = `The texts that a list looks for have at most ${searchLimits.characters} characters together, not ${characters}.`
  return { code: 'too-many', detail }
}

function combination(value: string | string[] | undefined, faults: Fault[]): 'and' | 'or' {
  if (value === undefined || value === 'and' || value === 'or') return value ?? 'and'
  const source = { parameter: 'filter[m]' }
  faults.push({ code: 'wrong-kind', detail: 'filter[m] is "and" or "or".', source })
  return 'and'
}

interface Filter {
  readonly name: string
  readonly value: string | string[]
}

function readFilter(
  resource: Resource,
  { name, value }: Filter,
  actor: Actor,
): (FilterPart & { joined: boolean }) | Fault[] {
  const named = Object.hasOwn(resource.named ?? {}, name) ? resource.named?.[name] : undefined
  if (named) {
    const make = () => ({ condition: named.sql(String(value), actor), sought: named.sought?.(String(value)) })
    return namedCondition(make, name, value)
  }

  const parts = splitFilterName(name)
  const column = parts && attribute(resource, parts.attribute)
  if (!parts || !column) return [{ code: 'unknown-filter', detail: unknownFilter(resource, name, parts) }]
  if (column.kind === 'opaque' || column.showOnly)
    return [{ code: 'attribute-not-filterable', detail: why(column, parts.attribute) }]

  const rule = predicate(parts.predicate)
  if (!rule.kinds.includes(column.kind)) {
    const detail = `${parts.attribute} is ${kinds[column.kind].means}; ${parts.predicate} does not apply to that.`
    return [{ code: 'wrong-kind', detail }]
  }
  const values = readValues(parts, column, rule.takes, value)
  if (Array.isArray(values) && isFaults(values)) return values
  const compares = { ...parts, value: values as string | string[] }
  const searches = /^texts?$/.test(rule.takes) && column.kind !== 'json' ? [compares.value].flat() : undefined
  const long = searches && tooLong(parts.predicate, searches)
  if (long) return long
  const byTrigrams = column.trigrams === true && ofTrigrams.has(parts.predicate) && hasTrigram(compares.value)
  const broad = /^(not|does_not)_/.test(parts.predicate)
  const condition = rule.sql(column, compares.value)
  const isEquality = comparesEqual.test(parts.predicate)
  return {
    condition,
    compares,
    searches,
    joined: column.joined ?? false,
    byTrigrams,
    sought:
      column.beginnings && parts.predicate === 'start'
        ? { order: beginningOf(column), ranges: [condition] }
        : undefined,
    byBeginning: byTrigrams && parts.predicate === 'start',
    broad,
    holds: record => rule.holds(column, filteredValue(column, parts.attribute, record, isEquality), compares.value),
  }
}

/** Predicates that compare whole values by equality. */
const comparesEqual = /^(not_)?(eq|in)(_any|_all)?$/

/** The predicates that an index of trigrams or of beginnings serves. */
export const ofTrigrams: ReadonlySet<string> = new Set(['start', 'end', 'cont', 'i_cont', 'matches'])

/** Whether a text has three letters or digits in a row, not counting escapes of a pattern between them. */
const hasTrigram = (value: string | string[]): boolean => /[\p{L}\p{N}]{3}/u.test(String(value))

/**
 * The column of an attribute known to lists: `id`, a column of the resource, or one that it derives from other names.
 */
function attribute(resource: Resource, name: string): Column | undefined {
  if (name === 'id') return { kind: 'id', sql: resource.id, describe: 'Its id.' }
  return Object.hasOwn(resource.columns, name) ? resource.columns[name] : resource.dynamic?.(name)
}

function namedCondition(
  make: () => Pick<FilterPart, 'condition' | 'sought'>,
  name: string,
  value: string | string[],
): (FilterPart & { joined: boolean }) | Fault[] {
  if (Array.isArray(value)) return [{ code: 'wrong-kind', detail: `The filter ${name} takes one value.` }]
  try {
    return { ...make(), joined: false }
  } catch (error) {
    if (error instanceof Failure) return [...error.faults]
    throw error
  }
}

/** The text of each value in the form that PostgreSQL reads, or the fault of the values. */
function readValues(
  parts: { attribute: string; predicate: string },
  column: Column,
  takes: 'one' | 'many' | 'text' | 'texts' | 'switch',
  value: string | string[],
): string | string[] | Fault[] {
  if (takes === 'many' || takes === 'texts') {
    const values = [value].flat()
    // Only filters in a body can have an empty list; `not_in` of an empty list would select every record.
    if (values.length === 0) return [{ code: 'wrong-kind', detail: `${parts.predicate} takes at least one value.` }]
    if (values.length > filterLimits.values) {
      return [{ code: 'too-many', detail: `${parts.predicate} takes at most ${filterLimits.values} values.` }]
    }
    if (takes === 'texts') return values
    const read = values.map(each => readValue(column, parts.predicate, each))
    const wrong = values.filter((_, index) => read[index] === undefined)
    return wrong.length ? wrong.map(each => notThat(parts.attribute, column, each)) : (read as string[])
  }
  if (Array.isArray(value)) {
    return [
      {
        code: 'wrong-kind',
        detail: `${parts.predicate} takes one value; a list is for in, not_in and what ends in _any or _all.`,
      },
    ]
  }
  if (takes === 'text') return value
  if (takes === 'switch') {
    const on = truth(value)
    return on === undefined ? [{ code: 'wrong-kind', detail: `${parts.predicate} is 1 or 0.` }] : String(on)
  }
  return readValue(column, parts.predicate, value) ?? [notThat(parts.attribute, column, value)]
}

function tooLong(predicate: string, texts: readonly string[]): Fault[] | undefined {
  const long = texts.find(({ length }) => length > searchLimits.length)
  if (long === undefined) return undefined
  const detail = `${predicate} takes texts of at most ${searchLimits.length} characters; one of them has ${long.length}.`
  return [{ code: 'too-many', detail }]
}

/**
 * Reads a filter value. An unknown value of an enumeration is refused: with a mistyped status the list would look
 * empty. Predicates that only compare take any text.
 */
function readValue(column: Column, predicate: string, text: string): string | undefined {
  const settled = column.values && comparesEqual.test(predicate)
  return settled && !column.values.includes(text) ? undefined : kinds[column.kind].read(text)
}

const isFaults = (values: readonly (string | Fault)[]): values is Fault[] => typeof values[0] === 'object'

const notThat = (name: string, column: Column, value: string): Fault => ({
  code: 'wrong-kind',
  detail: `${name} is ${meansOf(column)}; ${JSON.stringify(value.slice(0, 100))} is not.${column.kind === 'time' ? plusHint(value) : ''}`,
})

const meansOf = ({ kind, values }: Column): string =>
  values ? `one of ${values.join(', ')}` : `compared with ${kinds[kind].means}`

function unknownFilter(resource: Resource, name: string, parts: { attribute: string } | undefined): string {
  const known = Object.keys(resource.named ?? {})
  const also = known.length ? ` Named filters: ${known.join(', ')}.` : ''
  if (parts) return `A list of ${resource.type} has no attribute "${parts.attribute}".${also}`
  return `"${name}" does not end in a predicate (${Object.keys(predicates).join(', ')}).${also}`
}

const why = (column: Column, name: string): string =>
  column.kind === 'opaque'
    ? `${name} is encrypted: nothing can be filtered or sorted by it.`
    : `${name} is shown on single records only: lists do not filter or sort by it.`
