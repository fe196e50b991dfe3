import type { Right } from '#platform/actor.ts'
import { compileRules, decide, decideBelow, type Rule, segmentsOf } from './decide.ts'

/**
 * Paths of rules that can cover a path: each beginning of it, with every combination of segments replaced by `*`. A path
 * of n segments has 2^(n+1) - 1 of them.
 */
export function coveringPaths(path: string): string[] {
  let level = ['']
  const found = ['/']
  for (const segment of segmentsOf(path)) {
    level = level.flatMap(above => [`${above}/${segment}`, `${above}/*`])
    found.push(...level)
  }
  return found
}

/** Covering paths of full length: the path itself, and with `*` for some of its segments. */
export const likePath = (path: string): string[] =>
  coveringPaths(path).filter(each => segmentsOf(each).length === segmentsOf(path).length)

/** Rights of a user on a node; `execute` is at least one of its actions. */
export function rightsAt(
  path: string,
  { superuser, blocked }: { readonly superuser: boolean; readonly blocked: boolean },
  rules: readonly Rule[],
): Record<Right, boolean> {
  const root = compileRules(rules)
  const may = (decision: () => boolean) => !blocked && (superuser || decision())
  return {
    read: may(() => decide(root, 'read', path)),
    update: may(() => decide(root, 'update', path)),
    execute: may(() => decideBelow(root, path)('execute', '/actions/*')),
    delete: may(() => decide(root, 'delete', path)),
  }
}
