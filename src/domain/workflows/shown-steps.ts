import { absolutePath } from '#authoring/workflows/text-rules.ts'
import type { WorkflowStep, WorkflowStepType, WrittenStep } from '#authoring/workflows/workflow-tree.ts'

/** A step in responses: the common members, and those of its type that it has. */
export type ShownStep = { readonly type: string; readonly name: string; readonly [member: string]: unknown }

type Shown = WrittenStep | WorkflowStep

/**
 * Steps as shown, written or resolved. In written ones `{{path}}` remains: a caller who may read a workflow need not
 * have the right to read the properties of its project.
 */
export const shownSteps = (steps: readonly Shown[], projectPath: string): ShownStep[] =>
  steps.map(step => ({
    type: step.type,
    name: step.name,
    line: step.line,
    ...members[step.type](step, projectPath),
  }))

const members: Readonly<Record<WorkflowStepType, (step: Shown, projectPath: string) => Record<string, unknown>>> = {
  change: (step, projectPath) => ({
    // One that begins with a placeholder may turn out absolute.
    targets: step.targets.map(path => (path.startsWith('{{') ? path : absolutePath(path, projectPath))),
    action: step.action,
    template_versions: step.template_versions,
    git_remote_name: step.git_remote_name,
    git_rev: step.git_rev,
    start_time: step.start_time,
    property_overrides: step.property_overrides[0] ?? {},
    run_as: step.run_as,
    ignore_failure: step.ignore_failure,
  }),
  wait: step => ({
    seconds: step.seconds,
    reset_on_retry: step.reset_on_retry,
    requires_approval_from: step.requires_approval_from,
  }),
  workflow: step => ({
    target: step.workflow,
    version: step.version,
    start_time: step.start_time,
    property_overrides: step.property_overrides,
    run_as: step.run_as,
  }),
  stage: (step, projectPath) => ({
    run_as: step.run_as,
    ignore_failure: step.ignore_failure,
    children: shownSteps(step.children, projectPath),
  }),
}
