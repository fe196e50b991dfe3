import { equal, hasKey, isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { differences } from '#platform/documents/json-diff.ts'
import { lookUp, type Operation } from '#platform/documents/json-patch.ts'
import { pointerPart } from '#platform/jsonapi/json.ts'
import { catalogue } from './catalogue.ts'

/** What stands for a secret in every answer; written back, it keeps what is stored. */
export const hidden = '{{hidden}}'

/** The document with its secrets replaced. */
export const hideSecrets = (data: JsonObject): JsonObject => mapSecrets(data, () => hidden)

/** The document as it is to be stored: where the caller wrote `{{hidden}}`, the value that is stored now, if there is one. */
export const keepHidden = (data: JsonObject, stored: JsonObject): JsonObject =>
  mapSecrets(data, (value, at) => {
    if (value !== hidden) return value
    const kept = lookUp(stored, at)
    return kept ?? value
  })

/** The document with the secrets of listed values, where it has one of those with `{{hidden}}` in their places. */
export const withListedSecrets = (data: JsonObject, listed: (key: string) => readonly Json[]): JsonObject =>
  objectOf(
    Object.entries(data).map(([key, value]) => {
      const choice = listed(key).filter(each => equal(hideSecrets({ [key]: each }), { [key]: value }))
      // Two that differ in their secrets alone are no choice that could be told.
      return [key, choice.length === 1 ? choice[0]! : value]
    }),
  )

/**
 * A JSON Patch from some settings to others, its secrets hidden: that a secret would be another one is told, and neither
 * of both.
 */
export const settingsDifferences = (before: JsonObject, after: JsonObject): Operation[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(key => {
    const only = (data: JsonObject): JsonObject => (hasKey(data, key) ? { [key]: data[key]! } : {})
    if (equal(only(before), only(after))) return []
    const [old, wanted] = [hideSecrets(only(before)), hideSecrets(only(after))]
    if (!equal(old, wanted)) return differences(old, wanted)
    return [{ op: 'replace', path: `/${pointerPart(key)}`, value: wanted[key]! }]
  })

type Change = (value: Json, at: readonly string[]) => Json

function mapSecrets(data: JsonObject, change: Change): JsonObject {
  return objectOf(
    Object.entries(data).map(([key, value]) => {
      const secret = catalogue[key]?.secret
      if (!secret) return [key, value]
      return [
        key,
        Array.isArray(value)
          ? value.map((each, index) => mapOne(each, secret, [key, String(index)], change))
          : mapOne(value, secret, [key], change),
      ]
    }),
  )
}

function mapOne(value: Json, secret: true | readonly string[], at: readonly string[], change: Change): Json {
  if (secret === true) return change(value, at)
  if (!isObject(value)) return value
  return objectOf(
    Object.entries(value).map(([name, each]) => [name, secret.includes(name) ? change(each, [...at, name]) : each]),
  )
}
