import type { Actor } from '../actor.ts'
import type { Keyring } from '../crypto/index.ts'
import type { Queries } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { Failure, type Fault } from '../failure.ts'
import { type CountRow, countsBy, readCountBy } from './counts.ts'
import { fingerprintOf, readCursor, writeCursor } from './cursor.ts'
import { readFilters } from './filters.ts'
import { asText } from './kinds.ts'
import { type FewProjects, type PageStatements, pageOf, type RightsAfterSearch } from './page-query.ts'
import { readParameters } from './parameters.ts'
import type { Query } from './query-string.ts'
import { type Registry, within } from './registry.ts'
import type { ListRoute, Page, PageSought, ParentRow, Position, Resource, Row, Sort, TextPage } from './resource.ts'
import { all, joinedFrom, readable, shownTo } from './select.ts'
import { readShape, type Shape, without } from './shape.ts'
import { isBehind, type Order, oldestFirst, readOrder } from './sorts.ts'

export interface ListRequest {
  readonly registry: Registry
  readonly keyring: Pick<Keyring, 'mac'>
  readonly actor: Actor
  /** The requested path, which cursors are bound to. */
  readonly path: string
  readonly query: Query
}

/** A requested list, completely checked: all faults of a query are reported before any of it reaches SQL. */
export interface ListQuery extends InOrder {
  readonly shape: Shape
  readonly limit: number
  /** Whether the caller gave a limit: a download without one has no limit. */
  readonly limited: boolean
  /** The page is fetched newest first and shown oldest first. */
  readonly turned: boolean
  readonly download: string | undefined
  /** Maximum record count; one more is counted, to know whether the count is exact. Absent unless requested. */
  readonly countUpTo: number | undefined
  /** Counts records by the values of an attribute, at most `countLimit` and one more. Absent unless requested. */
  readonly countsBy?: (parent: ParentRow) => Sql<CountRow>
  readonly after: Position | undefined
  readonly cursorOf: (row: Row) => string
  /** Records of the list oldest first, for a download. */
  readonly oldestFirst: InOrder
}

/** The records of a list in one order. */
export interface InOrder {
  readonly sorts: readonly Sort[]
  /** The page behind a position, or the first page; one record more than `size`, which shows whether there are more. */
  readonly page: (parent: ParentRow, after: Position | undefined, size: number) => PageStatements
  /** Page with only the position of each record in this order. */
  readonly places: InOrder['page']
  /** Counts all records, or those behind a position, up to `most`. */
  readonly count: (parent: ParentRow, behind: Position | undefined, most: number) => Sql<{ count: number }>
  readonly positionOf: (row: Row) => Position
  /** Reads a page if the resource has a way of its own. */
  readonly read?: (
    parent: ParentRow,
    from: { after: Position | undefined; size: number },
    queries: Queries,
  ) => Promise<Page> | undefined
  /** Reads the next lines of its plain-text form without SQL of single records, if its resource can. */
  readonly readText?: (
    parent: ParentRow,
    after: Position | undefined,
    queries: Queries,
  ) => Promise<TextPage> | undefined
}

/** Parent of lists without one: the installation. */
export const noParent: ParentRow = { id: '', path: '/', project_id: null }

/** Maximum number of records that a list counts. */
export const countLimit = 10_000

/**
 * The grammar of lists, and the only place where a query string becomes SQL. Pure: values in, statements out. No text
 * of a query becomes text of SQL: names are looked up, values are parameters.
 *
 * @throws Failure with all faults of the query
 */
