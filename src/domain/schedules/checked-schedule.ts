import type { Rights } from '#platform/actor.ts'
import type { Context } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Json } from '#platform/documents/document.ts'
import { Failure, type Fault } from '#platform/failure.ts'
import { originOf } from '../changes/index.ts'
import { capabilitiesOf, type Node } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { type SettingsReader, settingsFaults } from '../settings/index.ts'
import { findRunnableVersion } from '../workflows/index.ts'
import { usual } from './schedule.attributes.ts'
import { instants, type Schedule, type Written } from './schedule.store.ts'
import { nextRunAt, scheduleFaults } from './schedule.ts'

export interface Checking {
  readonly keyring: Keyring
  readonly settings: SettingsReader
}

/** What names its due times. */
const whenDue = [...(['cron_schedule', 'run_at', 'time_zone', 'end_at'] as const)]

/** What decides when it is due. */
const timing = [...whenDue, ...(['enabled', 'repeat', 'maximum_run_count'] as const)]

/**
 * The schedule as it is to be stored, and when it is due next: counted from now where what decides that was changed, and
 * as it was otherwise, for it may have come due this very moment.
 *
 * @throws Failure with everything that is wrong
 */
export async function checked(
  { keyring, settings }: Checking,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
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
  if ((written.action === null) === (written.workflow_code === null))
    throw new Failure([
      { ...fault('action', 'A schedule runs an action or a workflow: exactly one of the two.'), code: 'required' },
    ])
  if (written.action !== null && written.version !== null)
    throw new Failure([fault('version', 'A version is that of a workflow; the schedule runs an action.')])
  refuseAll(scheduleFaults(times).map(({ attribute, detail }) => fault(attribute, detail)))
  const stands = before && timing.every(key => before[key] === written[key])
  const next = stands ? before.next_run_at : written.enabled ? nextRunAt(times, now) : null
  const newRunAt = run_at !== null && run_at !== before?.run_at
  if (newRunAt && run_at <= now) throw new Failure([fault('run_at', `It is past: it is ${now} now.`)])
  const isTimed = whenDue.some(key => before?.[key] !== written[key])
  if (isTimed && written.enabled && end_at !== null && nextRunAt({ ...times, maximum_run_count: null }, now) === null)
    throw new Failure([fault('end_at', 'It ends before it is ever due.')])
  if (written.action === null) {
    refuseAll(workflowFaults(written, node).map(({ attribute, detail }) => fault(attribute, detail)))
    const found = await findRunnableVersion(keyring, tx, node.id, written.workflow_code!, written.version ?? undefined)
    if (!found)
      throw new Failure([fault('workflow_code', `The project has no published workflow ${written.workflow_code}.`)])
    // Nor is a workflow archived that a schedule will run.
    if (found.archived && written.enabled)
      throw new Failure([
        { ...fault('workflow_code', `The workflow ${found.code} is archived: it takes no new run.`), code: 'archived' },
      ])
    checkProperties(written.property_overrides, node.path, '/data/attributes/property_overrides')
  } else {
    const isNamed = written.template_version !== (before?.template_version ?? null)
    await checkMade(settings, tx, node, written, isNamed ? actor.rights : undefined)
  }
  return { written, next }
}

/** What a change takes, and a run of a workflow does not. */
const ofChanges = [
  ...([
    'new_commits_only',
    'git_remote_name',
    'git_rev',
    'template_version',
    'starting_step',
    'auto_continue_wait_steps',
    'build_without_cache',
    'settings_overrides',
  ] as const),
]

function workflowFaults(written: Written, node: Node): { attribute: string; detail: string }[] {
  const given = ofChanges.filter(key => JSON.stringify(written[key]) !== JSON.stringify(usual[key]))
  return [
    ...(capabilitiesOf(node).can_have_workflows
      ? []
      : [{ attribute: 'workflow_code', detail: `${node.path} has no workflows: those of a project run on it.` }]),
    ...given.map(attribute => ({ attribute, detail: `${attribute} is for changes; the schedule runs a workflow.` })),
  ]
}

/** What its changes are made of: said now, and not in the night when it is due. */
async function checkMade(
  settings: SettingsReader,
  tx: Tx,
  node: Node,
  written: Written,
  namedBy: Rights | undefined,
): Promise<void> {
  checkProperties(written.property_overrides, node.path, '/data/attributes/property_overrides')
  const global = await settings.global(tx)
  const listed = (key: string) => (global.data[`allowed.${key}`] ?? []) as readonly Json[]
  refuseAll(settingsFaults(written.settings_overrides, 'change', listed, '/data/attributes/settings_overrides'))
  await originOf(tx, node, originAsked(written), namedBy)
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
