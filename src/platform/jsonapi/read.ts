import type { Actor } from '../actor.ts'
import type { Keyring } from '../crypto/index.ts'
import type { Database, Queries, Tx } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { Failure, type Fault, missing } from '../failure.ts'
import { requireRights } from '../required-rights.ts'
import { countsOf } from './counts.ts'
import { csvColumns, csvLine } from './csv.ts'
import {
  attributesOf,
  type Document,
  isShown,
  plainValue,
  type ResourceObject,
  readAdditions,
  recordsOf,
  showRows,
  wantedColumns,
} from './document.ts'
import { bytesOf } from './document-bytes.ts'
import { downloaded, downloadedText, type InTransaction } from './download.ts'
import { etagOf } from './etag.ts'
import { countLimit, type ListQuery, listQuery, noParent } from './list-query.ts'
import { fetchPage, largeOf } from './page.ts'
import { readParameters } from './parameters.ts'
import { type Query, queryString } from './query-string.ts'
import type { Registry } from './registry.ts'
import type { ListRoute, ParentRow, Resource, Row, ShowRoute } from './resource.ts'
import { all, joinedFrom, readable, selection, selectOne, shownTo } from './select.ts'
import { plainShape, readShape, type Shape } from './shape.ts'
import { advised, listTransaction } from './too-slow.ts'

export interface ReadRequest {
  readonly registry: Registry
  readonly keyring: Pick<Keyring, 'mac'>
  readonly database: Database
  /** Database for reads after the response has begun. */
  readonly unhurried?: Database
  /** Database without fair sharing, for the explanation of a list that took too long. */
  readonly unshared?: Queries
  readonly actor: Actor
  readonly params: Readonly<Record<string, string>>
  /** Path of the request, without the query. */
  readonly path: string
  readonly query: Query
  /** Whether a download is plain text, one line per record, instead of CSV. */
  readonly asText?: true
}

export interface ListAnswer {
  /** 206 when the limit cut it. */
  readonly status: 200 | 206
  /** The document as it is sent. */
  readonly bytes: Uint8Array
  /** Value of `links.next`, when the limit cut the list. */
  readonly next?: string
}

export interface Download {
  readonly status: 200 | 206
  readonly fileName: string
  readonly lines: AsyncIterable<string>
}

/** GET of a list: a page of it, or the whole as CSV or plain text. */
export async function readList(
  given: Resource,
  route: ListRoute,
  request: ReadRequest,
): Promise<ListAnswer | Download> {
  refuseFixed(given, request)
  const resource = withRequestedRelationships(given, route, request)
  const list = listQuery(resource, route, request)
  if (list.download !== undefined) return download(resource, route, request, list)
  const read = async (tx: Tx): Promise<ListAnswer> => {
    const parent = await parentOf(route, request, tx)
    const { rows, cut } = await fetchPage(
      list,
      parent,
      { after: list.after, size: list.limit, large: largeOf(resource) },
      tx,
    )
    const reader = { actor: request.actor, database: tx }
    const inOrder = list.turned ? rows.toReversed() : rows
    const { hidden, included } = await readAdditions(request.registry, resource, inOrder, list.shape, reader)
    const shownAs = recordsOf(resource, list.shape, hidden, reader)
    const records: string[] = []
    // One by one: ten thousand records as objects are several times as large as their text.
    for (const row of inOrder) records.push(JSON.stringify(await shownAs(row)))
    const total = list.countUpTo === undefined ? {} : await totalOf(list, parent, tx)
    const counts = list.countsBy
      ? countsOf(await tx.rows(list.countsBy(parent), { plannedAnew: true }), countLimit)
      : {}
    const last = rows.at(-1)
    const self = `${request.path}${queryString(request.query)}`
    const next = cut && last && `${request.path}${queryString(request.query, { 'page[after]': list.cursorOf(last) })}`
    const rest = {
      ...(included && { included }),
      links: { self, ...(next && { next }) },
      meta: {
        authorisations: authorisations(resource, route, parent, request.actor),
        partial_response: cut,
        ...total,
        ...counts,
      },
    }
    return {
      status: cut ? 206 : 200,
      bytes: bytesOf('{"data":[', records, `],${JSON.stringify(rest).slice(1)}`),
      ...(next && { next }),
    }
  }
  return advised({ ...request, resource, route }, () => request.database.transaction(read, listTransaction))
}

