import { useDocument } from '../../api/queries.ts'
import type { AuthorisationPolicy, Document, PolicyAssignment, Resource } from '../../api/records.ts'

/** Assignment with the name of its policy. */
export interface NamedAssignment {
  readonly id: string
  readonly policyId: string
  readonly policy: string
  readonly username: string | null
  readonly groupname: string | null
}

/** Most assignments that are read for the pages of users and groups. */
const most = 2_000

/** All assignments that the user may read, with the names of their policies. */
export function usePolicyAssignments() {
  const query = useDocument<Document<Resource<PolicyAssignment>[]>>('/api/policy_assignments', {
    limit: most,
    include: 'authorisation_policy',
  })
  const names = new Map(
    query.data?.included?.map(each => [each.id, (each as Resource<AuthorisationPolicy>).attributes.name]),
  )
  const assignments: readonly NamedAssignment[] =
    query.data?.data.map(({ id, attributes }) => ({
      id,
      policyId: attributes.authorisation_policy_id,
      policy: names.get(attributes.authorisation_policy_id) ?? attributes.authorisation_policy_id,
      username: attributes.username,
      groupname: attributes.groupname,
    })) ?? []
  return { query, assignments }
}

/** Assignments that concern a user: to the user, to one of the groups, or to everyone. */
export const assignmentsOfUser = (
  assignments: readonly NamedAssignment[],
  username: string,
  groups: readonly string[],
): readonly NamedAssignment[] =>
  assignments.filter(
    each =>
      (each.username === null || isSame(each.username, username)) &&
      (each.groupname === null || groups.some(group => isSame(group, each.groupname ?? ''))),
  )

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
