/** Slot pool of the tasks that derive the actions of a node. */
export const derivationPool = 'actions_refresh'

export const taskTypes = [
  'GenerateActionsRequest',
  'BuildAgentImageTask',
  'GenerateModelTask',
  'StartAgentTask',
  'StopAgentTask',
] as const
export type TaskTypeName = (typeof taskTypes)[number]

export const taskStatuses = ['initializing', 'running', 'success', 'error', 'cancelled'] as const

/** Background work on an asset, agent or template version, as stored. */
export interface BackgroundTask {
  readonly id: string
  readonly task_type: TaskTypeName
  readonly status_code: (typeof taskStatuses)[number]
  readonly node_id: string | null
  readonly template_version_id: string | null
  readonly template_version_history_id: string | null
  readonly project_id: string
  readonly path: string
  readonly site: string
  readonly pool: string
  readonly attempt: number
  readonly fence: number
  /**
   * Whether it is about the node itself, and neither for a template version nor for a change that is being prepared.
   */
  readonly about_node: boolean
  /** Admitted change in whose slot it runs; null: it waits in the queue for a slot of its own. */
  readonly activity_id: string | null
  /** Reason for its creation: request, template_version_change, float, template_version, change … */
  readonly trigger: string | null
  /** Input of the task, in the form of its type. */
  readonly input: string | null
  readonly cancelled_by: string | null
  readonly created_by: string
  readonly user_id: string | null
  /** See `Actor.scopeProjectId`. */
  readonly scope_project_id: string | null
}

/** Outcome of a task, with the reason of an error. */
export type Ending =
  | { readonly status: 'success' }
  | { readonly status: 'error'; readonly error: string }
  | { readonly status: 'cancelled' }

export const typeOf = <Type extends { readonly name: TaskTypeName }>(
  types: readonly Type[],
  { task_type }: Pick<BackgroundTask, 'task_type'>,
): Type => {
  const type = types.find(({ name }) => name === task_type)
  if (!type) throw new Error(`no work is known of tasks of the type ${task_type}`)
  return type
}
