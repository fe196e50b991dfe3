import type { Context, Outcome, Request } from '#platform/commands/command.ts'
import { done } from '#platform/commands/command.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { failpoint } from '#platform/failpoints.ts'
import { Failure, type Fault, failure, missing } from '#platform/failure.ts'
import { eventNode, lockUnarchived, type Node } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { activityMovesOf } from '../steps/for-changes.ts'
import { createActivity, lockActivity } from '../steps/index.ts'
import {
  findChange,
  insertChange,
  noteRetry,
  notifyOf,
  overridesOf,
  type StoredChange,
  unfinishedRetry,
} from './change.store.ts'
import { nameOf } from './change.ts'
import { aboutChange } from './change-target.tx.ts'
import { inputsOfOriginal } from './inputs-of-original.tx.ts'
import { lockOriginRemote, type Origin, originOf, originOfChange } from './origin.tx.ts'
import type { ChangeParts, CreateChangeParts } from './parts.port.ts'
import { passedByRetryOf } from './passed-by-retry.store.ts'
import { notKnown, refuseMoved } from './plan.view.ts'
import { type Planted, planOfPlanted, plantOriginalTree, plantTree, plantUnrefreshed } from './plant-tree.tx.ts'
import { toPrepare } from './prepare.jobs.ts'
import { preparedAtOnce } from './prepare-at-once.tx.ts'
import { retriedSettings } from './retried-settings.tx.ts'
import { creatorWithGroups } from './run-as.tx.ts'
import { runSettings } from './run-settings.ts'
import { noteUsedInputs } from './used-inputs.store.ts'

/** Attributes of a request for a retry; everything else is its original's. */
export interface RetryRequest {
  readonly retry: true
  readonly refresh_sha?: boolean
  readonly settings_overrides?: JsonObject
  readonly property_overrides?: JsonObject
  readonly skip_steps?: readonly string[]
  readonly metadata?: JsonObject
  readonly plan_sha?: string
}

const retryAttributes = [
  'retry',
  'refresh_sha',
  'settings_overrides',
  'property_overrides',
  'skip_steps',
  'metadata',
  'plan_sha',
]

export const isRetry = ({ attributes }: Pick<Request<{ readonly retry?: boolean }>, 'attributes'>): boolean =>
  attributes.retry === true

export const retryWithout = (): Failure =>
  failure('required', 'A retry says which change it runs again: relationships.change is missing.', {
    source: { pointer: '/data/relationships/change' },
  })

/** 409 for a change that has not ended, or that ended well. */
export function refuseRetry({ status }: StoredChange): Failure | undefined {
  if (activityMovesOf(status).length > 0)
    return failure('wrong-state', `The change has not ended: it is ${status}. Cancel it first, or wait for its end.`)
  return status === 'success'
    ? failure('wrong-state', 'The change has succeeded: there is nothing of it to run again.')
    : undefined
}

/**
 * Creates a new change that runs the unfinished part of an ended one. The original does not change, and is locked, so
 * that of two concurrent retries the second sees the first. `by`: a step of a workflow run creates it, in the name of
 * the context's actor, whose rights have been checked.
 */
export async function retryChange(
  parts: CreateChangeParts,
  context: Context,
  what: { change: StoredChange; node: Node },
  given: RetryRequest,
  by?: { readonly workflowStepId: string; readonly runAt: string | null },
): Promise<Outcome> {
  const { id, planted } = await plantRetry(parts, context, what, given, {
    ...by,
    asKnown: given.plan_sha !== undefined,
  })
  if (given.plan_sha !== undefined) {
    if (!planted) throw notKnown(what.change.action)
    refuseMoved(given.plan_sha, await planOfPlanted(parts, context.tx, planted))
  }
  if (!planted) await context.enqueue(...toPrepare(id, what.node.path))
  failpoint('retry-before-commit')
  const { attributes, ...event } = aboutChange(id, what.node, what.change.action)
  return done({ id, event: { ...event, attributes: { ...attributes, retry_of: what.change.id } } })
}

/**
 * Creates the record of a retry, and its tree if everything needed for that is available.
 *
 * @param by `asKnown`: its revision is resolved as last known
 */
