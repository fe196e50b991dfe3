import type { Need, Right } from '#platform/actor.ts'
import { allRights, type Branch, fromRoot, namesBelow, type Walked, walk } from './decide.ts'

/** A right that some rules grant, and a path on which others do not: the first one found. */
export function excessRight(held: Branch, given: Branch): Need | undefined {
  for (const right of allRights) {
    const path = excessPath(right, { held: fromRoot(held, right), given: fromRoot(given, right) }, '')
    if (path !== undefined) return { right, path }
  }
  return undefined
}

interface RulePair {
  readonly held: Walked
  readonly given: Walked
}

/** First path with an excess right: walks both trees side by side, as far as one of them has further rules. */
function excessPath(right: Right, { held, given }: RulePair, path: string): string | undefined {
  const gives = given.deciding?.says[right] ?? false
  if (gives && !held.deciding?.says[right]) return path || '/'
  // Paths without rules in either tree are decided as here.
  if (given.matching.length === 0 && (!gives || held.matching.length === 0)) return undefined
  for (const name of namesBelow(...given.matching, ...held.matching)) {
    const there = { held: walk(held, right, name), given: walk(given, right, name) }
    const found = excessPath(right, there, `${path}/${name}`)
    if (found !== undefined) return found
  }
  return undefined
}
