import { operations, recordTypes } from '../client/generated/api.ts'
import type { Field, Operation } from '../client/operation.ts'
import { WrongUsage } from './wrong-usage.ts'

/** A type of record and what the interface lets one do with it: found in the table of operations, never listed here. */
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

/** The last word of an operation's name: `archive`, `cancel`, `delete`. */
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
    // What is made by naming it (a version of a template) is made and changed by the same PUT.
    creates: posts.length > 0 ? posts : on(shows, 'PUT').filter(operation => verbOf(operation) === 'put'),
    updates: patches.length > 0 ? patches : on(shows, 'PUT'),
    removes: on(shows, 'DELETE'),
  }
})

export const plural = (type: string): string =>
  /[^aeiou]y$/.test(type) ? `${type.slice(0, -1)}ies` : type.endsWith('s') ? type : `${type}s`

/** `an environment`, `a user`. */
export const one = (type: string): string => `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`
/** The same at the beginning of a sentence. */
export const atFirst = (type: string): string => `A${one(type).slice(1)}`

/** By its type as the interface writes it, one or many, with - or _: `project`, `log-lines`. */
export function kindNamed(word: string): RecordKind {
  const name = word.toLowerCase().replaceAll('-', '_')
  const kind = recordKinds.find(({ type }) => type === name || plural(type) === name)
  if (kind) return kind
  const close = recordKinds.filter(({ type }) => type.includes(name) || name.includes(type)).map(({ type }) => type)
  const hint = close.length > 0 ? `Did you mean ${close.join(' or ')}?` : 'sluice types lists them all.'
  throw new WrongUsage(`There is no type of record "${word}". ${hint}`)
}

const byForce = 'ignore_in_use'
export const takesForce = ({ query }: Operation): boolean => query !== undefined && byForce in query
