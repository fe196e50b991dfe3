import { fromJson } from '#json/from-json.ts'
import { Failure, type Fault } from '../failure.ts'
import { pointerOf } from '../jsonapi/json.ts'
import { textFault } from '../stored-text.ts'

/**
 * Documents: JSON values as data, whatever their keys are. Stored and compared as text, because the order of keys is
 * part of what people see (jsonb would sort them). Objects are read through own keys only and built with `entries`, so
 * that `__proto__` and `constructor` are keys like any other.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `Object.fromEntries` defines keys where an assignment of `__proto__` would set the prototype. */
export const objectOf = (entries: Iterable<readonly [string, Json]>): JsonObject =>
  Object.fromEntries(entries) as JsonObject

export const hasKey = (object: JsonObject, key: string): boolean => Object.hasOwn(object, key)

/** Equal as JSON: the order of keys does not count, as RFC 6902 compares for `test`. */
export function equal(a: Json, b: Json): boolean {
  if (a === b) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((each, i) => equal(each, b[i]!))
  if (!isObject(a)) return a === b
  if (!isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => hasKey(b, key) && equal(a[key]!, b[key]!))
}

/** The form in which documents are stored, hashed and compared. */
export const textOf = (value: Json): string => JSON.stringify(value)
export const parseText = (text: string): JsonObject => fromJson(text)

/** Maximum depth of a document. */
export const deepest = 64

/**
 * Faults of a value that JSON cannot carry unchanged through this service, each with a pointer. Bodies of requests are
 * read under the same rules; this is for documents from other sources and documents that grow by a patch. Whole numbers
 * beyond 2^53 lose digits when they are parsed, so they are refused instead of stored wrong; so are texts that the
 * database cannot store.
 *
 * @param at the pointer of the value itself, `/data/attributes/data`
 */
export function documentFaults(value: unknown, at: string): Fault[] {
  const faults: Fault[] = []
  // The keys that lead to the value. Pointers are only written for faults: writing 100,000 took longer than the check.
  const path: string[] = []
  const report = (fault: Pick<Fault, 'code' | 'detail'> | undefined) => {
    if (fault) faults.push({ ...fault, source: { pointer: `${at}${pointerOf(path)}` } })
  }
  const look = (each: unknown): void => {
    if (typeof each === 'string') report(textFault(each))
    else if (typeof each === 'number') report(numberFault(each))
    else if (typeof each !== 'object' || each === null) return
    else if (path.length >= deepest) report({ code: 'too-deep', detail: `Nested deeper than ${deepest} levels.` })
    else lookInto(each as JsonObject)
  }
  const lookInto = (object: JsonObject): void => {
    for (const key of Object.keys(object)) {
      report(textFault(key))
      path.push(key)
      look(object[key])
      path.pop()
    }
  }
  look(value)
  return faults
}

const numberFault = (value: number): Pick<Fault, 'code' | 'detail'> | undefined =>
  Number.isInteger(value) && !Number.isSafeInteger(value)
    ? { code: 'invalid', detail: 'A whole number beyond 2^53 loses digits: write it as a string.' }
    : undefined

/** @throws Failure naming all faults of the document. */
export function checkDocument(value: unknown, at: string): void {
  const [first, ...others] = documentFaults(value, at)
  if (first) throw new Failure([first, ...others])
}
