import type { Rights } from '#platform/actor.ts'
import { sql } from '#platform/db/sql.ts'
import { type Branch, compileRules, decide, decideBelow, grantsSomewhere, type Rule } from './decide.ts'
import { excessRight } from './excess-rights.ts'
import { rulesForRight } from './rules-for-right.ts'
import { rulesUnderSegment } from './rules-under-segment.ts'
import { fewProjects, isDecidedInSets, readsAnywhere, visibleTo } from './visible.sql.ts'

/** Combined effect of the policies assigned to a user. */
export interface Granted {
  superuser: boolean
  blocked: boolean
  rules: readonly Rule[]
}

/**
 * Rights of a user (pure): everything (superuser), nothing (blocked, which takes precedence), or what the rules grant.
 */
export function rightsFrom({ superuser, blocked, rules }: Granted): Rights {
  if (blocked) return nothing
  if (superuser) return everything
  const compiled = compileRules(rules)
  let executing: Branch | undefined
  return {
    superuser: false,
    may: (right, path) => decide(compiled, right, path),
    somewhere: right => grantsSomewhere(compiled, right),
    mayBelow: path => decideBelow(compiled, path),
    lacking: given => excessRight(compiled, compileRules(given)),
    visible: record => visibleTo(compiled, record),
    executable: record => {
      executing ??= rulesForRight('execute', compiled)
      return visibleTo(executing, record)
    },
    undenied: first => {
      const named = rulesUnderSegment(compiled, first)
      return named && (path => visibleTo(named, { projectId: sql`null::uuid`, path }))
    },
    projects: fewProjects(compiled),
    anywhere: readsAnywhere(compiled),
    inSets: isDecidedInSets(compiled),
  }
}

const nothing: Rights = { superuser: false, blocked: true, may: () => false, visible: () => sql<boolean>`false` }
const everything: Rights = {
  superuser: true,
  may: () => true,
  visible: () => sql<boolean>`true`,
  executable: () => sql<boolean>`true`,
}
