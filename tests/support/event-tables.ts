/**
 * Expected attributes of each type of event of "Changes", "Steps and approvals", "Workflows", "Scheduled changes and
 * workflows" and "Resource slots", besides type and time.
 */
export interface Told {
  /** The type of the record that it is about; null: none. */
  readonly about: string | null
  /**
   * Actor: the user of a request (whose attributes it then has); a user, at any later time; the service; or either of
   * the two.
   */
  readonly by: 'request' | 'person' | 'service' | 'either'
  /** Keys of the type, each with the kind of its value (default text); `?` is optional. */
  readonly keys: string
}

type Rows = Readonly<Record<string, Told>>

const told = (about: string | null, by: Told['by'], keys = ''): Told => ({ about, by, keys })

function ofActivities(activities: string, activity: string): Rows {
  return {
    [`api:${activities}:create`]: told(activity, 'person', 'name retry_of?:uuid'),
    [`api:${activities}:start`]: told(activity, 'service'),
    [`api:${activities}:success`]: told(activity, 'service'),
    [`api:${activities}:error`]: told(activity, 'service', 'error?'),
    [`api:${activities}:abort`]: told(activity, 'service', 'error?'),
    [`api:${activities}:cancel`]: told(activity, 'either', 'error?'),
    [`api:${activities}:system_error`]: told(activity, 'service', 'error'),
    // Events of a run's children, in the name of the user who sent the request to the run.
    [`api:${activities}:pause`]: told(activity, 'person', 'name'),
    [`api:${activities}:resume`]: told(activity, 'person', 'name'),
    [`api:${activities}:destroy`]: told(activity, 'request', 'name purged:boolean'),
  }
}

function ofSteps(steps: string, step: string): Rows {
  return {
    [`api:${steps}:start`]: told(step, 'service', 'name action?'),
    [`api:${steps}:success`]: told(step, 'service', 'name action?'),
    [`api:${steps}:abort`]: told(step, 'service', 'name action?'),
    [`api:${steps}:cancel`]: told(step, 'either', 'name action?'),
    [`api:${steps}:system_error`]: told(step, 'service', 'name action? error'),
    [`api:${steps}:error`]: told(step, 'service', 'name action? error?'),
    [`api:${steps}:approve`]: told(step, 'person', 'name'),
    [`api:${steps}:reject`]: told(step, 'person', 'name'),
    [`api:${steps}:continue`]: told(step, 'either', 'name'),
    [`audit:${steps}:approve`]: told(step, 'request', 'name goes_on:boolean message?'),
    [`audit:${steps}:reject`]: told(step, 'request', 'name message?'),
    [`audit:${steps}:continue`]: told(step, 'either', 'name message? input_arguments?:list automatic?:boolean'),
    [`audit:${steps}:approve:denied`]: told(step, 'request', 'name reason'),
    [`audit:${steps}:reject:denied`]: told(step, 'request', 'name reason'),
  }
}

function ofSchedules(schedules: string, schedule: string, making: string, made: string): Rows {
  return {
    [`api:${schedules}:create`]: told(schedule, 'request', 'name'),
    [`api:${schedules}:update`]: told(schedule, 'request', 'name changed_pointers?:list'),
    [`api:${schedules}:destroy`]: told(schedule, 'request', 'name'),
    [`api:${schedules}:${making}:create`]: told(schedule, 'service', 'name due_at:time'),
    [`api:${schedules}:${making}:success`]: told(schedule, 'service', `name due_at:time ${made}:uuid`),
    [`error:${schedules}:${making}`]: told(schedule, 'service', 'name due_at:time error'),
  }
}

const anySchedule = 'scheduled_change|scheduled_workflow'
const anyActivity = 'change|workflow_run'

export const eventTables: Rows = {
  ...ofActivities('changes', 'change'),
  'api:changes:retry_settings_pruned': told('change', 'request', 'name dropped_settings:list'),
  'warn:changes:catalog_not_refreshed': told(
    'change',
    'person',
    'action template_version? catalog_request_status error',
  ),
  'api:change_listener:error': told(null, 'service', 'error host pid:integer'),
  'error:change_worker:delete': told('change', 'service', 'name error runner_id:uuid'),

  ...ofSteps('steps', 'step'),
  'error:step:action': told('step', 'service', 'name error'),
  'error:step:processing': told('step', 'service', 'name error'),
  'error:step:aasm_failure': told('step', 'service', 'name error'),
  'error:steps:transient_error': told(anyActivity, 'service', 'name error'),
  'api:assign_system_error_job:error': told('change', 'service', 'name error'),
  'warn:approval_identity_unresolved': told('change', 'person', 'user_names:list ldap_groups:list'),
  'warn:approval_identity_validation_skipped': told('settings', 'request', 'user_names:list ldap_groups:list error'),

  'api:workflows:create': told('workflow', 'request', 'name workflow_code'),
  'api:workflows:update': told('workflow', 'request', 'name workflow_code'),
  'api:workflows:destroy': told('workflow', 'request', 'name workflow_code archived:boolean'),
  'api:workflows:publish': told('workflow', 'request', 'name workflow_code version:integer'),
  'api:workflow_versions:create': told('workflow', 'request', 'name workflow_code version:integer'),
  'api:workflow_versions:update': told('workflow', 'request', 'name workflow_code version:integer'),
  ...ofActivities('workflow_runs', 'workflow_run'),
  ...ofSteps('workflow_steps', 'workflow_step'),
  'error:workflow_step:run_failure': told('workflow_step', 'service', 'name error'),
  'error:workflow_step:aasm_failure': told('workflow_run', 'service', 'name error'),

  ...ofSchedules('scheduled_changes', 'scheduled_change', 'change_creation', 'change_id'),
  ...ofSchedules('scheduled_workflows', 'scheduled_workflow', 'workflow_run_creation', 'workflow_run_id'),
  'error:scheduled_changes:git_sha': told('scheduled_change', 'service', 'name due_at:time error'),
  'warning:scheduled_activity:skipped': told(anySchedule, 'service', 'name due_at:time'),
  'warning:scheduled_activity:missed': told(
    anySchedule,
    'service',
    'name first_due_at:time last_due_at:time missed_count:integer',
  ),
  'warning:scheduled_activity:disabled': told(anySchedule, 'service', 'name due_at:time error'),
  'warning:scheduled_changes:commit_file_patterns': told('scheduled_change', 'service', 'name due_at?:time error'),

  'warn:resource_slot_pool:full': told('resource_slot_pool', 'service', 'pool configured_limit:integer'),
  'api:resource_slot_freed_listener:error': told(null, 'service', 'error host pid:integer'),
}
