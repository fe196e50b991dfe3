import type { Change, Resource, WorkflowRun } from '../../api/records.ts'

/** Where the API keeps the activities of a kind and their steps. */
export interface ActivityKind {
  readonly type: 'change' | 'workflow_run'
  readonly stepType: 'step' | 'workflow_step'
  readonly path: (id: string) => string
  readonly stepPath: (id: string) => string
  /** Named filter of the events of one activity. */
  readonly eventFilter: string
  /** Commands that show an activity, its steps, and how it goes on. */
  readonly commands: (id: string) => readonly string[]
}

export const kinds = {
  change: {
    type: 'change',
    stepType: 'step',
    path: id => `/api/changes/${id}`,
    stepPath: id => `/api/steps/${id}`,
    eventFilter: 'filter[for_change]',
    commands: id => ['show', 'steps', 'logs --follow'].map(verb => `sluice changes ${verb} ${id}`),
  },
  workflow_run: {
    type: 'workflow_run',
    stepType: 'workflow_step',
    path: id => `/api/workflow_runs/${id}`,
    stepPath: id => `/api/workflow_steps/${id}`,
    eventFilter: 'filter[for_workflow_run]',
    commands: id => ['show', 'steps', 'wait'].map(verb => `sluice workflow-runs ${verb} ${id}`),
  },
} as const satisfies Readonly<Record<string, ActivityKind>>

type Common = Pick<
  Change,
  | 'status_code'
  | 'node_path'
  | 'created_by'
  | 'error_message'
  | 'requires_approval_from'
  | 'approved_by'
  | 'rejected_by'
  | 'cancelled_by'
  | 'pause_state'
  | 'paused_by'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'updated_at'
  | 'metadata'
  | 'scheduled'
  | 'skip_steps'
  | 'property_overrides'
>

type OfChanges = Pick<
  Change,
  | 'action'
  | 'git_remote_name'
  | 'git_rev'
  | 'commit_sha'
  | 'template_version'
  | 'starting_step'
  | 'auto_continue_wait_steps'
  | 'build_without_cache'
  | 'settings_overrides'
  | 'plan_sha'
>

/** A change or a workflow run; attributes that only one of them has are optional. */
export type ActivityRecord = Resource<
  Common & Partial<OfChanges> & Partial<Pick<WorkflowRun, 'workflow_code' | 'version' | 'name'>>
>

/** Name of what runs: the action or the workflow. */
export const activityName = ({ attributes: { action, workflow_code: workflow } }: ActivityRecord): string =>
  action ?? workflow ?? ''

const common =
  'status_code,node_path,created_by,error_message,requires_approval_from,approved_by,rejected_by,cancelled_by,pause_state,paused_by,created_at,started_at,finished_at,updated_at,metadata,scheduled,skip_steps,property_overrides,retry_of,root_step'

/** Fields of an activity: all but the list of its steps, which may be ten thousand. */
export const activityFields = {
  change: {
    'fields[change]': `${common},action,git_remote_name,git_rev,commit_sha,template_version,starting_step,auto_continue_wait_steps,build_without_cache,settings_overrides,plan_sha,workflow_step,scheduled_activity`,
  },
  workflow_run: { 'fields[workflow_run]': `${common},workflow_code,version,name,parent_step,scheduled_activity` },
} as const
