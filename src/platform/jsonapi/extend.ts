import type { Domain } from '../domain.ts'
import type { Extension, Resource, Row } from './resource.ts'

/**
 * The resources of all domains, each with what domains to its right add to it. Two definitions of one name are an error
 * at start: which one a caller would see must not depend on the order of a list.
 */
export function extendResources(domains: readonly Domain[]): Resource[] {
  const resources = domains.flatMap(domain => domain.resources ?? [])
  for (const domain of domains) {
    for (const type of Object.keys(domain.extends ?? {})) {
      if (!resources.some(resource => resource.type === type)) {
        throw new Error(`${domain.name} extends ${type}, and there is no such resource`)
      }
    }
  }
  return resources.map(resource =>
    domains.reduce((extended, domain) => {
      const extension = domain.extends?.[resource.type]
      return extension ? extend(extended, extension, domain.name) : extended
    }, resource),
  )
}

function extend(resource: Resource, extension: Extension, by: string): Resource {
  const joined = <T>(what: 'joins' | 'columns' | 'extra' | 'named' | 'relationships'): Record<string, T> => {
    const mine = (resource[what] ?? {}) as Record<string, T>
    const theirs = (extension[what] ?? {}) as Record<string, T>
    const twice = Object.keys(theirs).find(name => Object.hasOwn(mine, name))
    if (twice) throw new Error(`${by} defines ${what} ${twice} of ${resource.type}, which is defined already`)
    return { ...mine, ...theirs }
  }
  return {
    ...resource,
    joins: joined('joins'),
    columns: joined('columns'),
    extra: joined('extra'),
    named: joined('named'),
    relationships: joined('relationships'),
    links: row => joinedLinks(resource, row, extension, by),
    meta: (row, reader) => merged(resource.meta?.(row, reader), extension.meta?.(row, reader)),
    included: [...(resource.included ?? []), ...(extension.included ?? [])],
  }
}

/** Links depend on the record, so that two of one name are only seen when one is shown. */
function joinedLinks(resource: Resource, row: Row, extension: Extension, by: string): Record<string, string> {
  const links = { ...resource.links(row) }
  for (const [name, link] of Object.entries(extension.links?.(row) ?? {})) {
    if (link === undefined) continue
    if (links[name] !== undefined)
      throw new Error(`${by} defines the link ${name} of ${resource.type}, which has it already`)
    links[name] = link
  }
  return links
}

type Meta = ReturnType<NonNullable<Resource['meta']>>

/** One level deep: several domains each add their area to `meta.authorisations`. */
function merged(mine: Meta, theirs: Meta): Meta {
  if (!mine || !theirs) return mine ?? theirs
  const meta: Record<string, unknown> = { ...mine }
  for (const [name, value] of Object.entries(theirs)) {
    const known = meta[name]
    meta[name] = isObject(known) && isObject(value) ? { ...known, ...value } : value
  }
  return meta
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
