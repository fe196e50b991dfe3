import type { Resource } from '../client/sluice.ts'
import { documentText } from './output.ts'
import { plainLine } from './plain-text.ts'
import { endsUnknown, type Terminal } from './terminal.ts'

export const maintenanceModes = { on: 'enabled', off: 'disabled', 'on-but-superusers': 'superuser_override' } as const

interface Info {
  readonly maintenance_mode: boolean
  readonly maintenance_mode_exempts_superusers: boolean
}

interface DrainStatus {
  readonly drained: boolean
  readonly active_counts: Readonly<Record<string, number>>
  readonly blockers: readonly Blocker[]
}

/** Of what the caller may not read only what it is, and since when. */
interface Blocker {
  readonly type: string
  readonly name: string | null
  readonly path: string
  readonly since: string
  readonly created_by: string | null
  readonly waits_for: {
    readonly kind: string
    readonly by: string | null
    readonly approvers?: { readonly user_names: readonly string[]; readonly ldap_groups: readonly string[] }
  } | null
}

/** Switches maintenance mode, if a word says how, and shows it. */
export async function maintenance(terminal: Terminal, word: string | undefined): Promise<void> {
  const { sluice, format, write } = terminal
  if (word !== undefined) {
    const { data } = (await sluice.send('GET', '/api/system_configuration'))!
    const { settings } = (data as Resource).relationships!
    const maintenance_mode = maintenanceModes[word as keyof typeof maintenanceModes]
    await sluice.send('PATCH', String(settings!.links!['related']), {
      data: { attributes: { data: { maintenance_mode } } },
    })
  }
  const document = (await sluice.send('GET', '/api/info'))!
  if (format === 'json' || format === 'yaml') return write(documentText(document, format))
  write(plainLine(modeInWords((document.data as unknown as Resource<Info>).attributes)).concat('\n'))
}

function modeInWords({ maintenance_mode, maintenance_mode_exempts_superusers }: Info): string {
  if (!maintenance_mode) return 'Maintenance is off.'
  return maintenance_mode_exempts_superusers ? 'Maintenance is on, but for superusers.' : 'Maintenance is on.'
}

/** Shows what is still in progress, and answers 0 when nothing is, else 1; `wait` looks again until nothing is. */
export async function drain(terminal: Terminal, options: { wait?: boolean }): Promise<number> {
  endsUnknown()
  const { sluice, format, write, say } = terminal
  let said = ''
  for (;;) {
    const document = (await sluice.send('GET', '/api/admin/drain_status'))!
    const { attributes } = document.data as unknown as Resource<DrainStatus>
    const lines = drainInWords(attributes)
    if (attributes.drained || !options.wait) {
      if (format === 'json' || format === 'yaml') write(documentText(document, format))
      else for (const line of lines) write(plainLine(line).concat('\n'))
      return attributes.drained ? 0 : 1
    }
    if (lines.join('\n') !== said) for (const line of lines) say(line)
    said = lines.join('\n')
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
}

function drainInWords({ drained, active_counts, blockers }: DrainStatus): string[] {
  if (drained) return ['Drained - nothing is in progress.']
  const counts = Object.entries(active_counts)
    .filter(([, count]) => count > 0)
    .map(
      ([what, count]) => `${count} ${count === 1 ? what.replaceAll('_', ' ').slice(0, -1) : what.replaceAll('_', ' ')}`,
    )
  return [`Draining: ${counts.join(', ')}.`, ...blockers.map(blockerInWords)]
}

function blockerInWords({ type, name, path, since, created_by, waits_for }: Blocker): string {
  const what = `${type.replaceAll('_', ' ')} ${name ?? ''}`.trim()
  const who = created_by === null ? '' : ` of ${created_by}`
  const people = waits_for?.approvers
    ? ` of ${[...waits_for.approvers.user_names, ...waits_for.approvers.ldap_groups].join(', ')}`
    : ''
  const why =
    waits_for === null
      ? ''
      : `, waits for ${waits_for.kind}${people}${waits_for.by === null ? '' : ` (${waits_for.by})`}`
  return `  ${path}: ${what}${who}, since ${since}${why}`
}
