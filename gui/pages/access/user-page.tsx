import { Link, useParams } from '@tanstack/react-router'
import { useRecord } from '../../api/queries.ts'
import { Tag } from '../../components/chip/chip.tsx'
import { listCommand } from '../../components/command/list-command.ts'
import { shellWord } from '../../components/command/words.ts'
import { Page, Panel } from '../../components/page/page.tsx'
import { Unread } from '../../components/state/query-states.tsx'
import { Time } from '../../components/time/time.tsx'
import { access as texts } from '../../messages/access.ts'
import { general } from '../../messages/general.ts'
import { isSuperuser } from '../../shell/rights.ts'
import styles from './access.module.css'
import { UserActions } from './user-actions.tsx'
import { userPath } from './user-dialogs.tsx'
import { PoliciesOfUser, RecentActivities } from './user-panels.tsx'
import { groupsOf, UserState } from './users.tsx'

/** One user: profile, policies, groups and recent activities. */
export function UserPage() {
  const { username } = useParams({ from: '/access/users/$username' })
  const query = useRecord<'user'>(userPath(username))
  const commands = [
    `sluice show user ${shellWord(username)}`,
    listCommand('activities', { 'filter[created_by_eq]': username, 'filter[sorts]': 'created_at desc' }),
  ]
  const above = (
    <Link to="/access" search={{ view: 'users' }}>
      {texts.views.users}
    </Link>
  )
  if (!query.data)
    return (
      <Page title={username} documentTitle={username} above={above} commands={commands}>
        <Unread query={query} />
      </Page>
    )
  const user = query.data
  const { attributes } = user
  const groups = groupsOf(attributes)
  return (
    <Page
      title={
        <>
          <h1>{attributes.username}</h1>
          {isSuperuser(user) && <Tag>{texts.superuser}</Tag>}
          {attributes.disabled && <Tag>{texts.disabled}</Tag>}
        </>
      }
      documentTitle={attributes.username}
      subtitle={attributes.display_name ?? undefined}
      above={above}
      commands={commands}
      actions={<UserActions user={user} />}
    >
      <div className={styles['columns']}>
        <div className={styles['stack']}>
          <Panel
            title={texts.policiesOfUser}
            actions={
              <Link to="/access" search={{ view: 'check', user: attributes.username }}>
                {texts.whatMay}
              </Link>
            }
          >
            <PoliciesOfUser username={attributes.username} groups={groups} />
          </Panel>
          <Panel
            title={texts.recent}
            actions={
              <Link to="/audit" search={{ user: attributes.username }}>
                {texts.eventsOfUser}
              </Link>
            }
          >
            <RecentActivities username={attributes.username} />
          </Panel>
        </div>
        <Panel title={texts.profile}>
          <dl className={styles['facts']}>
            <dt>{texts.userColumns.state}</dt>
            <dd>
              <UserState disabled={attributes.disabled} />
            </dd>
            <dt>{texts.provider}</dt>
            <dd>{texts.providers[attributes.auth_provider]}</dd>
            <dt>{texts.displayName}</dt>
            <dd>{attributes.display_name ?? general.none}</dd>
            <dt>{texts.email}</dt>
            <dd>{attributes.email_address ?? general.none}</dd>
            <dt>{texts.groups}</dt>
            <dd>{groups.length > 0 ? groups.join(', ') : texts.noGroups}</dd>
            <dt>{texts.userColumns.created}</dt>
            <dd>
              <Time at={attributes.created_at} />
            </dd>
          </dl>
        </Panel>
      </div>
    </Page>
  )
}
