import { compile, join, type Sql, sql } from '../db/sql.ts'
import type { IndexRanges, Position, Relationship, Resource, Row, Sort } from './resource.ts'
import { all, joinedFrom, selection } from './select.ts'
import type { Shape } from './shape.ts'
import { isBehind, orderBy, orderByNames, rangesAfter } from './sorts.ts'

interface RequestedPage {
  readonly resource: Resource
  readonly shape: Shape
  readonly sorts: readonly Sort[]
  readonly conditions: readonly Sql<boolean>[]
  /** Whether the sorts or the conditions use the resource's joins. */
  readonly joined: boolean
  readonly projects: FewProjects | undefined
  /** Whether an index without an order serves one of the conditions best. */
  readonly sought: boolean
  /** Ranges of that index, if it has an order of its own. */
  readonly ranges?: IndexRanges | undefined
  readonly rightsAfterSearch: RightsAfterSearch | undefined
  /**
   * Conditions on the records of the list for any caller, if the filters exclude few of them and an index has them in
   * the requested order.
   */
  readonly scanWindow: readonly Sql<boolean>[] | undefined
  readonly after: Position | undefined
  readonly size: number
}

/** Search whose matches do not depend on the caller, in an index that also contains what the rights depend on. */
export interface RightsAfterSearch {
  /** The conditions except the caller's rights. */
  readonly known: readonly Sql<boolean>[]
  /** Columns that a record's rights depend on. */
  readonly placed: Placed
  /** The caller's rights, over columns that contain those. */
  readonly visible: (placed: Placed) => Sql<boolean>
}

interface Placed {
  readonly projectId: Sql
  readonly path: Sql
}

/** Projects outside of which the caller may read no records. */
export interface FewProjects {
  readonly column: Sql
  /** Selects their ids. */
  readonly ids: Sql<{ id: string }>
}

type SearchRow = Row & { readonly found: number }

/** The statements of a page. */
export interface PageStatements {
  /** The records behind a position, or the first ones: one more than `size`, which shows whether there are more. */
  readonly first: Sql<Row>
  /**
   * Statements to try before `first`, one after the other: each finds all records that match, as long as these are few,
   * and sorts them. `found` of each row is the number of all matches; if it exceeds `maxSearchMatches` the result is
   * useless. A row without an id is no record.
   */
  readonly indexFirst?: readonly Sql<SearchRow>[]
  /** Statement to try before `first`: a full page is correct, any other result useless. */
  readonly windowFirst?: Sql<Row>
  /** Columns shown of the records that are kept, in no order; absent when `first` selects them. */
  readonly rest?: (ids: readonly string[]) => Sql<Row>
}

export function pageOf(asked: RequestedPage): PageStatements {
  return asked.sought || showsMore(asked) ? joinedPage(asked) : { first: plainPage(asked) }
}

/** Whether showing a record needs lookups: in joined tables, or by subselects. */
function showsMore({ resource, shape }: RequestedPage): boolean {
  if (Object.keys(resource.joins ?? {}).length) return true
  return !shape.attributesOnly && Object.values(resource.relationships ?? {}).some(isLookedUpInLists)
}

const isLookedUpInLists = (relationship: Relationship): boolean =>
  'sql' in relationship && relationship.kind === 'many' && !relationship.showOnly

/** Number of records that are found by trigrams and sorted in about ten milliseconds. */
export const maxSearchMatches = 5_000

function plainPage({ resource, shape, ...asked }: RequestedPage): Sql<Row> {
  return cut({ ...asked, columns: selection(resource, shape), from: resource.from })
}

/**
 * Selects the records first, then their lookups: 100 of a million take as long as 100 of 100. Two statements, because the
 * first is planned again for the values of its filters, and the second, of ten tables, only once.
 */
function joinedPage({ resource, shape, joined, ...asked }: RequestedPage): PageStatements {
  const sorted = asked.sorts.map(({ name, column }) => sql`${column.sql} as ${sql.raw(`"${name}"`)}`)
  const page = { ...asked, columns: join(sorted, ', '), from: joined ? joinedFrom(resource) : resource.from }
  return {
    first: cut(asked.ranges?.within ? { ...page, conditions: [...page.conditions, asked.ranges.within] } : page),
    ...(asked.sought && {
      indexFirst: [
        ...(asked.rightsAfterSearch ? [searchThenCheckRights(page, asked.rightsAfterSearch)] : []),
        searchThenSort(page),
      ],
    }),
    ...(asked.scanWindow && !joined && scanWindowFirst(page, asked.scanWindow)),
    rest: ids => sql<Row>`
      select ${selection(resource, shape)}
        from ${joinedFrom(resource)}
       where ${resource.id} = any((select ${ids}::uuid[])::uuid[])`,
  }
}

/**
 * Finds matches by an index, then sorts them. A search for a part of a name matches a few of a million records.
 * PostgreSQL would rather read all records in the requested order, expecting matches on the way; when all matches are
 * at the other end of that order it reads everything.
 */
