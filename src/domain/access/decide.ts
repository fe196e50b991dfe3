import type { Right } from '#platform/actor.ts'

/** A rule as it stands in force: each right true (allow), false (deny) or null (says nothing). `*` is one segment. */
export interface Rule {
  path: string
  read: boolean | null
  update: boolean | null
  execute: boolean | null
  delete: boolean | null
}

/**
 * One segment of the tree that rules make. What a rule says stands on the branch of its path, so that a decision walks
 * the segments of one path, however many rules there are.
 */
export interface Branch {
  readonly path: string
  readonly says: Partial<Record<Right, boolean>>
  readonly literal: Map<string, Branch>
  star: Branch | undefined
}

const all: readonly Right[] = ['read', 'update', 'execute', 'delete']

/**
 * Who may hand out rights is never decided by a rule that was written for everything: neither the root nor a first `*`
 * covers this first segment, only a rule that names it.
 */
export const namedOnly = 'authorisation_policies'

/**
 * Puts rules together (access.md 2). Implications hold where the rule stands: update, execute or delete allowed allows
 * reading; reading denied denies all. Of two rules on one path deny wins.
 */
export function compileRules(rules: readonly Rule[]): Branch {
  const root = branch('/')
  for (const rule of rules) {
    const says = branchOf(root, rule.path).says
    const implied = withImplications(rule)
    for (const right of all) if (implied[right] !== null) says[right] = implied[right] && says[right] !== false
  }
  const policies = branchOf(root, `/${namedOnly}`).says
  for (const right of all) policies[right] ??= false
  return root
}

/**
 * May it be done? For one right the longest matching path decides; at equal length the one whose first differing
 * segment is a literal. No rule: no right.
 */
export function decide(root: Branch, right: Right, path: string): boolean {
  let decision = root.says[right] ?? false
  // Matching branches of one length, the more literal first.
  let matching = [root]
  for (const segment of segmentsOf(path)) {
    matching = matching.flatMap(at => [at.literal.get(segment), starOf(at, segment)].filter(next => next !== undefined))
    if (matching.length === 0) break
    decision = matching.find(({ says }) => says[right] !== undefined)?.says[right] ?? decision
  }
  return decision
}

const starOf = (at: Branch, segment: string): Branch | undefined =>
  at.path === '/' && segment === namedOnly ? undefined : at.star

export const segmentsOf = (path: string): string[] => path.split('/').filter(segment => segment !== '')

function withImplications(rule: Rule): Record<Right, boolean | null> {
  const { read, update, execute, delete: remove } = rule
  if (read === false) return { read: false, update: false, execute: false, delete: false }
  return { read: read || update || execute || remove ? true : null, update, execute, delete: remove }
}

function branchOf(root: Branch, path: string): Branch {
  let at = root
  for (const segment of segmentsOf(path)) {
    const next = segment === '*' ? at.star : at.literal.get(segment)
    if (next) {
      at = next
      continue
    }
    const made = branch(`${at.path === '/' ? '' : at.path}/${segment}`)
    if (segment === '*') at.star = made
    else at.literal.set(segment, made)
    at = made
  }
  return at
}

const branch = (path: string): Branch => ({ path, says: {}, literal: new Map(), star: undefined })
