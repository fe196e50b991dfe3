import canonicalize from 'canonicalize'
import { fromJson } from '#json/from-json.ts'
import { isInFuture } from '#platform/db/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { join, type Sql, sql } from '#platform/db/sql.ts'
import type { NewEvent, RecordEvent } from '#platform/events.ts'
import { storable } from '#platform/stored-text.ts'
import { type Catalogue, catalogue } from './catalogue.ts'

/**
 * Records an event of the service's own catalogue in the caller's transaction. The statement is sent but not awaited;
 * whether it succeeds is known with the end of the transaction.
 */
export const record: RecordEvent = recorder(catalogue)

/** `record` for the types of this catalogue. Throws for a type that it does not contain, which is a bug of ours. */
export function recorder(known: Catalogue): RecordEvent {
  return (tx, event) => recordInto(known, tx, [event])
}

/** `record` for the events of one operation, in their order, by one statement: the engine uses it for every step. */
export const recordAll = (tx: Tx, events: readonly NewEvent[]): Promise<void> => recordInto(catalogue, tx, events)

async function recordInto(known: Catalogue, tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const due: NewEvent[] = []
  for (const event of events) {
    const entry = Object.hasOwn(known, event.type) ? known[event.type] : undefined
    if (!entry) throw new Error(`"${event.type}" is not in the catalogue of events (src/domain/events/catalogue.ts)`)
    if (await isDue(tx, event, entry.throttle)) due.push(event)
  }
  if (due.length > 0) tx.withCommit(insert(tx, due, { system: true }))
}

/**
 * `recordAll` as a part of another statement, for the events that meet `only`, a condition on their columns. The sender
 * of that statement notifies that there may be events (`events`, a hint) when it has committed.
 */
export function recording(events: readonly NewEvent[], only: Sql): Sql {
  for (const { type, throttle } of events) {
    const entry = Object.hasOwn(catalogue, type) ? catalogue[type] : undefined
    if (!entry || entry.throttle || throttle) throw new Error(`"${type}" is unknown, or recorded only once in a while`)
  }
  return insertOf(events, true, only)
}

/** Records a custom event: of any type, with whatever attributes were sent. */
export async function recordCustom(tx: Tx, event: NewEvent): Promise<string> {
  const [id] = await insert(tx, [event], { system: false })
  return id!
}

/**
 * Whether an event that is recorded at most once in a while is due. It counts for one cause: the key given, or the
 * record or node that it is about. The row lock on the key makes that hold across processes.
 */
async function isDue(tx: Tx, { type, throttle, source, node }: NewEvent, usual: string | undefined): Promise<boolean> {
  const duration = throttle ? `${throttle.seconds} seconds` : usual
  if (!duration) return true
  const cause = throttle?.key ?? source?.id ?? node?.path ?? ''
  const due = await tx.one(sql`
    insert into event_throttles as t (key, recorded_at)
    values (${`${type} ${cause}`}, sluice_now())
    on conflict (key) do update set recorded_at = excluded.recorded_at
     where t.recorded_at <= excluded.recorded_at - ${duration}::interval
        or ${isInFuture(sql`t.recorded_at`)}
    returning key`)
  return due !== undefined
}

/**
 * The ids, in the order of the events. Each is a microsecond later than the previous one, so that events are listed and
 * sealed in their order however fast the clock and the statement are.
 */
async function insert(tx: Tx, events: readonly NewEvent[], { system }: { system: boolean }): Promise<string[]> {
  // Streams in other processes poll four times a second anyway.
  tx.hint('events', { here: true })
  const inserted = await tx.rows(insertOf(events, system))
  return inserted.map(({ id }) => id).sort()
}

function insertOf(events: readonly NewEvent[], system: boolean, only: Sql = sql`true`) {
  const told = events.map(event => proofOf(event, system))
  return sql<{ id: string }>`
    insert into events (id, created_at, type, system, username, user_id, project_id, node_id, path, source_type,
                        source_id, activity_id, body, attributes)
    select sluice_uuid7_of(at), at, type, system, username, user_id, project_id, node_id, path, source_type, source_id,
           activity_id, body, attributes
      from (select clock.now + (place - 1) * interval '1 microsecond' as at, told.*
              from (select sluice_now() as now offset 0) clock,
                   ${told.length > fewEvents ? asArrays(told) : asValues(told)}
                     as told (type, system, username, user_id, project_id, node_id, path, source_type, source_id,
                              activity_id, body, attributes, place)) told
     where ${only}
    returning id`
}

