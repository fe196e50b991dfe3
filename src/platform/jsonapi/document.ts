import { howToPlan, includedRows } from './included-rows.ts'
import type { Registry } from './registry.ts'
import {
  type Column,
  type Identifier,
  mostRelated,
  type Reader,
  type Relationship,
  type Resource,
  type Row,
} from './resource.ts'
import { relationshipName, selectReadableIds, shownTo } from './select.ts'
import { type Includes, type Shape, shown, shownColumns, wanted } from './shape.ts'
import { shownLinks } from './shown-links.ts'

interface Related {
  data: Identifier | readonly Identifier[] | null
  links?: Record<string, string>
  meta?: { partial_response: true }
}

export interface ResourceObject extends Identifier {
  attributes: Record<string, unknown>
  relationships?: Record<string, Related>
  links: Record<string, string>
  meta?: Record<string, unknown>
}

export interface Document {
  data: ResourceObject | ResourceObject[]
  included?: ResourceObject[]
  links?: Record<string, string>
  meta?: Record<string, unknown>
}

/**
 * Rows as the response shows them, with their included records: one statement for each included type, whatever the
 * number of records. Every related record is looked up under the caller's rights.
 */
export async function showRows(
  registry: Registry,
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  reader: Reader,
): Promise<{ data: ResourceObject[]; included?: ResourceObject[] }> {
  const { hidden, included } = await readAdditions(registry, resource, rows, shape, reader)
  const shownAs = recordsOf(resource, shape, hidden, reader)
  const data: ResourceObject[] = []
  for (const row of rows) data.push(await shownAs(row))
  return { data, ...(included && { included }) }
}

/** Reads the additions to rows: the included records, if any are requested, and which related records are hidden. */
export async function readAdditions(
  registry: Registry,
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  reader: Reader,
): Promise<{ hidden: ReadonlySet<string>; included?: ResourceObject[] }> {
  const [hidden, found] = await Promise.all([
    unreadable(registry, resource, rows, shape, reader),
    include(registry, resource, rows, shape, reader),
  ])
  if (!shape.includes.size) return { hidden }
  const included = new Map<string, ResourceObject>()
  const primary = new Set(rows.map(row => keyOf({ type: typeOf(resource, row), id: row.id })))
  for (const each of found) {
    if (!primary.has(keyOf(each))) included.set(keyOf(each), each)
  }
  return { hidden, included: [...included.values()] }
}

/** Type of a row, also where several types share one address. */
const typeOf = (resource: Resource, row: Row): string => resource.types?.of(row) ?? resource.type

const keyOf = ({ type, id }: Identifier): string => `${type} ${id}`

async function include(
  registry: Registry,
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  reader: Reader,
): Promise<ResourceObject[]> {
  const looked: Promise<ResourceObject[]>[] = []
  for (const [name, below] of shape.includes) {
    const relationship = shown(resource, shape.single)[name]
    if (!relationship) continue
    const idsByType = Map.groupBy(
      rows.flatMap(row => (applies(relationship, row) ? identifiers(name, relationship, row) : [])),
      ({ type }) => type,
    )
    for (const [type, targets] of idsByType) {
      const target = registry.get(type)
      if (target) looked.push(includeOf(registry, target, targets, below, shape, reader))
    }
  }
  // The statements are independent, and share a round trip.
  return (await Promise.all(looked)).flat()
}

async function includeOf(
  registry: Registry,
  target: Resource,
  targets: readonly Identifier[],
  below: ReadonlySet<string>,
  shape: Shape,
  reader: Reader,
): Promise<ResourceObject[]> {
  const includes: Includes = new Map([...below].map(name => [name, new Set<string>()]))
  const targetShape: Shape = { single: false, fields: shape.fields, includes }
  const ids = [...new Set(targets.map(({ id }) => id))]
  const rows = await includedRows(target, targetShape, ids, reader)
  const place = new Map(ids.map((id, index) => [id, index]))
  const inOrder = rows.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!)
  const { data, included = [] } = await showRows(registry, target, inOrder, targetShape, reader)
  return [...data, ...included]
}

/**
 * Related records that this caller may not read: for the caller they do not exist. Queried only for callers with
 * restricted rights.
 */
async function unreadable(
  registry: Registry,
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  reader: Reader,
): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>()
  if (reader.actor.rights.superuser) return hidden
  const may = decidedOnce(reader.actor.rights)
  const { relationships: asShown } = shownTo(resource, reader.actor)
  const named = wantedRelationships(resource, shape).flatMap(([name, relationship]) => {
    const { paths } = relationship
    // Only records that the caller may read were selected.
    const narrowed = asShown?.[name] !== resource.relationships?.[name]
    if (paths === 'own' || narrowed) return []
    return rows.flatMap(row => {
      if (!applies(relationship, row)) return []
      const found = identifiers(name, relationship, row)
      if (!paths) return found
      const asked = paths(row, found)
      for (const [at, each] of found.entries()) if (!may(asked[at]!)) hidden.add(keyOf(each))
      return []
    })
  })
  const look = async (type: string, ids: readonly string[]) => {
    const target = registry.get(type)
    if (!target) return
    const readable = await reader.database.rows(selectReadableIds(target, ids, reader.actor), howToPlan(reader))
    const may = new Set(readable.map(({ id }) => id))
    for (const id of ids) if (!may.has(id)) hidden.add(keyOf({ type, id }))
  }
  const byType = Map.groupBy(named, each => each.type)
  await Promise.all([...byType].map(([type, targets]) => look(type, [...new Set(targets.map(({ id }) => id))])))
  return hidden
}

