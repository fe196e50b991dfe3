import { isDeepStrictEqual } from 'node:util'
import { sql } from '../../src/platform/db/sql.ts'
import type { Shown } from '../support/changes.ts'
import type { Came } from './dial.ts'
import { graceMilliseconds, type Listener } from './listener.ts'
import { isPartOf, readMoves } from './moves.ts'
import type { LiveWorld } from './world.ts'

/** Actual history, for all listeners. */
export interface Became {
  readonly moves: ReadonlyMap<string, readonly string[]>
  /** Activities, and whether each is a change or a run. */
  readonly activities: ReadonlyMap<string, { path: string; kind: string }>
  /** Events in the order of their seals. */
  readonly events: readonly { id: string; seq: number; path: string | null; sealedAt: number }[]
}

export async function whatBecame({ database }: LiveWorld, sealedAt: (seq: number) => number): Promise<Became> {
  const activities = await database.rows(sql<{ id: string; path: string; kind: string }>`
    select id, path, kind::text as kind from activities`)
  const events = await database.rows(sql<{ id: string; seq: number; path: string | null }>`
    select e.id, s.seq::int as seq, e.path from event_seals s join events e on e.id = s.event_id order by s.seq`)
  return {
    moves: await readMoves(database),
    activities: new Map(activities.map(({ id, ...more }) => [id, more])),
    events: events.map(event => ({ ...event, sealedAt: sealedAt(event.seq) })),
  }
}

/** A list as shown to its reader. */
export type Listed = (path: string) => Promise<readonly Shown[]>

/** Errors of a listener's messages: wrong, superfluous or missing ones. */
export async function judged(listener: Listener, became: Became, listed: Listed): Promise<string[]> {
  const { list } = listener.followed
  const wrong = [...listener.wrong, ...toldTooLate(listener, became), ...statusesOf(listener.came, became)]
  if (list === 'events') wrong.push(...ofEvents(listener, became))
  else if (list === 'activities') wrong.push(...(await ofActivities(listener, became, listed)))
  else wrong.push(...(await ofOne(listener, became, listed)))
  return wrong.map(each => `${listener.name}: ${each}`)
}

/** Listeners who may no longer read it get nothing. */
function toldTooLate({ person, followed, arrivals }: Listener, { activities }: Became): string[] {
  if (!person) return []
  const placeOf = ({ kind, data }: Came): string | undefined => {
    if (followed.place !== undefined) return followed.place
    return kind === 'event' ? data.data.attributes.node_path : activities.get(data.data.id)?.path
  }
  return arrivals.flatMap(({ came, from }) => {
    const place = placeOf(came)
    if (place === undefined) return [`${came.kind} came that is of no node`]
    if (person.couldRead(place, from - graceMilliseconds, came.at)) return []
    return [`${came.kind} of ${place} came to one who could not read it any more`]
  })
}

const statusKinds = ['step', 'workflow_step', 'change', 'workflow_run']
const recordsOf = (came: readonly Came[], kind: string): Shown[] =>
  came.filter(each => each.kind === kind).flatMap(({ data }) => data.data)

/** No record was sent with a status that it never had, or with an earlier one after a later one. */
function statusesOf(came: readonly Came[], { moves }: Became): string[] {
  const records = statusKinds.flatMap(kind => recordsOf(came, kind))
  return [...Map.groupBy(records, ({ id }) => id)].flatMap(([id, told]) => {
    const statuses = told.map(({ attributes }) => attributes.status_code)
    const had = moves.get(id) ?? []
    return isPartOf(statuses, had) ? [] : [`of ${id} came ${statuses}, and it was ${had}`]
  })
}

function twice(what: string, ids: readonly string[]): string[] {
  const count = ids.length - new Set(ids).size
  return count === 0 ? [] : [`${count} of ${ids.length} ${what} came twice`]
}

/** A change or a run: everything that lists show of it, each line and event once, and the end last. */
async function ofOne({ came, followed: { list, id } }: Listener, became: Became, listed: Listed): Promise<string[]> {
  const [activity, step] = list === 'changes' ? ['change', 'step'] : ['workflow_run', 'workflow_step']
  const of = `/api/${list}/${id}`
  const named = list === 'changes' ? 'for_change' : 'for_workflow_run'
  const [steps, lines, events, all] = await Promise.all([
    listed(`${of}/steps?`),
    listed(`${of}/log_lines?`),
    listed(`/api/events?filter[${named}]=${id}&`),
    listed(`/api/${list}?filter[id_eq]=${id}&`),
  ])
  const toldLines = recordsOf(came, 'log_lines')
  const toldEvents = recordsOf(came, 'event')
  const order = new Map(became.events.map(event => [event.id, event.seq]))
  return [
    ...(came.at(-1)?.kind === 'end' ? [] : ['it has not come to its end']),
    ...twice('lines', idsOf(toldLines)),
    ...twice('events', idsOf(toldEvents)),
    // Lines of a run's changes are in their own streams.
    ...differing(
      'lines',
      toldLines,
      lines.filter(({ attributes }) => list === 'changes' || attributes.workflow_run_id),
    ),
    ...differing('events', toldEvents, events),
    ...differing('steps', lastOfEach(recordsOf(came, step!)), steps),
    ...differing('activities', lastOfEach(recordsOf(came, activity!)), all),
    ...inOrder('events', toldEvents, ({ id: event }) => order.get(event) ?? 0),
    ...linesInOrder(toldLines),
    ...behindTheirEnd(came),
  ]
}

