import { isDeepStrictEqual } from 'node:util'
import { isOfKind, isSortable, partOf } from '../contract/specification/rows.ts'
import type { RelationshipTable, ResourceTable } from '../contract/specification/table.ts'
import type { Answer, Client } from '../support/api.ts'
import type { Document, SpecifiedRecord, Specimen } from './specified-records.ts'

/** Row → its fault; undefined: the service conforms to the specification. */
export type Judged = Map<string, string | undefined>

/** Requests a record from the service and checks every row of its table. */
export async function judgeRecord(table: ResourceTable, specimen: Specimen, client: Client): Promise<Judged> {
  const answer = await client.get(specimen.show)
  const record = answer.status < 300 ? (specimen.pick ?? dataOf)(answer.body) : undefined
  const judged: Judged = new Map()
  if (!record) {
    for (const row of rowsOf(table)) judged.set(row, `GET ${specimen.show}: ${answer.status}, no such record`)
    return judged
  }
  const say = (row: string, fault: string | undefined) => void judged.set(row, fault)
  judgeAttributes(table, record, say)
  await judgeRelationships(table, record, specimen, client, say)
  await judgeLinks(table, record, specimen, client, say)
  judgeMeta(table, record, say)
  for (const type of table.included ?? []) {
    const types = (answer.body as Document).included?.map(each => each.type) ?? []
    say(`included.${type}`, types.includes(type) ? undefined : `included are: ${[...new Set(types)].join(', ')}`)
  }
  for (const absent of table.absent ?? []) say(`absent.${absent}`, isThere(record, absent) ? 'it is there' : undefined)
  say('nothing_else', nothingElse(table, record))
  for (const list of table.lacks ?? []) {
    const path = `${specimen.show}/${list}`
    const [listed, made] = [await client.get(path), await client.post(path, creating[list])]
    const fine = listed.status === 404 && made.status === 409
    say(
      `lacks.${list}`,
      fine ? undefined : `GET answers ${listed.status}, POST ${made.status} ${made.text.slice(0, 200)}`,
    )
  }
  if (specimen.list) await judgeList(table, record, specimen.list, client, say)
  if (!specimen.view && !specimen.pick) await judgeShow(record, specimen.show, answer, client, say)
  return judged
}

const templated = { code: 'odd', name: 'Odd', template_code: 'tree', template_version: '1' }

/** A request that would create a record if the list existed. */
const creating: Readonly<Record<string, object>> = {
  changes: { action: 'work' },
  templates: { code: 'odd', name: 'Odd', template_type: 'asset', git_remote_name: 'code' },
  workflows: { code: 'odd', name: 'Odd', source_yaml: 'steps: []' },
  assets: templated,
  agents: templated,
}

type Say = (row: string, fault: string | undefined) => void

const dataOf = ({ data }: Document): SpecifiedRecord | undefined => [data].flat()[0]

/** The rows of a table before any request: they fail while there is no record. */
function rowsOf(table: ResourceTable): string[] {
  const named = (kind: string, of: object | undefined) => Object.keys(of ?? {}).map(name => `${kind}.${name}`)
  return [
    ...named('attribute', table.attributes),
    ...named('relationship', table.relationships),
    ...named('link', table.links),
    ...named('meta', table.meta),
    ...named('authorisations', table.authorisations),
    ...(table.included ?? []).map(type => `included.${type}`),
  ].filter(row => !partOf(table, row))
}

function judgeAttributes(table: ResourceTable, record: SpecifiedRecord, say: Say): void {
  for (const [name, kind] of Object.entries(table.attributes)) {
    if (partOf(table, `attribute.${name}`)) continue
    const value = record.attributes[name]
    const fine = Object.hasOwn(record.attributes, name) && isOfKind(value, kind)
    say(`attribute.${name}`, fine ? undefined : `should be ${kind}, is ${JSON.stringify(value)?.slice(0, 80)}`)
  }
}

