import type { RelationshipTable, ResourceTable, ValueKind } from './table.ts'

const attributes: Readonly<Record<string, ValueKind>> = {
  code: 'text',
  name: 'text',
  description: 'text',
  archived: 'boolean',
  created_by: 'text',
  created_at: 'time',
  updated_at: 'time',
}

const templated: Readonly<Record<string, ValueKind>> = {
  task_active: 'boolean',
  actions: 'array',
  template_code: 'text',
  template_version: 'text',
}

const documents: Readonly<Record<string, RelationshipTable>> = {
  properties: { to: 'one', type: 'properties', related: '/api/properties/{related:properties}' },
  settings: { to: 'one', type: 'settings', related: '/api/settings/{related:settings}' },
  bookmarks: { to: 'many', type: 'bookmark' },
}

const parents: RelationshipTable = { to: 'many', type: 'any' }
const parent: RelationshipTable = { to: 'one', type: 'any' }
const project: RelationshipTable = { to: 'one', type: 'project', related: '{project}' }
const children: RelationshipTable = { to: 'many', type: 'any' }

const ofTemplate: Readonly<Record<string, RelationshipTable>> = {
  template: { to: 'one', type: 'template', related: '*' },
  template_version: { to: 'one', type: 'template_version', related: '*' },
  latest_node_background_tasks: { to: 'many', type: 'node_background_task' },
}

const readUpdate = ['read', 'update']
const full = ['read', 'update', 'delete']
const runs = ['read', 'execute', 'delete']
const always = {
  properties: readUpdate,
  settings: readUpdate,
  secrets: ['settings', 'properties', 'model', 'store'],
  self: ['update', 'execute', 'delete'],
}

