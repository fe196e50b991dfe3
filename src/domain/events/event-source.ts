/** Record that an event is about, as the event describes it. */
export interface Source {
  type: string
  id: string
  /** Path of its node, or the path that rights to it are checked on. */
  path: string | null
  /** The record's name, if its path contains one. */
  name: string | null
  /** Code of the template, for a version. */
  templateCode: string | null
}

const inProject = (collection: string) => (source: Source) => {
  const project = source.path && /^\/projects\/[^/]+/.exec(source.path)?.[0]
  return project && `${project}/${collection}/${source.id}`
}
const inCollection = (collection: string) => (source: Source) =>
  source.path && `${source.path}/${collection}/${source.id}`
const version = ({ path, name, templateCode }: Source) => {
  const project = path && /^\/projects\/[^/]+/.exec(path)?.[0]
  // A custom event that refers to one may name neither.
  return project && name && templateCode
    ? `${project}/templates/${templateCode}/versions/${encodeURIComponent(name)}`
    : path
}
const topLevel = (collection: string) => (source: Source) => `/${collection}/${source.id}`
const node = ({ path }: Source) => path

/** Type of a record → its path below /api. */
const paths: Readonly<Record<string, (source: Source) => string | null | '' | undefined>> = {
  project: node,
  environment: node,
  asset: node,
  agent: node,
  bookmark: inCollection('bookmarks'),
  node_background_task: inCollection('node_background_tasks'),
  git_remote: inProject('git_remotes'),
  template: inProject('templates'),
  template_version: version,
  workflow: inProject('workflows'),
  change: topLevel('changes'),
  step: topLevel('steps'),
  workflow_run: topLevel('workflow_runs'),
  workflow_step: topLevel('workflow_steps'),
  scheduled_change: topLevel('scheduled_activities'),
  scheduled_workflow: topLevel('scheduled_activities'),
  properties: topLevel('properties'),
  properties_version: topLevel('properties_versions'),
  settings: topLevel('settings'),
  settings_version: topLevel('settings_versions'),
  authorisation_policy: topLevel('authorisation_policies'),
  authorisation_rule: topLevel('authorisation_rules'),
  policy_rule: topLevel('policy_rules'),
  policy_assignment: topLevel('policy_assignments'),
  token: topLevel('tokens'),
  key_rotation: topLevel('admin/key_rotations'),
  resource_slot_pool: topLevel('admin/resource_slots'),
  data_cleanup_definition: topLevel('data_cleanup_definitions'),
  user: ({ name }) => name && `/users/${encodeURIComponent(name)}`,
}

/** The path of the record that an event relates to; if the record has none of its own, the path of its node. */
export function pathOfSource(source: Source): string | undefined {
  const own = Object.hasOwn(paths, source.type) ? paths[source.type]!(source) : source.path
  return own ? `/api${own}` : undefined
}
