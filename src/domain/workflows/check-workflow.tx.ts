import type { ParsedWorkflow } from '#authoring/workflows/read-workflow.ts'
import { type ResolvedStep, resolveWorkflow } from '#authoring/workflows/resolve-workflow.ts'
import { inOrder } from '#authoring/workflows/workflow-errors.ts'
import { stepsSize, workflowLimits } from '#authoring/workflows/workflow-limits.ts'
import type { WorkflowError } from '#authoring/workflows/workflow-tree.ts'
import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { Failure, type Fault } from '#platform/failure.ts'
import type { OfferFault, RequestedAction } from '../changes/index.ts'
import { type Node, nodesAt } from '../nodes/index.ts'
import type { ConvergeProperties } from '../properties/index.ts'
import { nestedErrors, nestedOf } from './nested-workflows.tx.ts'
import type { Nested } from './workflow.store.ts'

export interface CheckParts {
  readonly converge: ConvergeProperties
  /** Why each of these changes could not be created, or undefined (`offeredActions`). */
  readonly offered: (queries: Queries, asked: readonly RequestedAction[]) => Promise<(OfferFault | undefined)[]>
}

export interface ToCheck {
  readonly project: Node
  readonly actor: Actor
  readonly parsed: ParsedWorkflow
  readonly overrides?: JsonObject
  /** The code of the workflow itself, which the workflows that it runs must not run in turn. */
  readonly own?: string
}

export interface CheckedWorkflow {
  readonly steps: readonly ResolvedStep[]
  readonly nested: readonly Nested[]
}

/**
 * Checks everything required to publish a workflow: its source is valid, its properties exist, its targets exist and
 * offer their actions, the workflows that it runs are published and do not form a cycle.
 *
 * @throws Failure (422) with every fault, its line and its column
 */
export async function checkWorkflow(parts: CheckParts, queries: Queries, given: ToCheck): Promise<CheckedWorkflow> {
  const { project, actor, parsed, overrides = {}, own } = given
  const written = 'errors' in parsed ? (parsed.read ?? []) : parsed.steps
  // A source beyond the limits is not examined: its size is reported, with the faults found by reading.
  const place = written[0]?.places['']
  if (place && stepsSize(written) > workflowLimits.steps) {
    const tooMany = { ...place, pointer: '/steps', message: workflowLimits.tooManySteps }
    throw wrongWorkflow([...('errors' in parsed ? parsed.errors : []), tooMany])
  }
  // Properties of a project: its own, under the overrides. Repositories have no influence.
  const { data } = await parts.converge(queries, project, { change: { overrides, repoFolder: '' } })
  const resolved = resolveWorkflow(written, { properties: data, projectPath: project.path })
  const steps = 'errors' in resolved ? resolved.read : resolved.steps
  const misread = 'errors' in parsed ? parsed.errors : []
  const unresolved = 'errors' in resolved ? withoutPlacesOf(resolved.errors, misread) : []
  const told = [...misread, ...unresolved]
  // All faults at once: the valid attributes of a step are checked even if others are wrong.
  const sound = soundOf(steps, told)
  const errors = [
    ...told,
    ...(await targetErrors(parts.offered, queries, actor, sound)),
    ...(await nestedErrors(queries, actor, project, sound, own)),
  ]
  if (errors.length > 0) throw wrongWorkflow(errors)
  return { steps, nested: nestedOf(steps) }
}

const stepsOf = (steps: readonly ResolvedStep[]): ResolvedStep[] =>
  steps.flatMap(step => [step, ...stepsOf(step.children)])

/** Errors without those at places that already have one: resolving finds the same faults again with other texts. */
function withoutPlacesOf(errors: readonly WorkflowError[], told: readonly WorkflowError[]): WorkflowError[] {
  const places = new Set(told.map(({ pointer }) => pointer))
  return errors.filter(({ pointer }) => !places.has(pointer))
}

/** Attributes for which the existence of nodes, actions and workflows is checked. */
const asking = new Set(
  `target targets template_version template_versions action git_remote_name git_rev workflow version`.split(' '),
)

