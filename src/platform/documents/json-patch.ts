import { failure } from '../failure.ts'
import { pointerOf } from '../jsonapi/json.ts'
import { deepest, equal, hasKey, isObject, type Json, type JsonObject, objectOf } from './document.ts'

/**
 * RFC 6902 and RFC 7396 on plain data: nothing is changed in place. An own implementation because the usual ones skip
 * keys called `constructor` or `__proto__`, which here are data like any other.
 */
export type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string }

/** A patch that does not apply to this document. */
export class PatchConflict extends Error {
  readonly index: number
  readonly operation: Operation
  /** Value at the operation's path, as far as it can be found; undefined if there is none. */
  readonly found: Json | undefined

  constructor(index: number, operation: Operation, found: Json | undefined, why: string) {
    super(`operation ${index} (${operation.op} ${operation.path}): ${why}`)
    this.name = 'PatchConflict'
    this.index = index
    this.operation = operation
    this.found = found
  }
}

/**
 * @throws PatchConflict; then nothing of the patch is to be kept
 * @throws Failure `body-too-large` for a short patch with a huge result: copies of copies, for example
 */
export function applyOperations(document: Json, operations: readonly Operation[]): Json {
  const work = new Work(document)
  for (const [index, operation] of operations.entries()) {
    try {
      work.apply(operation)
    } catch (error) {
      if (!(error instanceof DoesNotApply)) throw error
      throw new PatchConflict(index, operation, lookUp(work.document, tokensOf(operation.path)), error.message)
    }
  }
  return work.document
}

class DoesNotApply extends Error {}

/**
 * Limits of the total size of copies (their characters, and 8 for each value), and of the places that array elements
 * are moved by.
 */
const most = { copied: 8 * 1024 * 1024, shifted: 100_000_000 }

type Members = Record<string, Json>

/**
 * The document while operations are applied to it. An object or array is copied once, when something in it first
 * changes: the cost of a patch of 100,000 operations is that of the operations, not of 100,000 documents.
 */
class Work {
  document: Json
  /** Objects and arrays that belong to this work alone and may be changed in place. */
  readonly #own = new Set<object>()
  #copied = 0
  #shifted = 0

  constructor(document: Json) {
    this.document = document
  }

  apply(operation: Operation): void {
    const path = tokensOf(operation.path)
    switch (operation.op) {
      case 'add':
        this.#put(path, operation.value, 'add')
        break
      case 'replace':
        existing(this.document, path)
        this.#put(path, operation.value, 'replace')
        break
      case 'test':
        if (!equal(existing(this.document, path), operation.value))
          throw new DoesNotApply('the value there is another one')
        break
      case 'remove':
        existing(this.document, path)
        this.#remove(path)
        break
      case 'copy':
        this.#put(path, this.#copy(existing(this.document, tokensOf(operation.from))), 'add')
        break
      case 'move': {
        const from = tokensOf(operation.from)
        if (`${operation.path}/`.startsWith(`${operation.from}/`) && operation.path !== operation.from)
          throw new DoesNotApply('a value cannot be moved into itself')
        const moved = existing(this.document, from)
        this.#remove(from)
        this.#put(path, moved, 'add')
      }
    }
  }

