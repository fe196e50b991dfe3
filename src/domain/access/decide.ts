import type { Right } from '#platform/actor.ts'

/** Rule in force: each right true (allow), false (deny) or null (no decision). `*` is one segment. */
export interface Rule {
  path: string
  read: boolean | null
  update: boolean | null
  execute: boolean | null
  delete: boolean | null
}

/**
 * One segment of the tree built from rules. The decisions of a rule are on the branch of its path, so that a decision
 * walks the segments of one path, however many rules there are.
 */
export interface Branch<R extends Rule = Rule> {
  readonly path: string
  readonly says: Partial<Record<Right, boolean>>
  /** Rules of this path, for explanations. */
  readonly rules: R[]
  readonly literal: Map<string, Branch<R>>
  star: Branch<R> | undefined
}

export const allRights: readonly Right[] = ['read', 'update', 'execute', 'delete']

/**
 * First segment that only a rule naming it covers, neither one on the root nor one on `*`: the right to grant rights is
 * never decided by a rule that was written for everything.
 */
export const namedOnly = 'authorisation_policies'

/**
 * Combines rules. Implications hold on the rule's path: update, execute or delete allowed allows reading; reading
 * denied denies all. If two rules on one path conflict, deny wins.
 */
export function compileRules<R extends Rule>(rules: readonly R[]): Branch<R> {
  const root = branch<R>('/')
  for (const rule of rules) {
    const { says, rules: here } = branchOf(root, rule.path)
    here.push(rule)
    const implied = withImplications(rule)
    for (const right of allRights) if (implied[right] !== null) says[right] = implied[right] && says[right] !== false
  }
  const policies = branchOf(root, `/${namedOnly}`).says
  for (const right of allRights) policies[right] ??= false
  return root
}

/** Whether a right is granted: the decision of the deciding branch; without a rule, no right. */
export const decide = (root: Branch, right: Right, path: string): boolean =>
  decidingBranch(root, right, path)?.says[right] ?? false

/** Whether a right is granted on the path of a rule, whichever that is. */
export const grantsSomewhere = ({ says, literal, star }: Branch, right: Right): boolean =>
  says[right] === true ||
  (star !== undefined && grantsSomewhere(star, right)) ||
  [...literal.values()].some(each => grantsSomewhere(each, right))

/**
 * Branch that decides about one right: the longest matching path; at equal length the one whose first differing segment
 * is a literal. Undefined if no rule decides.
 */
export const decidingBranch = <R extends Rule>(root: Branch<R>, right: Right, path: string): Branch<R> | undefined =>
  walk(fromRoot(root, right), right, path).deciding

export const fromRoot = <R extends Rule>(root: Branch<R>, right: Right): Walked<R> => ({
  matching: [root],
  deciding: root.says[right] === undefined ? undefined : root,
})

/** Branches that match a path so far, the more literal first, and the one that decides about a right. */
export interface Walked<R extends Rule = Rule> {
  readonly matching: readonly Branch<R>[]
  readonly deciding: Branch<R> | undefined
}

export function walk<R extends Rule>(from: Walked<R>, right: Right, path: string): Walked<R> {
  let { matching, deciding } = from
  // From slash to slash, without a list of the segments: a list of nodes calls this twenty times for each of them.
  for (let at = 0; at < path.length && matching.length > 0; ) {
    const slash = path.indexOf('/', at)
    const end = slash < 0 ? path.length : slash
    if (end > at) {
      matching = matchingChildren(matching, path.slice(at, end))
      deciding = matching.find(({ says }) => says[right] !== undefined) ?? deciding
    }
    at = end + 1
  }
  return { matching, deciding }
}

/** Next segments that make a difference: the names in rules, and `*` for any other name. */
export const namesBelow = (...branches: readonly Branch[]): string[] => [
  ...new Set(branches.flatMap(({ literal }) => [...literal.keys()])),
  '*',
]

/**
 * Decides about paths below one path, which is walked once for all rights: as long as nothing below it has rules, which
 * is nearly always, each decision is then a lookup. `/actions/*` stands for at least one of the actions.
 */
