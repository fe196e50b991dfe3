import type { Resource } from '../client/sluice.ts'
import { documentText } from './output.ts'
import { plainLine } from './plain-text.ts'
import { expectUnreadOutput, type Terminal } from './terminal.ts'

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

/** Work in progress; name and people are null if the caller may not read it. */
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

/** Sets maintenance mode if `word` is given, and prints it. */
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
  write(plainLine(modeText((document.data as unknown as Resource<Info>).attributes)).concat('\n'))
}

function modeText({ maintenance_mode, maintenance_mode_exempts_superusers }: Info): string {
  if (!maintenance_mode) return 'Maintenance mode is off.'
  return maintenance_mode_exempts_superusers
    ? 'Maintenance mode is on, except for superusers.'
    : 'Maintenance mode is on.'
}

/** Prints the work in progress; `wait` polls until there is none. @returns exit status 0 if there is none, else 1 */
export async function drain(terminal: Terminal, options: { wait?: boolean }): Promise<number> {
  expectUnreadOutput()
  const { sluice, format, write, say } = terminal
  let printed = ''
  for (;;) {
    const document = (await sluice.send('GET', '/api/admin/drain_status'))!
    const { attributes } = document.data as unknown as Resource<DrainStatus>
    const lines = drainText(attributes)
    if (attributes.drained || !options.wait) {
      if (format === 'json' || format === 'yaml') write(documentText(document, format))
      else for (const line of lines) write(plainLine(line).concat('\n'))
      return attributes.drained ? 0 : 1
    }
    if (lines.join('\n') !== printed) for (const line of lines) say(line)
    printed = lines.join('\n')
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
}

function drainText({ drained, active_counts, blockers }: DrainStatus): string[] {
  if (drained) return ['Drained: no work is in progress.']
  const counts = Object.entries(active_counts)
    .filter(([, count]) => count > 0)
    .map(
      ([what, count]) => `${count} ${count === 1 ? what.replaceAll('_', ' ').slice(0, -1) : what.replaceAll('_', ' ')}`,
    )
  return [`Draining: ${counts.join(', ')}.`, ...blockers.map(blockerText)]
}

function blockerText({ type, name, path, since, created_by, waits_for }: Blocker): string {
  const what = `${type.replaceAll('_', ' ')} ${name ?? ''}`.trim()
  const who = created_by === null ? '' : ` by ${created_by}`
  const people = waits_for?.approvers
    ? ` by ${[...waits_for.approvers.user_names, ...waits_for.approvers.ldap_groups].join(', ')}`
    : ''
  const why =
    waits_for === null
      ? ''
      : `, waiting for ${waits_for.kind}${people}${waits_for.by === null ? '' : ` (${waits_for.by})`}`
  return `  ${path}: ${what}${who}, since ${since}${why}`
}
