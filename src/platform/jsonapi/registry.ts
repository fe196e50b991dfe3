import type { Resource } from './resource.ts'

/** Resources of the product by type. Types compare without regard to case in bodies, not here. */
export type Registry = ReadonlyMap<string, Resource>

const name = /^[a-z][a-z0-9_]{0,59}$/

/** @throws on the first faulty resource: it is a bug, and the service does not start with it */
export function registry(resources: readonly Resource[]): Registry {
  const byType = new Map<string, Resource>()
  for (const resource of resources) {
    for (const type of typesOf(resource)) {
      if (byType.has(type)) throw new Error(`two resources have the type ${type}`)
      byType.set(type, resource)
    }
    const fault = wrongWith(resource)
    if (fault) throw new Error(`the resource ${resource.type} ${fault}`)
  }
  return byType
}

const typesOf = ({ type, types }: Resource): readonly string[] => (types && !types.borrowed ? types.all : [type])

/** The registry for a response of this resource, in which the types that it borrows are its own. */
export function within(all: Registry, resource: Resource): Registry {
  const { types } = resource
  return types?.borrowed ? new Map([...all, ...types.all.map(type => [type, resource] as const)]) : all
}

function wrongWith(resource: Resource): string | undefined {
  const columns = Object.keys(resource.columns)
  const extra = Object.keys(resource.extra ?? {})
  const relationships = Object.keys(resource.relationships ?? {})
  const named = Object.keys(resource.named ?? {})
  const badName = [resource.type, ...columns, ...extra, ...relationships, ...named].find(each => !name.test(each))
  if (badName !== undefined) return `has the name "${badName}"; names are lower case with _, of at most 60 characters`
  if (resource.columns['id']) return 'states its id twice: `id` is no column'
  const twice = extra.find(each => columns.includes(each))
  if (twice) return `has the column ${twice} also as an extra`
  const sort = resource.defaultSort?.find(({ column }) => column !== 'id' && !columns.includes(column))
  if (sort) return `is sorted by ${sort.column}, which it does not have`
  const included = resource.included?.find(each => !relationships.includes(each))
  if (included) return `includes ${included}, which is no relationship of it`
  if (!resource.rights) return 'says nothing about rights'
  return undefined
}
