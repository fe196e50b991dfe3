import { mayByRule } from '../support/rights-oracle.ts'
import type { Allowed, Policy, World } from './world.ts'

/** Rights of users by the specification's rules, independent of the service's compiled form. */

export type Right = 'read' | 'update' | 'execute' | 'delete'

const hasSystemPolicy = (world: World, username: string, name: string) =>
  policiesOf(world, username).some(policy => policy.system && policy.name === name)

export const isBlocked = (world: World, username: string): boolean => hasSystemPolicy(world, username, 'blocked')

export const isSuperuser = (world: World, username: string): boolean =>
  hasSystemPolicy(world, username, 'superuser') && !isBlocked(world, username)

export function may(world: World, username: string, right: Right, path: string): boolean {
  if (isBlocked(world, username)) return false
  return isSuperuser(world, username) || mayByRule(rulesFor(world, username), right, path)
}

/** Groups are not used here. */
const policiesOf = ({ rights }: World, username: string): Policy[] =>
  rights.assignments
    .filter(each => each.groupname === null && (each.username === null || each.username === username))
    .map(({ policy }) => policy)

export function rulesFor(world: World, username: string) {
  const policies = new Set(policiesOf(world, username))
  const rules = world.rights.ties.filter(({ policy }) => policies.has(policy)).map(({ rule }) => rule)
  return [...new Set(rules)]
}

const pathBelow = (path: string, area: string): string => (path === '/' ? `/${area}` : `${path}/${area}`)

/**
 * Whether rules together grant a right that a user lacks: checked on every path where one of their rules could decide
 * differently.
 */
function giveMore(world: World, username: string, given: readonly Allowed[]): boolean {
  const own = rulesFor(world, username)
  const places = given.flatMap(({ path }) => [path, ...own.flatMap(rule => meeting(path, rule.path))])
  return places
    .map(place => place.replaceAll('*', 'any'))
    .some(place => rights.some(right => mayByRule(given, right, place) && !may(world, username, right, place)))
}

/** The path where two paths with wildcards meet, if the second is at least as deep as the first. */
function meeting(path: string, other: string): string[] {
  const [here, there] = [segments(path), segments(other)]
  if (there.length < here.length) return []
  const met = there.map((segment, at) => (segment === '*' ? (here[at] ?? '*') : segment))
  const fits = here.every((segment, at) => segment === '*' || segment === met[at])
  // Rules on the root do not cover the policies at the top.
  return fits && !(here.length === 0 && met[0] === 'authorisation_policies') ? [`/${met.join('/')}`] : []
}

const segments = (path: string) => (path === '/' ? [] : path.split('/').slice(1))

const rights = ['read', 'update', 'execute', 'delete'] as const
const holdsBack = (rule: Allowed | undefined, right: Right) => rule?.[right] === false || rule?.read === false

export interface Write {
  readonly before?: Allowed
  readonly after?: Allowed
}

/**
 * A user may replace rules if they may write policies, and have all rights that the new rules grant together and that
 * the old ones denied. Rules with a wildcard, old or new, are for superusers.
 */
export function mayWrite(world: World, username: string, ...writes: readonly Write[]): boolean {
  if (isSuperuser(world, username)) return true
  const holds = (rule: Allowed) => rights.every(right => rule[right] !== true || may(world, username, right, rule.path))
  const after = writes.flatMap(each => (each.after ? [each.after] : []))
  const before = writes.flatMap(each => (each.before ? [each.before] : []))
  const released = writes.flatMap(releasedBy)
  return (
    [...before, ...after].every(
      ({ path }) => !path.includes('*') && may(world, username, 'update', pathBelow(path, 'authorisation_policies')),
    ) &&
    [...after, ...released].every(holds) &&
    !giveMore(world, username, after) &&
    !released.some(rule => giveMore(world, username, [rule]))
  )
}

/** Removed denials, as if they were granted. */
function releasedBy({ before, after }: Write): Allowed[] {
  if (!before) return []
  const there = after?.path === before.path ? after : undefined
  const flag = (right: Right) => (holdsBack(before, right) && !holdsBack(there, right) ? true : null)
  return [
    { path: before.path, read: flag('read'), update: flag('update'), execute: flag('execute'), delete: flag('delete') },
  ]
}

export const seesRule = (world: World, username: string, { path }: Pick<Allowed, 'path'>): boolean =>
  may(world, username, 'read', pathBelow(path, 'authorisation_policies'))
