import { useMutation } from '@tanstack/react-query'
import { sluice } from '../../../api/client.ts'
import { useList } from '../../../api/queries.ts'
import type { Event, Resource } from '../../../api/records.ts'
import { useMe } from '../../../api/session.tsx'
import { Button } from '../../../components/button/button.tsx'
import { Panel } from '../../../components/page/page.tsx'
import { ListStates, Loaded } from '../../../components/state/query-states.tsx'
import { EmptyState } from '../../../components/state/state.tsx'
import { StatusIcon } from '../../../components/status/status.tsx'
import { duration } from '../../../components/time/format.ts'
import { Time } from '../../../components/time/time.tsx'
import { useToast } from '../../../components/toast/toast.tsx'
import { general } from '../../../messages/general.ts'
import { directory as texts } from '../../../messages/security.ts'
import { isSuperuser } from '../../../shell/rights.ts'
import styles from '../part.module.css'
import { useInstallationSettings } from '../settings/use-installation-settings.ts'

type Settings = Readonly<Record<string, unknown>>

/** Settings of the LDAP directory, its last refreshes, and a button for another one. */
export default function DirectoryPart() {
  const settings = useInstallationSettings()
  return (
    <div className={styles['stack']}>
      <Loaded query={settings}>{({ record }) => <Connection data={record.attributes.data} />}</Loaded>
      <Refreshes />
    </div>
  )
}

function Connection({ data }: { data: Settings }) {
  const isConfigured = data['ldap.host'] !== undefined
  if (!isConfigured)
    return (
      <Panel>
        <EmptyState title={texts.none} command={texts.noneCommand}>
          {texts.noneDetail}
        </EmptyState>
      </Panel>
    )
  return (
    <Panel title={texts.settings} actions={<RefreshButton />}>
      <dl className={styles['details']}>
        {Object.entries(texts.rows).map(([name, title]) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd>{valueText(name, data[name])}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** Interval of refreshes in seconds unless the settings say otherwise. */
const usualInterval = 14_400

function valueText(name: string, value: unknown): string {
  const standard: Readonly<Record<string, string>> = texts.standard
  if (name === 'ldap.refresh_interval') return duration(Number(value ?? usualInterval) * 1_000)
  return String(value ?? standard[name] ?? general.none)
}

function RefreshButton() {
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: () => sluice().send('POST', '/api/ldap_refresh'),
    onSuccess: () => toast.done(texts.requested),
    onError: toast.failed,
  })
  const reason = isSuperuser(useMe()) ? undefined : texts.onlySuperusers
  return (
    <Button size="small" disabledReason={reason} busy={isPending} onClick={() => mutate()}>
      {texts.refresh}
    </Button>
  )
}

/** Milliseconds between reads of the events of refreshes. */
const eventsEvery = 3_000

function Refreshes() {
  const { records, query } = useList<'event'>(
    '/api/events',
    { 'filter[type_start]': 'api:ldap_refresh:', 'filter[sorts]': 'created_at desc', limit: 10 },
    { every: eventsEvery },
  )
  return (
    <Panel title={texts.refreshes} flush actions={<code>{texts.command}</code>}>
      <ListStates
        query={query}
        count={records.length}
        skeleton={3}
        empty={<p className={styles['none']}>{texts.noRefreshes}</p>}
      >
        <ul className={styles['rows']}>
          {records.map(event => (
            <Refresh key={event.id} event={event} />
          ))}
        </ul>
      </ListStates>
    </Panel>
  )
}

const icons: Readonly<Record<string, string>> = { success: 'success', warn: 'waiting_for_approval', error: 'error' }

function Refresh({ event: { attributes } }: { event: Resource<Event> }) {
  const { type, username, created_at } = attributes
  const outcome = type.split(':').at(-1) ?? ''
  const words: Readonly<Record<string, string>> = texts.events
  const why = attributes['error'] ?? attributes['warning']
  const { users, groups } = attributes as { readonly users?: number; readonly groups?: number }
  return (
    <li>
      <StatusIcon status={icons[outcome] ?? 'running'} labelled />
      <div className={styles['grow']}>
        <strong>{words[outcome] ?? outcome}</strong> <span className={styles['soft']}>{username}</span>
        {users !== undefined && groups !== undefined && <p>{texts.counts(users, groups)}</p>}
        {typeof why === 'string' && <p className={outcome === 'error' ? styles['failed'] : styles['warning']}>{why}</p>}
      </div>
      <Time at={created_at} />
    </li>
  )
}