/**
 * Refuses callers without the right to a fixed endpoint. Its existence is known to everyone, so the error says what is
 * missing.
 */
function refuseFixed({ rights }: Resource, { actor }: ReadRequest): void {
  if ('fixed' in rights) requireRights(actor, [{ right: 'read', path: rights.fixed }])
}

function withRequestedRelationships(
  resource: Resource,
  { otherwise }: ListRoute | ShowRoute,
  { query }: ReadRequest,
): Resource {
  const others = otherwise?.(query)
  return others ? { ...resource, relationships: { ...resource.relationships, ...others } } : resource
}

/** The parent record of the list. A record that the caller may not read is treated as missing. */
async function parentOf(route: ListRoute, { params, query, actor }: ReadRequest, queries: Queries): Promise<ParentRow> {
  if (!route.parent) return noParent
  const parent = await queries.one(route.parent(params, query))
  if (!parent || !actor.rights.may('read', parent.path)) throw missing()
  const refusal = route.refuse?.(parent, actor)
  if (refusal) throw refusal
  return parent
}

async function totalOf(list: ListQuery, parent: ParentRow, queries: Queries) {
  const count = await countOf(list.count(parent, undefined, list.countUpTo! + 1), queries)
  const exact = count <= list.countUpTo!
  return { total: exact ? count : list.countUpTo!, total_exact: exact }
}

const countOf = async (counting: Sql<{ count: number }>, queries: Queries): Promise<number> =>
  (await queries.one(counting, { plannedAnew: true }))?.count ?? 0

function authorisations(resource: Resource, route: ListRoute, parent: ParentRow, actor: Actor) {
  const collection = route.path.slice(route.path.lastIndexOf('/') + 1)
  const ofParent = route.parent ? parent : undefined
  const fixed = 'fixed' in resource.rights ? resource.rights.fixed : undefined
  const path = resource.listRightsPath?.(ofParent) ?? fixed ?? (ofParent ? `${ofParent.path}/${collection}` : '/')
  return { update: actor.rights.may('update', path), delete: actor.rights.may('delete', path) }
}

/**
 * A list as CSV or plain text, oldest first: the whole list, or with a limit its records with that limit. Whether it is
 * cut is known before the status is sent.
 */
async function download(
  resource: Resource,
  route: ListRoute,
  request: ReadRequest,
  list: ListQuery,
): Promise<Download> {
  let { database } = request
  const inTransaction: InTransaction = work =>
    advised({ ...request, resource, route }, () => database.transaction(work, listTransaction))
  const parent = route.parent ? await inTransaction(tx => parentOf(route, request, tx)) : noParent
  const text = request.asText && (await downloadedText(list, { parent, inTransaction }))
  if (text) {
    database = request.unhurried ?? database
    return { status: 200, fileName: list.download!, lines: text }
  }
  const { cut, pages } = await downloaded(list, { parent, large: largeOf(resource), inTransaction })
  // The response begins: from here on no caller can be asked to retry later.
  database = request.unhurried ?? database
  const columns = csvColumns(resource, list.shape)

  async function* lines(): AsyncGenerator<string> {
    if (request.asText) {
      for await (const rows of pages) yield rows.map(row => `${row[resource.plainText!]}\n`).join('')
      return
    }
    yield csvLine(['id', ...columns])
    for await (const rows of pages) yield await csvLines(resource, rows, columns, list.shape, request)
  }
  return { status: cut ? 206 : 200, fileName: list.download!, lines: lines() }
}

async function csvLines(
  resource: Resource,
  rows: readonly Row[],
  columns: readonly string[],
  shape: Shape,
  { actor, database: ofRequest, unhurried: database = ofRequest }: ReadRequest,
): Promise<string> {
  const shown = wantedColumns(resource, shape)
  let text = ''
  if (!resource.dynamicAttributes && shown.every(([, { read }]) => !read)) {
    // Without a promise for each record: a log has hundreds of thousands of them.
    for (const row of rows) {
      const values = shown.map(([name, column]) => (isShown(column, row) ? plainValue(column, row[name]) : undefined))
      text += csvLine([row.id, ...values])
    }
    return text
  }
  for (const row of rows) {
    const attributes = await attributesOf(resource, row, shown, shape, { actor, database })
    text += csvLine([row.id, ...columns.map(name => attributes[name])])
  }
  return text
}

