import type { LaterPart } from './table.ts'

/**
 * Types of events: all that the service records, including those beyond the specification's tables; variants are words
 * after the last colon.
 */
export interface EventTable {
  readonly section: string
  readonly types: readonly string[]
  /** Minimum interval between two records for one cause (ISO 8601). */
  readonly throttled?: Readonly<Record<string, string>>
  readonly later?: LaterPart
  /** Types that cannot occur here, with the decision that says so. */
  readonly never?: Readonly<Record<string, string>>
}

const each = (subject: string, actions: string): readonly string[] =>
  actions.split(' ').map(action => `${subject}:${action}`)

export const eventTables: readonly EventTable[] = [
  {
    section: 'Projects, environments, assets',
    types: [
      ...each('api:projects', 'create update destroy'),
      ...each('api:nodes', 'create update destroy'),
      ...each('api:bookmarks', 'create update destroy'),
    ],
  },
  {
    section: 'Properties and settings',
    types: ['api:properties:update', 'api:settings:update', 'warn:settings:override'],
  },
  { section: 'Maintenance mode', types: each('info:maintenance_mode', 'enabled disabled') },
  {
    section: 'Templates and template versions',
    types: [
      ...each('api:templates', 'create update destroy'),
      ...each('api:template_versions', 'update destroy assign_to_assets'),
      'api:action_refresh:warn',
      ...each('info:template_version', 'fetch_initialize fetch fetch_complete refresh_cancelled refresh_superseded'),
      ...each('warn:template_version', 'float_refresh_failed ambiguous_revision'),
      ...each('error:template_version', 'fetch commit_verification broken refresh_actions refresh_cancelled'),
    ],
  },
  {
    section: 'Model',
    types: [
      ...each('api:generate_actions_request', 'create cancel'),
      ...each('api:models', 'generate cancel'),
      'error:generate_actions_request:generate',
      'error:model:generate',
      'error:model:derive_actions',
      'error:model:actions_cache_not_persisted',
      'error:model_concretise_task:concretise',
      'warn:model:actions_unavailable',
    ],
    throttled: { 'error:model:actions_cache_not_persisted': 'PT1H', 'warn:model:actions_unavailable': 'PT1H' },
    never: {
      'error:model:actions_cache_not_persisted': 'docs/adr/0031-models-in-an-interpreter-of-their-own.md',
      'error:model_concretise_task:concretise': 'docs/adr/0031-models-in-an-interpreter-of-their-own.md',
    },
  },
  {
    section: 'Git remotes',
    types: [
      ...each('api:git_remotes', 'create update destroy'),
      ...each('error:git_remote', 'create update fetch'),
      'warn:git_remote:mountable_fetch_failed',
      'warn:git_remote:periodic_fetch:failed',
      ...each('info:git_remote:periodic_fetch', 'recovered summary'),
    ],
    throttled: {
      'warn:git_remote:mountable_fetch_failed': 'PT1H',
      'warn:git_remote:periodic_fetch:failed': 'PT1H',
    },
  },
  {
    section: 'Secrets, authorisation, users',
    types: [
      ...each('api:secrets', 'encrypt remove resolve'),
      'api:key_rotations:create',
      'info:key_rotation:success',
      'audit:users:password_reset',
      'audit:users:sign_in:denied',
      ...each('api:authorisation_policies', 'create update destroy'),
      ...each('api:authorisation_rules', 'create update destroy'),
      ...each('api:policy_assignments', 'create destroy'),
      ...each('api:policy_rules', 'create destroy'),
      ...each('api:users', 'create update destroy'),
      ...each('api:tokens', 'create destroy'),
      ...each('api:saved_views', 'create update destroy'),
      ...each('api:ldap_refresh', 'user_start group_start success warn error'),
    ],
    throttled: { 'audit:users:sign_in:denied': 'PT1M' },
  },
  { section: 'Unexpected failure', types: ['error:api:controller:unhandled'] },
  {
    section: 'Changes',
    types: [
      ...each(
        'api:changes',
        'create start success error cancel abort system_error destroy pause resume retry_settings_pruned',
      ),
      'warn:changes:catalog_not_refreshed',
      'api:change_listener:error',
      'error:change_worker:delete',
    ],
  },
  {
    section: 'Steps and approvals',
    types: [
      ...each('api:steps', 'start approve reject continue success cancel abort error system_error'),
      ...each('error:step', 'action processing aasm_failure'),
      'error:steps:transient_error',
      'error:log_lines:left_out',
      'api:assign_system_error_job:error',
      ...each('audit:steps', 'approve reject continue approve:denied reject:denied'),
      'warn:approval_identity_unresolved',
      'warn:approval_identity_validation_skipped',
    ],
    throttled: {
      'error:steps:transient_error': 'PT1H',
      'warn:approval_identity_unresolved': 'PT1H',
      'warn:approval_identity_validation_skipped': 'PT1H',
    },
  },
  {
    section: 'Workflows',
    types: [
      ...each('api:workflows', 'create update destroy publish'),
      ...each('api:workflow_versions', 'create update'),
      ...each('api:workflow_runs', 'create start success error cancel abort system_error destroy pause resume'),
      ...each('api:workflow_steps', 'start approve reject continue success error cancel abort system_error'),
      ...each('audit:workflow_steps', 'approve reject continue approve:denied reject:denied'),
      ...each('error:workflow_step', 'aasm_failure run_failure'),
    ],
  },
  {
    section: 'Scheduled changes and workflows',
    types: [
      ...each('api:scheduled_changes', 'create update destroy change_creation:create change_creation:success'),
      ...each(
        'api:scheduled_workflows',
        'create update destroy workflow_run_creation:create workflow_run_creation:success',
      ),
      'error:scheduled_workflows:workflow_run_creation',
      ...each('error:scheduled_changes', 'change_creation git_sha'),
      ...each('warning:scheduled_activity', 'skipped missed disabled'),
      'warning:scheduled_changes:commit_file_patterns',
    ],
    throttled: {
      'warning:scheduled_activity:skipped': 'PT1H',
      'warning:scheduled_changes:commit_file_patterns': 'PT1H',
    },
  },
  {
    section: 'Agents and image builds',
    later: 'agents',
    types: [
      ...each('api:agent', 'start started stop stopped'),
      'api:agent_status:update',
      'api:build_agent_image_task:create',
      ...each('error:agent', 'start stop'),
      'error:template_version:build_agent_image',
      'warn:agent:image_missing',
      'error:build_agent_image_task:build',
      ...each('info:image_build', 'queued started completed failed'),
      ...each('warn:image_build', 'content_key_error required_check_error'),
      'info:runner_base_image_warm:completed',
      'warn:runner_base_image_warm:failed',
      'info:registry_reconcile:summary',
      'error:registry_reconcile:failure',
    ],
    throttled: { 'warn:runner_base_image_warm:failed': 'PT1H' },
  },
  {
    section: 'Events, notifications, email: what steps send',
    types: ['info:email:sent', 'error:email:send_failed'],
  },
  {
    section: 'Events, notifications, email',
    later: 'notifications',
    types: [
      ...['event_filters', 'event_subscribers', 'notification_channels'].flatMap(subject =>
        each(`api:${subject}`, 'create update destroy'),
      ),
      'api:event_filter:error',
      'api:event_subscriber:error',
      'api:event_processor:error',
      'api:notification:error',
      'warn:notification_channel:disabled',
    ],
    throttled: {
      'api:event_subscriber:error': 'PT1H',
      'api:event_processor:error': 'PT1H',
      'api:notification:error': 'PT1H',
      'warn:notification_channel:disabled': 'PT1H',
    },
  },
  {
    section: 'Resource slots',
    types: ['warn:resource_slot_pool:full', 'api:resource_slot_freed_listener:error'],
    throttled: { 'warn:resource_slot_pool:full': 'PT1H' },
  },
  {
    section: 'Data cleaning',
    types: [
      ...each('api:data_cleanup_definitions', 'create update destroy'),
      ...each('info:data_cleanup', 'activities events jobs'),
      ...each('error:data_cleanup', 'activities events jobs'),
    ],
  },
  {
    section: 'Data cleaning of images, autoscaler, sites, platform',
    later: 'administration',
    types: [
      'info:data_cleanup:agent_images',
      'error:data_cleanup:agent_images',
      ...each('info:api_autoscaler', 'grow shrink'),
      ...each('warn:api_autoscaler', 'grow_blocked_connections grow_blocked_memory'),
      'error:api_autoscaler:tick_failed',
      ...each('info:database_cluster', 'registered role_changed'),
      'api:job:error',
      'error:logforwarder:log_failure',
      'info:secret_vault_pod_roll:summary',
      'error:secret_vault_pod_roll:failure',
    ],
    throttled: {
      'warn:api_autoscaler:grow_blocked_connections': 'PT5M',
      'warn:api_autoscaler:grow_blocked_memory': 'PT5M',
      'error:api_autoscaler:tick_failed': 'PT5M',
    },
  },
]
