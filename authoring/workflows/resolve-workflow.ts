import type { JsonObject } from '#platform/documents/document.ts'
import { foldedName } from '#platform/folded-name.ts'
import { FillStep } from './fill-step.ts'
import { namesOf } from './step-names.ts'
import { absolutePath } from './text-rules.ts'
import { inOrder } from './workflow-errors.ts'
import { stepsSize, workflowLimits } from './workflow-limits.ts'
import {
  optional,
  type WorkflowApprovers,
  type WorkflowError,
  type WorkflowStep,
  type WrittenStep,
} from './workflow-tree.ts'

/** A step with the places for faults that are found later, when existing nodes and actions are looked up. */
export interface ResolvedStep extends WorkflowStep, Pick<WrittenStep, 'places'> {
  readonly children: readonly ResolvedStep[]
}

/** `read`: the steps of a wrong workflow, as far as their texts could be resolved. */
export type ResolvedWorkflow =
  | { readonly steps: readonly ResolvedStep[] }
  | { readonly errors: readonly WorkflowError[]; readonly read: readonly ResolvedStep[] }

/** Values with which the texts of a workflow are resolved. */
export interface ResolvedWith {
  /** The project's converged properties, with the run's overrides. */
  readonly properties: JsonObject
  /** `/projects/bank`: base of relative targets. */
  readonly projectPath: string
}

/**
 * Replaces `{{path}}` by properties, and checks the results by the same rules as the other texts were checked when they
 * were read. Pure: whether nodes, actions and workflows exist is not checked here.
 */
export function resolveWorkflow(steps: readonly WrittenStep[], given: ResolvedWith): ResolvedWorkflow {
  const errors: WorkflowError[] = []
  const resolved = resolveSteps(steps, given, errors)
  const place = steps[0]?.places['']
  if (errors.length === 0 && place && stepsSize(resolved) > workflowLimits.steps)
    errors.push({ ...place, pointer: '/steps', message: workflowLimits.tooManySteps })
  return errors.length > 0 ? { errors: inOrder(errors), read: resolved } : { steps: resolved }
}

function resolveSteps(steps: readonly WrittenStep[], given: ResolvedWith, errors: WorkflowError[]): ResolvedStep[] {
  const resolved = steps.map(step => resolveStep(step, given, errors))
  const names = namesOf(resolved)
  return resolved.map(({ given_name: _, ...step }, i) => ({ ...step, name: names[i]! }))
}

function resolveStep(
  step: WrittenStep,
  given: ResolvedWith,
  errors: WorkflowError[],
): ResolvedStep & { given_name?: string } {
  const fill = new FillStep(step, given.properties, errors)
  const targets = fill.texts('targets', step.targets).map(path => absolutePath(path, given.projectPath))
  if (new Set(targets).size < targets.length) fill.fail('targets/0', 'Two of the targets are the same node.')
  const template_versions = fill.texts('template_versions', step.template_versions)
  if (template_versions.length > 1 && template_versions.length !== targets.length)
    fill.fail(
      'template_versions/0',
      `"template_versions" has one version for all targets or one for each: there are ${targets.length} targets and ${template_versions.length} versions.`,
    )
  const { type, line, run_as, ignore_failure, reset_on_retry } = step
  return {
    type,
    line,
    run_as,
    ignore_failure,
    reset_on_retry,
    name: step.name,
    places: step.places,
    ...optional('given_name', fill.text('name', step.given_name)),
    children: resolveSteps(step.children, given, errors),
    targets,
    template_versions,
    ...optional('action', fill.text('action', step.action)),
    ...optional('git_remote_name', fill.text('git_remote_name', step.git_remote_name)),
    ...optional('git_rev', fill.text('git_rev', step.git_rev)),
    ...optional('start_time', fill.text('start_time', step.start_time)),
    ...optional('workflow', fill.text('workflow', step.workflow)),
    ...optional('version', fill.number('version', step.version, 2_147_483_647)),
    ...optional('seconds', fill.number('seconds', step.seconds, 31_536_000)),
    property_overrides: fill.documents(step.property_overrides),
    ...optional('requires_approval_from', approversOf(step, fill)),
  }
}

function approversOf({ requires_approval_from: written }: WrittenStep, fill: FillStep): WorkflowApprovers | undefined {
  if (!written) return undefined
  const user_names = fill.texts('user_names', written.user_names)
  const ldap_groups = fill.texts('ldap_groups', written.ldap_groups)
  const required_approvals = fill.number('required_approvals', written.required_approvals, 100) ?? 1
  const people = new Set(user_names.map(foldedName)).size
  if (ldap_groups.length === 0 && people > 0 && required_approvals > people)
    fill.fail('required_approvals', `${required_approvals} approvals are asked of ${people}.`)
  return { user_names, ldap_groups, required_approvals }
}
