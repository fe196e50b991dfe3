import { hasKey, isObject, type Json, type JsonObject } from '#platform/documents/document.ts'

/** One source of converged properties, with the text that names it. Least specific first. */
export interface Layer {
  readonly source: string
  readonly data: JsonObject
}

/**
 * The converged document: objects merge key by key at every depth, anything else replaces, `{"$remove": true}` takes
 * away what was inherited. `null` is a value. For text, or the sources, use `mergeTexts`.
 */
export function mergeLayers(layers: readonly Pick<Layer, 'data'>[]): JsonObject {
  const into: Members = {}
  for (const { data } of layers) mergeInto(into, data)
  return into
}

type Members = Record<string, Json>

/** Into objects of its own, changed in place: what is merged in is never a layer's object but a copy of it. */
function mergeInto(into: Members, data: JsonObject): void {
  for (const key of Object.keys(data)) {
    const value = data[key]!
    if (!isObject(value)) setKey(into, key, value)
    else if (isRemoval(value)) delete into[key]
    else {
      const there = Object.hasOwn(into, key) ? into[key]! : null
      const members = isObject(there) ? (there as Members) : {}
      if (members !== there) setKey(into, key, members)
      mergeInto(members, value)
    }
  }
}

/** Where an assignment of `__proto__` would set the prototype. */
function setKey(object: Members, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

export const isRemoval = (value: Json): boolean =>
  isObject(value) && value['$remove'] === true && hasKey(value, '$remove') && Object.keys(value).length === 1
