import { Link } from '@tanstack/react-router'
import { useList } from '../../api/queries.ts'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { StatusIcon } from '../../components/status/status.tsx'
import { Time } from '../../components/time/time.tsx'
import { access as texts } from '../../messages/access.ts'
import styles from './access.module.css'
import { assignmentsOfUser, usePolicyAssignments } from './policy-assignments.ts'

/** Policies that are assigned to a user, by name, by a group or as one of everyone. */
export function PoliciesOfUser({ username, groups }: { username: string; groups: readonly string[] }) {
  const { query, assignments } = usePolicyAssignments()
  const own = assignmentsOfUser(assignments, username, groups)
  return (
    <ListStates
      query={query}
      count={own.length}
      skeleton={3}
      empty={<p className={styles['soft']}>{texts.noPoliciesOfUser}</p>}
    >
      <ul className={styles['list']}>
        {own.map(({ id, policyId, policy, username: user, groupname }) => (
          <li key={id}>
            <Link to="/access/policies/$id" params={{ id: policyId }}>
              {policy}
            </Link>
            <span className={styles['small']}>
              {groupname !== null ? texts.viaGroup(groupname) : user === null ? texts.viaEveryone : ''}
            </span>
          </li>
        ))}
      </ul>
    </ListStates>
  )
}

/** The latest activities that a user has created. */
export function RecentActivities({ username }: { username: string }) {
  const { records, query } = useList<'activity'>('/api/activities', {
    'filter[created_by_eq]': username,
    'filter[sorts]': 'created_at desc',
    'fields[activity]': 'action,workflow_code,status_code,path,created_at',
    limit: 10,
  })
  return (
    <ListStates
      query={query}
      count={records.length}
      skeleton={3}
      empty={<p className={styles['soft']}>{texts.noRecent}</p>}
    >
      <ul className={styles['list']}>
        {records.map(({ id, attributes }) => (
          <li key={id}>
            <span className={styles['name']}>
              <StatusIcon status={attributes.status_code} />
              <Link to="/activities/$id" params={{ id }}>
                {attributes.action ?? attributes.workflow_code}
              </Link>
              <NodePath path={attributes.path} line />
            </span>
            <span className={styles['small']}>
              <Time at={attributes.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </ListStates>
  )
}
