import type { LaterPart } from './table.ts'

/** Attributes (`attributes`) and relationships of records that other parts of the product complete; `?` may be null. */
export const laterRecords: Readonly<Record<string, { part: LaterPart; attributes: string; relationships: string }>> = {
  change: {
    part: 'changes',
    attributes:
      'action step_name status_code created_by metadata scheduled git_remote_name git_rev commit_sha? template_version? skip_steps starting_step? auto_continue_wait_steps build_without_cache property_overrides settings_overrides requires_approval_from approved_by rejected_by cancelled_by? pause_state paused_by plan_sha? created_at started_at? finished_at? updated_at state_timing',
    relationships: 'parent project root_step steps retry_of? workflow_step? scheduled_activity?',
  },
  step: {
    part: 'changes',
    attributes:
      'action step_name full_path description? step_type step_sequence status_code child_execution_strategy ignore_failure input_arguments requires_approval_from approved_by rejected_by continued_by skip_requested attempt outcome_reason? exit_code? error_message? created_at started_at? finished_at? updated_at state_timing',
    relationships: 'change parent? children',
  },
  log_line: {
    part: 'changes',
    attributes: 'message category level sequence logged_at step_id change_id',
    relationships: '',
  },
  artefact: {
    part: 'changes',
    attributes: 'name content_type byte_size sha256 created_at',
    relationships: 'step change',
  },
  agent_log_line: { part: 'agents', attributes: 'message category agent_path logged_at', relationships: '' },
  agent_event: { part: 'agents', attributes: 'message created_at', relationships: '' },
  event_filter: { part: 'notifications', attributes: 'code description? rules', relationships: '' },
  event_subscriber: {
    part: 'notifications',
    attributes: 'event_filter_code channel_code? action? node_path? enabled',
    relationships: '',
  },
  notification_channel: {
    part: 'notifications',
    attributes: 'code kind configuration default_channel enabled',
    relationships: '',
  },
  job: {
    part: 'administration',
    attributes:
      'job_class queue status attempts maximum_attempts last_error? run_at started_at? finished_at? node_path?',
    relationships: '',
  },
  data_cleanup_definition: {
    part: 'administration',
    attributes:
      'name kind cron_schedule time_zone node_paths filters older_than maximum_per_run? enabled last_run_at? next_run_at?',
    relationships: '',
  },
}

/** Named filters of lists that other parts complete. */
export const laterFilters: Readonly<Record<string, { part: LaterPart; names: readonly string[] }>> = {
  '/api/workflow_runs': { part: 'workflows', names: ['active_over'] },
}

/** Limits of lists that other parts bring: the default and the maximum. */
export const laterLimits: Readonly<Record<string, { part: LaterPart; limits: readonly [number, number] }>> = {
  '/api/admin/jobs': { part: 'administration', limits: [100, 1_000] },
}
