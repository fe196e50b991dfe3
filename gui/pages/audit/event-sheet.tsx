import { useNavigate } from '@tanstack/react-router'
import { ExternalLink, Link2, ShieldCheck, ShieldEllipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRecord } from '../../api/queries.ts'
import type { Event, Resource } from '../../api/records.ts'
import { Button } from '../../components/button/button.tsx'
import { useCopy } from '../../components/copy/use-copy.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { Loaded } from '../../components/state/query-states.tsx'
import { dateTime } from '../../components/time/format.ts'
import { audit as texts } from '../../messages/audit.ts'
import { general } from '../../messages/general.ts'
import styles from './audit-page.module.css'
import { EventChanges } from './event-changes.tsx'
import { LevelIcon, RecordLink } from './event-columns.tsx'
import { eventParts, eventTitle } from './event-words.ts'
import { recordPage } from './record-page.ts'

/** One event in full, beside the list. */
export function EventSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useRecord<'event'>(`/api/events/${encodeURIComponent(id)}`)
  const event = query.data
  return (
    <Dialog
      open
      kind="sheet"
      onClose={onClose}
      title={
        <span className={styles['event']}>
          {event && <LevelIcon type={event.attributes.type} />}
          {event ? eventTitle(event.attributes.type) : texts.sections.general}
        </span>
      }
      description={event && <code>{event.attributes.type}</code>}
      footer={event && <Foot event={event} />}
    >
      <Loaded query={query}>{found => <Content event={found} />}</Loaded>
    </Dialog>
  )
}

function Foot({ event }: { event: Resource<Event> }) {
  const navigate = useNavigate()
  const page = recordPage(event)
  const copy = useCopy()
  return (
    <>
      <Button onClick={() => void copy(location.href)}>
        <Link2 size={16} aria-hidden />
        {texts.copyLink}
      </Button>
      {page !== undefined && (
        <Button variant="primary" onClick={() => void navigate(page)}>
          <ExternalLink size={16} aria-hidden />
          {texts.openRecord}
        </Button>
      )}
    </>
  )
}

type Fact = readonly [name: string, value: ReactNode]

function Content({ event }: { event: Resource<Event> }) {
  const { id, attributes } = event
  const { request, details } = eventParts(attributes)
  const { created_at: at, hash, source_id: sourceId } = attributes
  const method = attributes['request_method']
  return (
    <>
      <Facts
        facts={[
          [texts.fields.time, dateTime(at, { withZone: true })],
          [texts.fields.utc, <code key="utc">{at}</code>],
          [texts.fields.user, attributes.username],
          [texts.fields.node, <NodePath key="node" path={attributes.node_path} links />],
          [texts.fields.record, <RecordLink key="record" event={event} />],
          ...(sourceId ? [[texts.fields.id, <code key="id">{sourceId}</code>] as const] : []),
        ]}
      />
      <EventChanges attributes={attributes} />
      {details.length > 0 && (
        <Section title={texts.sections.details}>
          <Facts facts={details.map(([name, value]) => [name, <Value key={name} value={value} />])} />
        </Section>
      )}
      <Section title={texts.sections.request}>
        {typeof method === 'string' ? (
          <Facts
            facts={[
              [texts.fields.method, <code key="method">{method}</code>],
              [texts.fields.path, <code key="path">{String(attributes['request_path'])}</code>],
              [texts.fields.address, String(attributes['remote_address'] ?? general.none)],
              ...request.map(([name, value]): Fact => [name, <Value key={name} value={value} />]),
            ]}
          />
        ) : (
          <p className={styles['soft']}>{texts.noRequest}</p>
        )}
      </Section>
      <Section title={texts.sections.seal}>
        <span className={styles['seal']} data-sealed={hash !== null}>
          {hash === null ? <ShieldEllipsis size={16} aria-hidden /> : <ShieldCheck size={16} aria-hidden />}
          {hash === null ? texts.unsealed : texts.sealed}
        </span>
        {hash === null ? (
          <p className={styles['soft']}>{texts.unsealedDetail}</p>
        ) : (
          <Facts
            facts={[
              [texts.fields.seal, String(attributes['seal_number'])],
              [
                texts.fields.previous,
                <span key="previous" className={styles['hash']}>
                  {String(attributes['previous_hash'] ?? texts.firstSeal)}
                </span>,
              ],
              [
                texts.fields.hash,
                <span key="hash" className={styles['hash']}>
                  {hash}
                </span>,
              ],
              [texts.sections.general, <code key="event">{id}</code>],
            ]}
          />
        )}
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles['section']}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles['fact']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Value of an attribute: long texts and documents in a box that scrolls. */
function Value({ value }: { value: unknown }) {
  const text = valueText(value)
  if (!text.includes('\n') && text.length <= 200) return <span>{text === '' ? general.none : text}</span>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long value scrolls, also by keyboard.
    <pre className={styles['value']} tabIndex={0}>
      {text}
    </pre>
  )
}

const valueText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every(each => typeof each === 'string')
      ? value.join(', ')
      : JSON.stringify(value, undefined, 2)
