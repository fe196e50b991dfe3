import { access as texts } from '../../messages/access.ts'

/** To whom a policy is assigned: a user, a group, a user while in a group, or with neither everyone. */
export interface Assignee {
  readonly username: string | null
  readonly groupname: string | null
}

/** Kinds of assignees. */
export type AssigneeKind = keyof typeof texts.assignKinds

export const kindOf = ({ username, groupname }: Assignee): AssigneeKind =>
  username !== null ? (groupname === null ? 'user' : 'both') : groupname === null ? 'everyone' : 'group'

/** Assignee in words: `ann`, `group ops`, `everyone`. */
export function assigneeText(assignee: Assignee): string {
  const [user, group] = [assignee.username ?? '', assignee.groupname ?? '']
  switch (kindOf(assignee)) {
    case 'user':
      return texts.assignedTo.user(user)
    case 'group':
      return texts.assignedTo.group(group)
    case 'both':
      return texts.assignedTo.both(user, group)
    case 'everyone':
      return texts.assignedTo.everyone
  }
}
