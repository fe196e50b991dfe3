import { isDeepStrictEqual } from 'node:util'
import type { Asset, Group, Person } from './people.ts'

/** A rule as stored in a setting. */
export interface Rule {
  readonly change_filter: {
    readonly actions: string | readonly string[]
    readonly created_by?: { readonly user_names?: readonly string[]; readonly ldap_groups?: readonly string[] }
  }
  readonly user_names?: readonly string[]
  readonly ldap_groups?: readonly string[]
  readonly required_approvals?: number
  readonly allow_self_approval?: boolean
  readonly merge_approvers?: boolean
}

/** Rules of a step, with every reference resolved. */
export interface Asked {
  readonly users: readonly string[]
  readonly groups: readonly string[]
  readonly required: number
  readonly mayApproveOwn: boolean
}

/** The least specific level first. */
export const levels = ['global', 'project', 'environment', 'asset'] as const
export type Level = (typeof levels)[number]

export type Settings = Readonly<Record<Level, readonly Rule[]>>

/** Values of the properties that rules refer to. */
export interface Properties {
  readonly owners?: unknown
  readonly squad?: unknown
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
const has = (names: readonly string[], name: string): boolean => names.some(each => isSame(each, name))

export const isNamed = ({ users, groups }: Pick<Asked, 'users' | 'groups'>, { name, groups: own }: Person): boolean =>
  has(users, name) || [...own].some(group => has(groups, group))

/** The rules of all levels above an asset. */
export function rulesInForce(settings: Settings, asset: Asset): Rule[] {
  const found: { rule: Rule; level: number }[] = []
  for (const [level, name] of levels.entries()) {
    if (name === 'asset' && asset !== 'front') continue
    for (const rule of settings[name]) {
      const higher = found.findIndex(
        each => each.level < level && each.rule.merge_approvers && sameFilter(each.rule, rule),
      )
      if (higher < 0) found.push({ rule, level })
      else found[higher] = { ...found[higher]!, rule: joined(found[higher]!.rule, rule) }
    }
  }
  return found.map(({ rule }) => rule)
}

const sameFilter = (one: Rule, other: Rule): boolean => isDeepStrictEqual(one.change_filter, other.change_filter)

const joined = (higher: Rule, lower: Rule): Rule => ({
  ...higher,
  user_names: [...(higher.user_names ?? []), ...(lower.user_names ?? [])],
  ldap_groups: [...(higher.ldap_groups ?? []), ...(lower.ldap_groups ?? [])],
})

/** Whether a rule applies to a change of this action by this creator. */
export function isAsked({ change_filter: { actions, created_by } }: Rule, action: string, maker: Person): boolean {
  const globs = (typeof actions === 'string' ? actions.split(',') : actions).map(each => each.trim())
  if (!globs.some(glob => glob === 'all' || matches(glob, action))) return false
  const { user_names: users = [], ldap_groups = [] } = created_by ?? {}
  return !created_by || isNamed({ users, groups: ldap_groups }, maker)
}

const matches = (glob: string, action: string): boolean =>
  new RegExp(`^${glob.replaceAll('*', '.*')}$`, 'i').test(action)

/** Resolves references to names; undefined if a property names no approver. */
export function filledIn(rule: Rule, properties: Properties): Asked | undefined {
  const users = (rule.user_names ?? []).map(name => namesIn(name, properties))
  const groups = (rule.ldap_groups ?? []).map(name => namesIn(name, properties))
  if ([...users, ...groups].includes(undefined)) return undefined
  return {
    users: users.flatMap(names => names!),
    groups: groups.flatMap(names => names!),
    required: rule.required_approvals ?? 1,
    mayApproveOwn: rule.allow_self_approval ?? false,
  }
}

function namesIn(name: string, properties: Properties): readonly string[] | undefined {
  const [, path] = /^\{\{ (\w+) \}\}$/.exec(name) ?? []
  if (!path) return [name]
  const value = properties[path as keyof Properties]
  if (typeof value === 'string') return [value]
  const isList = Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string')
  return isList ? value : undefined
}

/** Whether the creator could satisfy it alone: then it is not required. */
export const isLeftOut = (asked: Asked, maker: Person): boolean =>
  asked.mayApproveOwn && asked.required === 1 && isNamed(asked, maker)

/** Names that are neither users nor groups of the directory any more. */
export function unknownNames(
  names: Pick<Asked, 'users' | 'groups'>,
  those: Known,
): { users: string[]; groups: string[] } {
  const known = those.people.filter(({ isDeleted }) => !isDeleted).map(({ name }) => name)
  return {
    users: names.users.filter(name => !has(known, name)),
    groups: names.groups.filter(name => !has(those.groups, name)),
  }
}

export interface Known {
  readonly people: readonly Person[]
  readonly groups: readonly Group[]
}

/** Faults of new rules, by their place. */
export function faultsOf(rules: readonly Rule[], known: Known): string[] {
  const written = (names: readonly string[] = []) => names.filter(name => !name.startsWith('{{'))
  const faults: string[] = []
  for (const [at, rule] of rules.entries()) {
    const names = { users: written(rule.user_names), groups: written(rule.ldap_groups) }
    const unknown = unknownNames(names, known)
    for (const name of unknown.users) faults.push(`${at}/user_names/${rule.user_names!.indexOf(name)}`)
    for (const name of unknown.groups) faults.push(`${at}/ldap_groups/${rule.ldap_groups!.indexOf(name)}`)
    const isWhole = names.users.length + names.groups.length === countOf(rule)
    const isKnown = unknown.users.length + unknown.groups.length === 0
    const able = known.people.filter(person => person.signsIn && isNamed(names, person))
    if (isWhole && isKnown && able.length < (rule.required_approvals ?? 1)) faults.push(`${at}/required_approvals`)
  }
  return faults
}

const countOf = ({ user_names = [], ldap_groups = [] }: Rule): number => user_names.length + ldap_groups.length

/** Text of a rule, regardless of the case and order of names. */
export const ruleInWords = ({ users, groups, required, mayApproveOwn }: Asked): string => {
  const names = (list: readonly string[]) => [...new Set(list.map(name => name.toLowerCase()))].toSorted().join()
  return `${required} of ${names(users)} in ${names(groups)}${mayApproveOwn ? ', oneself too' : ''}`
}