export const nodes: readonly ResourceTable[] = [
  {
    name: 'project',
    type: 'project',
    attributes: { ...attributes, project_type: 'text' },
    relationships: { ...documents, parents, children },
    links: {
      self: '{self}',
      bookmarks: '{self}/bookmarks',
      changes: '{self}/changes',
      scheduled_activities: '{self}/scheduled_activities',
      git_remotes: '{self}/git_remotes',
      workflows: '{self}/workflows',
      workflow_runs: '{self}/workflow_runs',
      templates: '{self}/templates',
      environments: '{self}/environments',
      assets: '{self}/assets',
      agents: '{self}/agents',
    },
    meta: {
      can_have_changes: true,
      can_have_children: true,
      can_have_properties: true,
      can_have_settings: true,
      can_have_templates: true,
      requires_template: false,
      child_node_types: ['environment', 'asset', 'agent'],
      can_have_workflows: true,
    },
    authorisations: {
      ...always,
      scheduled_activities: full,
      git_remotes: full,
      templates: full,
      workflows: full,
      environments: full,
      assets: full,
      agents: full,
      changes: runs,
      workflow_runs: runs,
    },
    included: ['environment', 'asset', 'agent'],
  },
  {
    name: 'standard_project',
    type: 'project',
    attributes: { ...attributes, project_type: 'text' },
    relationships: { ...documents, parents, children },
    links: {
      self: '{self}',
      bookmarks: '{self}/bookmarks',
      git_remotes: '{self}/git_remotes',
      environments: '{self}/environments',
    },
    absent: [
      'link.changes',
      'link.scheduled_activities',
      'link.workflows',
      'link.workflow_runs',
      'link.templates',
      'link.assets',
      'link.agents',
    ],
    lacks: ['changes', 'workflows', 'templates', 'assets', 'agents'],
    meta: {
      can_have_changes: false,
      can_have_children: true,
      can_have_properties: true,
      can_have_settings: true,
      can_have_templates: false,
      requires_template: false,
      child_node_types: ['environment'],
      can_have_workflows: false,
    },
    authorisations: { ...always, git_remotes: full, environments: full },
    included: ['environment'],
  },
  {
    name: 'environment',
    type: 'environment',
    attributes,
    absent: ['attribute.project_type'],
    relationships: { ...documents, parents, parent, project, children },
    links: {
      self: '{self}',
      bookmarks: '{self}/bookmarks',
      changes: '{self}/changes',
      scheduled_activities: '{self}/scheduled_activities',
      parent: '{parent}',
      assets: '{self}/assets',
    },
    meta: {
      can_have_changes: true,
      can_have_children: true,
      can_have_properties: true,
      can_have_settings: true,
      can_have_templates: false,
      requires_template: false,
      child_node_types: ['asset'],
      can_have_workflows: false,
    },
    authorisations: { ...always, scheduled_activities: full, assets: full, changes: runs },
    included: ['project'],
  },
  {
    name: 'standard_environment',
    type: 'environment',
    attributes,
    relationships: { ...documents, parents, parent, project, children },
    links: {
      self: '{self}',
      bookmarks: '{self}/bookmarks',
      changes: '{self}/changes',
      scheduled_activities: '{self}/scheduled_activities',
      parent: '{parent}',
    },
    absent: ['link.assets'],
    lacks: ['assets'],
    meta: { can_have_children: false, can_have_properties: true, can_have_settings: true, child_node_types: [] },
    authorisations: { ...always, scheduled_activities: full, changes: runs },
    included: ['project'],
  },
  {
    name: 'agent',
    type: 'agent',
    attributes: { ...attributes, ...templated },
    showOnly: ['actions'],
    absent: ['attribute.model_valid', 'attribute.erb_file_content', 'link.changes', 'link.models'],
    relationships: {
      ...documents,
      parents,
      parent,
      project,
      ...ofTemplate,
      agent_status: { to: 'one', type: 'agent_status', related: '{self}/status' },
    },
    links: {
      self: '{self}',
      bookmarks: '{self}/bookmarks',
      converged_properties: '{self}/converged_properties',
      parent: '{parent}',
      node_background_tasks: '{self}/node_background_tasks',
      version_history: '{self}/version_history',
    },
    lacks: ['changes'],
    meta: {
      can_have_changes: false,
      can_have_children: false,
      can_have_properties: true,
      can_have_settings: true,
      can_have_templates: false,
      requires_template: true,
      child_node_types: [],
      can_have_workflows: false,
    },
    authorisations: always,
    included: ['project', 'template', 'template_version', 'node_background_task', 'agent_status'],
  },
  ...(['asset', 'project_asset'] as const).map(
    (name): ResourceTable => ({
      name,
      type: 'asset',
      attributes: {
        ...attributes,
        ...templated,
        model_valid: 'boolean',
        model_invalid_reason: 'text?',
        erb_file_content: 'text',
      },
      showOnly: ['actions', 'model_valid', 'model_invalid_reason', 'erb_file_content'],
      absent: ['relationship.agent_status', 'link.agents'],
      relationships: { ...documents, parents, parent, project, ...ofTemplate },
      links: {
        self: '{self}',
        bookmarks: '{self}/bookmarks',
        changes: '{self}/changes',
        scheduled_activities: '{self}/scheduled_activities',
        converged_properties: '{self}/converged_properties',
        models: '{self}/models',
        model_history: '{self}/model_history',
        parent: '{parent}',
        node_background_tasks: '{self}/node_background_tasks',
        version_history: '{self}/version_history',
      },
      meta: {
        can_have_changes: true,
        can_have_children: false,
        can_have_properties: true,
        can_have_settings: true,
        can_have_templates: false,
        requires_template: true,
        child_node_types: [],
        can_have_workflows: false,
      },
      authorisations: { ...always, scheduled_activities: full, changes: runs },
      included: ['project', 'bookmark', 'template', 'template_version'],
    }),
  ),
  {
    name: 'bookmark',
    type: 'bookmark',
    attributes: { description: 'text', url: 'text?', created_by: 'text', created_at: 'time', updated_at: 'time' },
    relationships: { parent: { to: 'one', type: 'any' } },
    links: { self: '{self}', parent: '{parent}' },
  },
]

/**
 * The members of an action inside `actions`; those of stages only on stages. Waits, inputs and stages among the
 * children may have neither action nor description: both are then empty texts.
 */
export const actionObject = {
  action: 'text',
  step_name: 'text',
  full_path: 'text',
  description: 'text',
  pre_reqs: 'array',
  stage_step: 'boolean',
  ignore_failure: 'boolean',
} as const satisfies Record<string, ValueKind>
export const stageObject = { children: 'array', child_execution_strategy: 'text' } as const satisfies Record<
  string,
  ValueKind
>
