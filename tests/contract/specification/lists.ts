const withAnyAndAll = ['eq', 'not_eq', 'lt', 'lteq', 'gt', 'gteq', 'start', 'end', 'cont', 'matches']

export const predicates: readonly string[] = [
  ...withAnyAndAll,
  ...withAnyAndAll.flatMap(name => [`${name}_any`, `${name}_all`]),
  ...['in', 'not_in', 'not_start', 'not_end', 'not_cont', 'i_cont', 'not_i_cont', 'does_not_match'],
  ...['null', 'not_null', 'present', 'blank', 'true', 'false'],
]

/** Path → limits; every other list has `usual`. */
export const limits: Readonly<Record<string, { default: number; maximum: number }>> = {
  usual: { default: 100, maximum: 10_000 },
  '/api/events': { default: 10, maximum: 1_000 },
  '/api/steps': { default: 1_000, maximum: 1_000 },
  '/api/steps/{id}/attempts': { default: 1_000, maximum: 1_000 },
  '/api/changes/{id}/attempts': { default: 1_000, maximum: 1_000 },
  '/api/workflow_steps': { default: 1_000, maximum: 1_000 },
  '/api/activities': { default: 100, maximum: 1_000 },
  '/api/waiting_steps': { default: 100, maximum: 1_000 },
  '/api/search': { default: 20, maximum: 100 },
  '/api/nodes': { default: 1_000, maximum: 10_000 },
  '/api/admin/jobs': { default: 100, maximum: 1_000 },
  '/api/log_lines': { default: 10_000, maximum: 10_000 },
  '/api/node_background_task_log_lines': { default: 10_000, maximum: 10_000 },
  '/api/projects/{p}/agents/{a}/status/log_lines': { default: 10_000, maximum: 10_000 },
}

/** List → named filters besides `mine`, which every list has whose records have `created_by`. */
export const namedFilters: Readonly<Record<string, readonly string[]>> = {
  '/api/events': ['for_change', 'for_workflow_run', 'under'],
  '/api/changes': ['active', 'finished', 'waiting_for_me', 'active_over', 'under'],
  '/api/workflow_runs': ['active', 'finished', 'waiting_for_me', 'active_over', 'under'],
  '/api/workflow_steps': ['waiting_for_user', 'waiting_for_me'],
  '/api/activities': ['active', 'finished', 'waiting_for_me', 'active_over', 'under'],
  '/api/scheduled_activities': ['under'],
  '/api/nodes': ['under'],
  '/api/waiting_steps': ['waiting_for_user', 'waiting_for_me', 'under'],
  '/api/steps': ['with_input_arguments', 'without_input_arguments', 'waiting_for_user', 'waiting_for_me'],
}

/** Lists without filters and sorts. */
export const plainLists = ['/api/properties_versions', '/api/settings_versions'] as const

/** Beyond these limits 400. */
export const queryLimits = { filters: 32, values: 1_000, sorts: 8 } as const

export const bodyLimits = { usual: 1_048_576, documents: 8_388_608, nesting: 64 } as const
