import { setTimeout as pause } from 'node:timers/promises'
import type { Resource } from '../client/sluice.ts'
import { plainLine } from './plain-text.ts'
import { expectUnreadOutput, type Terminal } from './terminal.ts'

interface RefreshEvent {
  readonly type: string
  readonly created_at: string
}

const ends = new Set(['api:ldap_refresh:success', 'api:ldap_refresh:warn', 'api:ldap_refresh:error'])
const pollInterval = 300
/** Timeout in milliseconds: a refresh of a large directory takes minutes. */
const timeout = 15 * 60_000

/**
 * Requests a refresh of users and groups from the directory.
 *
 * @returns the exit status; with `wait`, 1 if the refresh failed
 */
export async function refreshDirectory(terminal: Terminal, { wait }: { wait?: boolean }): Promise<number> {
  const { sluice } = terminal
  const { username } = (await sluice.show<{ username: string }>('/api/me')).attributes
  const known = new Set((wait ? await newestEvents(terminal, username) : []).map(({ id }) => id))
  await sluice.send('POST', '/api/ldap_refresh')
  if (!wait) {
    terminal.say('Refresh requested. To see its result: sluice events --filter type_start=api:ldap_refresh')
    return 0
  }
  expectUnreadOutput()
  for (const until = performance.now() + timeout; performance.now() < until; ) {
    await pause(pollInterval)
    const fresh = (await newestEvents(terminal, username)).filter(({ id }) => !known.has(id)).toReversed()
    const end = fresh.find(({ attributes }) => ends.has(attributes.type))
    if (end) return ended(terminal, end.id)
  }
  terminal.say('The service recorded no result of the refresh: sluice events --filter type_start=api:ldap_refresh')
  return 1
}

/** Newest refresh events of a user; scheduled refreshes belong to the system user. */
const newestEvents = ({ sluice }: Terminal, username: string): Promise<Resource<RefreshEvent>[]> =>
  sluice.list<RefreshEvent>('/api/events', {
    'filter[type_start]': 'api:ldap_refresh:',
    'filter[username_eq]': username,
    'filter[sorts]': 'created_at desc',
    limit: 20,
  })

async function ended(terminal: Terminal, eventId: string): Promise<number> {
  const { attributes } = await terminal.sluice.show<Record<string, unknown>>(`/api/events/${eventId}`)
  const type = String(attributes['type'])
  const why = attributes['error'] ?? attributes['warning']
  terminal.write(`${plainLine(`The refresh ended: ${type.split(':').at(-1)}${why ? `, ${why}` : ''}`)}\n`)
  return type === 'api:ldap_refresh:error' ? 1 : 0
}
