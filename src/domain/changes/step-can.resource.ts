import type { Actor } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { foldedName } from '#platform/folded-name.ts'
import type { Extension, Row } from '#platform/jsonapi/resource.ts'
import { switched } from '#platform/jsonapi/switched.ts'
import { type ApprovalRule, approvalBy, type Decider, rejectionBy, stepWaits } from '../steps/for-changes.ts'
import { folded } from '../users/index.ts'
import { actionOf } from './change.store.ts'
import { actionPath } from './change.ts'

/** Caller as the rules of approval see them. */
export const deciderOf = ({ userId, username, groupnames = [], via }: Actor): Decider => ({
  userId,
  username,
  groupnames,
  isProgram: via === 'attempt' || via === 'agent',
})

/**
 * Additions of changes to their steps: the decisions that the caller may make on a waiting step, and the filters for
 * them.
 */
export const stepDecisions: Extension = {
  extra: {
    waits: sql`s.status = 'waiting'`,
    for_approval: sql`s.needs_approval`,
    rules_of_approval: sql`s.requires_approval_from`,
    approvals: sql`s.approved_by`,
    node_path: sql`s.path`,
    made_by: sql`a.user_id`,
    action_of_change: sql`(select c.action from changes c where c.id = s.activity_id)`,
  },
  meta: (row, { actor }) => ({
    can: decisionsFor(row, actor, actionPath(String(row['node_path']), String(row['action_of_change']))),
  }),
  named: stepsThatWait(sql`s.path || '/actions/' || ${actionOf(sql`s.activity_id`)}`),
}

/**
 * Named filters of waiting steps.
 *
 * @param executePath path of the right to continue `steps s`
 */
export function stepsThatWait(executePath: Sql): NonNullable<Extension['named']> {
  return {
    waiting_for_user: {
      describe: 'Steps that wait for a person to approve or to continue them.',
      sql: value => switched(value, waitsForSomebody),
    },
    waiting_for_me: {
      describe: 'Steps that wait for an approval that the caller may give, and waits that the caller may continue.',
      sql: (value, actor) => switched(value, waitsForMe(actor, executePath)),
    },
  }
}

/**
 * Decisions that this caller may make on a step now, so that clients need not repeat the rules.
 *
 * @param executePath path of the right to continue it
 */
export function decisionsFor(row: Row, actor: Actor, executePath: string): string[] {
  if (!row['waits']) return []
  if (!row['for_approval']) return actor.rights.may('execute', executePath) ? ['continue'] : []
  const decider = deciderOf(actor)
  const rules = row['rules_of_approval'] as ApprovalRule[]
  const approvals = row['approvals'] as { username: string; rules: number[] }[]
  const creatorId = row['made_by'] as string | null
  const may = 'counts' in approvalBy(decider, { rules, approvals, creatorId })
  return [...(may ? ['approve'] : []), ...('counts' in rejectionBy(decider, { rules }) ? ['reject'] : [])]
}

const waitsForSomebody = sql`(${stepWaits} and s.wake_at is null)`

/** `decisionsFor` in SQL, over `steps s` and its `activities a`. */
export function waitsForMe(actor: Actor, executePath: Sql): Sql {
  const { userId, username, groupnames, isProgram } = deciderOf(actor)
  if (isProgram) return sql`false`
  const path = sql`((${executePath}) collate "C")`
  const executable = actor.rights.executable?.({ projectId: sql`s.project_id`, path }) ?? sql`false`
  const groups = groupnames.map(foldedName)
  const named = sql`
    (exists (select from jsonb_array_elements_text(coalesce(asked.rule -> 'user_names', '[]')) as named (it)
              where ${folded(sql`named.it`)} = ${foldedName(username)})
     or exists (select from jsonb_array_elements_text(coalesce(asked.rule -> 'ldap_groups', '[]')) as named (it)
                 where ${folded(sql`named.it`)} = any(${groups}::text[])))`
  return sql`
    (${waitsForSomebody}
     and case when s.needs_approval
              then not exists (select from jsonb_array_elements(s.approved_by) as given (approval)
                                where ${folded(sql`given.approval ->> 'username'`)} = ${foldedName(username)})
                   and exists (select from jsonb_array_elements(s.requires_approval_from) as asked (rule)
                                where ${named}
                                  and (a.user_id is distinct from ${userId}::uuid
                                       or asked.rule -> 'allow_self_approval' = 'true'))
              else ${executable} end)`
}
