import { operations, recordTypes } from '../client/generated/api.ts'
import type { Field, Operation } from '../client/operation.ts'
import { WrongUsage } from './wrong-usage.ts'

/** A record type and its operations, derived from the generated table of operations. */
export interface RecordKind {
  readonly type: string
  readonly about: string
  readonly attributes: Readonly<Record<string, Field>>
  readonly lists: readonly Operation[]
  readonly shows: readonly Operation[]
  readonly creates: readonly Operation[]
  readonly updates: readonly Operation[]
  readonly removes: readonly Operation[]
}

/** Verb of an operation id: `archive`, `cancel`, `delete`. */
export const verbOf = ({ id }: Operation): string => id.split('.')[1]!.replace(/_\d+$/, '')

export const recordKinds: readonly RecordKind[] = Object.entries(recordTypes).map(([type, { about, attributes }]) => {
  const answering = operations.filter(({ method, answers }) => method === 'GET' && answers === type)
  const lists = answering.filter(operation => operation.lists)
  const shows = answering.filter(operation => !operation.lists)
  const on = (places: readonly Operation[], ...methods: string[]) =>
    operations.filter(({ method, path }) => methods.includes(method) && places.some(place => place.path === path))
  const posts = on(lists, 'POST')
  const patches = on(shows, 'PATCH')
  return {
    type,
    about,
    attributes,
    lists,
    shows,
    // Records addressed by a chosen name, such as template versions, are created and updated by the same PUT.
    creates: posts.length > 0 ? posts : on(shows, 'PUT').filter(operation => verbOf(operation) === 'put'),
    updates: patches.length > 0 ? patches : on(shows, 'PUT'),
    removes: on(shows, 'DELETE'),
  }
})

export const plural = (type: string): string =>
  /[^aeiou]y$/.test(type) ? `${type.slice(0, -1)}ies` : type.endsWith('s') ? type : `${type}s`

/** Type with its indefinite article: `an environment`, `a user`. */
export const one = (type: string): string => `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
/** Type with a capitalized article, for the start of a sentence. */
export const atFirst = (type: string): string => `A${one(type).slice(1)}`

/** Finds a record kind by its type, singular or plural, with - or _: `project`, `log-lines`. */
export function kindNamed(word: string): RecordKind {
  const name = word.toLowerCase().replaceAll('-', '_')
  const kind = recordKinds.find(({ type }) => type === name || plural(type) === name)
  if (kind) return kind
  const close = recordKinds.filter(({ type }) => type.includes(name) || name.includes(type)).map(({ type }) => type)
  const hint = close.length > 0 ? `Did you mean ${close.join(' or ')}?` : 'See sluice types.'
  throw new WrongUsage(`Unknown record type "${word}". ${hint}`)
}

const byForce = 'ignore_in_use'
export const takesForce = ({ query }: Operation): boolean => query !== undefined && byForce in query
