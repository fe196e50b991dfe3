import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import type { Context } from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import { failure } from '#platform/failure.ts'
import { type Assignee, findUser } from './policy.store.ts'
import { requireSuperuser } from './rule.ts'

/** Assignee: a user, a group, that user while in that group, or, with neither, everyone. */
export interface AssigneeAttributes {
  username?: string | null
  groupname?: string | null
}

const nameOrNull = (describe: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Type.Null()], { description: describe }))

export const assigneeAttributes = {
  username: nameOrNull('null: any user.'),
  groupname: nameOrNull('null: whatever the user’s groups.'),
}
export const assigneeSchema = Type.Object(assigneeAttributes, { additionalProperties: false })

/** Resolves user and group names. @throws Failure invalid for a user that does not exist */
export async function resolveAssignees(
  tx: Tx,
  { username, ...asked }: AssigneeAttributes,
  pointer: string,
): Promise<Assignee> {
  const groupname = asked.groupname?.normalize('NFC') ?? null
  if (!username) return { userId: null, username: null, groupname }
  const user = await findUser(tx, username)
  if (!user) throw failure('invalid', `There is no user ${username}.`, { source: { pointer: `${pointer}/username` } })
  return { userId: user.id, username: user.username, groupname }
}

/**
 * Checks the assignee of a policy: only superusers assign to everyone or to themselves, also by a group that they are
 * in, because one may only assign rights that one has.
 *
 * @throws Failure forbidden
 */
export function checkAssignee(actor: Actor, { userId, groupname }: Assignee): void {
  if (!userId && !groupname) requireSuperuser(actor, 'assign to everyone')
  if (userId && userId === actor.userId) requireSuperuser(actor, 'assign to themselves')
}

/** Names as stored, not as typed. */
export const aboutAssignment = (id: string, policyId: string, { username, groupname }: AssigneeNames) => ({
  source: { type: 'policy_assignment', id },
  attributes: { authorisation_policy_id: policyId, assignee: username, groupname },
})

type AssigneeNames = Pick<Assignee, 'username' | 'groupname'>

export const recordAssignment = (
  context: Context,
  what: 'create' | 'destroy',
  id: string,
  policyId: string,
  assignee: AssigneeNames,
): Promise<void> =>
  context.record({
    type: `api:policy_assignments:${what}`,
    actor: context.actor,
    ...aboutAssignment(id, policyId, assignee),
  })
