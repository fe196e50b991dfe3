import type { ResourceTable } from './table.ts'

const task = {
  type: 'node_background_task',
  attributes: {
    request_number: 'integer',
    status_code: 'text',
    error_message: 'text?',
    created_by: 'text',
    task_type: 'text',
    created_at: 'time',
    updated_at: 'time',
  },
  relationships: {
    template_version_history: { to: 'one', type: 'template_version_history' },
    owner: { to: 'one', type: 'any' },
  },
  links: {
    template_version: '*',
    self: '{self}',
    log_lines: '/api/node_background_task_log_lines?node_background_task_id={id}',
  },
} as const satisfies Omit<ResourceTable, 'name'>

export const templates: readonly ResourceTable[] = [
  {
    name: 'git_remote',
    type: 'git_remote',
    attributes: {
      name: 'text',
      url: 'text',
      public_url: 'text?',
      user: 'text?',
      password: 'text?',
      ssh_key_data: 'text?',
      passphrase: 'text?',
      periodic_fetch_interval: 'integer?',
      archived: 'boolean',
      fetched_at: 'time?',
      fetch_error: 'text?',
      created_by: 'text',
      created_at: 'time',
      updated_at: 'time',
    },
    encrypted: ['password', 'ssh_key_data', 'passphrase'],
    relationships: {
      project: { to: 'one', type: 'project', related: '{project}' },
      templates: { to: 'many', type: 'template' },
    },
    links: { self: '{self}', project: '{project}' },
    authorisations: { update: [], delete: [] },
  },
  {
    name: 'template',
    type: 'template',
    attributes: {
      code: 'text',
      name: 'text',
      description: 'text?',
      archived: 'boolean',
      disabled: 'boolean',
      template_type: 'text',
      git_remote_name: 'text',
      created_at: 'time',
      updated_at: 'time',
    },
    relationships: {
      properties: { to: 'one', type: 'properties', related: '/api/properties/{related:properties}' },
      settings: { to: 'one', type: 'settings', related: '/api/settings/{related:settings}' },
      git_remote: { to: 'one', type: 'git_remote' },
      template_versions: { to: 'many', type: 'template_version' },
      nodes: { to: 'many', type: 'any' },
      project: { to: 'one', type: 'project' },
    },
    links: { self: '{self}', template_versions: '{self}/versions', project: '{project}' },
    authorisations: { update: [], delete: [] },
  },
  ...(['template_version', 'agent_template_version'] as const).map(
    (name): ResourceTable => ({
      name,
      type: 'template_version',
      attributes: {
        version: 'text',
        description: 'text',
        state: 'text',
        created_by: 'text',
        archived: 'boolean',
        initialization_error: 'text?',
        locked: 'boolean',
        float_git_rev: 'boolean',
        float_refresh_error: 'text?',
        created_at: 'time',
        updated_at: 'time',
        ...(name === 'template_version' && { has_model: 'boolean' as const }),
        git_rev: 'text',
        commit_sha: 'sha',
        git_remote_name: 'text',
      },
      ...(name === 'agent_template_version' && { absent: ['attribute.has_model'] }),
      relationships: {
        properties: { to: 'one', type: 'properties', related: '/api/properties/{related:properties}' },
        settings: { to: 'one', type: 'settings', related: '/api/settings/{related:settings}' },
        project: { to: 'one', type: 'project' },
        template: { to: 'one', type: 'template' },
        pending_commit: { to: 'one?', type: 'any' },
      },
      links: { self: '{self}', template: '*' },
    }),
  ),
  {
    name: 'template_version_history',
    type: 'template_version_history',
    attributes: { created_by: 'text', active_from: 'time', active_to: 'time?' },
    relationships: {
      owner: { to: 'one', type: 'any' },
      template_version: { to: 'one', type: 'template_version' },
      node_background_tasks: { to: 'many', type: 'node_background_task' },
    },
    links: { template_version: '*', self: '{self}', asset: '{parent}' },
    included: ['asset', 'template_version'],
  },
  {
    ...task,
    name: 'refresh_actions_task',
    attributes: { ...task.attributes, actions: 'array' },
    showOnly: ['actions'],
    absent: ['attribute.image_sha', 'attribute.image_purged', 'attribute.image_in_use', 'link.agent'],
    links: { ...task.links, asset: '{parent}' },
  },
  {
    ...task,
    name: 'build_image_task',
    attributes: { ...task.attributes, image_sha: 'text?', image_purged: 'boolean', image_in_use: 'boolean' },
    absent: ['attribute.actions', 'link.asset'],
    links: { ...task.links, agent: '{parent}' },
  },
  {
    name: 'node_background_task_log_line',
    type: 'node_background_task_log_line',
    attributes: {
      message: 'text',
      category: 'text',
      template_version_history_id: 'uuid',
      node_background_task_id: 'uuid',
      logged_at: 'time',
    },
    links: {},
  },
  {
    name: 'agent_status',
    type: 'agent_status',
    attributes: {
      desired_status: 'text',
      status: 'text',
      image_build_status: 'text',
      active_image_sha: 'text?',
      newest_image_sha: 'text?',
    },
    relationships: {
      node: { to: 'one', type: 'agent' },
      referenced_build_agent_image_task: { to: 'one?', type: 'node_background_task' },
      available_build_agent_image_tasks: { to: 'many', type: 'node_background_task' },
    },
    links: { self: '{parent}/status', log_lines: '{parent}/status/log_lines' },
  },
  {
    name: 'model',
    type: 'model',
    attributes: { data: 'object', sha256: 'text', created_at: 'time', render_logs: 'any' },
    encrypted: ['data', 'render_logs'],
    links: { self: '{self}' },
  },
]

const statuses =
  'initializing pending queued running waiting success skipped error cancelled aborted system_error'.split(' ')

/** Table and column in the database → its exact values. */
export const states: Readonly<Record<string, readonly string[]>> = {
  'activities.status': statuses,
  // A step is created when its tree is known: it never initializes.
  'steps.status': statuses.filter(status => status !== 'initializing'),
  'nodes.project_type': ['Standard', 'Enterprise'],
  'templates.template_type': ['asset', 'agent'],
  'template_versions.state': ['initializing', 'ready', 'broken'],
  'agent_statuses.desired_status': ['running', 'absent'],
  'agent_statuses.status': ['absent', 'initializing', 'running', 'stopping', 'error'],
  'node_background_tasks.status_code': ['initializing', 'running', 'success', 'error', 'cancelled'],
  'node_background_tasks.task_type': [
    'GenerateActionsRequest',
    'BuildAgentImageTask',
    'GenerateModelTask',
    'StartAgentTask',
    'StopAgentTask',
  ],
}
