import type { Actor, Rights } from '../actor.ts'
import { compile, join, type Sql, sql } from '../db/sql.ts'
import type { Resource, Row } from './resource.ts'
import { type Shape, shown, shownColumns, wanted } from './shape.ts'

/** Name under which a row carries its version, for the ETag. */
export const versionName = '~row_version'

/** Name of a relationship in a row. It differs from those of columns: a node's `template_version` is both. */
export const relationshipName = (name: string): string => `~${name}`

/** Selections without parameters, as text: combining fifty fragments takes as long as a small statement. */
const asText = new WeakMap<Resource, Map<boolean, Sql>>()

/** Select list: every column that may be shown, and the relationships that will be. */
export function selection(resource: Resource, shape: Shape): Sql {
  if (shape.fields.size || shape.attributesOnly) return selected(resource, shape)
  const known = asText.get(resource) ?? new Map<boolean, Sql>()
  asText.set(resource, known)
  const made = known.get(shape.single) ?? withoutParts(selected(resource, shape))
  known.set(shape.single, made)
  return made
}

/**
 * The resource as this caller sees it: relationships with a maximum select from the records that the caller may read.
 * Cached by the caller's rights, which the next request has too.
 */
export function shownTo(resource: Resource, { rights }: Actor): Resource {
  if (rights.superuser) return resource
  const shown = narrowed.get(rights) ?? new WeakMap<Resource, Resource>()
  narrowed.set(rights, shown)
  const known = shown.get(resource) ?? narrow(resource, rights)
  shown.set(resource, known)
  return known
}

const narrowed = new WeakMap<Rights, WeakMap<Resource, Resource>>()

/** The resource itself if nothing of it depends on the caller. */
function narrow(resource: Resource, rights: Rights): Resource {
  const changed = Object.entries(resource.relationships ?? {}).flatMap(([name, each]) => {
    const bounded = 'bounded' in each ? each.bounded?.(rights) : undefined
    return 'sql' in each && bounded && bounded !== each.sql ? [[name, { ...each, sql: bounded }]] : []
  })
  if (!changed.length) return resource
  return { ...resource, relationships: { ...resource.relationships, ...Object.fromEntries(changed) } }
}

function withoutParts(fragment: Sql): Sql {
  const { text, values } = compile(fragment)
  return values.length ? fragment : sql.raw(text)
}

function selected(resource: Resource, shape: Shape): Sql {
  const named: [string, Sql][] = [['id', resource.id]]
  for (const [name, column] of shownColumns(resource, shape.single)) {
    // An encrypted document may be megabytes, and nothing is derived from it: a column that is not shown is not read.
    if (column.kind === 'opaque' && !wanted(shape, resource.type, name)) continue
    named.push([name, column.sql])
  }
  for (const [name, expression] of Object.entries(resource.extra ?? {})) named.push([name, expression])
  const relationships = shape.attributesOnly ? {} : shown(resource, shape.single)
  for (const [name, relationship] of Object.entries(relationships)) {
    if (!('sql' in relationship)) continue
    // To-many relationships are subselects: one that is not shown is not looked up.
    if (!wanted(shape, resource.type, name) && !shape.includes.has(name)) continue
    named.push([relationshipName(name), relationship.sql])
  }
  if (resource.rowVersion) named.push([versionName, resource.rowVersion])
  return join(
    named.map(([name, expression]) => sql`${expression} as ${sql.raw(`"${name}"`)}`),
    ', ',
  )
}

/** Sources of a record's whole document: its `from`, and its joins. */
export const joinedFrom = (resource: Resource): Sql =>
  join([resource.from, ...Object.values(resource.joins ?? {})], ' ')

/** All conditions on a record before any filter: it exists, and the caller may read it. */
export function readable(resource: Resource, actor: Actor): Sql<boolean>[] {
  return [...(resource.where ? [resource.where] : []), visible(resource, actor)]
}

function visible({ rights }: Resource, actor: Actor): Sql<boolean> {
  if ('fixed' in rights) return sql<boolean>`${sql.lit(actor.rights.may('read', rights.fixed))}`
  if ('condition' in rights) return rights.condition(actor)
  const furtherCondition = rights.furtherCondition?.(actor.rights)
  const seen = actor.rights.visible(rights)
  return furtherCondition ? sql<boolean>`(${seen} and ${furtherCondition})` : seen
}

/** One record, as the caller may see it; without an actor, for the command that has just written it. */
export function selectOne(resource: Resource, shape: Shape, which: Sql<boolean>, actor?: Actor): Sql<Row> {
  const conditions = actor ? readable(resource, actor) : resource.where ? [resource.where] : []
  return sql<Row>`
    select ${selection(actor ? shownTo(resource, actor) : resource, shape)}
      from ${joinedFrom(resource)}
     where ${all([...conditions, which])}
     limit 1`
}

/**
 * Selects those of these ids that the caller may read, in no order. The number of ids is hidden from the planner: for a
 * single id it considers a new plan cheaper than the cached one, and planning takes longer than reading (ADR 43).
 */
export function selectByIds(resource: Resource, shape: Shape, ids: readonly string[], actor: Actor): Sql<Row> {
  return sql<Row>`
    select ${selection(shownTo(resource, actor), shape)}
      from ${joinedFrom(resource)}
     where ${all([...readable(resource, actor), sql<boolean>`${resource.id} = any((select ${ids}::uuid[])::uuid[])`])}`
}

export function selectReadableIds(resource: Resource, ids: readonly string[], actor: Actor): Sql<{ id: string }> {
  return sql<{ id: string }>`
    select ${resource.id} as id
      from ${resource.from}
     where ${all([...readable(resource, actor), sql<boolean>`${resource.id} = any(${ids}::uuid[])`])}`
}

/** Conjunction of conditions, each in brackets of its own. */
export const all = (conditions: readonly Sql<boolean>[]): Sql =>
  conditions.length
    ? join(
        conditions.map(each => sql`(${each})`),
        ' and ',
      )
    : sql`true`