export async function plantRetry(
  parts: CreateChangeParts,
  { tx, actor, record }: Pick<Context, 'tx' | 'actor' | 'record'>,
  { change, node }: { change: StoredChange; node: Node },
  given: RetryRequest,
  by: { readonly workflowStepId?: string; readonly runAt?: string | null; readonly asKnown: boolean },
): Promise<{ readonly id: string; readonly planted: Planted | undefined }> {
  await lockActivity(tx, change.id)
  const original = await findChange(tx, change.id)
  if (!original) throw missing()
  const refused = refuseRetry(original)
  if (refused) throw refused
  await refuseSecond({ tx, actor }, original)
  await lockUnarchived(tx, node)
  const origin = given.refresh_sha ? await newestOrigin(tx, node, original) : originOfChange(original)
  const runs = origin instanceof Failure ? originOfChange(original) : origin
  await lockOriginRemote(tx, runs)
  // After checks of the current change and its node: 409 goes before 422.
  refuseOthers(given)
  const settings = await retriedSettings(parts, tx, { node, original, given: given.settings_overrides })
  const overrides = await overridesFor(parts.keyring, tx, original, given.property_overrides)
  checkProperties(overrides, node.path, '/data/attributes/property_overrides')
  const id = await createActivity(tx, {
    kind: 'change',
    nodeId: node.id,
    projectId: node.project_id,
    path: node.path,
    site: parts.site,
    name: nameOf(node.path, original.action),
    createdBy: actor.username,
    userId: actor.userId,
    scopeProjectId: actor.scopeProjectId ?? original.scope_project_id,
    runAt: by.runAt ?? null,
    underWay: by.workflowStepId !== undefined,
    workflowStepId: by.workflowStepId ?? null,
    settings: runSettings(settings.resolved.data),
  })
  await insertChange(tx, parts.keyring, {
    ...runs,
    id,
    action: original.action,
    metadata: given.metadata ?? original.metadata,
    skipSteps: given.skip_steps ?? original.skip_steps,
    startingStep: original.starting_step,
    planSha: given.plan_sha ?? null,
    notify: notifyOf(parts.keyring, original),
    propertyOverrides: overrides,
    settingsOverrides: settings.overrides,
    resolvedSettings: settings.resolved,
  })
  await noteRetry(tx, id, { id: original.id, refreshSha: given.refresh_sha === true })
  await noteUsedInputs(tx, { id, path: node.path }, overrides)
  const retry = (await findChange(tx, id))!
  if (settings.dropped.length > 0)
    await record({
      type: 'api:changes:retry_settings_pruned',
      actor,
      source: { type: 'change', id },
      node: eventNode(node),
      activityId: id,
      attributes: { name: original.action, dropped_settings: settings.dropped },
    })
  const { asKnown } = by
  return { id, planted: await plantNow(parts, tx, { retry, node, origin, settings: settings.resolved.data, asKnown }) }
}

/**
 * Creates the tree of a retry at once; undefined if a job has to prepare it: its commit or its actions are not
 * available.
 */
async function plantNow(
  parts: Pick<ChangeParts, 'keyring' | 'git' | 'converge' | 'model' | 'record'>,
  tx: Context['tx'],
  what: ToPlant & { readonly origin: Origin | Failure },
): Promise<Planted | undefined> {
  const { retry, node, origin } = what
  if (!retry.refresh_sha) return plantOriginalTree(parts, tx, retry, node)
  if (origin instanceof Failure) return plantUnrefreshed(parts, tx, retry, node, origin.message)
  // The newest commit is what the remote has now: a job fetches it.
  if (origin.commitSha === null && !what.asKnown) return undefined
  const prepared = await preparedOr(parts, tx, { ...what, origin })
  if (prepared instanceof Failure) return plantUnrefreshed(parts, tx, retry, node, prepared.message)
  return prepared && plantTree(parts, tx, { change: retry, node, ...prepared })
}

interface ToPlant {
  readonly retry: StoredChange
  readonly node: Node
  readonly settings: JsonObject
  readonly asKnown: boolean
}

async function preparedOr(
  parts: Pick<ChangeParts, 'keyring' | 'git' | 'converge' | 'model'>,
  tx: Context['tx'],
  { retry, node, origin, settings, asKnown }: ToPlant & { readonly origin: Origin },
) {
  const createdBy = await creatorWithGroups(tx, settings, { userId: retry.user_id, username: retry.created_by })
  try {
    const { action, skip_steps: skipSteps, starting_step: startingStep } = retry
    const asked = { node, origin, settings, action, createdBy, skipSteps, startingStep, asKnown }
    return await preparedAtOnce(parts, tx, asked)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function refuseOthers(given: RetryRequest): void {
  const [first, ...others] = Object.keys(given)
    .filter(each => !retryAttributes.includes(each))
    .map(
      (each): Fault => ({
        code: 'invalid',
        detail: `A retry takes ${each} from its original; what may be given is ${retryAttributes.join(', ')}.`,
        source: { pointer: `/data/attributes/${each}` },
      }),
    )
  if (first) throw new Failure([first, ...others])
}

/** Refuses a second retry while one is unfinished: two would run the same steps twice. */
async function refuseSecond({ tx, actor }: Pick<Context, 'tx' | 'actor'>, original: StoredChange): Promise<void> {
  const under = await unfinishedRetry(tx, original.id, await passedByRetryOf(tx, actor))
  if (under) throw failure('wrong-state', `The change is being retried already: by the change ${under.id}.`)
}

/**
 * Newest commit: of the asset's template version, or of the revision, which is resolved again; a failure if neither
 * exists. The revision of a floating version may have moved since its remote was fetched: it is resolved again as well.
 */
async function newestOrigin(tx: Context['tx'], node: Node, original: StoredChange): Promise<Origin | Failure> {
  const { git_remote_name, git_rev } = original
  try {
    const origin = await originOf(tx, node, node.node_type === 'asset' ? {} : { git_remote_name, git_rev })
    return (origin.follows ?? null) === null ? origin : { ...origin, commitSha: null }
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** Overrides of the original, or the given ones with the values that finished input steps had put there. */
async function overridesFor(
  keyring: Keyring,
  tx: Context['tx'],
  original: StoredChange,
  given: JsonObject | undefined,
): Promise<JsonObject> {
  const before = overridesOf(keyring, original)
  return given ? inputsOfOriginal(keyring, tx, original.id, { before, given }) : before
}
