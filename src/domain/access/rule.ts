import type { Actor, Need, Right } from '#platform/actor.ts'
import { failure } from '#platform/failure.ts'
import { type Rule, segmentsOf } from './decide.ts'

export const policiesPath = '/authorisation_policies'

/** Where it is asked who may write rules about a path. */
export const policiesPathOf = (path: string): string => (path === '/' ? policiesPath : `${path}${policiesPath}`)

export const mayReadRule = ({ path }: Rule, { rights }: Actor): boolean => rights.may('read', policiesPathOf(path))

/** With read on all policies, or on those of the paths of all its rules. Its resource says the same in SQL. */
export const mayReadPolicy = ({ rules }: { rules: readonly Rule[] }, actor: Actor): boolean =>
  actor.rights.may('read', policiesPath) || (rules.length > 0 && rules.every(rule => mayReadRule(rule, actor)))

/** Words that follow "should be". */
export const rulePathForm =
  '/, or a path such as /projects/bank/environments/* without a / at its end: at most 16 parts, and * a whole part'

/** `/`, or whole segments without an empty one; `*` stands alone in a segment. At most 16 segments, deeper than any path. */
export const rulePathPattern = '^/$|^(?:/(?:\\*|[^/*\\u0000-\\u001f\\u007f]{1,255})){1,16}$'

const rights: readonly Right[] = ['read', 'update', 'execute', 'delete']

/**
 * What one must hold to put `after` in the place of `before` (access.md 2): update on the policies of the path, and every
 * right that the rule gives. Taking a denial away gives a right as well.
 *
 * @throws Failure forbidden for a rule with `*` that is not a superuser's: it would reach into what is denied to them.
 */
export function needsToWrite(rule: { before?: Rule | undefined; after?: Rule | undefined }, actor: Actor): Need[] {
  const { before, after } = rule
  const written = [before, after].filter(each => each !== undefined)
  if (!actor.rights.superuser && written.some(({ path }) => segmentsOf(path).includes('*'))) {
    throw failure('forbidden', 'Only superusers write rules with *.', { meta: { right: 'superuser' } })
  }
  const released = (right: Right) =>
    holdsBack(before, right) && !(after?.path === before?.path && holdsBack(after, right))
  return written.flatMap(each => [
    { right: 'update' as const, path: policiesPathOf(each.path) },
    ...rights
      .filter(right => (each === after ? after[right] === true : released(right)))
      .map(right => ({ right, path: each.path })),
  ])
}

/** Reading denied holds back everything. */
const holdsBack = (rule: Rule | undefined, right: Right): boolean => rule?.[right] === false || rule?.read === false

/** @throws Failure forbidden */
export function requireSuperuser({ rights }: Actor, what: string): void {
  if (!rights.superuser) throw failure('forbidden', `Only superusers ${what}.`, { meta: { right: 'superuser' } })
}
