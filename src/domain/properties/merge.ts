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
export const mergeLayers = (layers: readonly Layer[]): JsonObject => merge(layers, undefined)

/** The same shape with the source's text at each leaf: arrays element by element, an empty object or array as one leaf. */
export const sourcesOf = (layers: readonly Layer[]): JsonObject => mergeWithSources(layers).sources

/** Both in one walk: what tens of thousands of leaves take twice is felt. */
export function mergeWithSources(layers: readonly Layer[]): { data: JsonObject; sources: JsonObject } {
  const labels: Labels = { root: {}, objects: [] }
  const data = merge(layers, labels)
  for (const { holder, key, members, label, source } of labels.objects)
    if (isEmpty(members) && Object.hasOwn(holder, key) && holder[key] === label) setKey(holder, key, source)
  // An empty document is one leaf itself.
  return { data, sources: isEmpty(data) ? ((layers[0]?.source ?? '') as unknown as JsonObject) : labels.root }
}

type Members = Record<string, Json>

interface Labels {
  readonly root: Members
  /** Every object that a layer spoke of first, with who that was: shown where it is empty in the end. */
  readonly objects: { holder: Members; key: string; members: Members; label: Members; source: string }[]
}

/** Into objects of its own, changed in place: what is merged in is never a layer's object but a copy of it. */
function merge(layers: readonly Layer[], labels: Labels | undefined): JsonObject {
  const into: Members = {}
  for (const { data, source } of layers) mergeInto(into, labels?.root, data, source, labels)
  return into
}

function mergeInto(
  into: Members,
  label: Members | undefined,
  data: JsonObject,
  source: string,
  labels: Labels | undefined,
): void {
  for (const key of Object.keys(data)) {
    const value = data[key]!
    if (!isObject(value)) {
      setKey(into, key, value)
      if (label) setKey(label, key, Array.isArray(value) ? labelled(value, source) : source)
    } else if (isRemoval(value)) {
      delete into[key]
      if (label) delete label[key]
    } else {
      const there = Object.hasOwn(into, key) ? into[key]! : null
      let members = there as Members
      if (!isObject(there)) {
        members = {}
        setKey(into, key, members)
        if (label) {
          const below: Members = {}
          setKey(label, key, below)
          labels!.objects.push({ holder: label, key, members, label: below, source })
        }
      }
      mergeInto(members, label && (label[key] as Members), value, source, labels)
    }
  }
}

/** Where an assignment of `__proto__` would set the prototype. */
function setKey(object: Members, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}

export const isRemoval = (value: Json): boolean =>
  isObject(value) && value['$remove'] === true && hasKey(value, '$remove') && Object.keys(value).length === 1

/** Within an array nothing merges: every leaf in it came from the same source. */
function labelled(value: Json, source: string): Json {
  if (Array.isArray(value)) return value.length === 0 ? source : value.map(each => labelled(each, source))
  if (!isObject(value) || Object.keys(value).length === 0) return source
  return objectOf(Object.entries(value).map(([key, each]) => [key, labelled(each, source)]))
}