async function judgeRelationships(
  table: ResourceTable,
  record: SpecifiedRecord,
  specimen: Specimen,
  client: Client,
  say: Say,
): Promise<void> {
  for (const [name, wanted] of Object.entries(table.relationships ?? {})) {
    const row = `relationship.${name}`
    if (partOf(table, row)) continue
    const given = record.relationships?.[name]
    const related = given?.links?.['related']
    const fault =
      shapeFault(wanted, given?.data) ??
      (wanted.related && (await linkFault(wanted.related, related, record, specimen, client)))
    say(row, fault || undefined)
  }
}

function shapeFault({ to, type }: RelationshipTable, data: unknown): string | undefined {
  const isReference = (value: unknown) => {
    const { id, type: given } = (value ?? {}) as { id?: unknown; type?: unknown }
    return typeof id === 'string' && typeof given === 'string' && (type === 'any' || given === type)
  }
  const fine =
    to === 'many'
      ? Array.isArray(data) && data.every(isReference)
      : (to === 'one?' && data === null) || isReference(data)
  return fine ? undefined : `should be to-${to} ${type}, is ${JSON.stringify(data)?.slice(0, 120)}`
}

async function judgeLinks(
  table: ResourceTable,
  record: SpecifiedRecord,
  specimen: Specimen,
  client: Client,
  say: Say,
): Promise<void> {
  for (const [name, wanted] of Object.entries(table.links)) {
    const row = `link.${name}`
    if (partOf(table, row)) continue
    const given = record.links?.[name]
    // Only paths of the API are requested.
    if (wanted === 'text') say(row, typeof given === 'string' ? undefined : `is ${given}`)
    else say(row, await linkFault(wanted, given, record, specimen, client))
  }
}

/** A link has the expected path, and leads to a response. */
async function linkFault(
  wanted: string,
  given: string | undefined,
  record: SpecifiedRecord,
  { show, parent, project }: Specimen,
  client: Client,
): Promise<string | undefined> {
  const expected = wanted
    .replace('{self}', show)
    .replace('{parent}', parent)
    .replace('{project}', project)
    .replace('{id}', record.id)
    .replace(
      /\{related:(.+)\}/,
      (_, name) => (record.relationships?.[name]?.data as { id: string } | undefined)?.id ?? '',
    )
  if (given === undefined) return `is not there, should be ${expected}`
  if (expected !== '*' && given !== expected) return `is ${given}, should be ${expected}`
  const { status } = await client.get(given)
  return status < 300 ? undefined : `${given} answers ${status}`
}

function judgeMeta(table: ResourceTable, record: SpecifiedRecord, say: Say): void {
  for (const [name, wanted] of Object.entries(table.meta ?? {})) {
    const given = record.meta?.[name]
    const fine = wanted === 'any' ? given !== undefined : isDeepStrictEqual(given, wanted)
    say(`meta.${name}`, fine ? undefined : `should be ${JSON.stringify(wanted)}, is ${JSON.stringify(given)}`)
  }
  if (!table.authorisations) return
  const given = (record.meta?.['authorisations'] ?? {}) as Record<string, unknown>
  for (const [area, flags] of Object.entries(table.authorisations)) {
    const value = given[area]
    const names = typeof value === 'object' && value !== null ? Object.keys(value).toSorted() : []
    const fine = flags.length === 0 ? typeof value === 'boolean' : isDeepStrictEqual(names, flags.toSorted())
    say(`authorisations.${area}`, fine ? undefined : `is ${JSON.stringify(value)}`)
  }
  const more = Object.keys(given).filter(area => !Object.hasOwn(table.authorisations!, area))
  say('authorisations.nothing_else', more.length === 0 ? undefined : `has also ${more.join(', ')}`)
}

function isThere(record: SpecifiedRecord, row: string): boolean {
  const [kind, name = ''] = row.split('.')
  const of = { attribute: record.attributes, link: record.links, relationship: record.relationships }[kind!]
  return Object.hasOwn(of ?? {}, name)
}

/** No links and relationships beyond the rows. Attributes may be added at any time. */
function nothingElse(table: ResourceTable, record: SpecifiedRecord): string | undefined {
  const beyond = (kind: string, given: object | undefined, wanted: object | undefined) =>
    Object.keys(given ?? {})
      .filter(name => !Object.hasOwn(wanted ?? {}, name))
      .map(name => `${kind}.${name}`)
  const more = [
    ...beyond('relationship', record.relationships, table.relationships),
    ...beyond('link', record.links, table.links),
  ]
  return more.length === 0 ? undefined : `has also ${more.join(', ')}`
}

