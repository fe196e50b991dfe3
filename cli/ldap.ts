import { setTimeout as pause } from 'node:timers/promises'
import type { Resource } from '../client/sluice.ts'
import { plainLine } from './plain-text.ts'
import { endsUnknown, type Terminal } from './terminal.ts'

interface RefreshEvent {
  readonly type: string
  readonly created_at: string
}

const ends = new Set(['api:ldap_refresh:success', 'api:ldap_refresh:warn', 'api:ldap_refresh:error'])
const often = 300

/**
 * Has users and groups read from the directory again.
 *
 * @returns the status that the command ends with: with `wait` 1 when the refresh failed
 */
export async function refreshDirectory(terminal: Terminal, { wait }: { wait?: boolean }): Promise<number> {
  const before = wait ? await newestEvents(terminal) : []
  await terminal.sluice.send('POST', '/api/ldap_refresh')
  if (!wait) {
    terminal.say('The refresh has been requested: sluice events --filter type_start=api:ldap_refresh')
    return 0
  }
  endsUnknown()
  const known = new Set(before.map(({ id }) => id))
  const newest = before[0]?.attributes.type
  // A refresh that had begun before the request ends first.
  let toEnd = newest !== undefined && !ends.has(newest) ? 2 : 1
  for (;;) {
    await pause(often)
    const fresh = (await newestEvents(terminal)).filter(({ id }) => !known.has(id)).toReversed()
    for (const event of fresh) {
      known.add(event.id)
      if (!ends.has(event.attributes.type)) continue
      toEnd -= 1
      if (toEnd === 0) return ended(terminal, event.id)
    }
  }
}

const newestEvents = ({ sluice }: Terminal): Promise<Resource<RefreshEvent>[]> =>
  sluice.list<RefreshEvent>('/api/events', {
    'filter[type_start]': 'api:ldap_refresh:',
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