  #put(path: readonly string[], wanted: Json, how: 'add' | 'replace'): void {
    const token = path.at(-1)
    if (token === undefined) {
      this.document = wanted
      return
    }
    const holder = this.#changeable(path.slice(0, -1), token)
    if (!Array.isArray(holder)) setKey(holder as Members, token, wanted)
    else {
      const index = indexOf(token, holder, how === 'add')
      if (how === 'replace') holder[index] = wanted
      else this.#shift(holder, index, () => holder.splice(index, 0, wanted))
    }
  }

  #remove(path: readonly string[]): void {
    const token = path.at(-1)
    if (token === undefined) throw new DoesNotApply('the whole document cannot be removed')
    const holder = this.#changeable(path.slice(0, -1), token)
    if (!Array.isArray(holder)) delete (holder as Members)[token]
    else {
      const index = indexOf(token, holder, false)
      this.#shift(holder, index, () => holder.splice(index, 1))
    }
  }

  /** The object or array at a path, copied for this work with all objects and arrays above it. */
  #changeable(path: readonly string[], below: string): Json[] | Members {
    let holder = this.#owned(this.document, path[0] ?? below)
    this.document = holder
    for (const [at, token] of path.entries()) {
      const key = Array.isArray(holder) ? indexOf(token, holder, false) : token
      if (!Array.isArray(holder) && !hasKey(holder as JsonObject, token))
        throw new DoesNotApply(`there is no "${token}"`)
      const next = this.#owned((holder as Members)[key]!, path[at + 1] ?? below)
      if (Array.isArray(holder)) holder[key as number] = next
      else setKey(holder, token, next)
      holder = next
    }
    return holder
  }

  #owned(value: Json, below: string): Json[] | Members {
    if (typeof value !== 'object' || value === null)
      throw new DoesNotApply(`"${below}" is below something that is no object and no array`)
    if (this.#own.has(value)) return value as Json[] | Members
    const own = Array.isArray(value) ? [...value] : { ...(value as JsonObject) }
    this.#own.add(own)
    return own
  }

  #copy(value: Json, depth = 1): Json {
    this.#copied += typeof value === 'string' ? value.length + 8 : 8
    if (this.#copied > most.copied || depth > deepest) throw tooMuch()
    if (Array.isArray(value)) return value.map(each => this.#copy(each, depth + 1))
    if (!isObject(value)) return value
    return objectOf(
      Object.entries(value).map(([key, each]) => {
        this.#copied += key.length + 3
        return [key, this.#copy(each, depth + 1)]
      }),
    )
  }

  #shift(array: readonly Json[], index: number, splice: () => unknown): void {
    this.#shifted += array.length - index
    if (this.#shifted > most.shifted) throw tooMuch()
    splice()
  }
}

const tooMuch = () => failure('body-too-large', 'The patch makes more of the document than a document may hold.')

/** Sets a key of an object, also `__proto__`, whose assignment would set the prototype. */
function setKey(object: Members, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

function tokensOf(pointer: string): string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new DoesNotApply(`"${pointer}" is no JSON pointer: it begins with "/"`)
  return pointer
    .slice(1)
    .split('/')
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function existing(document: Json, path: readonly string[]): Json {
  const found = lookUp(document, path)
  if (found === undefined) throw new DoesNotApply('there is nothing at that path')
  return found
}

/** Value at a pointer; undefined if there is none. */
export const valueAt = (document: Json, pointer: string): Json | undefined => lookUp(document, tokensOf(pointer))

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

/**
 * RFC 7396: objects merge at every depth, null removes, everything else replaces. Parts that the patch does not name
 * are the document's own, not copies: `changedPointers` skips them.
 */
export function mergePatch(document: Json, patch: Json): Json {
  if (!isObject(patch)) return patch
  const merged: Members = isObject(document) ? { ...document } : {}
  for (const key of Object.keys(patch)) {
    const value = patch[key]!
    if (value === null) delete merged[key]
    else setKey(merged, key, mergePatch(hasKey(merged, key) ? merged[key]! : null, value))
  }
  return merged
}

/** Pointers of differences, as an audit event lists them: where values were added, removed or replaced. */
export function changedPointers(before: Json, after: Json): string[] {
  const pointers: string[] = []
  const path: string[] = []
  const compare = (old: Json, wanted: Json): void => {
    if (old === wanted) return
    if (!isObject(old) || !isObject(wanted)) {
      if (!equal(old, wanted)) pointers.push(pointerOf(path))
      return
    }
    for (const key of Object.keys(old)) {
      path.push(key)
      if (hasKey(wanted, key)) compare(old[key]!, wanted[key]!)
      else pointers.push(pointerOf(path))
      path.pop()
    }
    for (const key of Object.keys(wanted)) if (!hasKey(old, key)) pointers.push(pointerOf([...path, key]))
  }
  compare(before, after)
  return pointers
}
