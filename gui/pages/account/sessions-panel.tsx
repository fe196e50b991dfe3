import { useState } from 'react'
import { useList } from '../../api/queries.ts'
import type { Resource, Session } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { Tag } from '../../components/chip/chip.tsx'
import { Panel } from '../../components/page/page.tsx'
import { ListStates } from '../../components/state/query-states.tsx'
import { Time } from '../../components/time/time.tsx'
import { account as texts } from '../../messages/account.ts'
import { general } from '../../messages/general.ts'
import styles from './account.module.css'
import { EndOthersDialog, EndSessionDialog } from './end-session-dialogs.tsx'
import { isCurrent, nameOf } from './sessions.ts'

/** Sessions of the user's browsers. The one of this page comes first. */
export function SessionsPanel() {
  const { records, query } = useList<'session'>('/api/tokens/sessions', { 'filter[mine]': true })
  const [ended, setEnded] = useState<Resource<Session> | 'others'>()
  const close = () => setEnded(undefined)
  const sessions = [...records.filter(isCurrent), ...records.filter(each => !isCurrent(each))]
  const hasOthers = !records.every(isCurrent)
  return (
    <Panel
      title={texts.sessions}
      actions={
        hasOthers && (
          <Button size="small" onClick={() => setEnded('others')}>
            {texts.endOthers}
          </Button>
        )
      }
    >
      <div className={styles['stack']}>
        <p className={styles['soft']}>{texts.sessionsDetail}</p>
        <ListStates query={query} count={records.length} skeleton={2} empty={<p>{texts.noSessions}</p>}>
          <ul className={styles['tokens']} aria-label={texts.sessions}>
            {sessions.map(session => (
              <SessionItem key={session.id} session={session} onEnd={() => setEnded(session)} />
            ))}
          </ul>
        </ListStates>
        {query.hasNextPage && <Button onClick={() => void query.fetchNextPage()}>{general.loadMore}</Button>}
      </div>
      {ended === 'others' && <EndOthersDialog onClose={close} />}
      {ended !== undefined && ended !== 'others' && <EndSessionDialog session={ended} onClose={close} />}
    </Panel>
  )
}

function SessionItem({ session, onEnd }: { session: Resource<Session>; onEnd: () => void }) {
  const { user_agent, remote_address, created_at, expires_at } = session.attributes
  const name = nameOf(session)
  return (
    <li>
      <span className={styles['token']}>
        <span>
          <strong title={user_agent ?? undefined}>{name}</strong> {isCurrent(session) && <Tag>{texts.thisSession}</Tag>}
        </span>
        <span className={styles['small']}>
          {remote_address ?? texts.unknownAddress} · {texts.began} <Time at={created_at} /> · {texts.ends}{' '}
          <Time at={expires_at} />
        </span>
      </span>
      <Button size="small" aria-label={texts.endOf(name, remote_address ?? texts.unknownAddress)} onClick={onEnd}>
        {texts.end}
      </Button>
    </li>
  )
}