function searchThenSort(cut: Cut): Sql<SearchRow> {
  const { sorts, size, conditions, ranges } = cut
  const matches = ranges ? searchRanges(cut, ranges) : searchMatches(cut, cut.columns, conditions)
  return sql<SearchRow>`
    with matches as materialized (${matches})
    select matches.*, (select count(*)::int from matches) as found
      from matches
     order by ${orderByNames(sorts, 'matches')}
     limit ${size + 1}`
}

/**
 * Finds matches for any caller by an index, then reads them in order, checking the caller's rights until the page is
 * full: for 2,500 names the index suffices, and a few hundred of their paths are compared with the rules. The inner
 * limit keeps PostgreSQL from checking rights before sorting.
 */
function searchThenCheckRights(cut: Cut, { known, placed, visible }: RightsAfterSearch): Sql<SearchRow> {
  const { sorts, size } = cut
  const columns = sql`${cut.columns}, ${placed.projectId} as "~project_id", ${placed.path} as "~path"`
  return sql<SearchRow>`
    with matches as materialized (${searchMatches(cut, columns, known)})
    select page.*, counted.found
      from (select count(*)::int as found from matches) counted
      left join lateral (
        select ordered.*
          from (select * from matches order by ${orderByNames(sorts, 'matches')} limit ${maxSearchMatches}) ordered
         where counted.found <= ${maxSearchMatches}
           and ${visible({ projectId: sql`ordered."~project_id"`, path: sql`ordered."~path"` })}
         order by ${orderByNames(sorts, 'ordered')}
         limit ${size + 1}
      ) page on true
     order by ${orderByNames(sorts, 'page')}`
}

function searchMatches({ from, sorts, after }: Cut, columns: Sql, conditions: readonly Sql<boolean>[]): Sql {
  const behind = after ? [isBehind(sorts, after)] : []
  return sql`
    select ${columns}
      from ${from}
     where ${all([...conditions, ...behind])}
     limit ${maxSearchMatches + 1}`
}

/**
 * Finds matches in the order of the index: without an order PostgreSQL reads the table from its beginning when it
 * expects many records, and those of a new project are all at its end.
 */
function searchRanges({ from, columns, sorts, conditions, after }: Cut, { order, ranges }: IndexRanges): Sql {
  const behind = after ? [isBehind(sorts, after)] : []
  const each = ranges.map(
    range => sql`
    (select ${columns}
       from ${from}
      where ${all([range, ...conditions, ...behind])}
      order by ${order}
      limit ${maxSearchMatches + 1})`,
  )
  return sql`select * from (${join(each, ' union all ')}) found limit ${maxSearchMatches + 1}`
}

/** Number of records that are read and checked in about fifty milliseconds, if the page needs as many. */
const scanWindowSize = 20_000

/**
 * Reads a window of the list in order and filters it. PostgreSQL has no statistics on filters like "does not contain":
 * it assumes that they exclude nearly all records, and reads and sorts a million where the first few hundred fill the
 * page.
 */
function scanWindowFirst(
  { columns, from, size, sorts, conditions, projects, after }: Cut,
  near: readonly Sql<boolean>[],
): Pick<PageStatements, 'windowFirst'> {
  const [, alias] = /^\w+ (\w+)$/.exec(compile(from).text) ?? []
  const [range = sql<boolean>`true`, another] = after ? rangesAfter(sorts, after) : []
  if (!alias || projects || another || size >= scanWindowSize) return {}
  const nearest = sql`
    select ${sql.raw(alias)}.*
      from ${from}
     where ${all([...near, range])}
     order by ${orderBy(sorts)}
     limit ${scanWindowSize}`
  return {
    windowFirst: sql<Row>`
      select ${columns}
        from (${nearest}) ${sql.raw(alias)}
       where ${all(conditions)}
       order by ${orderBy(sorts)}
       limit ${size + 1}`,
  }
}

interface Cut extends Pick<RequestedPage, 'sorts' | 'conditions' | 'projects' | 'after' | 'size' | 'ranges'> {
  readonly columns: Sql
  readonly from: Sql
}

/**
 * Combines the first records of each of the few projects that the caller sees, and takes the first of these. Read
 * together by time, their records may all be behind a million others; read by project, a large project is sorted whole.
 */
function cut({ projects, ...asked }: Cut): Sql<Row> {
  if (!projects) return ranges(asked)
  const ofProject = { ...asked, conditions: [...asked.conditions, sql<boolean>`${projects.column} = readable.id`] }
  return sql<Row>`
    select page.*
      from (${projects.ids}) readable
     cross join lateral (${ranges(ofProject)}) page
     order by ${orderByNames(asked.sorts, 'page')}
     limit ${asked.size + 1}`
}

function ranges({ columns, from, size, sorts, conditions, after }: Omit<Cut, 'projects' | 'ranges'>): Sql<Row> {
  const limit = sql`${size + 1}`
  const select = (range: readonly Sql<boolean>[]) => sql<Row>`
    select ${columns}
      from ${from}
     where ${all([...conditions, ...range])}
     order by ${orderBy(sorts)}
     limit ${limit}`
  const behind = after ? rangesAfter(sorts, after) : []
  if (behind.length < 2) return select(behind)
  return sql<Row>`
    select * from (${join(
      behind.map(range => sql`(${select([range])})`),
      ' union all ',
    )}) page
     order by ${orderByNames(sorts, 'page')}
     limit ${limit}`
}