export function listQuery(resource: Resource, route: ListRoute, request: ListRequest): ListQuery {
  const { actor, registry, keyring } = request
  const faults: Fault[] = []
  const shows = route.plain ? 'plain list' : 'list'
  const query = readParameters(request.query, { shows, own: route.parameters ?? {} }, faults)
  const records = without(
    resource,
    route.without?.(query) ?? [],
    readShape(within(registry, resource), resource, false, query, faults),
  )
  const filters = readFilters(resource, query, actor, faults)
  const asked = readOrder(resource, query, faults)
  const download = readDownload(query['download'], faults)
  const shape = download === undefined ? records : { ...records, attributesOnly: true }
  // A download with a limit has the records of the list with that limit; without one it reads all records.
  const limited = query['limit'] !== undefined
  const order = download === undefined || limited ? asked : oldestFirst(resource)
  const countBy = readCountBy(resource, query['count_by'], faults)
  const limit = readLimit(resource, query['limit'], faults)
  const fingerprint = fingerprintOf(request.path, query, order.sorts)
  const after = readAfter(keyring, fingerprint, query['page[after]'], faults)
  if (faults.length) throw new Failure(faults as [Fault, ...Fault[]])

  const scoped = (parent: ParentRow): Sql<boolean>[] => (route.scope ? [route.scope(parent, query)] : [])
  const unfiltered = (parent: ParentRow) => [...readable(resource, actor), ...scoped(parent)]
  const existing = (parent: ParentRow) => [...(resource.where ? [resource.where] : []), ...scoped(parent)]
  const where = (parent: ParentRow) => [...unfiltered(parent), ...(filters ? [filters.condition] : [])]
  const from = filters?.joined ? joinedFrom(resource) : resource.from
  const { readPage, readText } = resource
  const inOrder = ({ sorts, asked: bySort }: Order): InOrder => {
    const positionOf = (row: Row) => sorts.map(({ name }) => asText(row[name]))
    const pageSought = (parent: ParentRow, after: Position | undefined, size: number): PageSought => {
      const inFewProjects = !route.parent && actor.rights.anywhere === false ? actor.rights : undefined
      return { sorts, after, size, among: unfiltered(parent), filters: filters ? filters.parts : [], inFewProjects }
    }
    const pageShowing = (shown: Resource) => (parent: ParentRow, behind: Position | undefined, size: number) => {
      const joined = filters?.joined || sorts.some(({ column }) => column.joined)
      const page = pageSought(parent, behind, size)
      const projects = route.parent ? undefined : projectsOf(resource, actor)
      const filtered = filters ? [filters.condition] : []
      const conditions = [...where(parent), ...(resource.within?.(page) ?? [])]
      const scansWindow = !bySort && filters?.parts?.some(part => part.broad)
      const byTrigrams = !route.parent && !projects && (filters?.parts?.some(part => part.byTrigrams) ?? false)
      const ranges = filters?.parts?.find(part => part.sought)?.sought
      const begins = byTrigrams && actor.rights.anywhere && filters?.parts?.some(part => part.byBeginning)
      return pageOf({
        resource: shown,
        shape,
        sorts,
        conditions,
        joined,
        projects,
        sought: byTrigrams || ranges !== undefined,
        ranges,
        rightsAfterSearch: begins ? rightsAfterSearch(resource, actor, [...existing(parent), ...filtered]) : undefined,
        scanWindow: scansWindow ? existing(parent) : undefined,
        after: behind,
        size,
      })
    }
    return {
      sorts,
      positionOf,
      ...(readPage && {
        read: (parent, from, queries) => readPage(pageSought(parent, from.after, from.size), queries),
      }),
      ...(readText && {
        readText: (parent, after, queries) => readText(pageSought(parent, after, 0), queries),
      }),
      page: pageShowing(shownTo(resource, actor)),
      places: pageShowing(onlyPlaces(resource, sorts)),
      count: (parent, behind, most) => {
        const conditions = [...where(parent), ...(behind ? [isBehind(sorts, behind)] : [])]
        return sql<{ count: number }>`
          select count(*)::int as count
            from (select 1 from ${from} where ${all(conditions)} limit ${most}) counted`
      },
    }
  }
  const own = inOrder(order)
  return {
    ...own,
    shape,
    limit,
    limited,
    turned: turns(resource, order),
    download,
    countUpTo: query['total'] === 'true' ? countLimit : undefined,
    ...(countBy && {
      countsBy: parent => {
        const counted = countBy.column.joined ? joinedFrom(resource) : from
        return countsBy(countBy, counted, where(parent), countLimit + 1)
      },
    }),
    after,
    cursorOf: row => writeCursor(keyring, fingerprint, own.positionOf(row)),
    oldestFirst: inOrder(oldestFirst(resource)),
  }
}

/** The resource with only its position in an order selected. */
const onlyPlaces = (
  { extra: _, rowVersion: __, relationships: ___, ...resource }: Resource,
  sorts: readonly Sort[],
) => ({
  ...resource,
  columns: Object.fromEntries(sorts.flatMap(({ name, column }) => (name === 'id' ? [] : [[name, column]]))),
})

/** Projects of a list for a caller with few; a list under a record is in one project. */
function projectsOf({ rights }: Resource, actor: Actor): FewProjects | undefined {
  const { projects: ids } = actor.rights
  return 'projectId' in rights && ids ? { column: rights.projectId, ids } : undefined
}

function rightsAfterSearch(
  { rights }: Resource,
  actor: Actor,
  known: readonly Sql<boolean>[],
): RightsAfterSearch | undefined {
  if (!('projectId' in rights)) return undefined
  return { known, placed: rights, visible: record => actor.rights.visible(record) }
}

const turns = (resource: Resource, order: Order): boolean => resource.order === 'newest last' && !order.asked

const defaultLimit = { default: 100, maximum: 10_000 }

function readLimit(resource: Resource, text: string | string[] | undefined, faults: Fault[]): number {
  const limit = resource.limit ?? defaultLimit
  if (text === undefined) return limit.default
  if (typeof text === 'string' && /^\d+$/.test(text) && Number(text) >= 1) return Math.min(Number(text), limit.maximum)
  const detail = `limit is an integer from 1 to ${limit.maximum}.`
  faults.push({ code: 'wrong-limit', detail, source: { parameter: 'limit' } })
  return limit.default
}

function readDownload(text: string | string[] | undefined, faults: Fault[]): string | undefined {
  if (text === undefined || (typeof text === 'string' && text !== '')) return text
  const detail = 'download is the name of the file.'
  faults.push({ code: 'wrong-kind', detail, source: { parameter: 'download' } })
  return undefined
}

function readAfter(
  keyring: Pick<Keyring, 'mac'>,
  fingerprint: string,
  text: string | string[] | undefined,
  faults: Fault[],
): Position | undefined {
  if (text === undefined) return undefined
  const position = typeof text === 'string' ? readCursor(keyring, fingerprint, text) : undefined
  if (!position) {
    const detail = 'page[after] was not made for this path, order and filters. Follow links.next as it is.'
    faults.push({ code: 'wrong-cursor', detail, source: { parameter: 'page[after]' } })
  }
  return position
}