const idsOf = (records: readonly Shown[]) => records.map(({ id }) => id)

const lastOfEach = (records: readonly Shown[]): Shown[] => [
  ...new Map(records.map(record => [record.id, record])).values(),
]

function differing(what: string, told: readonly Shown[], listed: readonly Shown[]): string[] {
  const of = new Map(told.map(record => [record.id, record]))
  const ids = new Set(idsOf(listed))
  const [missing, beyond] = [listed.filter(({ id }) => !of.has(id)), told.filter(({ id }) => !ids.has(id))]
  const other = listed.filter(record => of.has(record.id) && !isDeepStrictEqual(of.get(record.id), record))
  return [
    ...(missing.length > 0 ? [`${missing.length} of ${listed.length} ${what} never came: ${brief(missing[0])}`] : []),
    ...(beyond.length > 0 ? [`${beyond.length} ${what} came that no list shows: ${brief(beyond[0])}`] : []),
    ...other.slice(0, 1).map(record => `${what} came as ${brief(of.get(record.id))}, and are ${brief(record)}`),
  ]
}

const brief = (record: unknown) => JSON.stringify(record).slice(0, 1_500)

function inOrder(what: string, records: readonly Shown[], numberOf: (record: Shown) => number): string[] {
  const numbers = records.map(numberOf)
  return numbers.every((number, at) => at === 0 || number >= numbers[at - 1]!) ? [] : [`${what} came out of order`]
}

/** Lines of one step are in the order of its attempts and of their numbers. */
const linesInOrder = (lines: readonly Shown[]): string[] =>
  [...Map.groupBy(lines, ({ attributes }) => attributes.step_id ?? attributes.workflow_step_id)].flatMap(([id, all]) =>
    inOrder(`lines of ${id}`, all, ({ attributes }) => attributes.attempt * 1e9 + attributes.sequence),
  )

/** No line comes after the end of its step, and neither a line nor a step after the end of the activity. */
function behindTheirEnd(came: readonly Came[]): string[] {
  const over = new Set<string>()
  const wrong: string[] = []
  for (const { kind, data } of came) {
    if (kind === 'log_lines')
      for (const { attributes } of data.data as Shown[])
        if (over.has(attributes.step_id ?? attributes.change_id))
          wrong.push(`a line came behind its step ${attributes.step_id}`)
    if (!statusKinds.includes(kind)) continue
    if (data.data.attributes.finished_at) over.add(data.data.id)
  }
  return wrong.slice(0, 1)
}

/** New events in the order of their seals: all that were readable all the time since the stream was opened. */
function ofEvents({ came, person, since }: Listener, { events }: Became): string[] {
  const told = recordsOf(came, 'event')
  const known = new Map(events.map(event => [event.id, event]))
  const has = new Set(idsOf(told))
  const due = events.filter(
    ({ path, sealedAt }) => sealedAt > since && (!person || (path !== null && person.couldReadSince(path, since))),
  )
  const missing = due.filter(({ id }) => !has.has(id))
  return [
    ...twice('events', idsOf(told)),
    ...inOrder('events', told, ({ id }) => known.get(id)?.seq ?? 0),
    ...(missing.length > 0 ? [`${missing.length} of ${due.length} events never came: ${brief(missing[0])}`] : []),
    ...(told.some(({ attributes }) => attributes.hash === null) ? ['an event came before it was sealed'] : []),
  ]
}

/** The last state of each activity that was readable all the time and has moved since. */
async function ofActivities({ came, person, since }: Listener, became: Became, listed: Listed): Promise<string[]> {
  const told = lastOfEach(['change', 'workflow_run'].flatMap(kind => recordsOf(came, kind)))
  const all = [...(await listed('/api/changes?')), ...(await listed('/api/workflow_runs?'))]
  const due = all.filter(
    ({ id, attributes }) =>
      Date.parse(attributes.finished_at) > performance.timeOrigin + since + 100 &&
      (!person || person.couldReadSince(became.activities.get(id)!.path, since)),
  )
  const ids = new Set([...idsOf(told), ...idsOf(due)])
  return differing(
    'activities',
    told.filter(({ id }) => idsOf(due).includes(id)),
    due.filter(({ id }) => ids.has(id)),
  )
}
