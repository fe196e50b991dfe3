import Type from 'typebox'
import { equal, isObject, type Json, type JsonObject } from '#platform/documents/document.ts'
import type { Fault } from '#platform/failure.ts'
import { pointerPart } from '#platform/jsonapi/json.ts'
import { invalidIn } from '#platform/jsonapi/validate.ts'
import { mostSearched, nearestTo, type Search } from '#platform/nearest-name.ts'
import { catalogue, type Level } from './catalogue.ts'
import { hidden } from './hidden.ts'

/** The catalogue as one schema: dotted names of settings, none of them required. */
const schema = Type.Object(
  Object.fromEntries(Object.entries(catalogue).map(([key, setting]) => [key, Type.Optional(setting.schema)])),
  { additionalProperties: false },
)

/**
 * Faults of a settings document: unknown keys, bad values, keys that are not allowed at this level, and values that the
 * installation does not list.
 *
 * @param listed the values that `allowed.<key>` lists now, for levels below global
 * @param at the pointer of the document
 */
export function settingsFaults(
  data: JsonObject,
  level: Level,
  listed: (key: string) => readonly Json[],
  at = '/data/attributes/data',
): Fault[] {
  const known = Object.entries(data).filter(([key]) => Object.hasOwn(catalogue, key))
  const unknown = Object.keys(data).filter(key => !Object.hasOwn(catalogue, key))
  const search = mostSearched()
  return [
    ...unknown.map(key => fault(at, key, `There is no setting "${key}"${instead(key, data[key]!, search)}`)),
    ...invalidIn(schema, Object.fromEntries(known), at),
    ...known.flatMap(([key, value]) => placeFaults(key, value, level, listed, at)),
    ...known.flatMap(([key, value]) => hiddenFaults(key, value, at)),
  ]
}

function placeFaults(
  key: string,
  value: Json,
  level: Level,
  listed: (key: string) => readonly Json[],
  at: string,
): Fault[] {
  const setting = catalogue[key]!
  const wrong = typeof value === 'string' && value !== '' ? setting.fault?.(value) : undefined
  if (wrong !== undefined) return [fault(at, key, wrong)]
  if (!setting.levels.includes(level)) {
    return [fault(at, key, `${key} can be set on ${setting.levels.join(', ')}; not on this ${level}.`)]
  }
  if (!setting.listed || level === 'global' || listed(key).some(each => equal(each, value))) return []
  return [fault(at, key, `This value of ${key} is not among those that the global setting allowed.${key} lists.`)]
}

/** `{{hidden}}` without a stored value that it could mean. */
function hiddenFaults(key: string, value: Json, at: string): Fault[] {
  const { secret, sentTo } = catalogue[key]!
  const among = sentTo === undefined ? '' : ` for this ${sentTo}`
  const detail = `${hidden} keeps a stored value, and none is stored${among}: write the value itself.`
  if (secret === true) return value === hidden ? [fault(at, key, detail)] : []
  const faultsOf = (each: Json, below: string, name: string): Fault[] =>
    isObject(each)
      ? (secret ?? []).filter(member => each[member] === hidden).map(member => fault(below, name, detail, member))
      : []
  if (!Array.isArray(value)) return faultsOf(value, at, key)
  return value.flatMap((each, index) => faultsOf(each, `${at}/${pointerPart(key)}`, String(index)))
}

const fault = (at: string, key: string, detail: string, member?: string): Fault => ({
  code: 'invalid',
  detail,
  source: { pointer: [at, ...[key, ...(member === undefined ? [] : [member])].map(pointerPart)].join('/') },
})

/** The key most likely meant. A missing prefix is the most common mistake, and has a large edit distance. */
function instead(key: string, value: Json, search: Search): string {
  const within = isObject(value) ? Object.keys(catalogue).find(each => each.startsWith(`${key}.`)) : undefined
  if (within) return `: names of settings have dots and are not nested, as in {"${within}": …}.`
  const known = Object.keys(catalogue)
  const like = known.find(each => each.endsWith(`.${key.split('.').at(-1)}`)) ?? nearestTo(key, known, search)
  return like ? `; did you mean "${like}"?` : '.'
}

/** GET /api/settings_schema: the catalogue as JSON Schema, with defaults, levels and secret members. */
export const settingsSchema = (): object => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Settings',
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(catalogue).map(([key, { schema: type, levels, secret, listed, why, unheeded, ...rest }]) => [
      key,
      {
        ...type,
        description: why,
        ...('default' in rest && { default: rest.default }),
        'x-levels': levels,
        ...(secret && { 'x-secret': secret, writeOnly: secret === true }),
        ...(listed && { 'x-allowed-by': `allowed.${key}` }),
        ...(unheeded !== undefined && { 'x-unheeded': unheeded }),
      },
    ]),
  ),
})
