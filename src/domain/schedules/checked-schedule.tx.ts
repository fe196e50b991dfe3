import type { Context } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Json } from '#platform/documents/document.ts'
import { Failure, type Fault, statusOf } from '#platform/failure.ts'
import { originOf } from '../changes/index.ts'
import { capabilitiesOf, type Node } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { type SettingsReader, settingsFaults } from '../settings/index.ts'
import { findRunnableVersion } from '../workflows/index.ts'
import { instants, type Schedule, type Written } from './schedule.store.ts'
import { nextRunAt, scheduleFaults } from './schedule.ts'
import { usual } from './schedule-attributes.ts'
import { originAttributes } from './schedule-kinds.ts'

export interface Checking {
  readonly keyring: Keyring
  readonly settings: SettingsReader
}

/** Attributes that define its due times. */
const whenDue = [...(['cron_schedule', 'run_at', 'time_zone', 'end_at'] as const)]

/** Attributes that affect when it is due. */
const timing = [...whenDue, ...(['enabled', 'repeat', 'maximum_run_count'] as const)]

/**
 * The schedule to store, and its next due time: computed from now if its timing was changed, and unchanged otherwise,
 * because it may be due at this very moment.
 *
 * @throws Failure with all faults
 */
export async function checked(
  checking: Checking,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  node: Node,
  wanted: Written,
  before: Schedule | undefined,
): Promise<{ written: Written; next: string | null }> {
  const { now, run_at, end_at } = await instants(tx, wanted)
  const written = { ...wanted, run_at, end_at }
  const times = { ...written, run_count: before?.run_count ?? 0 }
  refuseAll([...timeFaults(times, before, now), ...(await workFaults(checking, { tx, actor }, node, written, before))])
  const unchanged = before && timing.every(key => before[key] === written[key])
  const next = unchanged ? before.next_run_at : written.enabled ? nextRunAt(times, now) : null
  return { written, next }
}

const fault = (attribute: string, detail: string): Fault => ({
  code: 'invalid',
  detail,
  source: { pointer: `/data/attributes/${attribute}` },
})

/** Faults of its due times. */
function timeFaults(times: Written & { run_count: number }, before: Schedule | undefined, now: string): Fault[] {
  const { run_at, end_at, enabled } = times
  const faults = scheduleFaults(times).map(({ attribute, detail }) => fault(attribute, detail))
  if (run_at !== null && run_at !== before?.run_at && run_at <= now)
    faults.push(fault('run_at', `It is past: it is ${now} now.`))
  if (faults.length > 0) return faults
  const isTimed = whenDue.some(key => before?.[key] !== times[key])
  if (!isTimed || !enabled || end_at === null || nextRunAt({ ...times, maximum_run_count: null }, now) !== null)
    return []
  return [fault('end_at', 'It ends before it is ever due.')]
}

/** Attributes that define what it runs. */
const runAttributes = [
  ...(['action', 'workflow_code', 'version', 'git_remote_name', 'git_rev', 'template_version'] as const),
]

/**
 * Faults of its target, reported now and not in the night when it is due. Whether the target still exists is not
 * checked for a disabled schedule: otherwise it could not be disabled.
 */
async function workFaults(
  checking: Checking,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  node: Node,
  written: Written,
  before: Schedule | undefined,
): Promise<Fault[]> {
  const { action, workflow_code, property_overrides } = written
  if ((action === null) === (workflow_code === null))
    return [
      { ...fault('action', 'A schedule runs an action or a workflow: exactly one of the two.'), code: 'required' },
    ]
  const rests = !written.enabled && runAttributes.every(key => before?.[key] === written[key])
  const namedBy = written.template_version === (before?.template_version ?? null) ? undefined : actor.rights
  const notThere = () =>
    action === null
      ? runFaults(checking, tx, node, written)
      : faultsIn(() => originOf(tx, node, originAttributes(written), namedBy))
  return [
    ...(action === null ? workflowFaults(node, written) : await changeFaults(checking, tx, written)),
    ...(rests ? [] : await notThere()),
    ...(await faultsIn(() => checkProperties(property_overrides, node.path, '/data/attributes/property_overrides'))),
  ]
}

/** Attributes of a change that a run of a workflow does not have. */
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

function workflowFaults(node: Node, written: Written): Fault[] {
  const given = ofChanges.filter(key => JSON.stringify(written[key]) !== JSON.stringify(usual[key]))
  return [
    ...(capabilitiesOf(node).can_have_workflows
      ? []
      : [fault('workflow_code', `${node.path} has no workflows: those of a project run on it.`)]),
    ...given.map(each => fault(each, `${each} is for changes; the schedule runs a workflow.`)),
  ]
}

async function changeFaults({ settings }: Checking, tx: Tx, written: Written): Promise<Fault[]> {
  const global = await settings.global(tx)
  const listed = (key: string) => (global.data[`allowed.${key}`] ?? []) as readonly Json[]
  return [
    ...(written.version === null
      ? []
      : [fault('version', 'A version is that of a workflow; the schedule runs an action.')]),
    ...settingsFaults(written.settings_overrides, 'change', listed, '/data/attributes/settings_overrides'),
  ]
}

async function runFaults({ keyring }: Checking, tx: Tx, node: Node, written: Written): Promise<Fault[]> {
  const { workflow_code: code, version, enabled } = written
  if (!capabilitiesOf(node).can_have_workflows) return []
  const found = await findRunnableVersion(keyring, tx, node.id, code!, version ?? undefined)
  if (!found && version !== null && (await findRunnableVersion(keyring, tx, node.id, code!)))
    return [fault('version', `The workflow ${code} has no published version ${version}.`)]
  if (!found) return [fault('workflow_code', `The project has no published workflow ${code}.`)]
  // A workflow that a schedule will run cannot be archived either.
  if (!found.archived || !enabled) return []
  const archived = fault('workflow_code', `The workflow ${found.code} is archived: it takes no new run.`)
  return [{ ...archived, code: 'archived' }]
}

async function faultsIn(work: () => unknown): Promise<readonly Fault[]> {
  try {
    await work()
    return []
  } catch (error) {
    if (error instanceof Failure) return error.faults
    throw error
  }
}

/** Refuses faults: conflicts with the current state (409) take precedence over invalid values (422). */
function refuseAll(faults: readonly Fault[]): void {
  const against = faults.filter(({ code }) => statusOf(code) === 409)
  const [first, ...others] = against.length > 0 ? against : faults
  if (first) throw new Failure([first, ...others])
}
