import { fromJson } from '#json/from-json.ts'
import type { Json, JsonObject } from '#platform/documents/document.ts'
import { nearestTo } from '#platform/nearest-name.ts'
import { catalogue } from './catalogue.ts'
import { settingsFaults } from './check.ts'

/**
 * Settings that the environment of the service states (SERVICE_OVERRIDE_<NAME>): they take precedence over stored ones,
 * everywhere.
 *
 * @param given by <NAME>, with the value as text: upper case, dots as `__`; JSON, or else text
 * @returns the values by key, and every invalid line
 */
export function readOverrides(given: Readonly<Record<string, string>>): { values: JsonObject; errors: string[] } {
  const keys = new Map(Object.keys(catalogue).map(key => [nameOf(key), key]))
  const entries = Object.entries(given).map(([name, text]) => {
    const key = keys.get(name)
    return { name, key, value: key === undefined ? text : valueFor(key, text) }
  })
  const unknown = entries.filter(({ key }) => key === undefined)
  const values = Object.fromEntries(entries.flatMap(({ key, value }) => (key === undefined ? [] : [[key, value]])))
  const faults = faultsOf(values)
  return {
    values,
    errors: [
      ...unknown.map(({ name }) => `SERVICE_OVERRIDE_${name}: there is no such setting${nearest(name, keys)}`),
      ...faults.map(({ detail, source }) => `SERVICE_OVERRIDE_${nameOf(settingOf(source?.pointer))}: ${detail}`),
    ],
  }
}

const faultsOf = (values: JsonObject) =>
  settingsFaults(values, 'global', () => [], '').filter(
    // The environment may also state settings of nodes; the values apply to all nodes.
    ({ detail }) => !detail.includes(' can be set on '),
  )

/** A password of digits only is JSON as well: if the setting is a text, it remains one. */
function valueFor(key: string, text: string): Json {
  const value = read(text)
  const isScalar = typeof value === 'number' || typeof value === 'boolean'
  const isMeantAsText = isScalar && faultsOf({ [key]: value }).length > 0 && faultsOf({ [key]: text }).length === 0
  return isMeantAsText ? text : value
}

const nameOf = (key: string): string => key.toUpperCase().replaceAll('.', '__')

/** The pointer of a fault begins with the setting's key; none of them has a character that pointers escape. */
const settingOf = (pointer = ''): string => pointer.split('/')[1] ?? ''

function nearest(name: string, keys: ReadonlyMap<string, string>): string {
  const like = nearestTo(name, [...keys.keys()])
  return like ? `; did you mean SERVICE_OVERRIDE_${like}?` : '.'
}

function read(text: string): Json {
  try {
    return fromJson(text)
  } catch {
    // People write plain words: SERVICE_OVERRIDE_MAINTENANCE_MODE=enabled.
    return text
  }
}