/** Decides once for each path: many records of a list share the same few paths. */
function decidedOnce(rights: Reader['actor']['rights']): (path: string) => boolean {
  const decided = new Map<string, boolean>()
  return path => {
    const may = decided.get(path) ?? rights.may('read', path)
    decided.set(path, may)
    return may
  }
}

/**
 * Function that makes the record of a row.
 *
 * @param hidden related records that this caller may not read (`readAdditions`)
 */
export function recordsOf(
  resource: Resource,
  shape: Shape,
  hidden: ReadonlySet<string>,
  reader: Reader,
): (row: Row) => Promise<ResourceObject> {
  const columns = wantedColumns(resource, shape)
  const relationships = wantedRelationships(resource, shape)
  return async row => {
    const object: ResourceObject = {
      type: typeOf(resource, row),
      id: row.id,
      attributes: await attributesOf(resource, row, columns, shape, reader),
    } as ResourceObject
    const related = showRelationships(relationships, row, hidden)
    if (related) object.relationships = related
    object.links = shownLinks(resource, row, reader)
    const meta = resource.meta?.(row, reader)
    if (meta) object.meta = meta
    return object
  }
}

type Named<T> = readonly (readonly [name: string, T])[]

/** The columns that such a response shows as attributes, in their order. */
export const wantedColumns = (resource: Resource, shape: Shape): Named<Column> =>
  shownColumns(resource, shape.single).filter(([name]) => wanted(shape, resource.type, name))

const wantedRelationships = (resource: Resource, shape: Shape): Named<Relationship> =>
  Object.entries(shown(resource, shape.single)).filter(([name]) => wanted(shape, resource.type, name))

export const isShown = (column: Column, row: Row): boolean => column.when?.(row) !== false

/**
 * Value as shown: PostgreSQL's numeric arrives as text, so that no digit is lost on the way, and becomes a JSON number.
 */
export const plainValue = (column: Column, value: unknown): unknown =>
  column.kind === 'number' && typeof value === 'string' ? Number(value) : value

/** The attributes of a record. */
export async function attributesOf(
  resource: Resource,
  row: Row,
  columns: Named<Column>,
  shape: Shape,
  reader: Reader,
): Promise<Record<string, unknown>> {
  const attributes: Record<string, unknown> = {}
  if (resource.dynamicAttributes) {
    for (const [name, value] of Object.entries(resource.dynamicAttributes(row, reader))) {
      if (wanted(shape, resource.type, name)) attributes[name] = value
    }
  }
  for (const [name, column] of columns) {
    if (!isShown(column, row)) continue
    const plain = plainValue(column, row[name])
    attributes[name] = column.read ? await column.read(plain, reader, row) : plain
  }
  return attributes
}

function showRelationships(relationships: Named<Relationship>, row: Row, hidden: ReadonlySet<string>) {
  let all: ResourceObject['relationships']
  for (const [name, relationship] of relationships) {
    if (!applies(relationship, row)) continue
    const { named, related } = shownRelated(name, relationship, row, hidden)
    all ??= {}
    all[name] = {
      data: relationship.kind === 'one' ? (named[0] ?? null) : named,
      ...(related && { links: { [relationship.linkName ?? 'related']: related } }),
      ...(isCut(name, relationship, row) && { meta: { partial_response: true } }),
    }
  }
  return all
}

/**
 * Visible part of a relationship of this row, and its link. A relationship to a single hidden record looks as if there
 * were none, without a link.
 */
function shownRelated(name: string, relationship: Relationship, row: Row, hidden: ReadonlySet<string>) {
  const all = identifiers(name, relationship, row)
  const named = hidden.size ? all.filter(each => !hidden.has(keyOf(each))) : all
  const isOne = relationship.kind === 'one'
  const isShut = isOne && named.length < all.length
  return { named, related: isShut ? undefined : relationship.related?.(row, isOne ? named[0]?.id : undefined) }
}

const applies = (relationship: Relationship, row: Row): boolean => relationship.when?.(row) !== false

/** Records that a relationship of this row refers to. */
function identifiers(name: string, relationship: Relationship, row: Row): readonly Identifier[] {
  if ('known' in relationship) return relationship.known(row)
  const value = row[relationshipName(name)]
  if (value === null || value === undefined) return []
  const { type } = relationship
  const each = (one: unknown): Identifier =>
    type === 'any' ? { type: (one as Identifier).type, id: (one as Identifier).id } : { type, id: one as string }
  if (!Array.isArray(value)) return [each(value)]
  return (isCut(name, relationship, row) ? value.slice(0, mostRelated) : value).map(each)
}

/** Whether there are more related records than are named: the response stays small however many there are. */
function isCut(name: string, relationship: Relationship, row: Row): boolean {
  if (!('bounded' in relationship)) return false
  const value = row[relationshipName(name)]
  return Array.isArray(value) && value.length > mostRelated
}

/** A document of a view, reduced to the requested fields. */
export function narrow(body: object, fields: Shape['fields']): object {
  if (!fields.size) return body
  const keep = (type: string, members: object | undefined) =>
    members && Object.fromEntries(Object.entries(members).filter(([name]) => fields.get(type)?.has(name) ?? true))
  const one = (each: ResourceObject): ResourceObject =>
    !each || !fields.has(each.type)
      ? each
      : ({
          ...each,
          ...(each.attributes && { attributes: keep(each.type, each.attributes) }),
          ...(each.relationships && { relationships: keep(each.type, each.relationships) }),
        } as ResourceObject)
  const many = (each: unknown) =>
    Array.isArray(each) ? each.map(one) : each && typeof each === 'object' ? one(each as ResourceObject) : each
  const { data, included } = body as { data?: unknown; included?: unknown }
  return {
    ...body,
    ...(data !== undefined && { data: many(data) }),
    ...(included !== undefined && { included: many(included) }),
  }
}