export interface Shown {
  readonly document: Document
  /** The document as it is sent. */
  readonly text: string
  readonly etag: string
}

/** GET of one record. Missing and unreadable records have the same response: one statement decides both. */
export async function readOne(given: Resource, route: ShowRoute, request: ReadRequest): Promise<Shown> {
  refuseFixed(given, request)
  const resource = withRequestedRelationships(given, route, request)
  const faults: Fault[] = []
  const query = readParameters(request.query, { shows: 'records', own: route.parameters ?? {} }, faults)
  const shape = readShape(request.registry, resource, true, query, faults)
  if (faults.length) throw new Failure(faults as [Fault, ...Fault[]])
  return request.database.transaction(async tx => {
    const row = await tx.one(selectOne(resource, shape, route.find(request.params), request.actor), { byKeys: true })
    if (!row) throw missing()
    const reader = { actor: request.actor, database: tx }
    return showOne(request.registry, resource, row, shape, reader, await route.furtherMeta?.(row, reader, query))
  }, listTransaction)
}

/**
 * A record that this transaction has just written, as a GET would show it.
 *
 * @throws Failure `missing` if its node was destroyed meanwhile
 */
export async function readWritten(
  registry: Registry,
  resource: Resource,
  id: string,
  reader: { actor: Actor; database: Queries },
  shape: Shape = plainShape(resource),
): Promise<Shown> {
  const which = sql<boolean>`${resource.id} = ${id}::uuid`
  const row = await reader.database.one(selectOne(shownTo(resource, reader.actor), shape, which), { byKeys: true })
  if (!row) throw missing()
  return showOne(registry, resource, row, shape, reader)
}

/** An existing record that the caller may not read. */
export async function isHidden(
  resource: Resource,
  id: string,
  { actor, database }: { actor: Actor; database: Queries },
): Promise<boolean> {
  const found = await database.one(sql<{ readable: boolean | null }>`
    select ${all(readable(resource, actor))} as readable
      from ${joinedFrom(resource)}
     where ${all([...(resource.where ? [resource.where] : []), sql<boolean>`${resource.id} = ${id}::uuid`])}
     limit 1`)
  return found !== undefined && found.readable !== true
}

async function showOne(
  registry: Registry,
  resource: Resource,
  row: Row,
  shape: Shape,
  reader: { actor: Actor; database: Queries },
  meta?: Readonly<Record<string, unknown>>,
): Promise<Shown> {
  const { data, included } = await showRows(registry, resource, [row], shape, reader)
  const record = { ...data[0]!, ...(meta && { meta: { ...data[0]!.meta, ...meta } }) }
  const document: Document = { data: record, ...(included && { included }) }
  const text = JSON.stringify(document)
  return { document, text, etag: etagOf(row, text) }
}

/** Records selected by a condition over the aliases of the resource's `from`, instead of by a query. */
export interface Picked {
  readonly which: Sql<boolean>
  readonly order: Sql
  readonly limit?: number
}

export interface Listed {
  readonly row: Row
  /** Record as a list shows it. */
  readonly shown: ResourceObject
}

/**
 * Reads those of the records that the caller may read, exactly as a list would show them: the content of live streams.
 */
export async function readAsListed(
  registry: Registry,
  type: string,
  picked: Picked,
  reader: { actor: Actor; database: Queries },
  fields: Shape['fields'] = new Map(),
): Promise<Listed[]> {
  const resource = registry.get(type)
  if (!resource) throw new Error(`there are no records of type ${type}`)
  const shape: Shape = { single: false, fields, includes: new Map() }
  const rows = await reader.database.rows(
    sql<Row>`
    select ${selection(shownTo(resource, reader.actor), shape)}
      from ${joinedFrom(resource)}
     where ${all([...readable(resource, reader.actor), picked.which])}
     order by ${picked.order}
     limit ${picked.limit ?? null}`,
    { byKeys: true },
  )
  const { data } = await showRows(registry, resource, rows, shape, reader)
  return rows.map((row, index) => ({ row, shown: data[index]! }))
}
