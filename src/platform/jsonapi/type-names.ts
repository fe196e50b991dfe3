import type { Resource } from './resource.ts'

/**
 * Whether a type in a body means this resource. Clients of JSON:API send the name of the collection (`projects`) or the
 * plural of the type, in different cases (`gitRemotes`, `git-remotes`).
 */
export const isTypeOf = (resource: Resource, given: string): boolean => namesOf(resource).has(folded(given))

const known = new WeakMap<Resource, ReadonlySet<string>>()

function namesOf(resource: Resource): ReadonlySet<string> {
  const names = known.get(resource) ?? new Set([...typesOf(resource), ...collectionsOf(resource)].map(folded))
  known.set(resource, names)
  return names
}

const typesOf = ({ type, types }: Resource): string[] =>
  [type, ...(types?.all ?? [])].flatMap(each => [each, pluralOf(each)])

/**
 * Names of the collections of a type: the last segments of the paths of its lists, and those before the id of its
 * shows.
 */
const collectionsOf = ({ lists, shows }: Resource): string[] =>
  [...lists, ...shows].flatMap(({ path }) => {
    const words = path.split('/').filter(word => !word.startsWith(':'))
    return words.slice(-1)
  })

/** `authorisation_policy` → `authorisation_policies` */
export const pluralOf = (type: string): string => {
  if (/[^aeiou]y$/.test(type)) return `${type.slice(0, -1)}ies`
  if (/(ies|ings)$/.test(type)) return type
  return type.endsWith('s') ? `${type}es` : `${type}s`
}

const folded = (name: string): string => name.replace(/[-_]/g, '').toLowerCase()
