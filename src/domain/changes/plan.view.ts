import type { Actor } from '#platform/actor.ts'
import { answered, type Context, type Outcome } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { type Failure, failure } from '#platform/failure.ts'
import type { Site } from '#platform/site.ts'
import type { Node } from '../nodes/index.ts'
import type { StepDefinition } from '../steps/index.ts'
import { withAutoContinue } from './auto-continue.tx.ts'
import type { Origin } from './origin.tx.ts'
import type { ChangeParts } from './parts.port.ts'
import { approvalsIn, movedSince, type Plan, planOf, shownSteps, waitingOf } from './plan.tx.ts'

interface Asked {
  readonly node: Node
  readonly origin: Origin
  readonly settings: JsonObject
  readonly given: {
    readonly action: string
    readonly plan_sha?: string
    readonly property_overrides?: JsonObject
    readonly auto_continue_wait_steps?: boolean
  }
  readonly prepared: { readonly commitSha: string; readonly tree: StepDefinition } | undefined
  readonly by: { readonly plan?: boolean }
}

/**
 * Plan of a change that is requested instead of the change; undefined if the change is to be created.
 *
 * @throws Failure `wrong-state` (409) when the plan that it is bound to has changed, naming the changed parts, or is
 *   unknown, because its commit has not been read
 */
export async function plannedBy(
  parts: Pick<ChangeParts, 'site' | 'converge'>,
  { tx, actor }: Pick<Context, 'tx' | 'actor'>,
  { node, origin, settings, given, prepared, by }: Asked,
): Promise<Outcome | undefined> {
  if (!by.plan && given.plan_sha === undefined) return undefined
  if (!prepared) throw notKnown(given.action)
  const tree = given.auto_continue_wait_steps ? withAutoContinue(prepared.tree) : prepared.tree
  const { action, property_overrides: propertyOverrides = {} } = given
  const { commitSha } = prepared
  const plan = await planOf(parts, tx, { node, action, origin, commitSha, tree, settings, propertyOverrides })
  if (given.plan_sha !== undefined) refuseMoved(given.plan_sha, plan)
  if (!by.plan) return undefined
  return answered({
    data: await documentOf(tx, actor, { site: parts.site, node, action, origin, commitSha, tree, settings }, plan),
  })
}

/** 409: what it would run is not known yet. */
export const notKnown = (action: string): Failure =>
  failure(
    'wrong-state',
    `What ${action} would run is not known here yet: its commit, its actions or its property files have not been read. A change that is made without a plan reads them.`,
  )

/** @throws Failure `wrong-state` (409) when the plan has changed since it was shown */
export function refuseMoved(planSha: string, plan: Plan): void {
  const moved = movedSince(planSha, plan)
  if (moved === undefined) return
  throw failure('wrong-state', `The plan has moved: ${moved}. Ask for it again, and see whether it is still wanted.`, {
    source: { pointer: '/data/attributes/plan_sha' },
  })
}

/** Document of a plan. `retry`: its id, and the full paths of the steps that it takes over or that are approved already. */
export async function documentOf(
  tx: Context['tx'],
  actor: Actor,
  what: {
    readonly site: Site
    readonly node: Node
    readonly action: string
    readonly origin: Origin
    readonly commitSha: string
    readonly tree: StepDefinition
    readonly settings: JsonObject
    readonly retry?: { readonly id: string; readonly kept: readonly string[]; readonly approved: readonly string[] }
  },
  plan: Plan,
): Promise<object> {
  const { node, action, origin, commitSha, tree, retry } = what
  const readable = (area: 'properties' | 'settings') =>
    actor.rights.may('read', `${node.path}/${area}`) ? plan[area] : null
  return {
    type: 'plan',
    id: plan.sha256,
    attributes: {
      sha256: plan.sha256,
      plan_sha: plan.planSha,
      action,
      parent_path: node.path,
      git_remote_name: origin.gitRemoteName,
      commit_sha: commitSha,
      template_version: origin.templateVersion,
      steps: shownSteps(tree),
      ...(retry && { kept_steps: retry.kept, approved_steps: retry.approved }),
      requires_approval_from: approvalsIn(tree),
      converged_properties: readable('properties'),
      converged_settings: readable('settings'),
      ...(await waitingOf(tx, what, retry?.id ?? null)),
    },
  }
}
