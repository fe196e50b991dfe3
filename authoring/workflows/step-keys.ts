import type { RuledText } from './text-rules.ts'
import type { WorkflowStepType } from './workflow-tree.ts'

/** Value of a key, as the reader takes it and the schema describes it. */
export type KeyValue =
  | { readonly kind: 'text' | 'texts'; readonly rule: RuledText }
  | { readonly kind: 'number'; readonly most: number }
  | { readonly kind: 'boolean' | 'run_as' | 'override' | 'overrides' | 'approvers' | 'steps' }

export type StepKey = KeyValue & { readonly describe: string }

const name = { kind: 'text', rule: 'name', describe: 'Name of the step. Default: derived from what it does.' } as const
const runAs = (what: string) =>
  ({ kind: 'run_as', describe: `${what}: sequential (the default) or parallel.` }) as const
const startTime = {
  kind: 'text',
  rule: 'start_time',
  describe:
    'Earliest start: a time with its zone (2026-11-21T02:00:00Z), or a time of day (02:00 Europe/Vienna; UTC without a zone).',
} as const

/** The keys of each type of step, in addition to `type`. */
export const stepKeys = {
  change: {
    target: {
      kind: 'text',
      rule: 'targets',
      describe:
        'Node of the change, absolute or relative to the project: assets/web, environments/live, /projects/bank/assets/web, or "." for the project.',
    },
    targets: { kind: 'texts', rule: 'targets', describe: 'Several nodes; each one gets a change.' },
    action: { kind: 'text', rule: 'action', describe: 'Action to run.' },
    template_version: {
      kind: 'text',
      rule: 'template_versions',
      describe: 'Template version to use instead of the asset’s own. For assets.',
    },
    template_versions: {
      kind: 'texts',
      rule: 'template_versions',
      describe: 'One template version for all targets, or one for each, in their order. For assets.',
    },
    git_remote_name: {
      kind: 'text',
      rule: 'git_remote_name',
      describe: 'Git remote with the actions, together with "git_rev". For projects and environments.',
    },
    git_rev: {
      kind: 'text',
      rule: 'git_rev',
      describe: 'Branch, tag or commit of the Git remote. For projects and environments.',
    },
    name,
    start_time: startTime,
    property_overrides: { kind: 'override', describe: 'Property overrides of the change.' },
    run_as: runAs('How the changes of several targets run'),
    ignore_failure: { kind: 'boolean', describe: 'Whether the run continues after a failed change. Default: false.' },
  },
  wait: {
    name,
    seconds: { kind: 'number', most: 31_536_000, describe: 'Seconds after which the wait ends by itself.' },
    reset_on_retry: {
      kind: 'boolean',
      describe: 'Whether a retry of the run repeats the wait even if it had ended. Default: false.',
    },
    requires_approval_from: {
      kind: 'approvers',
      describe: 'Makes the wait an approval, which ends with the decision of these users.',
    },
  },
  workflow: {
    target: { kind: 'text', rule: 'workflow', describe: 'Code of the workflow to run, which is in the same project.' },
    version: {
      kind: 'number',
      most: 2_147_483_647,
      describe: 'Published version of the workflow. Default: the latest published one.',
    },
    name,
    start_time: startTime,
    property_overrides: {
      kind: 'overrides',
      describe: 'Property overrides of the run; as a list, one run for each of its objects.',
    },
    run_as: runAs('How several runs are executed'),
  },
  stage: {
    children: { kind: 'steps', describe: 'Steps of the stage.' },
    run_as: runAs('How the steps of the stage run'),
    name,
    ignore_failure: { kind: 'boolean', describe: 'Whether the run continues after a failed step. Default: false.' },
  },
} as const satisfies Record<WorkflowStepType, Record<string, StepKey>>

/** Description of each type of step. */
export const stepTypes: Readonly<Record<WorkflowStepType, string>> = {
  change: 'Creates a change on each target.',
  wait: 'Waits for a time, for a user, or for approvals.',
  workflow: 'Runs another workflow of the project.',
  stage: 'Groups steps.',
}

/** The keys of `requires_approval_from`. */
export const approverKeys = {
  user_names: { kind: 'texts', rule: 'user_names', describe: 'Users who may approve.' },
  ldap_groups: { kind: 'texts', rule: 'ldap_groups', describe: 'Directory groups whose members may approve.' },
  required_approvals: { kind: 'number', most: 100, describe: 'Number of approvals needed. Default: 1.' },
} as const satisfies Record<string, StepKey>

export const runAsWords = ['sequential', 'parallel'] as const
