import type { ActionCatalogue } from '#authoring/actions/action.ts'
import { actionObjects } from '#authoring/actions/action-tree.ts'
import type { Rights } from '../src/platform/actor.ts'
import { sql } from '../src/platform/db/sql.ts'

/** The documents of `lists-by-hand.ts`, member by member as Sluice writes them: the bench compares the bytes. */

export const assetFields = sql`
  n.id, n.code, n.name, n.description, n.archived, n.created_by, n.created_at, n.updated_at, n.path, n.project_id,
  n.environment_id, p.path as project_path, n.settings_id as settings, n.properties_id as properties,
  n.template_id, n.template_code, n.template_version_id, n.template_version,
  exists (select from node_background_tasks b
           where b.node_id = n.id and b.status_code in ('initializing', 'running')) as task_active,
  array(select b.id from bookmarks b where b.node_id = n.id order by b.created_at, b.id) as bookmarks,
  array(select distinct on (b.task_type) b.id from node_background_tasks b
         where b.node_id = n.id order by b.task_type, b.request_number desc) as tasks`

type Text<Names extends string> = Record<Names, string>
type Ids<Names extends string> = Record<Names, string[]>
type Flags<Names extends string> = Record<Names, boolean>

export type AssetRow = Text<
  | 'id'
  | 'code'
  | 'name'
  | 'description'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
  | 'path'
  | 'project_id'
  | 'environment_id'
  | 'project_path'
  | 'settings'
  | 'properties'
  | 'template_id'
  | 'template_code'
  | 'template_version_id'
  | 'template_version'
> &
  Flags<'archived' | 'task_active'> &
  Ids<'bookmarks' | 'tasks'>

export type ShownRow = AssetRow &
  Text<`p_${'code' | 'name' | 'description' | 'created_by' | 'created_at' | 'updated_at' | 'settings' | 'properties'}`> &
  Text<`t_${'name' | 'description' | 'template_type' | 'created_at' | 'updated_at'}`> &
  Text<`t_${'git_remote' | 'settings' | 'properties'}`> &
  Text<`v_${'description' | 'created_by' | 'created_at' | 'updated_at' | 'settings' | 'properties'}`> &
  Text<'actions' | 'state' | 'initialization_error' | 'float_refresh_error' | 'git_rev' | 'commit_sha'> &
  Text<'git_remote_name' | 'erb_file_content'> &
  Flags<'p_archived' | 't_archived' | 't_disabled' | 'v_archived' | 'locked' | 'float_git_rev' | 'has_model'> &
  Ids<'p_bookmarks' | 't_versions'> & { p_children: object[]; t_nodes: object[] }

export function assetDocument(row: AssetRow, rights: Rights, shownOnly?: object) {
  const self = `/api${row.path}`
  const parent = self.slice(0, self.lastIndexOf('/', self.lastIndexOf('/') - 1))
  const template = `/api${row.project_path}/templates/${row.template_code}`
  const above = [
    { type: 'project', id: row.project_id },
    ...(row.environment_id ? [{ type: 'environment', id: row.environment_id }] : []),
  ]
  return {
    type: 'asset',
    id: row.id,
    attributes: {
      code: row.code,
      name: row.name,
      description: row.description,
      archived: row.archived,
      created_by: row.created_by,
      created_at: row.created_at,
      updated_at: row.updated_at,
      template_code: row.template_code,
      template_version: row.template_version,
      task_active: row.task_active,
      ...shownOnly,
    },
    relationships: {
      parents: { data: above },
      parent: { data: above.at(-1), links: { related: parent } },
      project: { data: { type: 'project', id: row.project_id }, links: { related: `/api${row.project_path}` } },
      bookmarks: { data: row.bookmarks.map(id => ({ type: 'bookmark', id })) },
      ...documentsOf(row),
      template: { data: { type: 'template', id: row.template_id }, links: { related: template } },
      template_version: {
        data: { type: 'template_version', id: row.template_version_id },
        links: { related: `${template}/versions/${encodeURIComponent(row.template_version)}` },
      },
      latest_node_background_tasks: { data: row.tasks.map(id => ({ type: 'node_background_task', id })) },
    },
    links: {
      self,
      parent,
      bookmarks: `${self}/bookmarks`,
      converged_properties: `${self}/converged_properties`,
      node_background_tasks: `${self}/node_background_tasks`,
      version_history: `${self}/version_history`,
      models: `${self}/models`,
      model_history: `${self}/model_history`,
      changes: `${self}/changes`,
      scheduled_activities: `${self}/scheduled_activities`,
    },
    meta: {
      can_have_properties: true,
      can_have_settings: true,
      can_have_children: false,
      can_have_templates: false,
      requires_template: true,
      child_node_types: [],
      can_have_workflows: false,
      can_have_changes: true,
      authorisations: {
        properties: readUpdate(rights, `${row.path}/properties`),
        settings: readUpdate(rights, `${row.path}/settings`),
        scheduled_activities: full(rights, `${row.path}/scheduled_activities`),
        changes: changes(rights, row.path),
        secrets: secrets(rights, row.path),
        self: itself(rights, row.path),
      },
    },
  }
}

const documentsOf = ({ settings, properties }: { settings: string; properties: string }) => ({
  settings: { data: { type: 'settings', id: settings }, links: { related: `/api/settings/${settings}` } },
  properties: { data: { type: 'properties', id: properties }, links: { related: `/api/properties/${properties}` } },
})

