import type { Right } from '#platform/actor.ts'
import type { Branch } from './decide.ts'

/**
 * The same rules, reading being decided as `right` is: what is a condition over records for reading is one for that right
 * then. Nothing else may be asked of it.
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
