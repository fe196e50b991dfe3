import { pointerPart } from '../jsonapi/json.ts'
import { equal, hasKey, isObject, type Json, type JsonObject, objectOf } from './document.ts'

/**
 * RFC 6902 and RFC 7396 on plain data: nothing is changed in place. An own implementation because the usual ones pass
 * over keys called `constructor` or `__proto__`, which here are data like any other.
 */
export type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }

/** A patch that does not apply to this document. */
export class PatchConflict extends Error {
  readonly index: number
  readonly operation: Operation
  /** What stands at the operation's path, as far as it can be found; undefined where there is nothing. */
  readonly found: Json | undefined

  constructor(index: number, operation: Operation, found: Json | undefined, why: string) {
    super(`operation ${index} (${operation.op} ${operation.path}): ${why}`)
    this.name = 'PatchConflict'
    this.index = index
    this.operation = operation
    this.found = found
  }
}

/** @throws PatchConflict; then nothing of the patch is to be kept. */
export const applyOperations = (document: Json, operations: readonly Operation[]): Json =>
  operations.reduce((current, operation, index) => {
    try {
      return apply(current, operation)
    } catch (error) {
      if (!(error instanceof DoesNotApply)) throw error
      throw new PatchConflict(index, operation, lookUp(current, tokensOf(operation.path)), error.message)
    }
  }, document)

class DoesNotApply extends Error {}

function apply(document: Json, operation: Operation): Json {
  const path = tokensOf(operation.path)
  switch (operation.op) {
    case 'add':
      return put(document, path, operation.value, 'add')
    case 'replace':
      existing(document, path)
      return put(document, path, operation.value, 'replace')
    case 'test':
      if (!equal(existing(document, path), operation.value)) throw new DoesNotApply('another value stands there')
      return document
    case 'remove':
      existing(document, path)
      return remove(document, path)
    case 'copy':
      return put(document, path, existing(document, tokensOf(operation.from)), 'add')
    case 'move': {
      const from = tokensOf(operation.from)
      if (`${operation.path}/`.startsWith(`${operation.from}/`) && operation.path !== operation.from)
        throw new DoesNotApply('a value cannot be moved into itself')
      return put(remove(document, from), path, existing(document, from), 'add')
    }
  }
}

function tokensOf(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new DoesNotApply(`"${pointer}" is no JSON pointer: it begins with "/"`)
  return pointer
    .slice(1)
    .split('/')
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function put(value: Json, path: readonly string[], wanted: Json, how: 'add' | 'replace'): Json {
  const [token, ...rest] = path
  if (token === undefined) return wanted
  if (Array.isArray(value)) {
    const index = indexOf(token, value, how === 'add' && rest.length === 0)
    const set = rest.length === 0 ? wanted : put(value[index]!, rest, wanted, how)
    return value.toSpliced(index, how === 'add' && rest.length === 0 ? 0 : 1, set)
  }
  if (!isObject(value)) throw new DoesNotApply(`"${token}" stands beneath something that is no object and no array`)
  if (rest.length > 0 && !hasKey(value, token)) throw new DoesNotApply(`there is no "${token}"`)
  const set = rest.length === 0 ? wanted : put(value[token]!, rest, wanted, how)
  // A key that is there keeps its place.
  return objectOf([...Object.entries(value), [token, set]])
}

function remove(value: Json, path: readonly string[]): Json {
  const [token, ...rest] = path
  if (token === undefined) throw new DoesNotApply('the whole document cannot be removed')
  if (Array.isArray(value)) {
    const index = indexOf(token, value, false)
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, remove(value[index]!, rest))
  }
  const object = value as JsonObject
  if (rest.length === 0) return objectOf(Object.entries(object).filter(([key]) => key !== token))
  return objectOf(Object.entries(object).map(([key, each]) => [key, key === token ? remove(each, rest) : each]))
}

function existing(document: Json, path: readonly string[]): Json {
  const found = lookUp(document, path)
  if (found === undefined) throw new DoesNotApply('there is nothing at that path')
  return found
}

export function lookUp(document: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = document
  for (const token of path) {
    if (Array.isArray(value))
      value = /^(0|[1-9]\d*)$/.test(token) ? (value as readonly Json[])[Number(token)] : undefined
    else if (isObject(value)) value = hasKey(value, token) ? value[token] : undefined
    else return undefined
  }
  return value
}

function indexOf(token: string, array: readonly Json[], mayAppend: boolean): number {
  if (token === '-' && mayAppend) return array.length
  const index = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Number.NaN
  if (!(index < array.length || (mayAppend && index === array.length)))
    throw new DoesNotApply(`"${token}" is no index of an array of ${array.length}`)
  return index
}

/** RFC 7396: objects merge at every depth, null removes, everything else replaces. */
export function mergePatch(document: Json, patch: Json): Json {
  if (!isObject(patch)) return patch
  const base = isObject(document) ? document : {}
  const kept = Object.entries(base).flatMap(([key, value]): [string, Json][] => {
    if (!hasKey(patch, key)) return [[key, value]]
    return patch[key] === null ? [] : [[key, mergePatch(value, patch[key]!)]]
  })
  const added = Object.entries(patch)
    .filter(([key, value]) => !hasKey(base, key) && value !== null)
    .map(([key, value]): [string, Json] => [key, mergePatch(null, value)])
  return objectOf([...kept, ...added])
}

/** Pointers of what differs, as an audit event lists it: where values were added, removed or replaced. */
export function changedPointers(before: Json, after: Json, at = ''): string[] {
  if (equal(before, after)) return []
  if (!isObject(before) || !isObject(after)) return [at]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(key => {
    const below = `${at}/${pointerPart(key)}`
    return hasKey(before, key) && hasKey(after, key) ? changedPointers(before[key]!, after[key]!, below) : [below]
  })
}