/**
 * Steps that can be checked against existing records, each by itself: without those whose faults prevent that check.
 */
function soundOf(steps: readonly ResolvedStep[], errors: readonly WorkflowError[]): ResolvedStep[] {
  const withFaults = new Set<string>()
  for (const { pointer } of errors) {
    const [, step, key] = /^(.*\/(?:steps|children)\/\d+)(?:\/([^/]+).*)?$/.exec(pointer) ?? []
    if (step !== undefined && (key === undefined || asking.has(key))) withFaults.add(step)
  }
  return stepsOf(steps).flatMap(step => (withFaults.has(step.places['']!.pointer) ? [] : [{ ...step, children: [] }]))
}

/**
 * Errors in the targets of steps: checks each change that the steps would create, with the step and the index of the
 * target.
 */
async function targetErrors(
  offered: CheckParts['offered'],
  queries: Queries,
  actor: Actor,
  steps: readonly ResolvedStep[],
): Promise<WorkflowError[]> {
  const changes = steps.flatMap(step => step.targets.map((path, i) => ({ step, path, i })))
  const paths = [...new Set(changes.map(({ path }) => path))]
  const nodes = new Map((await nodesAt(queries, paths)).map(node => [node.path, node]))
  const errors: WorkflowError[] = []
  const asked: (RequestedAction & { step: ResolvedStep; i: number })[] = []
  for (const { step, path, i } of changes) {
    const node = nodes.get(path)
    const message =
      !node || !actor.rights.may('read', path)
        ? `There is no node ${path}, or you may not read it.`
        : node.archived
          ? `${path} is archived.`
          : undefined
    if (message !== undefined || !node) {
      errors.push({ ...placeOf(step, 'target', i), message: message! })
      continue
    }
    const { action, template_versions: versions, git_remote_name, git_rev } = step
    const template_version = versions.length > 1 ? versions[i] : versions[0]
    asked.push({
      step,
      i,
      node,
      namedBy: actor.rights,
      action: action!,
      ...(template_version !== undefined && { template_version }),
      ...(git_remote_name !== undefined && { git_remote_name }),
      ...(git_rev !== undefined && { git_rev }),
    })
  }
  const tooMany = tooManyRevisions(steps)
  if (tooMany) return [...errors, tooMany]
  const faults = await offered(
    queries,
    asked.map(({ step: _, i: __, ...each }) => each),
  )
  for (const [at, fault] of faults.entries()) {
    const { step, i } = asked[at]!
    if (fault) errors.push({ ...placeOf(step, fault.about, i), message: fault.message })
  }
  return errors
}

function tooManyRevisions(steps: readonly ResolvedStep[]): WorkflowError | undefined {
  const revisions = new Set<string>()
  const last = steps.find(({ git_remote_name, git_rev }) => {
    if (git_rev !== undefined) revisions.add(`${git_remote_name}:${git_rev}`)
    return revisions.size > workflowLimits.revisions
  })
  return last && { ...placeOf(last, 'git_rev', 0), message: workflowLimits.tooManyRevisions }
}

/** Place of an attribute in a step; the step itself, if it lacks the attribute. */
function placeOf({ places }: ResolvedStep, about: OfferFault['about'], i: number) {
  const several = { target: 'targets', template_version: 'template_versions' } as const
  const list = about === 'target' || about === 'template_version' ? several[about] : undefined
  return (list ? (places[`${list}/${i}`] ?? places[`${list}/0`]) : places[about]) ?? places['']!
}

/** Failure with each fault of a workflow, as in responses. */
function wrongWorkflow(errors: readonly WorkflowError[]): Failure {
  const faults = inOrder(errors).map(
    ({ line, column, pointer, message }): Fault => ({
      code: 'invalid',
      detail: `Line ${line}, column ${column}: ${message}`,
      source: { pointer: '/data/attributes/source_yaml' },
      meta: { line, column, pointer, message },
    }),
  )
  return new Failure(faults as [Fault, ...Fault[]])
}
