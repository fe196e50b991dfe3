import type { ScheduledChange, ToScheduledActivitiesCreateOnNode } from '../../api/records.ts'
import type { Data } from '../configuration/data.ts'
import { linesOf, readMetadata } from '../run/metadata-lines.ts'
import type { InputForm } from '../run/run-fields.tsx'
import { emptyForm as emptyRun, runAttributes } from '../run/run-form.ts'
import { originalOf } from '../run/use-inputs.ts'
import type { RunRequest } from '../run/use-plan.ts'
import type { WorkflowRunRequest } from '../run/use-workflow-plan.ts'
import { instantOf, wallTime } from './zone-time.ts'

/** Values of the form of a schedule; the inputs are those of every run of it. */
export interface ScheduleForm extends InputForm {
  readonly node: string
  readonly kind: 'action' | 'workflow'
  readonly action: string
  readonly workflow: string
  readonly gitRemote: string
  readonly gitRev: string
  readonly timing: 'cron' | 'once'
  readonly cron: string
  /** Wall-clock time in the zone. */
  readonly runAt: string
  readonly zone: string
  readonly isParallel: boolean
  readonly needsNewCommit: boolean
  readonly maximum: string
  /** Wall-clock time in the zone. */
  readonly endAt: string
  /** Empty for the one of the asset. */
  readonly templateVersion: string
  /** Version of the workflow; null for the latest. */
  readonly version: number | null
  readonly startingStep: string
  readonly autoContinue: boolean
}

export const emptyForm = (zone: string, given: Partial<ScheduleForm> = {}): ScheduleForm => ({
  node: '',
  kind: 'action',
  action: '',
  workflow: '',
  gitRemote: '',
  gitRev: '',
  timing: 'cron',
  cron: '30 2 * * *',
  runAt: '',
  zone,
  isParallel: false,
  needsNewCommit: false,
  maximum: '',
  endAt: '',
  templateVersion: '',
  version: null,
  startingStep: '',
  autoContinue: false,
  skipSteps: '',
  metadata: '',
  overrides: '',
  ...given,
})

/** Values of the form for an existing schedule. */
export const formOf = (schedule: ScheduledChange, node: string): ScheduleForm => ({
  node,
  kind: schedule.workflow_code === null ? 'action' : 'workflow',
  action: schedule.action ?? '',
  workflow: schedule.workflow_code ?? '',
  gitRemote: schedule.git_remote_name ?? '',
  gitRev: schedule.git_rev ?? '',
  timing: schedule.run_at === null ? 'cron' : 'once',
  cron: schedule.cron_schedule ?? '',
  runAt: schedule.run_at === null ? '' : wallTime(schedule.run_at, schedule.time_zone),
  zone: schedule.time_zone,
  isParallel: schedule.allow_parallel_execution,
  needsNewCommit: schedule.new_commits_only,
  maximum: schedule.maximum_run_count === null ? '' : String(schedule.maximum_run_count),
  endAt: schedule.end_at === null ? '' : wallTime(schedule.end_at, schedule.time_zone),
  templateVersion: schedule.template_version ?? '',
  version: schedule.version,
  startingStep: schedule.starting_step ?? '',
  autoContinue: schedule.auto_continue_wait_steps,
  ...originalOf(schedule).form,
})

/** Whether a schedule gives its runs any inputs. */
export const hasInputs = ({ startingStep, autoContinue, skipSteps, metadata, overrides }: ScheduleForm): boolean =>
  autoContinue || [startingStep, skipSteps, metadata, overrides].some(each => each !== '')

/** Attributes that say when a schedule is due, for the preview and for writing it; undefined while something is missing. */
export function timingOf(form: ScheduleForm): ToScheduledActivitiesCreateOnNode | undefined {
  const runAt = form.timing === 'once' ? instantOf(form.runAt, form.zone) : undefined
  if (form.timing === 'cron' ? form.cron.trim() === '' : runAt === undefined) return undefined
  return {
    ...(runAt === undefined
      ? { cron_schedule: form.cron.trim(), run_at: null }
      : { run_at: runAt, cron_schedule: null }),
    time_zone: form.zone,
    repeat: runAt === undefined,
    maximum_run_count: form.maximum.trim() === '' ? null : Number(form.maximum),
    end_at: form.endAt === '' ? null : (instantOf(form.endAt, form.zone) ?? null),
  }
}

/** What a form begins with. */
export interface FirstInputs {
  /** Whether it is that of a schedule that is there already. */
  readonly isStored: boolean
  readonly form: ScheduleForm
  readonly overrides: Data
}

