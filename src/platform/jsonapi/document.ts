import type { Registry } from './registry.ts'
import type { Reader, Relationship, Resource, Row } from './resource.ts'
import { relationshipName, selectByIds, selectReadableIds } from './select.ts'
import { type Includes, type Shape, shown, shownColumns, wanted } from './shape.ts'

export interface Identifier {
  readonly type: string
  readonly id: string
}

export interface ResourceObject extends Identifier {
  attributes: Record<string, unknown>
  relationships?: Record<string, { data: Identifier | Identifier[] | null; links?: Record<string, string> }>
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
 * Rows as the answer shows them, and what they include: one statement for each type that is included, whatever the
 * number of records. Everything that a relationship names is looked up under the caller's rights.
 */
export async function showRows(
  registry: Registry,
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  reader: Reader,
): Promise<{ data: ResourceObject[]; included?: ResourceObject[] }> {
  const hidden = await unreadable(registry, [[resource, rows]], shape, reader)
  const data = await showAll(resource, rows, shape, hidden, reader)
  if (!shape.includes.size) return { data }
  const included = new Map<string, ResourceObject>()
  const primary = new Set(data.map(keyOf))
  for (const each of await include(registry, resource, rows, shape, reader)) {
    if (!primary.has(keyOf(each))) included.set(keyOf(each), each)
  }
  return { data, included: [...included.values()] }
}

const keyOf = ({ type, id }: Identifier) => `${type} ${id}`

async function include(
  registry: Registry,
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  reader: Reader,
): Promise<ResourceObject[]> {
  const found: ResourceObject[] = []
  for (const [name, below] of shape.includes) {
    const relationship = shown(resource, shape.single)[name]
    if (!relationship) continue
    const idsByType = Map.groupBy(
      rows.flatMap(row => (applies(relationship, row) ? identifiers(relationship, row[relationshipName(name)]) : [])),
      ({ type }) => type,
    )
    for (const [type, targets] of idsByType) {
      const target = registry.get(type)
      if (target) found.push(...(await includeOf(registry, target, targets, below, shape, reader)))
    }
  }
  return found
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
  const rows = await reader.database.rows(selectByIds(target, targetShape, ids, reader.actor))
  const place = new Map(ids.map((id, index) => [id, index]))
  const inOrder = rows.toSorted((a, b) => place.get(a.id)! - place.get(b.id)!)
  const { data, included = [] } = await showRows(registry, target, inOrder, targetShape, reader)
  return [...data, ...included]
}

/**
 * What relationships to many name and this caller may not read: for them it does not exist (access.md 2). Asked only for
 * callers whose rights end somewhere.
 */
async function unreadable(
  registry: Registry,
  pages: readonly (readonly [Resource, readonly Row[]])[],
  shape: Shape,
  reader: Reader,
): Promise<ReadonlySet<string>> {
  const hidden = new Set<string>()
  if (reader.actor.rights.superuser) return hidden
  const named = pages.flatMap(([resource, rows]) =>
    Object.entries(shown(resource, shape.single)).flatMap(([name, relationship]) =>
      relationship.kind === 'many' ? rows.flatMap(row => identifiers(relationship, row[relationshipName(name)])) : [],
    ),
  )
  for (const [type, targets] of Map.groupBy(named, each => each.type)) {
    const target = registry.get(type)
    if (!target) continue
    const ids = [...new Set(targets.map(({ id }) => id))]
    const may = new Set((await reader.database.rows(selectReadableIds(target, ids, reader.actor))).map(({ id }) => id))
    for (const id of ids) if (!may.has(id)) hidden.add(keyOf({ type, id }))
  }
  return hidden
}

async function showAll(
  resource: Resource,
  rows: readonly Row[],
  shape: Shape,
  hidden: ReadonlySet<string>,
  reader: Reader,
): Promise<ResourceObject[]> {
  const shownRows: ResourceObject[] = []
  for (const row of rows) {
    const meta = resource.meta?.(row, reader)
    const relationships = showRelationships(resource, row, shape, hidden)
    shownRows.push({
      type: resource.type,
      id: row.id,
      attributes: await attributesOf(resource, row, shape, reader),
      ...(relationships && { relationships }),
      links: resource.links(row),
      ...(meta && { meta }),
    })
  }
  return shownRows
}

/** The attributes of a record, in the order of its columns. */
export async function attributesOf(
  resource: Resource,
  row: Row,
  shape: Shape,
  reader: Reader,
): Promise<Record<string, unknown>> {
  const attributes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(resource.dynamicAttributes?.(row) ?? {})) {
    if (wanted(shape, resource.type, name)) attributes[name] = value
  }
  for (const [name, column] of shownColumns(resource, shape.single)) {
    if (!wanted(shape, resource.type, name) || column.when?.(row) === false) continue
    const value = row[name]
    // numeric comes as text, so that no digit is lost on the way; JSON has one kind of number.
    const plain = column.kind === 'number' && typeof value === 'string' ? Number(value) : value
    attributes[name] = column.read ? await column.read(plain, reader, row) : plain
  }
  return attributes
}

function showRelationships(resource: Resource, row: Row, shape: Shape, hidden: ReadonlySet<string>) {
  const entries = Object.entries(shown(resource, shape.single)).flatMap(([name, relationship]) => {
    if (!wanted(shape, resource.type, name) || !applies(relationship, row)) return []
    const named = identifiers(relationship, row[relationshipName(name)])
    const data = relationship.kind === 'one' ? (named[0] ?? null) : named.filter(each => !hidden.has(keyOf(each)))
    const related = relationship.related?.(row)
    return [[name, { data, ...(related && { links: { [relationship.linkName ?? 'related']: related } }) }] as const]
  })
  return entries.length ? Object.fromEntries(entries) : undefined
}

const applies = (relationship: Relationship, row: Row) => relationship.when?.(row) !== false

/** A relationship's value as the row holds it: ids of one type, or identifiers where the type differs. */
function identifiers(relationship: Relationship, value: unknown): Identifier[] {
  const values = value === null || value === undefined ? [] : [value].flat()
  if (relationship.type === 'any') return (values as Identifier[]).map(({ type, id }) => ({ type, id }))
  return (values as string[]).map(id => ({ type: relationship.type, id }))
}

/** A document of a view, narrowed to the fields that the caller asked for. */
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
