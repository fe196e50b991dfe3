import { Link } from '@tanstack/react-router'
import { CircleX, Dot, ShieldAlert, TriangleAlert } from 'lucide-react'
import type { Event, Resource } from '../../api/records.ts'
import { NodePath } from '../../components/node-path/node-path.tsx'
import { aboveRowLink, type Column, rowLink } from '../../components/table/table.tsx'
import { Time } from '../../components/time/time.tsx'
import { eventSources, audit as texts } from '../../messages/audit.ts'
import { general } from '../../messages/general.ts'
import styles from './audit-page.module.css'
import { eventFacts, eventLevel, eventTitle } from './event-words.ts'
import { recordPage } from './record-page.ts'

type Row = Resource<Event>

const icons = { error: CircleX, warn: TriangleAlert, audit: ShieldAlert }

/** Icon of the level of an event; ordinary events have a dot. */
export function LevelIcon({ type }: { type: string }) {
  const level = eventLevel(type)
  if (level === undefined) return <Dot size={16} aria-hidden />
  const Icon = icons[level]
  return <Icon size={16} data-level={level} role="img" aria-label={texts.levels[level]} />
}

/** Link to the record of an event, or its name alone if the application has no page for it. */
export function RecordLink({ event }: { event: Row }) {
  const { source_type: type, name } = event.attributes
  if (!type) return <span>{general.none}</span>
  const words = eventSources.find(([code]) => code === type)?.[1] ?? type.replaceAll('_', ' ')
  const text = typeof name === 'string' && name !== '' ? `${words} ${name}` : words
  const page = recordPage(event)
  return page === undefined ? <span title={text}>{text}</span> : <Link {...page}>{text}</Link>
}

/** The address with an event that is open beside what it shows: both the history and an activity take one. */
const withEvent = (event: string) => (before: Readonly<Record<string, unknown>>) => ({ ...before, event })

/** An event in words, which opens it; in narrow windows with where it happened, or on what. */
const eventColumnWith = (place: 'node_path' | 'name'): Column<Row> => ({
  id: 'event',
  isFixed: true,
  title: texts.columns.event,
  width: 'minmax(220px, 1.5fr)',
  narrow: 'minmax(0, 1fr)',
  cell: ({ id, attributes }) => (
    <span className={styles['event']}>
      <LevelIcon type={attributes.type} />
      <span className={styles['words']}>
        <Link to="." search={withEvent(id)} resetScroll={false} className={rowLink}>
          {eventTitle(attributes.type)}
        </Link>
        <span className={`only-wide ${styles['code']}`}>{attributes.type}</span>
        <span className={`only-narrow ${styles['below']}`}>
          {[attributes.username, attributes[place], eventFacts(attributes)].filter(Boolean).join(' · ')}
        </span>
      </span>
    </span>
  ),
})

const eventColumn = eventColumnWith('node_path')

/** The same among the events of one activity, which all have its node. */
export const eventOfActivityColumn = eventColumnWith('name')

export const userColumn: Column<Row> = {
  id: 'user',
  title: texts.columns.user,
  width: 'minmax(64px, 0.4fr)',
  cell: ({ attributes }) => attributes.username,
}

export const recordColumn: Column<Row> = {
  id: 'record',
  title: texts.columns.record,
  width: 'minmax(110px, 0.9fr)',
  cell: event => (
    <span className={aboveRowLink}>
      <RecordLink event={event} />
    </span>
  ),
}

export const timeColumn: Column<Row> = {
  id: 'time',
  title: texts.columns.time,
  width: '116px',
  narrow: '104px',
  cell: ({ attributes }) => (
    <span className={styles['soft']}>
      <Time at={attributes.created_at} />
    </span>
  ),
}

/** Columns of the table of events. */
export const eventColumns: readonly Column<Row>[] = [
  eventColumn,
  userColumn,
  recordColumn,
  {
    id: 'node',
    title: texts.columns.node,
    width: 'minmax(140px, 1.3fr)',
    cell: ({ attributes }) => (
      <span className={aboveRowLink}>
        <NodePath path={attributes.node_path} links line />
      </span>
    ),
  },
  {
    id: 'facts',
    title: texts.columns.facts,
    width: 'minmax(100px, 1fr)',
    cell: ({ attributes }) => {
      const facts = eventFacts(attributes)
      return (
        <span className={styles['soft']} title={facts}>
          {facts || general.none}
        </span>
      )
    },
  },
  timeColumn,
  {
    id: 'type',
    isExtra: true,
    title: texts.fields.type,
    width: 'minmax(140px, 1fr)',
    cell: ({ attributes }) => <code>{attributes.type}</code>,
  },
  {
    id: 'method',
    isExtra: true,
    title: texts.fields.method,
    width: '80px',
    cell: ({ attributes }) => String(attributes.request_method ?? general.none),
  },
]
