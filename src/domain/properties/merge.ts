import { hasKey, isObject, type Json, type JsonObject } from '#platform/documents/document.ts'

/** One source of converged properties, with the text that names it. Least specific first. */
export interface Layer {
  readonly source: string
  readonly data: JsonObject
}

/**
 * The converged document: objects merge key by key at every depth, anything else replaces, `{"$remove": true}` removes
 * what was inherited. `null` is a value.
 */
export function mergeLayers(layers: readonly Pick<Layer, 'data'>[]): JsonObject {
  const into: Members = {}
  for (const { data } of layers) mergeInto(into, data, asStated)
  return into
}

/**
 * The source of each leaf of the converged document, in its shape: arrays element by element, an empty object or array as
 * one leaf. The source of an empty object is the layer that first stated it.
 */
export function mergeSources(layers: readonly Layer[]): Json {
  const into: Members = {}
  const statedBy = new Map<Json, string>()
  for (const { source, data } of layers)
    mergeInto(into, data, {
      leaf: value => labelled(value, source),
      object: members => {
        statedBy.set(members, source)
      },
    })
  if (Object.keys(into).length === 0) return layers[0]?.source ?? ''
  labelEmpty(into, statedBy)
  return into
}

type Members = Record<string, Json>

/** Form of the merged document: its leaves, and a callback for its objects. */
interface Merged {
  /** Maps a value that is not an object. */
  leaf(value: Json): Json
  /** Callback for each object that the merged document gains. */
  object(members: Members): void
}

const asStated: Merged = { leaf: value => value, object: () => {} }

/** Merges into objects of the result, which are modified in place: a layer's objects are never part of the result. */
function mergeInto(into: Members, data: JsonObject, merged: Merged): void {
  for (const key of Object.keys(data)) {
    const value = data[key]!
    if (!isObject(value)) setKey(into, key, merged.leaf(value))
    else if (isRemoval(value)) delete into[key]
    else {
      const there = Object.hasOwn(into, key) ? into[key]! : null
      const members = isObject(there) ? (there as Members) : {}
      if (members !== there) {
        setKey(into, key, members)
        merged.object(members)
      }
      mergeInto(members, value, merged)
    }
  }
}

/** The value with `source` instead of every leaf. */
function labelled(value: Json, source: string): Json {
  if (Array.isArray(value)) return value.length === 0 ? source : value.map(each => labelled(each, source))
  if (!isObject(value)) return source
  const keys = Object.keys(value)
  if (keys.length === 0) return source
  const labels: Members = {}
  for (const key of keys) setKey(labels, key, labelled(value[key]!, source))
  return labels
}

function labelEmpty(labels: Members, statedBy: ReadonlyMap<Json, string>): void {
  for (const key of Object.keys(labels)) {
    const value = labels[key]!
    const source = statedBy.get(value)
    if (source === undefined) continue
    if (Object.keys(value as object).length === 0) setKey(labels, key, source)
    else labelEmpty(value as Members, statedBy)
  }
}

/** Sets a key of an object, also `__proto__`, whose assignment would set the prototype. */
function setKey(object: Members, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

export const isRemoval = (value: Json): boolean =>
  isObject(value) && value['$remove'] === true && hasKey(value, '$remove') && Object.keys(value).length === 1
