import { hasKey, isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'

/** One source of converged properties, with the text that names it. Least specific first (configuration.md 1). */
export interface Layer {
  readonly source: string
  readonly data: JsonObject
}

/**
 * The converged document: objects merge key by key at every depth, anything else replaces, `{"$remove": true}` takes away
 * what was inherited. `null` is a value.
 */
export const mergeLayers = (layers: readonly Layer[]): JsonObject =>
  document(mergeAll(layers), ({ value }) => value) as JsonObject

/** The same shape with the source's text at each leaf: arrays element by element, an empty object or array as one leaf. */
export const sourcesOf = (layers: readonly Layer[]): JsonObject =>
  document(mergeAll(layers), ({ value, source }) => labelled(value, source)) as JsonObject

/** A place in the merged document: an object of places, or a value that came from one layer as a whole. */
type Place = Leaf | Branch
interface Leaf {
  readonly value: Json
  readonly source: string
}
interface Branch {
  /** A Map, because its keys are data: in an object `__proto__` would be something else. */
  readonly members: Map<string, Place>
  /** Who first said that there is an object here; shown while it is empty. */
  readonly source: string
}

const isBranch = (place: Place | undefined): place is Branch => place !== undefined && 'members' in place

function mergeAll(layers: readonly Layer[]): Branch {
  const root: Branch = { members: new Map(), source: layers[0]?.source ?? '' }
  for (const { data, source } of layers) mergeInto(root, data, source)
  return root
}

function mergeInto(branch: Branch, data: JsonObject, source: string): void {
  for (const key of Object.keys(data)) {
    const value = data[key]!
    if (isRemoval(value)) {
      branch.members.delete(key)
    } else if (isObject(value)) {
      const there = branch.members.get(key)
      const into: Branch = isBranch(there) ? there : { members: new Map(), source }
      mergeInto(into, value, source)
      branch.members.set(key, into)
    } else {
      branch.members.set(key, { value, source })
    }
  }
}

const isRemoval = (value: Json): boolean =>
  isObject(value) && hasKey(value, '$remove') && value['$remove'] === true && Object.keys(value).length === 1

function document(place: Place, leaf: (leaf: Leaf) => Json): Json {
  if (!isBranch(place)) return leaf(place)
  if (place.members.size === 0) return leaf({ value: {}, source: place.source })
  return objectOf([...place.members].map(([key, below]) => [key, document(below, leaf)]))
}

/** Within an array nothing merges: every leaf in it came from the same source. */
function labelled(value: Json, source: string): Json {
  if (Array.isArray(value)) return value.length === 0 ? source : value.map(each => labelled(each, source))
  if (!isObject(value) || Object.keys(value).length === 0) return source
  return objectOf(Object.entries(value).map(([key, each]) => [key, labelled(each, source)]))
}
