import canonicalize from 'canonicalize'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { NewEvent, RecordEvent } from '#platform/events.ts'
import { type Catalogue, catalogue } from './catalogue.ts'

/** Writes an event of the service's own catalogue in the caller's transaction. */
export const record: RecordEvent = recorder(catalogue)

/** `record` for the types of this catalogue. One that it does not hold is a bug of ours, and throws. */
export function recorder(known: Catalogue): RecordEvent {
  return async (tx, event) => {
    const entry = Object.hasOwn(known, event.type) ? known[event.type] : undefined
    if (!entry) throw new Error(`"${event.type}" is not in the catalogue of events (src/domain/events/catalogue.ts)`)
    if (await isDue(tx, event, entry.throttle)) await insert(tx, event, { system: true })
  }
}

/** Writes an event that a person records: of any type, with whatever attributes were sent. */
export const recordCustom = (tx: Tx, event: NewEvent): Promise<string> => insert(tx, event, { system: false })

/**
 * What is recorded at most once in a while counts for one cause: the key given, or the record or node that it is about.
 * The row lock on the key makes that hold across processes.
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
    returning key`)
  return due !== undefined
}

async function insert(tx: Tx, event: NewEvent, { system }: { system: boolean }): Promise<string> {
  const told = proofOf(event, system)
  const inserted = await tx.one(sql<{ id: string }>`
    insert into events (type, system, username, user_id, project_id, node_id, path, source_type, source_id, activity_id,
                        body, attributes)
    values (${told.type}, ${told.system}, ${told.username}, ${told.user_id}, ${told.project_id}, ${told.node_id},
            ${told.path}, ${told.source_type}, ${told.source_id}, ${told.activity_id},
            ${Buffer.from(canonicalize(told)!)}, ${JSON.stringify(told.attributes)})
    returning id`)
  tx.hint('events')
  return inserted!.id
}

/** All that an event says but its id and time, which the database gives: the document whose canonical bytes are sealed. */
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
    attributes: storable(attributes) as Record<string, unknown>,
  }
}

const typeOfCollection: Record<string, string> = {
  projects: 'project',
  environments: 'environment',
  assets: 'asset',
  agents: 'agent',
}

/** Under what the record stands: the node above a node, and for anything else the node that it belongs to. */
function parentOf({ source, node }: NewEvent): { parent_code?: string; parent_node_type?: string } {
  if (!node) return {}
  const own = node.path.split('/').slice(1)
  const [collection, code] = (source && source.id === node.id ? own.slice(0, -2) : own).slice(-2)
  const type = typeOfCollection[collection ?? '']
  return type && code ? { parent_code: code, parent_node_type: type } : {}
}

/**
 * The same as JSON, in text that PostgreSQL can hold: output of programs, quoted in an event, may carry U+0000 and halves
 * of surrogate pairs.
 */
function storable(attributes: object): unknown {
  const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\u2400')
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [clean(key), walk(each)]))
  }
  return walk(JSON.parse(JSON.stringify(attributes)))
}
