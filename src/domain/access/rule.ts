import type { Actor, Need, Right } from '#platform/actor.ts'
import { failure } from '#platform/failure.ts'
import { allRights, type Rule, segmentsOf } from './decide.ts'

export const policiesPath = '/authorisation_policies'

/** Path on which the right to write rules about a path is checked. */
export const policiesPathOf = (path: string): string => (path === '/' ? policiesPath : `${path}${policiesPath}`)

export const mayReadRule = ({ path }: Rule, { rights }: Actor): boolean => rights.may('read', policiesPathOf(path))

/**
 * Whether the actor may read a policy: with read on all policies, or on those of the paths of all its rules. Its
 * resource has the same condition in SQL.
 */
export const mayReadPolicy = ({ rules }: { rules: readonly Rule[] }, actor: Actor): boolean =>
  actor.rights.may('read', policiesPath) || (rules.length > 0 && rules.every(rule => mayReadRule(rule, actor)))

/**
 * Length of the longest path: of an action, in an asset, in an environment, with names of maximum length. An index can
 * hold it, whatever its characters.
 */
export const longestRulePath = 650

/** Words that follow "should be". */
export const rulePathForm = `/, or a path such as /projects/bank/environments/* without a / at its end: at most ${longestRulePath} characters in 16 parts, and * a whole part`

/**
 * `/`, or whole segments without an empty one; `*` is alone in a segment. At most 16 segments, deeper than any path.
 */
export const rulePathPattern = '^/$|^(?:/(?:\\*|[^/*\\u0000-\\u001f\\u007f]{1,255})){1,16}$'

/** A rule that replaces another, is new, or is removed. */
export interface Write {
  readonly before?: Rule | undefined
  readonly after?: Rule | undefined
}

/**
 * Rights needed to write rules: update on the policies of their paths, and every right that they grant, wherever they
 * grant it: a user who may do everything in a project except with its secrets cannot grant anyone the whole of it.
 * Rules of one policy are written together, because one may deny what another allows. Removing a denial grants a right
 * as well.
 *
 * @throws Failure forbidden for a right below a path where the caller lacks it, and for a rule with `*` that a caller
 *   other than a superuser writes
 */
export function needsToWrite(writes: readonly Write[], actor: Actor): Need[] {
  const needs = writes.flatMap(write => needsOfWrite(write, actor))
  // A right that is missing on the path itself is reported by its name.
  if (needs.some(({ right, path }) => !actor.rights.may(right, path))) return needs
  refuseBeyond(
    writes.map(({ after }) => after).filter(each => each !== undefined),
    actor,
  )
  for (const write of writes) refuseBeyond(releasedBy(write), actor)
  return needs
}

function needsOfWrite(write: Write, { rights }: Actor): Need[] {
  const { before, after } = write
  const written = [before, after].filter(each => each !== undefined)
  if (!rights.superuser && written.some(({ path }) => segmentsOf(path).includes('*'))) {
    throw failure('forbidden', 'Only superusers write rules with *.', { meta: { right: 'superuser' } })
  }
  const given = after ? [after, ...releasedBy(write)] : releasedBy(write)
  return [
    ...written.map(({ path }) => ({ right: 'update' as const, path: policiesPathOf(path) })),
    ...given.flatMap(rule =>
      allRights.filter(right => rule[right] === true).map(right => ({ right, path: rule.path })),
    ),
  ]
}

/** Rights that a removed denial had withheld, as a rule that grants them. */
function releasedBy({ before, after }: Write): Rule[] {
  if (!before) return []
  const staying = after?.path === before.path ? after : undefined
  const released = (right: Right) => (holdsBack(before, right) && !holdsBack(staying, right) ? true : null)
  const [read, update, execute, remove] = allRights.map(released)
  return [{ path: before.path, read: read!, update: update!, execute: execute!, delete: remove! }]
}

function refuseBeyond(given: readonly Rule[], { rights }: Actor): void {
  const lacking = rights.lacking?.(given)
  if (!lacking) return
  const { right, path } = lacking
  // A place that is hidden from them is not named.
  const where = rights.may('read', path) ? `on ${path}` : 'on everything below the path'
  throw failure(
    'forbidden',
    `This gives ${right} ${where}, which you do not have: give less, or deny it there in the same policy.`,
    { meta: { right } },
  )
}

/** Whether a rule denies the right; reading denied denies everything. */
const holdsBack = (rule: Rule | undefined, right: Right): boolean => rule?.[right] === false || rule?.read === false

/** @throws Failure forbidden */
export function requireSuperuser({ rights }: Actor, what: string): void {
  if (!rights.superuser) throw failure('forbidden', `Only superusers ${what}.`, { meta: { right: 'superuser' } })
}