/**
 * Attributes of the schedule; undefined while something is missing. Of a stored schedule only what differs is sent, so
 * that values which the form cannot show as they are (seconds, the second of two equal times when clocks are put back,
 * a cron expression that comes due once) stay as they are.
 *
 * @param overrides property overrides, read; undefined while they are wrong
 */
export function attributesOf(
  form: ScheduleForm,
  overrides: Data | undefined,
  first: FirstInputs,
): ToScheduledActivitiesCreateOnNode | undefined {
  const timing = timingOf(form)
  const what = form.kind === 'workflow' ? form.workflow : form.action.trim()
  if (!timing || what === '' || !overrides) return undefined
  const inputs = inputsOf(form, overrides, first)
  if (first.isStored) return { ...changedAttributes(form, timing, first.form), ...inputs }
  const isOfRevision = form.kind === 'action' && form.gitRev.trim() !== ''
  return {
    ...timing,
    ...(form.kind === 'workflow' ? { workflow_code: what } : { action: what }),
    ...(isOfRevision && { git_remote_name: form.gitRemote.trim(), git_rev: form.gitRev.trim() }),
    allow_parallel_execution: form.isParallel,
    new_commits_only: form.needsNewCommit,
    ...inputs,
  }
}

function changedAttributes(
  form: ScheduleForm,
  timing: ToScheduledActivitiesCreateOnNode,
  first: ScheduleForm,
): ToScheduledActivitiesCreateOnNode {
  const differs = (...names: (keyof ScheduleForm)[]) => names.some(name => form[name] !== first[name])
  const { cron_schedule: cron, run_at: at, time_zone, maximum_run_count, end_at } = timing
  const rule = form.timing === 'cron' ? { cron_schedule: cron! } : { run_at: at! }
  const isRuleChanged = differs('timing', form.timing === 'cron' ? 'cron' : 'runAt')
  return {
    ...(differs('zone') && { time_zone: time_zone! }),
    // The times of the form are those of its zone.
    ...((isRuleChanged || (form.timing === 'once' && differs('zone'))) && rule),
    ...(differs('maximum') && { maximum_run_count: maximum_run_count! }),
    ...(differs('endAt', 'zone') && { end_at: end_at! }),
    ...(differs('action') && { action: form.action.trim() }),
    ...(differs('workflow') && { workflow_code: form.workflow }),
    ...(differs('version') && { version: form.version }),
    ...(differs('gitRemote', 'gitRev') && { git_remote_name: orNull(remoteOf(form)), git_rev: orNull(form.gitRev) }),
    ...(differs('isParallel') && { allow_parallel_execution: form.isParallel }),
    ...(differs('needsNewCommit') && { new_commits_only: form.needsNewCommit }),
  }
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

function inputsOf(form: ScheduleForm, overrides: Data, first: FirstInputs): ToScheduledActivitiesCreateOnNode {
  const differs = (name: keyof ScheduleForm) => form[name] !== first.form[name]
  const step = form.startingStep.trim()
  return {
    ...(differs('skipSteps') && { skip_steps: linesOf(form.skipSteps) }),
    ...(differs('metadata') && { metadata: readMetadata(form.metadata).values }),
    ...(JSON.stringify(overrides) !== JSON.stringify(first.overrides) && { property_overrides: overrides }),
    ...(form.kind === 'action' && {
      ...(differs('startingStep') && { starting_step: step === '' ? null : step }),
      ...(differs('autoContinue') && { auto_continue_wait_steps: form.autoContinue }),
      ...(differs('templateVersion') && { template_version: form.templateVersion }),
    }),
  }
}

/** Request for a change as the schedule would create it now; undefined while no action is chosen. */
export const changeOf = (form: ScheduleForm, overrides: Data): RunRequest | undefined =>
  form.action.trim() === '' || form.node === ''
    ? undefined
    : {
        path: `/api${form.node}/changes`,
        attributes: runAttributes(
          { ...emptyRun, ...form, action: form.action.trim(), gitRemote: remoteOf(form) },
          overrides,
        ),
      }

const remoteOf = ({ gitRemote, gitRev }: ScheduleForm): string => (gitRev.trim() === '' ? '' : gitRemote.trim())

/** Request for a workflow run as the schedule would create it now; undefined while no workflow is chosen. */
export const runOf = (
  { node, workflow, version, skipSteps, metadata }: ScheduleForm,
  overrides: Data,
): WorkflowRunRequest | undefined =>
  workflow === ''
    ? undefined
    : {
        path: `/api${node}/workflows/${workflow}/runs`,
        attributes: {
          ...(version !== null && { version }),
          skip_steps: linesOf(skipSteps),
          metadata: readMetadata(metadata).values,
          property_overrides: overrides,
        },
      }