export function decideBelow(root: Branch, path: string): (right: Right, below: string) => boolean {
  let walked: WalkedForAll | undefined
  return (right, below) => {
    walked ??= walkForAll(root, path)
    const { matching, deciding } = walked
    const here = deciding[right]
    if (matching.length === 0) return here?.says[right] ?? false
    const atLeastOne = below.endsWith('/*')
    const there = walk({ matching, deciding: here }, right, atLeastOne ? below.slice(0, -2) : below)
    const names = atLeastOne ? namesBelow(...there.matching) : ['']
    return names.some(name => walk(there, right, name).deciding?.says[right] ?? false)
  }
}

/** Matching branches of a path, and the branch that decides about each right there. */
interface WalkedForAll {
  readonly matching: readonly Branch[]
  readonly deciding: Partial<Record<Right, Branch>>
}

function walkForAll(root: Branch, path: string): WalkedForAll {
  const deciding: Partial<Record<Right, Branch>> = {}
  const take = (matching: readonly Branch[]) => {
    // In reverse, so that the more literal one remains.
    for (let at = matching.length - 1; at >= 0; at--) {
      const branch = matching[at]!
      for (const right of allRights) if (branch.says[right] !== undefined) deciding[right] = branch
    }
  }
  let matching: readonly Branch[] = [root]
  take(matching)
  for (let at = 0; at < path.length && matching.length > 0; ) {
    const slash = path.indexOf('/', at)
    const end = slash < 0 ? path.length : slash
    if (end > at) {
      matching = matchingChildren(matching, path.slice(at, end))
      take(matching)
    }
    at = end + 1
  }
  return { matching, deciding }
}

function matchingChildren<R extends Rule>(branches: readonly Branch<R>[], segment: string): readonly Branch<R>[] {
  const found: Branch<R>[] = []
  for (const at of branches) {
    const literal = at.literal.get(segment)
    if (literal) found.push(literal)
    const star = starOf(at, segment)
    if (star) found.push(star)
  }
  return found
}

/** All branches that match a path, the longest first; at equal length the more literal first. */
export function matchingBranches<R extends Rule>(root: Branch<R>, path: string): Branch<R>[] {
  const segments = segmentsOf(path)
  // A rule on the root does not cover the path, although the root leads there.
  let found = segments[0] === namedOnly ? [] : [root]
  let matching: readonly Branch<R>[] = [root]
  for (const segment of segments) {
    matching = matchingChildren(matching, segment)
    found = [...matching, ...found]
  }
  return found
}

/** Decision of a rule about a right, with its implications; null if it has none. */
export const saysAbout = (rule: Rule, right: Right): boolean | null => withImplications(rule)[right]

/** Rules of a branch that decide about a right; empty if it is denied by default. */
export const decidingRules = <R extends Rule>({ says, rules }: Branch<R>, right: Right): R[] =>
  rules.filter(rule => withImplications(rule)[right] === says[right])

const starOf = <R extends Rule>(at: Branch<R>, segment: string): Branch<R> | undefined =>
  at.path === '/' && segment === namedOnly ? undefined : at.star

export const segmentsOf = (path: string): string[] => path.split('/').filter(segment => segment !== '')

function withImplications(rule: Rule): Record<Right, boolean | null> {
  const { read, update, execute, delete: remove } = rule
  if (read === false) return { read: false, update: false, execute: false, delete: false }
  return { read: read || update || execute || remove ? true : null, update, execute, delete: remove }
}

function branchOf<R extends Rule>(root: Branch<R>, path: string): Branch<R> {
  let at = root
  for (const segment of segmentsOf(path)) {
    const next = segment === '*' ? at.star : at.literal.get(segment)
    if (next) {
      at = next
      continue
    }
    const made = branch<R>(`${at.path === '/' ? '' : at.path}/${segment}`)
    if (segment === '*') at.star = made
    else at.literal.set(segment, made)
    at = made
  }
  return at
}

const branch = <R extends Rule>(path: string): Branch<R> => ({
  path,
  says: {},
  rules: [],
  literal: new Map(),
  star: undefined,
})
