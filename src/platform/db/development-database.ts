import { createHash } from 'node:crypto'

/** Name and hash of an applied migration, as `schema_migrations` records them. */
interface Applied {
  readonly name: string
  readonly sha256: string
}

const firstMigration = '0001_clock_and_ids.sql'
const lastMigration = '0086_project_index_of_steps.sql'

/** Hash of the names and hashes of all 81 migrations of development. */
const completeHistory = '7dd6bc7be50b2ba3ff3cd22646750238e8f8466f5136dd63d601db8547a7e5ae'

/** Whether a database was created by the migrations of development, which db/schema replaces. */
export const isDevelopmentDatabase = (applied: readonly Applied[]): boolean =>
  applied.some(({ name }) => name === firstMigration) && !applied.some(({ name }) => name === '0000_schema')

/**
 * SQL that turns a development database into one that db/schema could have created: constraints are renamed, a function
 * is dropped, comments are added, and the list of applied migrations is emptied. Only the order of columns differs afterwards, and no data changes.
 *
 * @throws when the database has not all migrations of development, or another version of one of them.
 */
export function adoptionOf(applied: readonly Applied[], schema: string): string {
  const history = applied.map(({ name, sha256 }) => `${name} ${sha256}\n`).sort()
  if (createHash('sha256').update(history.join('')).digest('hex') !== completeHistory)
    throw new Error(
      `This database was created by a development version before 0.1.0 that is not the last one. Start the last version that has db/migrations/${lastMigration} on it, and then this one; or begin with an empty database.`,
    )
  const renames = renamedConstraints.map(
    ([table, from, to]) => `alter table ${table} rename constraint ${from} to ${to};`,
  )
  const comments = schema.match(/^comment on [^;]*?(?:'(?:[^']|'')*'\s*)+;$/gm) ?? []
  const drops = droppedFunctions.map(name => `drop function ${name};`)
  return [...renames, ...drops, ...comments, 'delete from schema_migrations;'].join('\n')
}

/** Functions of development that no release calls. */
const droppedFunctions = ['sluice_succeed']

const renamedConstraints = [
  [
    'action_catalogues',
    'action_catalogues_git_remote_id_commit_sha_folder_input_sha_key',
    'action_catalogues_input_key',
  ],
  ['node_background_tasks', 'node_background_tasks_check', 'node_background_tasks_of_node_or_version'],
  ['nodes', 'nodes_check', 'nodes_project_has_no_parent'],
  ['nodes', 'nodes_check1', 'nodes_project_has_a_type'],
  ['nodes', 'nodes_check2', 'nodes_project_is_its_own_project'],
  [
    'repository_files',
    'repository_files_git_remote_id_commit_sha_repo_folder_temp_fkey',
    'repository_files_folder_fkey',
  ],
  ['runners', 'runners_check', 'runners_of_activity_or_task'],
  ['schedule_occurrences', 'schedule_occurrences_check', 'schedule_occurrences_created_has_activity'],
  ['scheduled_activities', 'scheduled_activities_check', 'scheduled_activities_change_has_action'],
  ['scheduled_activities', 'scheduled_activities_check1', 'scheduled_activities_workflow_has_code'],
  ['scheduled_activities', 'scheduled_activities_check2', 'scheduled_activities_cron_or_time'],
  ['template_versions', 'template_versions_check', 'template_versions_locked_or_floating'],
  ['template_versions', 'template_versions_check1', 'template_versions_ready_has_commit'],
  ['users', 'users_username_check1', 'users_username_is_not_system'],
  ['workflows', 'workflows_check', 'workflows_published_is_not_newer'],
] as const
