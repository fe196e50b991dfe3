import type { Queries } from '../db/database.ts'
import { compile, type Sql, sql } from '../db/sql.ts'
import { failure } from '../failure.ts'
import { ofTrigrams } from './filters.ts'
import { noParent } from './list-query.ts'
import { splitFilterName } from './predicates.ts'
import type { Query } from './query-string.ts'
import type { ListRoute, Resource } from './resource.ts'

const milliseconds = 5_000

/**
 * Options of transactions for lists: read-only, with a deadline for all statements together, whatever PostgreSQL is
 * busy with. A list that takes longer needs another filter.
 */
export const listTransaction = {
  statementTimeout: milliseconds,
  deadline: milliseconds,
  readOnly: true,
} as const

/** SQLSTATE of a statement that PostgreSQL has cancelled at its timeout. */
const ended = '57014'

/** Predicates that an index serves by a range, or value by value. */
const ofIndexes = /^(eq|in|lt|lteq|gt|gteq)(_any)?$/

interface Asked {
  readonly resource: Resource
  readonly route: ListRoute
  readonly query: Query
  readonly database: Queries
  readonly unshared?: Queries
}

/**
 * Reads a list. If that takes too long, the failure names the filters and sorts of the query that no index serves, and
 * the attributes of this list that one does.
 *
 * @throws Failure `query-too-slow` with meta {indexed, unserved}
 */
export async function advised<Answer>(asked: Asked, read: () => Promise<Answer>): Promise<Answer> {
  try {
    return await read()
  } catch (error) {
    if ((error as { code?: string }).code !== ended) throw error
    const indexed = await indexedAttributes(asked)
    const unserved = unservedParts(asked, new Set(indexed))
    const seconds = listTransaction.statementTimeout / 1_000
    const detail = [
      `The query took longer than its ${seconds} s.`,
      ...(unserved.length ? [`No index serves ${unserved.join(', ')}.`] : []),
      `Narrow it by eq, in, lt, lteq, gt or gteq on one of ${indexed.join(', ')}, or sort by one of these.`,
    ]
    throw failure('query-too-slow', detail.join(' '), { meta: { indexed, unserved } })
  }
}

function unservedParts({ query, resource }: Asked, indexed: ReadonlySet<string>): string[] {
  const filters = Object.keys(query).flatMap(parameter => {
    const name = /^filter\[(.*)\]$/s.exec(parameter)?.[1] ?? ''
    const parts = splitFilterName(name)
    if (!parts || name === 'sorts') return []
    const column = resource.columns[parts.attribute]
    if (column?.trigrams && ofTrigrams.has(parts.predicate)) return []
    if (column?.beginnings && parts.predicate === 'start') return []
    return indexed.has(parts.attribute) && ofIndexes.test(parts.predicate) ? [] : [name]
  })
  const sorts = [query['filter[sorts]'] ?? []].flat().map(each => each.trim().split(/\s/)[0] ?? '')
  return [...filters, ...sorts.filter(name => !indexed.has(name)).map(name => `the order by ${name}`)]
}

const textOf = (fragment: Sql | undefined): string => (fragment ? compile(fragment).text.replaceAll('"', '') : '')

/** The attributes of this list that an index finds or sorts, including `id`. */
async function indexedAttributes({ resource, route, query, database, unshared = database }: Asked): Promise<string[]> {
  const from = textOf(resource.from)
  const aliases = new Map(
    [...from.matchAll(/(?:^\s*|\bjoin\s+)(\w+)\s+(\w+)/g)].map(([, table = '', alias = '']) => [alias, table]),
  )
  // Conditions that hold for each record of the list: an index that begins with their columns is as good as one without
  // these.
  const holds = `${textOf(resource.where)} ${textOf(route.scope?.(noParent, query))}`.toLowerCase()
  const keys = await unshared.rows(sql<{ table: string; columns: (string | null)[]; only: string | null }>`
    select c.relname as "table", pg_get_expr(i.indpred, i.indrelid) as only,
           array(select a.attname::text
                   from unnest(i.indkey::int2[]) with ordinality as k (number, at)
                   left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number and k.number > 0
                  order by k.at) as columns
      from pg_index i
      join pg_class c on c.oid = i.indrelid
      join pg_class own on own.oid = i.indexrelid
      join pg_am m on m.oid = own.relam and m.amname = 'btree'
     where c.relnamespace = 'public'::regnamespace and c.relname = any (${[...new Set(aliases.values())]}::text[])`)
  const fixed = (table: string, column: string) =>
    [...aliases].some(([alias, each]) => each === table && holds.includes(`${alias}.${column} = `))
  const found = new Set<string>()
  for (const { table, columns, only } of keys) {
    if (only !== null && !holds.includes(only.replace(/^\(|\)$/g, '').toLowerCase())) continue
    const first = columns.find(column => column === null || !fixed(table, column))
    if (first) found.add(`${table}.${first}`)
  }
  const named = Object.entries(resource.columns).filter(([, column]) => {
    const [, alias = '', name = ''] = /^(\w+)\.(\w+)$/.exec(textOf(column.sql)) ?? []
    return !column.showOnly && column.kind !== 'opaque' && found.has(`${aliases.get(alias)}.${name}`)
  })
  return [...named.map(([name]) => name), 'id']
}