const readUpdate = ({ may }: Rights, path: string) => ({ read: may('read', path), update: may('update', path) })
const full = (rights: Rights, path: string) => ({ ...readUpdate(rights, path), delete: rights.may('delete', path) })
const itself = ({ may }: Rights, path: string) => ({ update: may('update', path), delete: may('delete', path) })
const runs = ({ may }: Rights, path: string, under: string) => ({
  read: may('read', path),
  execute: may('execute', `${path}/${under}`),
  delete: may('delete', `${path}/${under}`),
})
const changes = (rights: Rights, path: string) => runs(rights, path, 'actions')
const secrets = ({ may }: Rights, path: string) => ({
  settings: may('execute', `${path}/settings/secrets`) || may('execute', `${path}/secrets`),
  properties: may('execute', `${path}/properties/secrets`) || may('execute', `${path}/secrets`),
  model: may('execute', `${path}/model/secrets`) || may('execute', `${path}/secrets`),
})

export function shownDocument(row: ShownRow, rights: Rights) {
  const shownOnly = {
    actions: actionObjects(JSON.parse(row.actions) as ActionCatalogue),
    // The bench's template has no model, so none is looked up.
    model_valid: false,
    model_invalid_reason: null,
    erb_file_content: row.erb_file_content,
  }
  return {
    data: assetDocument(row, rights, shownOnly),
    included: [projectDocument(row, rights), templateDocument(row, rights), versionDocument(row)],
  }
}

function projectDocument(row: ShownRow, rights: Rights) {
  const self = `/api${row.project_path}`
  const all = (area: string) => full(rights, `${row.project_path}/${area}`)
  return {
    type: 'project',
    id: row.project_id,
    attributes: {
      code: row.p_code,
      name: row.p_name,
      description: row.p_description,
      archived: row.p_archived,
      created_by: row.p_created_by,
      created_at: row.p_created_at,
      updated_at: row.p_updated_at,
      project_type: 'Enterprise',
    },
    relationships: {
      parents: { data: [] },
      children: { data: row.p_children },
      bookmarks: { data: row.p_bookmarks.map(id => ({ type: 'bookmark', id })) },
      ...documentsOf({ settings: row.p_settings, properties: row.p_properties }),
    },
    links: {
      self,
      bookmarks: `${self}/bookmarks`,
      environments: `${self}/environments`,
      assets: `${self}/assets`,
      agents: `${self}/agents`,
      git_remotes: `${self}/git_remotes`,
      templates: `${self}/templates`,
      changes: `${self}/changes`,
      workflows: `${self}/workflows`,
      workflow_runs: `${self}/workflow_runs`,
      scheduled_activities: `${self}/scheduled_activities`,
    },
    meta: {
      can_have_properties: true,
      can_have_settings: true,
      can_have_changes: true,
      can_have_children: true,
      can_have_templates: true,
      requires_template: false,
      child_node_types: ['environment', 'asset', 'agent'],
      can_have_workflows: true,
      authorisations: {
        properties: readUpdate(rights, `${row.project_path}/properties`),
        settings: readUpdate(rights, `${row.project_path}/settings`),
        scheduled_activities: all('scheduled_activities'),
        git_remotes: all('git_remotes'),
        templates: all('templates'),
        workflows: all('workflows'),
        environments: all('environments'),
        assets: all('assets'),
        agents: all('agents'),
        changes: changes(rights, row.project_path),
        workflow_runs: runs(rights, row.project_path, 'workflows'),
        secrets: secrets(rights, row.project_path),
        self: itself(rights, row.project_path),
      },
    },
  }
}

function templateDocument(row: ShownRow, rights: Rights) {
  const path = `${row.project_path}/templates/${row.template_code}`
  return {
    type: 'template',
    id: row.template_id,
    attributes: {
      code: row.template_code,
      name: row.t_name,
      description: row.t_description,
      archived: row.t_archived,
      disabled: row.t_disabled,
      template_type: row.t_template_type,
      created_at: row.t_created_at,
      updated_at: row.t_updated_at,
    },
    relationships: {
      git_remote: { data: { type: 'git_remote', id: row.t_git_remote } },
      template_versions: {
        data: row.t_versions.map(id => ({ type: 'template_version', id })),
        links: { related: `/api${path}/versions` },
      },
      nodes: { data: row.t_nodes },
      project: { data: { type: 'project', id: row.project_id }, links: { related: `/api${row.project_path}` } },
      ...documentsOf({ settings: row.t_settings, properties: row.t_properties }),
    },
    links: { self: `/api${path}`, template_versions: `/api${path}/versions`, project: `/api${row.project_path}` },
    meta: { authorisations: itself(rights, path) },
  }
}

function versionDocument(row: ShownRow) {
  const template = `/api${row.project_path}/templates/${row.template_code}`
  return {
    type: 'template_version',
    id: row.template_version_id,
    attributes: {
      version: row.template_version,
      description: row.v_description,
      state: row.state,
      created_by: row.v_created_by,
      archived: row.v_archived,
      initialization_error: row.initialization_error,
      locked: row.locked,
      float_git_rev: row.float_git_rev,
      float_refresh_error: row.float_refresh_error,
      created_at: row.v_created_at,
      updated_at: row.v_updated_at,
      has_model: row.has_model,
      git_rev: row.git_rev,
      commit_sha: row.commit_sha,
      git_remote_name: row.git_remote_name,
    },
    relationships: {
      project: { data: { type: 'project', id: row.project_id }, links: { related: `/api${row.project_path}` } },
      template: { data: { type: 'template', id: row.template_id }, links: { related: template } },
      pending_commit: { data: null },
      ...documentsOf({ settings: row.v_settings, properties: row.v_properties }),
    },
    links: { self: `${template}/versions/${encodeURIComponent(row.template_version)}`, template },
  }
}
