import { isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { lookUp } from '#platform/documents/json-patch.ts'
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
