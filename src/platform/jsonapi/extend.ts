import type { Domain } from '../domain.ts'
import type { Extension, Resource, Row } from './resource.ts'

/**
 * The resources of all domains, each with the extensions from domains to its right. Two definitions of one name are an
 * error at start: which one a caller would see must not depend on the order of a list.
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
  return resources.map(resource => {
    const extensions = domains.flatMap(({ name, extends: all }) => {
      const extension = all?.[resource.type]
      return extension ? [{ by: name, extension }] : []
    })
    return extensions.length ? extended(resource, extensions) : resource
  })
}

type Extensions = readonly { by: string; extension: Extension }[]

function extended(resource: Resource, extensions: Extensions): Resource {
  const joined = <T>(what: 'joins' | 'columns' | 'extra' | 'named' | 'relationships'): Record<string, T> => {
    const all = { ...(resource[what] as Record<string, T> | undefined) }
    for (const { by, extension } of extensions) {
      for (const [name, each] of Object.entries((extension[what] ?? {}) as Record<string, T>)) {
        if (Object.hasOwn(all, name))
          throw new Error(`${by} defines ${what} ${name} of ${resource.type}, which is defined already`)
        all[name] = each
      }
    }
    return all
  }
  const linking = extensions.filter(({ extension }) => extension.links)
  const metas = [resource.meta, ...extensions.map(({ extension }) => extension.meta)].filter(each => each !== undefined)
  return {
    ...resource,
    joins: joined('joins'),
    columns: joined('columns'),
    extra: joined('extra'),
    named: joined('named'),
    relationships: joined('relationships'),
    links: row => joinedLinks(resource, row, linking),
    meta: (row, reader) => metas.map(meta => meta(row, reader)).reduce(merged, undefined),
    included: [...(resource.included ?? []), ...extensions.flatMap(({ extension }) => extension.included ?? [])],
  }
}

/** Joins the links of a record. Links depend on the record, so a duplicate name is only found when one is shown. */
function joinedLinks(resource: Resource, row: Row, extensions: Extensions): Record<string, string> {
  const links = { ...resource.links(row) }
  for (const { by, extension } of extensions) {
    const theirs = extension.links!(row)
    for (const name in theirs) {
      const link = theirs[name]
      if (link === undefined) continue
      if (links[name] !== undefined)
        throw new Error(`${by} defines the link ${name} of ${resource.type}, which has it already`)
      links[name] = link
    }
  }
  return links
}

type Meta = ReturnType<NonNullable<Resource['meta']>>

/** Merges two `meta` objects, one level deep: several domains each add their area to `meta.authorisations`. */
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
