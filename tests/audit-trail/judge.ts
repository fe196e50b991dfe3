import type { Client } from '../support/api.ts'
import type { Done } from './history.ts'
import type { Row, Told, Written } from './journal.ts'
import { inWords } from './unexplained.ts'

const written = /^api:(properties|settings):update$/

/** Contradictions between the trail and the requests with their responses. `events`: those since the first request. */
export function ofRequests(events: readonly Told[], done: readonly Done[]): string[] {
  const faults = done.filter(({ status }) => status >= 500)
  const asked = Map.groupBy(done, ({ asked: { method, path }, username }) =>
    [method, encodeURI(`/api${path.split('?')[0]}`), username].join(' '),
  )
  const told = Map.groupBy(
    events.filter(({ attributes, system }) => system && attributes['request_path'] !== undefined),
    ({ attributes, username }) => [attributes['request_method'], attributes['request_path'], username].join(' '),
  )
  const wrong = [...told].flatMap(([key, all]) => {
    const answers = asked.get(key) ?? []
    const allowed = answers.filter(({ status }) => status < 300).length
    const recorded = new Set(all.filter(({ type }) => !type.endsWith(':denied')).map(({ tx }) => tx)).size
    const denied = all.filter(({ type }) => type.endsWith(':denied')).length
    return [
      ...(recorded > allowed ? [`${recorded} requests told, ${allowed} done: ${key}: ${all.map(inWords)[0]}`] : []),
      ...(denied > answers.length - allowed ? [`more denials told than answered: ${key}`] : []),
    ]
  })
  return [...faults.map(({ asked, status, text }) => `${status} ${JSON.stringify(asked)} ${text}`), ...wrong]
}

/** Faults in the order of events: numbers have no gap, and events of each record are in the order of writing. */
export function inOrder(events: readonly Told[]): string[] {
  const wrong: string[] = []
  const numbers = events.map(({ seq }) => seq ?? 0).toSorted((a, b) => a - b)
  numbers.forEach((seq, at) => {
    if (seq !== at + 1) wrong.push(`seal ${at + 1} is ${seq}`)
  })
  for (const [id, all] of Map.groupBy(events, ({ source_id }) => source_id)) {
    if (id === null) continue
    const sealed = all.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
    if (sealed.some((event, at) => event !== all[at]))
      wrong.push(`sealed in another order: ${all.map(inWords).join('; ')}`)
    const versions = all.filter(({ type }) => written.test(type)).map(({ attributes }) => attributes['version'])
    if (versions.some((version, at) => version !== at + 2)) wrong.push(`versions ${versions} of ${id}`)
  }
  return wrong
}

/** All events that a caller sees, from the pages of the list, with this field. */
// biome-ignore lint/suspicious/noExplicitAny: an event as listed
export async function listedTo(client: Client, field: string): Promise<any[]> {
  const events: unknown[] = []
  for (let next: string | undefined = `/api/events?limit=1000&fields[event]=${field}`; next; ) {
    const { body } = await client.get(next)
    events.unshift(...body.data)
    next = body.links?.next?.replace(/^https?:\/\/[^/]+/, '')
  }
  return events
}

/** Whether the record with this id is gone according to the journal; other ids are unknown. */
export function goneOf(journal: readonly Written[]): (id: string) => boolean {
  const last = new Map(journal.map(({ before, after }) => [String((after ?? before)!['id']), after]))
  const ended = (row: Row | null | undefined) =>
    !row || ['destroyed_at', 'deleted_at', 'revoked_at'].some(column => row[column])
  return id => {
    const row = last.get(id)
    if (!row || ended(row) || row['kind'] === 'session') return true
    return ['node_id', 'project_id'].some(column => row[column] && ended(last.get(String(row[column]))))
  }
}