/**
 * Maximum number of events inserted as values: nearly all operations have fewer. As values they cost a fifth less to
 * insert than as arrays, but each number of them is a separate statement to prepare.
 */
const fewEvents = 4

const asValues = (told: readonly Proof[]): Sql => sql`(values ${join(told.map(asValue), ', ')})`

const asValue = (told: Proof, place: number): Sql => sql`
  (${told.type}::text, ${told.system}::boolean, ${told.username}::text, ${told.user_id}::uuid, ${told.project_id}::uuid,
   ${told.node_id}::uuid, ${told.path}::text, ${told.source_type}::text, ${told.source_id}::uuid,
   ${told.activity_id}::uuid, ${bodyOf(told)}::bytea, ${JSON.stringify(told.attributes)}::jsonb, ${place + 1}::bigint)`

function asArrays(told: readonly Proof[]): Sql {
  const column = <Name extends keyof Proof>(name: Name) => told.map(each => each[name])
  return sql`
    unnest(${column('type')}::text[], ${column('system')}::boolean[], ${column('username')}::text[],
           ${column('user_id')}::uuid[], ${column('project_id')}::uuid[], ${column('node_id')}::uuid[],
           ${column('path')}::text[], ${column('source_type')}::text[], ${column('source_id')}::uuid[],
           ${column('activity_id')}::uuid[], ${told.map(bodyOf)}::bytea[],
           ${told.map(each => JSON.stringify(each.attributes))}::jsonb[])
      with ordinality`
}

const bodyOf = (told: Proof): Buffer => Buffer.from(canonicalize(told)!)

/**
 * Document of an event whose canonical bytes are sealed: all of it except id and time, which the database generates.
 */
export interface Proof {
  type: string
  system: boolean
  username: string
  user_id: string | null
  project_id: string | null
  node_id: string | null
  path: string | null
  source_type: string | null
  source_id: string | null
  activity_id: string | null
  attributes: Record<string, unknown>
}

const activities = new Set(['change', 'workflow_run'])

function proofOf(event: NewEvent, system: boolean): Proof {
  const { source, node } = event
  const activity = source && activities.has(source.type) ? source.id : null
  const attributes = {
    ...(system ? parentOf(event) : {}),
    ...(event.message !== undefined && { message: event.message }),
    ...event.attributes,
  }
  return {
    type: event.type,
    system,
    username: event.actor.username,
    user_id: event.actor.userId,
    project_id: node?.projectId ?? null,
    node_id: node?.id ?? null,
    path: node?.path ?? null,
    source_type: source?.type ?? null,
    source_id: source?.id ?? null,
    activity_id: event.activityId ?? activity,
    attributes: storableJson(attributes) as Record<string, unknown>,
  }
}

const typeOfCollection: Record<string, string> = {
  projects: 'project',
  environments: 'environment',
  assets: 'asset',
  agents: 'agent',
}

/** Parent of the record: the node above a node, and for other records the node that they belong to. */
function parentOf({ source, node }: NewEvent): { parent_code?: string; parent_node_type?: string } {
  if (!node) return {}
  const own = node.path.split('/').slice(1)
  const [collection, code] = (source && source.id === node.id ? own.slice(0, -2) : own).slice(-2)
  const type = typeOfCollection[collection ?? '']
  return type && code ? { parent_code: code, parent_node_type: type } : {}
}

/**
 * JSON of the attributes in a form that PostgreSQL can store: output of programs, quoted in an event, may contain
 * U+0000 and unpaired surrogates.
 */
function storableJson(attributes: object): unknown {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return storable(value)
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [storable(key), walk(each)]))
  }
  return walk(fromJson(JSON.stringify(attributes)))
}
