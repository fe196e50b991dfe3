import { type Context, done, type Outcome } from '#platform/commands/command.ts'
import { together } from '#platform/db/pipeline.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { rightMissing } from '#platform/required-rights.ts'
import { lockUnarchived, type Node } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { newActivityId } from '../steps/for-changes.ts'
import { createActivity } from '../steps/index.ts'
import { findChange, insertChange } from './change.store.ts'
import { actionPath, nameOf } from './change.ts'
import { aboutChange } from './change-target.tx.ts'
import { noChangesOn } from './no-changes.ts'
import type { Notify } from './notify.ts'
import { originOf } from './origin.tx.ts'
import type { CreateChangeParts } from './parts.port.ts'
import { plannedBy } from './plan.view.ts'
import { plantTree } from './plant-tree.tx.ts'
import { toPrepare } from './prepare.jobs.ts'
import { preparedAtOnce } from './prepare-at-once.tx.ts'
import { creatorWithGroups } from './run-as.tx.ts'
import { runSettings } from './run-settings.ts'
import { settingsInForce } from './settings-in-force.tx.ts'

/** Attributes of a request for a change. */
export interface ChangeRequest {
  readonly action: string
  readonly retry?: boolean
  readonly refresh_sha?: boolean
  readonly parent_path?: string
  readonly git_remote_name?: string
  readonly git_rev?: string
  readonly template_version?: string
  readonly metadata?: JsonObject
  readonly property_overrides?: JsonObject
  readonly settings_overrides?: JsonObject
  readonly skip_steps?: readonly string[]
  readonly starting_step?: string
  readonly auto_continue_wait_steps?: boolean
  readonly build_without_cache?: boolean
  readonly notify?: Notify
  readonly run_at?: string
  readonly plan_sha?: string
}

/** Creator of a change that is not created by a request. */
export interface ChangeCreator {
  /** Whether a step of an admitted run creates it: maintenance does not block it then. */
  readonly workflowStepId?: string
  /** Schedule that is due, and the commit that it resolved its revision to, which is kept. */
  readonly schedule?: { readonly id: string; readonly commitSha: string }
}

/**
 * Creates a change in the name of the context's actor, like a request of theirs, and records it.
 *
 * @returns its id
 * @throws Failure like the response to the request
 */
export type MakeChange = (context: Context, node: Node, given: ChangeRequest, by: ChangeCreator) => Promise<string>

export const changeMaker =
  (parts: CreateChangeParts): MakeChange =>
  async (context, node, given, by) => {
    const path = actionPath(node.path, given.action)
    if (!context.actor.rights.may('execute', path)) throw rightMissing(context.actor, { right: 'execute', path })
    const refused = noChangesOn(node)
    if (refused) throw refused
    const made = await createChange(parts, context, node, given, by)
    if (made.outcome !== 'done') throw new Error(`a change was not made but ${made.outcome}`)
    await context.record({ type: 'api:changes:create', actor: context.actor, ...made.event })
    return made.id!
  }

/**
 * Stores the change and responds, whatever Git does meanwhile: for an asset the actions are known, and its tree is
 * created here; for a project or environment a job resolves the revision afterwards, unless its commit is known.
 */
export async function createChange(
  parts: CreateChangeParts,
  { tx, actor, enqueue }: Context,
  node: Node,
  given: ChangeRequest,
  by: ChangeCreator & { readonly plan?: boolean } = {},
): Promise<Outcome> {
  const [, found, inForce, id] = await together([
    lockUnarchived(tx, node),
    originOf(tx, node, given, wasNamedBefore(by) && !actor.scopeProjectId ? undefined : actor.rights),
    settingsInForce(parts.settings, tx, node, given.settings_overrides ?? {}),
    newActivityId(tx),
  ])
  // After checks of the current node and its origin: 409 goes before 422.
  checkProperties(given.property_overrides ?? {}, node.path, '/data/attributes/property_overrides')
  const origin = by.schedule ? { ...found, commitSha: by.schedule.commitSha } : found
  const settings = inForce.data
  // All faults are reported before the change is queued under its name.
  const prepared = await preparedAtOnce(parts, tx, {
    node,
    origin,
    settings,
    action: given.action,
    createdBy: await creatorWithGroups(tx, settings, actor),
    skipSteps: given.skip_steps ?? [],
    startingStep: given.starting_step ?? null,
    asKnown: by.plan === true || given.plan_sha !== undefined,
  })
  const plans = await plannedBy(parts, { tx, actor }, { node, origin, settings, given, prepared, by })
  if (plans) return plans
  const created = createActivity(tx, {
    id,
    kind: 'change',
    nodeId: node.id,
    projectId: node.project_id,
    path: node.path,
    site: parts.site,
    name: nameOf(node.path, given.action),
    createdBy: actor.username,
    userId: actor.userId,
    scopeProjectId: actor.scopeProjectId ?? null,
    runAt: given.run_at ?? null,
    underWay: by.workflowStepId !== undefined,
    workflowStepId: by.workflowStepId ?? null,
    settings: runSettings(settings),
  })
  const inserted = insertChange(tx, parts.keyring, {
    ...origin,
    id,
    scheduledActivityId: by.schedule?.id ?? null,
    action: given.action,
    metadata: given.metadata ?? {},
    skipSteps: given.skip_steps ?? [],
    startingStep: given.starting_step ?? null,
    autoContinue: given.auto_continue_wait_steps ?? false,
    buildWithoutCache: given.build_without_cache ?? false,
    notify: given.notify ?? null,
    planSha: given.plan_sha ?? null,
    propertyOverrides: given.property_overrides ?? {},
    settingsOverrides: given.settings_overrides ?? {},
    resolvedSettings: inForce,
  })
  const [, , change] = await together([created, inserted, findChange(tx, id)])
  if (prepared) {
    await plantTree(parts, tx, { change: change!, node, ...prepared })
  } else {
    await enqueue(...toPrepare(id, node.path))
  }
  return done({ id, event: aboutChange(id, node, given.action) })
}

/**
 * Whether the template version was named earlier, in a schedule or a workflow, by a user whose rights were checked
 * then.
 */
const wasNamedBefore = ({ workflowStepId, schedule }: ChangeCreator): boolean => Boolean(workflowStepId || schedule)