/** The list contains it with the attributes of lists, and is filtered and sorted by each of them. */
async function judgeList(
  table: ResourceTable,
  record: SpecifiedRecord,
  path: string,
  client: Client,
  say: Say,
): Promise<void> {
  const ask = (query: string) => client.get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
  const holds = ({ status, body }: Answer) =>
    status < 300 && (body.data as SpecifiedRecord[]).some(({ id }) => id === record.id)
      ? undefined
      : `answers ${status} without it`
  const whole = await ask('limit=1000')
  const listed = (whole.body?.data as SpecifiedRecord[] | undefined)?.find(({ id }) => id === record.id)
  const { authorisations, partial_response } = whole.body?.meta ?? {}
  const flags = [authorisations?.update, authorisations?.delete, partial_response]
  say(
    'list.meta',
    flags.every(each => typeof each === 'boolean') ? undefined : `is ${JSON.stringify(whole.body?.meta)}`,
  )
  const file = await ask('download=records')
  const isCsv = file.headers.get('content-type')?.startsWith('text/csv') && file.text.startsWith('id,')
  say('list.download', isCsv ? undefined : `answers ${file.status} ${file.headers.get('content-type')}`)
  for (const [name, kind] of Object.entries(table.attributes)) {
    const hidden = table.showOnly?.includes(name)
    const closed = hidden || table.encrypted?.includes(name)
    if (partOf(table, `attribute.${name}`)) continue
    const isListed = Object.hasOwn(listed?.attributes ?? {}, name)
    say(`list.${name}`, isListed === !hidden ? undefined : hidden ? 'is listed' : 'is not listed')
    const filtered = await ask(`${filterFor(name, record.attributes[name])}&limit=1000`)
    say(`filter.${name}`, closed ? refused(filtered) : holds(filtered))
    const orders = await Promise.all(
      ['', ' asc', ' desc'].map(order => ask(`filter[sorts]=${name}${order}&limit=1000`)),
    )
    const unsorted = closed || !isSortable(kind) || table.sorted?.includes(name) === false
    const faults = orders.map(unsorted ? refused : holds)
    say(`sort.${name}`, faults.find(Boolean))
  }
  say('filter.id', holds(await ask(`filter[id_eq]=${record.id}`)))
  if (Object.hasOwn(table.attributes, 'created_by'))
    say('filter.mine', holds(await ask('filter[mine]=true&limit=1000')))
  if (!table.open) say('filter.unknown', refused(await ask('filter[banana_eq]=1')))
}

const refused = ({ status }: Answer) => (status === 400 ? undefined : `answers ${status} instead of 400`)

function filterFor(name: string, value: unknown): string {
  if (value === null || value === undefined) return `filter[${name}_null]=1`
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `filter[${name}_eq]=${encodeURIComponent(text)}`
}

/** Sparse fieldsets reduce it, `If-None-Match` with its ETag is 304, an unknown parameter 400. */
async function judgeShow(
  { type, attributes }: SpecifiedRecord,
  path: string,
  answer: Answer,
  client: Client,
  say: Say,
): Promise<void> {
  const [one = ''] = Object.keys(attributes)
  const sparse = (await client.get(`${path}?fields[${type}]=${one}`)).body?.data as SpecifiedRecord | undefined
  const narrowed = isDeepStrictEqual(Object.keys(sparse?.attributes ?? {}), [one])
  const without = Object.keys(sparse?.relationships ?? {}).length === 0
  say('fieldset', narrowed && without ? undefined : `fields=${one} answers ${JSON.stringify(sparse)?.slice(0, 120)}`)
  const again = await client.get(path, { 'if-none-match': answer.headers.get('etag') ?? '' })
  say('etag', again.status === 304 ? undefined : `If-None-Match answers ${again.status}`)
  const odd = await client.get(`${path}?banana=1`)
  say('unknown_parameter', odd.status === 400 ? undefined : `answers ${odd.status}`)
}
