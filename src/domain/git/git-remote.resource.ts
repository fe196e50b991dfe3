import { type Sql, sql } from '#platform/db/sql.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Column, Resource } from '#platform/jsonapi/resource.ts'
import { nodeByPath, nodePathOf } from '../nodes/index.ts'
import { hidden, path } from './git-remote.ts'

const list = '/api/projects/:project_code/git_remotes'

/** JSON:API resource of a repository of a project's templates and changes. */
export const gitRemoteResource: Resource = {
  type: 'git_remote',
  describe: 'Git repository that templates and changes of a project use.',
  from: sql`git_remotes r join nodes p on p.id = r.project_id`,
  id: sql`r.id`,
  where: sql<boolean>`p.destroyed_at is null`,
  lists: [{ path: list, parent: nodeByPath, scope: parent => sql<boolean>`r.project_id = ${parent.id}::uuid` }],
  shows: [
    {
      path: `${list}/:id`,
      find: params => sql<boolean>`r.id = ${params['id']}::uuid and p.path = ${nodePathOf(params)}`,
    },
  ],
  columns: {
    name: { kind: 'text', sql: sql`r.name`, describe: 'Name, unique in its project.' },
    url: { kind: 'text', sql: sql`r.url`, describe: 'URL that it is fetched from.' },
    public_url: {
      kind: 'text',
      sql: sql`r.public_url`,
      nullable: true,
      describe: 'URL for people, such as a page of the repository.',
    },
    user: { kind: 'text', sql: sql`r."user"`, nullable: true, describe: 'User name for the Git server.' },
    password: credential(sql`r.has_password`, 'Password or token.'),
    ssh_key_data: credential(sql`r.has_ssh_key`, 'Private key for ssh.'),
    passphrase: credential(sql`r.has_passphrase`, 'Passphrase of the private key.'),
    periodic_fetch_interval: {
      kind: 'integer',
      sql: sql`r.periodic_fetch_interval`,
      nullable: true,
      describe: 'Seconds between two fetches; null uses the setting git_remote.periodic_fetch_interval.',
    },
    archived: { kind: 'boolean', sql: sql`r.archived`, describe: 'Archived: kept, no longer fetched.' },
    fetched_at: { kind: 'time', sql: sql`r.fetched_at`, nullable: true, describe: 'When it was last fetched.' },
    fetch_error: { kind: 'text', sql: sql`r.fetch_error`, nullable: true, describe: 'Error of the latest fetch.' },
    created_by: { kind: 'text', sql: sql`r.created_by`, describe: 'User who created it.' },
    created_at: { kind: 'time', sql: sql`r.created_at`, describe: 'When it was created.' },
    updated_at: { kind: 'time', sql: sql`r.updated_at`, describe: 'When it was last updated.' },
  },
  extra: { project_path: sql`p.path` },
  relationships: {
    project: {
      kind: 'one',
      type: 'project',
      sql: sql`r.project_id`,
      paths: row => [String(row['project_path'])],
      describe: 'Its project.',
      related: row => `/api${row['project_path']}`,
    },
  },
  links: row => ({
    self: `/api${row['project_path']}/git_remotes/${row.id}`,
    project: `/api${row['project_path']}`,
  }),
  meta: (row, { actor }) => {
    const own = path(String(row['project_path']), String(row.id))
    return { authorisations: { update: actor.rights.may('update', own), delete: actor.rights.may('delete', own) } }
  },
  named: createdByCaller(sql`r.user_id`),
  rights: { projectId: sql`r.project_id`, path: sql`r.path` },
  rowVersion: sql<number>`r.row_version`,
}

/** Column of an encrypted credential, which is never returned: only whether there is one. */
function credential(isSet: Sql, describe: string): Column {
  return {
    kind: 'opaque',
    sql: sql`case when ${isSet} then ${sql.lit(hidden)} end`,
    nullable: true,
    describe: `${describe} Write-only: answered as "${hidden}" when set.`,
  }
}
