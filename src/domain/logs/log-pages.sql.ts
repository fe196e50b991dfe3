import { type Sql, sql } from '#platform/db/sql.ts'
import type { FilterPart, PageSought } from '#platform/jsonapi/resource.ts'
import { all } from '#platform/jsonapi/select.ts'

/** Bounds of a chunk's lines known without decoding it, by the attribute that they are sorted by. */
const edges: Readonly<Record<string, Edges>> = {
  logged_at: {
    low: sql`l.first_at`,
    high: sql`l.last_at`,
    atMost: sql`l.last_at`,
    typed: value => sql`${value}::timestamptz`,
    ends: { asc: sql`'infinity'::timestamptz`, desc: sql`'-infinity'::timestamptz` },
  },
  sequence: {
    low: sql`l.first_seq`,
    high: sql`l.first_seq + l.line_count - 1`,
    // A chunk has at most 1,000 lines, and lines do not say how many their chunk has.
    atMost: sql`l.first_seq + 999`,
    typed: value => sql`${value}::bigint`,
    ends: { asc: sql`9223372036854775807`, desc: sql`0` },
  },
}

interface Edges {
  readonly low: Sql
  readonly high: Sql
  /** Upper bound no less than `high`, as an expression on columns of the chunk. */
  readonly atMost: Sql
  readonly typed: (value: string) => Sql
  readonly ends: { asc: Sql; desc: Sql }
}

/**
 * Attributes that are the same for all lines of a chunk; and the column of those that are an id, which has an index.
 */
const ofChunks: Readonly<Record<string, Sql | undefined>> = {
  attempt: undefined,
  step_id: sql`l.step_id`,
  workflow_step_id: sql`l.step_id`,
  change_id: sql`l.activity_id`,
  workflow_run_id: sql`l.activity_id`,
}

/** Whether the filter holds for all lines of a chunk or for none. */
export const isOfWholeChunks = ({ compares }: FilterPart): boolean =>
  compares !== undefined && Object.hasOwn(ofChunks, compares.attribute)

/** Whether the filter holds only for lines of one step or one activity, which an index finds. */
export const isOfOneActivity = ({ compares }: FilterPart): boolean =>
  compares?.predicate === 'eq' && ofChunks[compares.attribute] !== undefined

/**
 * Conditions on the chunks that can contain lines of a page: not before its position, not outside of the requested
 * ranges of the attributes above, and not behind the chunks after the position that fill the page. A page of a log of a
 * million lines decodes a few chunks; decoding all of them took longer than a list may.
 */
export function chunksOfPage({ sorts, after, size, among, filters }: PageSought): Sql<boolean>[] {
  const bounds = (filters ?? []).map(boundsOf)
  const touched = bounds.flatMap(each => each?.touched ?? [])
  const [first] = sorts
  const by = first && edges[first.name]
  if (!by) return touched
  const ascending = first.direction === 'asc'
  const position = after?.[0] ?? undefined
  const from = position === undefined ? undefined : by.typed(position)
  const [near, far] = ascending ? [by.atMost, by.low] : [by.low, by.atMost]
  const [reaches, within] = ascending ? [sql`>=`, sql`<=`] : [sql`<=`, sql`>=`]
  if (from) touched.push(sql<boolean>`${near} ${reaches} ${from}`)
  const inside = bounds.flatMap(each => each?.inside ?? [])
  // For lines filtered by their text, the number of chunks for a page is unknown.
  if (!filters || inside.length < filters.length) return touched
  const edge = edgeOfPage(by, first.direction, from, size, [...among, ...inside])
  return [...touched, sql<boolean>`${far} ${within} coalesce(${edge}, ${by.ends[first.direction]})`]
}

/** `touched`: true for every chunk that has a matching line; `inside`: true only for chunks that have no other. */
function boundsOf({ condition, compares }: FilterPart): { touched: Sql<boolean>[]; inside?: Sql<boolean> } | undefined {
  if (!compares) return undefined
  if (Object.hasOwn(ofChunks, compares.attribute)) {
    const id = compares.predicate === 'eq' ? ofChunks[compares.attribute] : undefined
    return { touched: id ? [sql`${id} = ${compares.value as string}::uuid`] : [], inside: condition }
  }
  const by = edges[compares.attribute]
  if (!by || typeof compares.value !== 'string') return undefined
  return comparisons[compares.predicate]?.(by, by.typed(compares.value))
}

const comparisons: Readonly<Record<string, (by: Edges, value: Sql) => ReturnType<typeof boundsOf>>> = {
  gt: (by, value) => ({ touched: [sql`${by.atMost} > ${value}`], inside: sql`${by.low} > ${value}` }),
  gteq: (by, value) => ({ touched: [sql`${by.atMost} >= ${value}`], inside: sql`${by.low} >= ${value}` }),
  lt: (by, value) => ({ touched: [sql`${by.low} < ${value}`], inside: sql`${by.high} < ${value}` }),
  lteq: (by, value) => ({ touched: [sql`${by.low} <= ${value}`], inside: sql`${by.high} <= ${value}` }),
  eq: (by, value) => ({ touched: [sql`${by.low} <= ${value}`, sql`${by.atMost} >= ${value}`] }),
}

/**
 * Position at which chunks wholly beyond the page's position have filled the page; null if all of them together do not.
 */
function edgeOfPage(
  by: Edges,
  direction: 'asc' | 'desc',
  from: Sql | undefined,
  size: number,
  among: readonly Sql<boolean>[],
): Sql {
  const ascending = direction === 'asc'
  const [start, end] = ascending ? [by.low, by.high] : [by.high, by.low]
  const beyond = from ? sql`and ${start} ${ascending ? sql`>` : sql`<`} ${from}` : sql``
  const order = sql.raw(direction)
  return sql`(
    select edge
      from (select edge, sum(line_count) over (order by edge ${order} rows unbounded preceding) as lines
              from (select ${end} as edge, l.line_count
                      from log_chunks l
                      join activities a on a.id = l.activity_id
                     where ${all(among)} ${beyond}
                     order by ${by.low} ${order}
                     limit ${size + 1}) chunks) filled
     where lines > ${size}
     order by edge ${order}
     limit 1)`
}
