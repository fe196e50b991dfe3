import { equal, hasKey, isObject, type Json, type JsonObject, objectOf } from '#platform/documents/document.ts'
import { differences } from '#platform/documents/json-diff.ts'
import type { Operation } from '#platform/documents/json-patch.ts'
import type { Fault } from '#platform/failure.ts'
import { pointerPart } from '#platform/jsonapi/json.ts'
import { catalogue, mostAllowed, type Setting } from './catalogue.ts'

/** Placeholder for a secret in every response; written back, it keeps the stored value. */
export const hidden = '{{hidden}}'

/** The document with its secrets replaced. */
export const hideSecrets = (data: JsonObject): JsonObject => mapSecrets(data, () => hidden)

/**
 * The document to store: `{{hidden}}` of the caller is replaced by the stored value. It remains if there is none, or if
 * it is ambiguous: `hiddenFaults` refuses that.
 */
export const restoreHidden = (data: JsonObject, stored: JsonObject): JsonObject =>
  objectOf(
    Object.entries(data).map(([key, value]) => {
      const setting = catalogue[key]
      if (!setting?.secret || !hasKey(stored, key)) return [key, value]
      return [key, restoredValue(setting, value, stored[key]!)]
    }),
  )

/**
 * Secrets that would be kept and sent to another address than they were given for: a user who may change an address
 * need not know them, and must not learn them by listening there.
 *
 * @param written as the caller wrote it; `before` and `after` as stored
 */
export const movedSecrets = (written: JsonObject, before: JsonObject, after: JsonObject): Fault[] =>
  Object.keys(after).flatMap(key => {
    const [goal = '', ...others] = catalogue[key]?.sentBy ?? []
    const isGiven = hasKey(written, key) && written[key] !== hidden
    // Without its first setting, the host, it is not sent.
    if (goal === '' || isGiven || !hasKey(before, key) || !hasKey(after, goal)) return []
    const moved = [goal, ...others].filter(each => !equal(before[each] ?? null, after[each] ?? null))
    if (moved.length === 0) return []
    const detail = `${key} was given for another ${moved.join(', ')}: write it itself, or take it away.`
    return [{ code: 'invalid', detail, source: { pointer: `/data/attributes/data/${pointerPart(key)}` } }]
  })

function restoredValue({ secret, sentTo }: Setting, value: Json, stored: Json): Json {
  if (secret === true) return value === hidden ? stored : value
  const names = secret ?? []
  const goesTo = (each: Json) => (sentTo === undefined || !isObject(each) ? true : (each[sentTo] ?? null))
  const sameGoal = (one: Json, other: Json) => equal(goesTo(one), goesTo(other))
  if (!Array.isArray(value)) return sameGoal(value, stored) ? withSecrets(value, stored, names) : value
  // Longer lists are refused; each element is compared with each here.
  if (value.length > mostAllowed) return value
  const before = Array.isArray(stored) ? stored : []
  return value.map((each, index) => {
    // Values of a list have no names: two match if their visible parts are equal. Several equal ones keep their order,
    // as long as there are as many.
    const alike = (other: Json) => equal(bare(each, names), bare(other, names))
    const [had, has] = [before.filter(alike), value.filter(alike)]
    if (had.length === has.length) return withSecrets(each, had[value.slice(0, index).filter(alike).length]!, names)
    const [only, ...others] = had.length > 0 ? had : before.filter(other => sameGoal(each, other))
    return only !== undefined && others.length === 0 ? withSecrets(each, only, names) : each
  })
}

const bare = (value: Json, secret: readonly string[]): Json => mapOne(value, secret, () => hidden)

/** The value with the secrets of `from` where it has `{{hidden}}`. */
const withSecrets = (value: Json, from: Json, secret: readonly string[]): Json =>
  mapOne(value, secret, (each, name) => (each === hidden && isObject(from) ? (from[name] ?? each) : each))

/** The document with the secrets of listed values inserted for `{{hidden}}`. */
export const withListedSecrets = (data: JsonObject, listed: (key: string) => readonly Json[]): JsonObject =>
  objectOf(
    Object.entries(data).map(([key, value]) => {
      const choice = listed(key).filter(each => equal(hideSecrets({ [key]: each }), { [key]: value }))
      // Two that differ only in their secrets are ambiguous.
      return [key, choice.length === 1 ? choice[0]! : value]
    }),
  )

/**
 * A JSON Patch from some settings to others, its secrets hidden: a changed secret shows as changed, without either
 * value.
 */
export const settingsDifferences = (before: JsonObject, after: JsonObject): Operation[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap(key => {
    const only = (data: JsonObject): JsonObject => (hasKey(data, key) ? { [key]: data[key]! } : {})
    if (equal(only(before), only(after))) return []
    const [old, wanted] = [hideSecrets(only(before)), hideSecrets(only(after))]
    if (!equal(old, wanted)) return differences(old, wanted)
    return [{ op: 'replace', path: `/${pointerPart(key)}`, value: wanted[key]! }]
  })

type Change = (value: Json, name: string) => Json

function mapSecrets(data: JsonObject, change: Change): JsonObject {
  return objectOf(
    Object.entries(data).map(([key, value]) => {
      const secret = catalogue[key]?.secret
      if (!secret) return [key, value]
      if (secret === true) return [key, change(value, key)]
      return [
        key,
        Array.isArray(value) ? value.map(each => mapOne(each, secret, change)) : mapOne(value, secret, change),
      ]
    }),
  )
}

function mapOne(value: Json, secret: readonly string[], change: Change): Json {
  if (!isObject(value)) return value
  return objectOf(
    Object.entries(value).map(([name, each]) => [name, secret.includes(name) ? change(each, name) : each]),
  )
}
