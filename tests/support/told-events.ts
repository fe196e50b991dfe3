import assert from 'node:assert/strict'
import type { Queries } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { transitionsWithoutEvent } from '../failure/transitions.ts'
import { eventTables, type Told } from './event-tables.ts'

interface EventRow {
  readonly type: string
  readonly tx: string
  readonly username: string
  readonly user_id: string | null
  readonly source_type: string | null
  readonly source_id: string | null
  readonly path: string | null
  readonly activity_id: string | null
  readonly attributes: Readonly<Record<string, unknown>>
  /** Row of the activity and step that it is about, as long as they exist. */
  readonly activity_path: string | null
  readonly step_path: string | null
  readonly step_activity: string | null
  readonly root_step_id: string | null
}

/**
 * Checks that every event of the service's own types agrees with the tables: its attributes, its actor, its node,
 * activity and step; that related events were recorded in one transaction; and that every transition that has an event
 * has exactly one.
 *
 * @param types that this test must have recorded, so that the check covers them
 */
export async function assertEventsTold(queries: Queries, types: string): Promise<void> {
  const events = await queries.rows(sql<EventRow>`
    select e.type, e.tx, e.username, e.user_id, e.source_type, e.source_id, e.path, e.activity_id, e.attributes,
           a.path as activity_path, a.root_step_id, s.full_path as step_path, s.activity_id as step_activity
      from events e
      left join activities a on a.id = e.activity_id
      left join steps s on s.id = e.source_id and e.source_type in ('step', 'workflow_step')
     where e.system`)
  const known = events.filter(({ type }) => Object.hasOwn(eventTables, type))
  const seen = new Set(known.map(({ type }) => type))
  assert.deepEqual(
    types.split(/\s+/).filter(type => type !== '' && !seen.has(type)),
    [],
    'was not recorded',
  )
  const wrong = known.flatMap(event =>
    [...faultsOf(event, eventTables[event.type]!)].map(fault => `${event.type}: ${fault}`),
  )
  assert.deepEqual([...new Set([...wrong, ...unpaired(events)])], [])
  assert.deepEqual(await transitionsWithoutEvent(queries), [])
}

/** Types whose events belong to the installation. */
const ofNoNode: ReadonlySet<string> = new Set(['resource_slot_pool', 'settings'])

function* faultsOf(event: EventRow, row: Told): Generator<string> {
  const { source_type, source_id, path, activity_id, attributes, activity_path, step_path, step_activity } = event
  if (!(row.about ?? 'none').split('|').includes(source_type ?? 'none')) yield `it is about ${source_type}`
  if (source_type !== null && path === null && !ofNoNode.has(source_type)) yield 'it names no node'
  if (activity_path !== null && path !== activity_path) yield `it names ${path}, its activity is of ${activity_path}`
  if (/^(change|workflow_run)$/.test(source_type ?? '') && activity_id !== source_id) yield 'it is of another activity'
  if (step_activity !== null && activity_id !== step_activity) yield 'it is of another activity than its step'
  if (step_path !== null && attributes['name'] !== step_path) yield `it calls ${step_path} ${attributes['name']}`
  yield* nameFaults(event, row)
  yield* keyFaults(attributes, row, path !== null)
}

function* nameFaults({ username, user_id, attributes }: EventRow, { by }: Told): Generator<string> {
  const service = username === 'system' && user_id === null
  if (by === 'service' && !service) yield `it is in the name of ${username}`
  if ((by === 'person' || by === 'request') && (service || user_id === null)) yield `it is in the name of ${username}`
  if (by === 'request' && !Object.hasOwn(attributes, 'request_path')) yield 'it tells no request'
  if (by === 'service' && Object.hasOwn(attributes, 'request_path')) yield 'it tells a request'
}

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: value => typeof value === 'string' && value !== '',
  time: value => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(String(value)),
  uuid: value => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  list: Array.isArray,
}
/** Attributes of every event about a node, and of every one of a request. */
const ofAll = /^(parent_code|parent_node_type|remote_address|request_(method|path|body_.+)|url_params_.+)$/

function* keyFaults(attributes: EventRow['attributes'], { keys }: Told, ofNode: boolean): Generator<string> {
  const own = new Set<string>()
  for (const [, name = '', optional, kind = 'text'] of keys.matchAll(/(\w+)(\?)?(?::(\w+))?/g)) {
    own.add(name)
    const value = attributes[name] ?? null
    if (value === null ? !optional : !kinds[kind]!(value)) yield `${name} is ${JSON.stringify(value)}`
  }
  for (const name of Object.keys(attributes)) if (!own.has(name) && !ofAll.test(name)) yield `it has ${name}`
  if (ofNode && typeof attributes['parent_code'] !== 'string') yield 'it has no parent_code'
}

/** Events recorded in one transaction: an event, and those of which that transaction has exactly one. */
const pairs: readonly { readonly of: RegExp; readonly when?: (event: EventRow) => boolean; readonly with: RegExp }[] = [
  {
    of: /^audit:(workflow_)?steps:approve$/,
    when: ({ attributes }) => attributes['goes_on'] === true,
    with: /^api:(workflow_)?steps:approve$/,
  },
  { of: /^audit:(workflow_)?steps:reject$/, with: /^api:(workflow_)?steps:reject$/ },
  { of: /^audit:(workflow_)?steps:continue$/, with: /^api:(workflow_)?steps:continue$/ },
  { of: /^api:(workflow_)?steps:approve$/, with: /^audit:(workflow_)?steps:approve$/ },
  { of: /^api:(workflow_)?steps:reject$/, with: /^audit:(workflow_)?steps:reject$/ },
  {
    of: /^api:(workflow_)?steps:continue$/,
    when: ({ username }) => username !== 'system',
    with: /^audit:(workflow_)?steps:continue$/,
  },
]

/**
 * Each activity created by a schedule is recorded in the transaction of the schedule's event, and each end in that of
 * the root's end.
 */
function unpaired(events: readonly EventRow[]): string[] {
  const wrong: string[] = []
  const byTransaction = Map.groupBy(events, ({ tx }) => tx)
  for (const event of events) {
    const beside = byTransaction.get(event.tx)!
    for (const pair of pairs) {
      if (!pair.of.test(event.type) || pair.when?.(event) === false) continue
      const found = beside.filter(each => pair.with.test(each.type) && each.source_id === event.source_id)
      if (found.length !== 1) wrong.push(`${event.type} with ${found.length} of ${pair.with}`)
    }
    const made = event.type.endsWith('_creation:success')
      ? (event.attributes['change_id'] ?? event.attributes['workflow_run_id'])
      : undefined
    const isMade = ({ type, source_id }: EventRow) => source_id === made && /^api:\w+:create$/.test(type)
    if (made && beside.filter(isMade).length !== 1) wrong.push(`${event.type} is told apart from what was made`)
    const [, end] = /^api:(?:changes|workflow_runs):(success|cancel)$/.exec(event.type) ?? []
    const isRoot = ({ type, source_id }: EventRow) => source_id === event.root_step_id && type.endsWith(`steps:${end}`)
    if (end && event.root_step_id !== null && beside.filter(isRoot).length !== 1)
      wrong.push(`${event.type} is told apart from the end of its root`)
  }
  return wrong
}
