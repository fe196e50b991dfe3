import { equal, isObject, type Json, type JsonObject } from '#platform/documents/document.ts'
import { catalogue } from './catalogue.ts'

/** Settings of one level, with the text that names it. */
export interface SettingsLayer {
  readonly source: string
  readonly data: JsonObject
}

/** Converged settings, flat: setting names with dots as keys; `sources` has one text for each key of `data`. */
export interface ConvergedSettings {
  readonly data: JsonObject
  readonly sources: Readonly<Record<string, string>>
}

export const overrideSource = 'Environment variable'
export const defaultSource = 'Default'

/**
 * The settings in force. The most specific level wins and replaces whole; only the rules of `requires_approval_from`
 * add up. Values from the environment take precedence over all. In the order of the catalogue.
 *
 * @param layers least specific first
 */
export function convergeSettings(layers: readonly SettingsLayer[], overrides: JsonObject): ConvergedSettings {
  const entries = Object.entries(catalogue).flatMap(([key, setting]): [string, Json, string][] => {
    const stated = layers.filter(({ data }) => Object.hasOwn(data, key))
    const source = stated.at(-1)?.source
    if (Object.hasOwn(overrides, key)) return [[key, overrides[key]!, overrideSource]]
    if (source === undefined)
      return setting.default === undefined ? [] : [[key, setting.default as Json, defaultSource]]
    if (key === 'requires_approval_from') {
      const rules = combineRules(stated.map(({ data }) => data[key] as readonly Json[]))
      return [[key, rules, stated.map(layer => layer.source).join(', ')]]
    }
    return [[key, stated.at(-1)!.data[key]!, source]]
  })
  return {
    data: Object.fromEntries(entries.map(([key, value]) => [key, value])),
    sources: Object.fromEntries(entries.map(([key, , source]) => [key, source])),
  }
}

/**
 * Rules of lower levels are added to those of higher ones. With the same filter, a higher rule with `merge_approvers`
 * includes the lower rule's approvers instead.
 */
function combineRules(levels: readonly (readonly Json[])[]): Json[] {
  const combined: Json[] = []
  for (const rules of levels) {
    const above = combined.length
    for (const rule of rules) {
      const into = combined.slice(0, above).findIndex(higher => mergesWith(higher, rule))
      if (into < 0) combined.push(rule)
      else combined[into] = withApprovers(combined[into] as JsonObject, rule as JsonObject)
    }
  }
  return combined
}

const mergesWith = (higher: Json, lower: Json): boolean =>
  isObject(higher) &&
  isObject(lower) &&
  higher['merge_approvers'] === true &&
  equal(higher['change_filter'] ?? null, lower['change_filter'] ?? null)

function withApprovers(higher: JsonObject, lower: JsonObject): JsonObject {
  const both = (key: string): readonly Json[] => [
    ...new Set([...((higher[key] as Json[]) ?? []), ...((lower[key] as Json[]) ?? [])]),
  ]
  const named = ['user_names', 'ldap_groups'].filter(key => both(key).length > 0)
  return { ...higher, ...Object.fromEntries(named.map(key => [key, both(key)])) }
}
