import type { Actor } from '#platform/actor.ts'
import type { Context } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { isPassing } from '#platform/db/connection-errors.ts'
import type { Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { Job, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { Failure, messageOf } from '#platform/failure.ts'
import type { MakeChange } from '../changes/index.ts'
import type { Git } from '../git/index.ts'
import { findNodeById, lockLine, type Node } from '../nodes/index.ts'
import { isEarlierOpen, lockOccurrence, moveOccurrence, type Outcome } from './occurrence.store.ts'
import { asksOfGit, hasMoved, isUsedByNow, type Revision, reasons, revisionOf } from './revision.tx.ts'
import { actorOrHindrance } from './run-as.tx.ts'
import {
  countRun,
  disableSchedule,
  findSchedule,
  isAtWork,
  lockSchedule,
  openDocument,
  openNotify,
  type Schedule,
} from './schedule.store.ts'
import { recordScheduleEvent, recordUnmetPatternsEvent, type Subject } from './schedule-events.tx.ts'
import { namesOfKind, originAttributes } from './schedule-kinds.ts'

export const makeJob = 'schedules.make'

export interface MakingParts {
  readonly keyring: Keyring
  readonly git: Git
  readonly makeChange: MakeChange
  /** Creates a run of a workflow in the name of the context's actor, and records it; returns its id. */
  readonly makeRun: (context: Context, project: Node, asked: RunRequest) => Promise<string>
}

/** Attributes of a run that a schedule sets. */
interface RunRequest {
  readonly scheduledActivityId: string
  readonly workflow: string
  readonly version: number | null
  readonly metadata: JsonObject
  readonly property_overrides: JsonObject
  readonly skip_steps: readonly string[]
  readonly notify?: JsonObject
}

interface Due {
  readonly scheduleId: string
  readonly dueAt: string
}

/**
 * Creates the change of a due time. It may be killed at any point: the queue runs it again, and the row of the due time
 * shows how far it had come. The change, the state of the due time and the events are one transaction.
 */
export const makeScheduled = (parts: MakingParts): Job => ({
  name: makeJob,
  unattended: true,
  run: async ({ scheduleId, dueAt }: Due, runtime) => {
    const { database } = runtime
    if (!(await database.transaction(tx => begin(runtime, tx, { scheduleId, dueAt })))) return
    failpoint('schedule-resolving')
    try {
      while ((await resolve(parts, runtime, { scheduleId, dueAt })) === 'moved');
    } catch (error) {
      if (runtime.stopping.aborted || isPassing(error)) throw error
      await giveUp(runtime, { scheduleId, dueAt }, error)
    }
    failpoint('schedule-change-committed')
    // The next due time of its project may start.
    database.hints.emit('schedules')
  },
})

/**
 * Gives up a due time after a bug of ours, which would recur. Left to the queue the due time would be retried for days,
 * and every later one skipped because of it, forever once the queue had given up.
 */
async function giveUp({ database, record, log }: Runtime, { scheduleId, dueAt }: Due, error: unknown): Promise<void> {
  log.error({ err: error, schedule: scheduleId, due_at: dueAt }, 'scheduled change or run could not be created')
  const reason = `The service could not make it: ${messageOf(error)}`
  await database.transaction(async tx => {
    const schedule = await findSchedule(tx, scheduleId)
    const node = schedule && (await findNodeById(tx, schedule.node_id))
    const occurrence = await lockOccurrence(tx, scheduleId, dueAt)
    if (!schedule || !node || occurrence?.state !== 'resolving') return
    await moveOccurrence(tx, occurrence, { state: 'failed', reason })
    const subject = { schedule, node, occurrence }
    const { controller, creation } = namesOfKind(schedule)
    await recordScheduleEvent({ record }, tx, subject, `error:${controller}:${creation}`, { error: reason })
    await recordUnmetPatternsEvent({ record }, tx, subject)
  })
}

/** Looks up what the due time runs, and creates it. `moved`: the schedule has changed meanwhile. */
async function resolve(parts: MakingParts, runtime: Runtime, { scheduleId, dueAt }: Due): Promise<'moved' | undefined> {
  const { database } = runtime
  const schedule = await findSchedule(database, scheduleId)
  const node = schedule && (await findNodeById(database, schedule.node_id))
  if (!schedule || !node) return undefined
  const revision = schedule.action === null ? {} : await revisionOf(parts.git, runtime, schedule, node)
  return database.transaction(async tx => {
    // The node before its schedule, in the same order as destroying the node.
    await lockLine(tx, node)
    // The schedule before the due time: of two due times one waits for the child of the other.
    const now = await lockSchedule(tx, scheduleId)
    const occurrence = await lockOccurrence(tx, scheduleId, dueAt)
    if (!now || occurrence?.state !== 'resolving') return undefined
    if (asksOfGit(now) !== asksOfGit(schedule)) return 'moved'
    if (!('fault' in revision) && (await hasMoved(tx, now, node, revision))) return 'moved'
    const outcome = await decide(parts, runtime, tx, { schedule: now, node, occurrence }, revision)
    await moveOccurrence(tx, occurrence, outcome)
    await recordUnmetPatternsEvent(runtime, tx, { schedule: now, node, occurrence })
    failpoint('schedule-change-before-commit')
    return undefined
  })
}

/** Returns false when the due time is already finished, or its schedule has been deleted. */
async function begin(runtime: Runtime, tx: Tx, { scheduleId, dueAt }: Due): Promise<boolean> {
  const schedule = await findSchedule(tx, scheduleId)
  const node = schedule && (await findNodeById(tx, schedule.node_id))
  const occurrence = schedule && (await lockOccurrence(tx, scheduleId, dueAt))
  if (!node || !occurrence) return false
  if (occurrence.state !== 'due') return occurrence.state === 'resolving'
  await moveOccurrence(tx, occurrence, { state: 'resolving' })
  await recordScheduleEvent(
    runtime,
    tx,
    { schedule, node, occurrence },
    `api:${namesOfKind(schedule).controller}:${namesOfKind(schedule).creation}:create`,
  )
  return true
}

async function decide(
  parts: MakingParts,
  runtime: Runtime,
  tx: Tx,
  subject: Subject,
  revision: Partial<Revision> | { readonly fault: string },
): Promise<Outcome> {
  const { schedule, occurrence } = subject
  if (!schedule.enabled) return { state: 'skipped', reason: 'the schedule is disabled' }
  if (schedule.maximum_run_count !== null && schedule.run_count >= schedule.maximum_run_count)
    return { state: 'skipped', reason: 'it has run as often as it may' }
  // Before all checks whose result may change.
  const maker = await actorOrHindrance(tx, schedule, subject.node)
  if ('hindrance' in maker) return disabled(runtime, tx, subject, maker.hindrance)
  if (!schedule.allow_parallel_execution && ((await isAtWork(tx, schedule)) || (await isEarlierOpen(tx, occurrence)))) {
    await recordScheduleEvent(runtime, tx, subject, 'warning:scheduled_activity:skipped')
    return { state: 'skipped', reason: 'an earlier one is still at work' }
  }
  if ('fault' in revision) {
    await recordScheduleEvent(runtime, tx, subject, 'error:scheduled_changes:git_sha', { error: revision.fault })
    return { state: 'failed', reason: revision.fault }
  }
  const { commitSha, unjudged } = revision
  const notWanted = revision.notWanted ?? ((await isUsedByNow(tx, schedule, commitSha)) ? 'used' : undefined)
  if (notWanted) return { state: 'skipped', commitSha: commitSha!, reason: reasons[notWanted] }
  if (unjudged !== undefined)
    await recordScheduleEvent(runtime, tx, subject, 'warning:scheduled_changes:commit_file_patterns', {
      error: unjudged,
    })
  return make(parts, runtime, tx, subject, { ...revision, ...maker })
}

async function make(
  parts: MakingParts,
  runtime: Runtime,
  tx: Tx,
  subject: Subject,
  { actor, commitSha, gitRemoteId }: Partial<Revision> & { readonly actor: Actor },
): Promise<Outcome> {
  const { schedule, node } = subject
  if (gitRemoteId !== undefined) await parts.git.keep(tx, gitRemoteId, commitSha!)
  const context: Context = {
    tx,
    actor,
    record: event => runtime.record(tx, event),
    enqueue: (job, payload, options) => runtime.enqueue(tx, job, payload, { ...options, afterPeople: true }),
    requireMatch: () => {},
  }
  try {
    const activityId = await tx.savepoint(() =>
      schedule.action === null
        ? parts.makeRun(context, node, runRequestOf(parts.keyring, schedule))
        : parts.makeChange(context, node, asked(parts.keyring, schedule, schedule.action), {
            schedule: { id: schedule.id, commitSha: commitSha! },
          }),
    )
    await countRun(tx, schedule.id)
    const { controller, creation, madeId } = namesOfKind(schedule)
    await recordScheduleEvent(
      runtime,
      tx,
      subject,
      `api:${controller}:${creation}:success`,
      { [madeId]: activityId },
      activityId,
    )
    return { state: 'created', commitSha: commitSha ?? null, activityId }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const fatal = error.faults.some(({ code }) => code === 'forbidden' || code === 'archived' || code === 'missing')
    if (fatal) return disabled(runtime, tx, subject, error.message)
    const { controller, creation } = namesOfKind(schedule)
    await recordScheduleEvent(runtime, tx, subject, `error:${controller}:${creation}`, { error: error.message })
    return { state: 'failed', reason: error.message }
  }
}

const asked = (keyring: Keyring, schedule: Schedule, action: string) => ({
  action,
  ...originAttributes(schedule),
  metadata: schedule.metadata,
  skip_steps: schedule.skip_steps,
  ...(schedule.starting_step !== null && { starting_step: schedule.starting_step }),
  auto_continue_wait_steps: schedule.auto_continue_wait_steps,
  build_without_cache: schedule.build_without_cache,
  property_overrides: openDocument(keyring, schedule, 'property_overrides'),
  settings_overrides: openDocument(keyring, schedule, 'settings_overrides'),
  ...notifying(openNotify(keyring, schedule)),
})

const notifying = (notify: JsonObject | null) => (notify === null ? {} : { notify })

const runRequestOf = (keyring: Keyring, schedule: Schedule): RunRequest => ({
  scheduledActivityId: schedule.id,
  workflow: schedule.workflow_code!,
  version: schedule.version,
  metadata: schedule.metadata,
  property_overrides: openDocument(keyring, schedule, 'property_overrides'),
  skip_steps: schedule.skip_steps,
  ...notifying(openNotify(keyring, schedule)),
})

async function disabled(runtime: Runtime, tx: Tx, subject: Subject, reason: string): Promise<Outcome> {
  await disableSchedule(tx, subject.schedule.id, reason)
  await recordScheduleEvent(runtime, tx, subject, 'warning:scheduled_activity:disabled', { error: reason })
  return { state: 'failed', reason }
}
