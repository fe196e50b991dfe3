import type { Tx } from '#platform/db/database.ts'
import type { Json } from '#platform/documents/document.ts'
import { Failure, type Fault } from '#platform/failure.ts'
import { originOf } from '../changes/index.ts'
import type { Node } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { type SettingsReader, settingsFaults } from '../settings/index.ts'
import { instants, type Schedule, type Written } from './schedule.store.ts'
import { nextRunAt, scheduleFaults } from './schedule.ts'

/** What decides when it is due. */
const timing = [
  ...(['enabled', 'cron_schedule', 'run_at', 'time_zone', 'repeat', 'maximum_run_count', 'end_at'] as const),
]

/**
 * The schedule as it is to be stored, and when it is due next: counted from now where what decides that was changed, and
 * as it was otherwise, for it may have come due this very moment.
 *
 * @throws Failure with everything that is wrong
 */
export async function checked(
  settings: SettingsReader,
  tx: Tx,
  node: Node,
  wanted: Written,
  before: Schedule | undefined,
): Promise<{ written: Written; next: string | null }> {
  const { now, run_at, end_at } = await instants(tx, wanted)
  const written = { ...wanted, run_at, end_at }
  const times = { ...written, run_count: before?.run_count ?? 0 }
  const fault = (attribute: string, detail: string): Fault => ({
    code: 'invalid',
    detail,
    source: { pointer: `/data/attributes/${attribute}` },
  })
  refuseAll(scheduleFaults(times).map(({ attribute, detail }) => fault(attribute, detail)))
  const stands = before && timing.every(key => before[key] === written[key])
  const next = stands ? before.next_run_at : written.enabled ? nextRunAt(times, now) : null
  const newRunAt = run_at !== null && run_at !== before?.run_at
  if (newRunAt && run_at <= now) throw new Failure([fault('run_at', `It is past: it is ${now} now.`)])
  if (next === null && written.enabled && end_at !== null && end_at !== before?.end_at)
    throw new Failure([fault('end_at', 'It ends before it is ever due.')])
  await checkMade(settings, tx, node, written)
  return { written, next }
}

/** What its changes are made of: said now, and not in the night when it is due. */
async function checkMade(settings: SettingsReader, tx: Tx, node: Node, written: Written): Promise<void> {
  checkProperties(written.property_overrides, node.path, '/data/attributes/property_overrides')
  const global = await settings.global(tx)
  const listed = (key: string) => (global.data[`allowed.${key}`] ?? []) as readonly Json[]
  refuseAll(settingsFaults(written.settings_overrides, 'change', listed, '/data/attributes/settings_overrides'))
  await originOf(tx, node, originAsked(written))
}

/** As a change takes them: what is not given is absent. */
export const originAsked = (schedule: Pick<Written, 'git_remote_name' | 'git_rev' | 'template_version'>) => ({
  ...(schedule.git_remote_name !== null && { git_remote_name: schedule.git_remote_name }),
  ...(schedule.git_rev !== null && { git_rev: schedule.git_rev }),
  ...(schedule.template_version !== null && { template_version: schedule.template_version }),
})

function refuseAll(faults: readonly Fault[]): void {
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}
