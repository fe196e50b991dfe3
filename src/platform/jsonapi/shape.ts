import type { Fault } from '../failure.ts'
import type { Query } from './query-string.ts'
import type { Registry } from './registry.ts'
import type { Column, Relationship, Resource } from './resource.ts'

/** Relationship → the relationships of what it points at that are included too. */
export type Includes = ReadonlyMap<string, ReadonlySet<string>>

/** Parts of a record that a response shows. */
export interface Shape {
  /** A single record, with what is shown on those only. */
  readonly single: boolean
  /** Resource type → names of the attributes and relationships wanted. A type without an entry shows all. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  readonly includes: Includes
  /** Whether relationships are left out and not looked up: a download does not show them. */
  readonly attributesOnly?: boolean
}

/** Reads `fields[type]` and `include`. */
export function readShape(
  registry: Registry,
  resource: Resource,
  single: boolean,
  query: Query,
  faults: Fault[],
): Shape {
  const fields = readFields(registry, query, faults)
  const includes = readIncludes(registry, resource, single, query['include'], faults)
  return { single, fields, includes }
}

/** Shape of a GET without parameters. */
export const plainShape = (resource: Resource): Shape => ({
  single: true,
  fields: new Map(),
  includes: new Map((resource.included ?? []).map(name => [name, new Set<string>()])),
})

/**
 * Reads `fields[type]`. A type that no response contains is ignored; a field that its type does not have is a fault.
 */
export function readFields(registry: Registry, query: Query, faults: Fault[]): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>()
  for (const [parameter, value] of Object.entries(query)) {
    const type = /^fields\[([^\]]*)\]$/.exec(parameter)?.[1]
    if (type === undefined) continue
    const names = [value].flat().flatMap(listed)
    const resource = registry.get(type)
    const known = resource?.type ?? type
    fields.set(known, new Set([...(fields.get(known) ?? []), ...names]))
    if (!resource || resource.dynamicAttributes) continue
    for (const name of names) {
      if (hasField(resource, name)) continue
      const detail = `${type} has neither an attribute nor a relationship "${name}".`
      faults.push({ code: 'unknown-attribute', detail, source: { parameter } })
    }
  }
  return fields
}

const hasField = (resource: Resource, name: string) =>
  name === 'id' || Object.hasOwn(resource.columns, name) || Object.hasOwn(resource.relationships ?? {}, name)

const listed = (text: string): string[] =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')

function readIncludes(
  registry: Registry,
  resource: Resource,
  single: boolean,
  given: string | string[] | undefined,
  faults: Fault[],
): Includes {
  if (given === undefined) return single ? plainShape(resource).includes : new Map()
  const includes = new Map<string, Set<string>>()
  for (const path of [given].flat().flatMap(listed)) {
    const [first = '', second, ...deeper] = path.split('.')
    const target = has(first, single)(resource) ? shown(resource, single)[first] : undefined
    const fits = target && !deeper.length && (second === undefined || targets(registry, target).some(has(second)))
    if (!fits) {
      const names = Object.keys(shown(resource, single)).join(', ')
      const detail = `"${path}" cannot be included. ${resource.type} has: ${names || 'no relationships'}; one level deeper with a dot.`
      faults.push({ code: 'unknown-include', detail, source: { parameter: 'include' } })
      continue
    }
    const below = includes.get(first) ?? new Set()
    if (second !== undefined) below.add(second)
    includes.set(first, below)
  }
  return includes
}

const has =
  (name: string, single = false) =>
  (resource: Resource) =>
    Object.hasOwn(shown(resource, single), name)

const targets = (registry: Registry, { type }: Relationship): Resource[] =>
  type === 'any' ? [...registry.values()] : [registry.get(type)].filter(each => each !== undefined)

/** The relationships that such a response shows. */
export function shown(resource: Resource, single: boolean): Readonly<Record<string, Relationship>> {
  const all = resource.relationships ?? {}
  if (single) return all
  return Object.fromEntries(Object.entries(all).filter(([, relationship]) => !relationship.showOnly))
}

/** The attributes that such a response shows. */
export function shownColumns(resource: Resource, single: boolean): readonly (readonly [string, Column])[] {
  return Object.entries(resource.columns).filter(([, column]) => single || !column.showOnly)
}

/** Returns the shape without some attributes. */
export function without(resource: Resource, names: readonly string[], shape: Shape): Shape {
  if (names.length === 0) return shape
  const all = [...Object.keys(resource.columns), ...Object.keys(resource.relationships ?? {})]
  const left = [...(shape.fields.get(resource.type) ?? all)].filter(name => !names.includes(name))
  return { ...shape, fields: new Map(shape.fields).set(resource.type, new Set(left)) }
}

export function wanted(shape: Shape, type: string, name: string): boolean {
  return shape.fields.get(type)?.has(name) ?? true
}
