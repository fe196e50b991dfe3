import type { Right } from '#platform/actor.ts'
import type { Branch } from './decide.ts'

/**
 * Rules with `right` instead of reading: a condition on readable records becomes one for that right. Not to be used for
 * any other right.
 */
export function rulesForRight(right: Right, { path, says, rules, literal, star }: Branch): Branch {
  const decision = says[right]
  return {
    path,
    says: decision === undefined ? {} : { read: decision },
    rules,
    literal: new Map([...literal].map(([segment, next]) => [segment, rulesForRight(right, next)])),
    star: star && rulesForRight(right, star),
  }
}
