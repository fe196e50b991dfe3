import type pg from 'pg'

/**
 * Projects, environments, templates and assets as an installation has them after three years, made by PostgreSQL itself:
 * the same rows each time but for ids and the day. An asset is as new as its number is high, and one number follows the
 * other from project to project; only the first projects have ended their work in the first month.
 */
export interface TreeWish {
  /** A hundred for each project. */
  readonly assets: number
  /** The one commit that all template versions refer to. */
  readonly commit: string
  /** URL to fetch it from. */
  readonly repository: string
}

export const assetsOfProject = 100
/** The projects whose assets are all old. */
export const oldProjects = 20
export const environments = ['dev', 'test', 'staging', 'production'] as const
export const operators = 200
/** Codes of the templates of all projects; each project has two of them, and each of those three versions. */
export const templateCodes = [
  ...[
    'linux-host',
    'web-service',
    'database',
    'queue',
    'router',
    'firewall',
    'batch-job',
    'mainframe',
    'switch',
    'proxy',
  ],
  ...['cache', 'storage', 'gateway', 'monitor', 'vm-host', 'ldap', 'mail', 'dns', 'printer', 'terminal'],
] as const
export const services = [
  'payments',
  'ledger',
  'billing',
  'cards',
  'Scoring',
  'Überweisung',
  'metering',
  'roaming',
] as const
export const tiers = ['api', 'web', 'db', 'worker', 'cache'] as const
export const cities = [
  'Frankfurt',
  'Zürich',
  'Köln',
  'São Paulo',
  'Lyon',
  'Oslo',
  'Wien',
  'Basel',
  'Porto',
  'Łódź',
] as const

export const codeOfProject = (index: number): string => `project-${String(index).padStart(5, '0')}`

/** The tables in the order in which they are filled, each with the statement that fills it. */
function treeStatements({ assets, commit, repository }: TreeWish): readonly { table: string; text: string }[] {
  const projects = assets / assetsOfProject
  if (!Number.isInteger(projects) || projects <= oldProjects)
    throw new Error(`of ${assetsOfProject} assets a project, more than ${oldProjects * assetsOfProject} assets`)
  const one = (list: readonly string[], index: string) =>
    `(array[${list.map(each => `'${each}'`).join(', ')}])[1 + (${index}) % ${list.length}]`
  const someone = (index: string) => `'operator-' || lpad(((${index}) % ${operators})::text, 3, '0')`
  // Half of what changed last changed lately: the position of a record among its likes reveals nothing about it.
  const changed = (created: string, index: string) =>
    `${created} + (now() - ${created}) * ((${index}) * 0.6180339887 - floor((${index}) * 0.6180339887))`
  const born = (share: string) => `now() - interval '1095 days' + interval '1065 days' * (${share})`
  const documents = (name: 'settings' | 'properties') => `
    insert into ${name} (id, owner_type, owner_id, project_id, path, created_by, user_id, created_at, updated_at)
    select ${name}_id, initcap(node_type), id, project_id, path || '/${name}', created_by, user_id, created_at, created_at
      from nodes
    union all
    select sluice_uuid7(), 'Template', id, project_id, path || '/${name}', created_by, user_id, created_at, created_at
      from templates
    union all
    select sluice_uuid7(), 'Template version', id, project_id, path || '/${name}', created_by, user_id, created_at,
           created_at
      from template_versions`
  return [
    {
      table: 'nodes',
      text: `
        insert into nodes (id, node_type, code, name, description, project_type, project_id, path, created_by, user_id,
                           created_at, updated_at, settings_id, properties_id)
        select made.id, 'project', code, 'Project ' || i, 'Systems of team ' || i % 700, 'Enterprise', made.id,
               '/projects/' || code, u.username, u.id, at, ${changed('at', 'i')}, sluice_uuid7(), sluice_uuid7()
          from (select i, ${born(`0.02 * i / ${projects}`)} as at, 'project-' || lpad(i::text, 5, '0') as code,
                       ${someone('i')} as username, sluice_uuid7_of(${born(`0.02 * i / ${projects}`)}) as id
                  from generate_series(0, ${projects - 1}) i) made
          join users u on u.username = made.username
         order by i`,
    },
    {
      table: 'nodes',
      text: `
        insert into nodes (id, node_type, code, name, description, parent_id, project_id, environment_id, path, created_by,
                           user_id, created_at, updated_at, settings_id, properties_id)
        select id, 'environment', code, initcap(code), '', project_id, project_id, id, path || '/environments/' || code,
               created_by, user_id, at, at, sluice_uuid7(), sluice_uuid7()
          from (select p.id as project_id, p.path, p.created_by, p.user_id, env.code, p.created_at + interval '1 minute' as at,
                       sluice_uuid7_of(p.created_at + interval '1 minute') as id
                  from nodes p, unnest(array[${environments.map(each => `'${each}'`).join(', ')}]) env (code)
                 where p.node_type = 'project') made`,
    },
    {
      table: 'git_remotes',
      text: `
        insert into git_remotes (project_id, path, name, url, fetched_at, fetch_milliseconds, created_by, user_id,
                                 created_at, updated_at)
        select id, '', 'automation', '${repository}', now(), 20, created_by, user_id, created_at, created_at
          from nodes where node_type = 'project'`,
    },
    {
      table: 'git_remotes',
      text: `
        update git_remotes r set path = p.path || '/git_remotes/' || r.id from nodes p where p.id = r.project_id`,
    },
    {
      table: 'git_commits',
      text: `
        insert into git_commits (git_remote_id, commit_sha, committed_at, subject, kept_at)
        select id, '${commit}', created_at, 'Actions', created_at from git_remotes`,
    },
    {
      table: 'templates',
      text: `
        insert into templates (project_id, path, code, name, description, template_type, git_remote_id, created_by, user_id,
                               created_at, updated_at)
        select p.id, p.path || '/templates/' || given.code, given.code, initcap(given.code), '', 'asset', r.id, p.created_by, p.user_id,
               p.created_at + interval '2 minutes', p.created_at + interval '2 minutes'
          from (select p.*, right(p.code, 5)::int as i from nodes p where p.node_type = 'project') p
          join git_remotes r on r.project_id = p.id,
               lateral (values (${one(templateCodes, 'p.i')}), (${one(templateCodes, 'p.i + 7')})) given (code)`,
    },
    {
      table: 'action_catalogues',
      text: `
        insert into action_catalogues (git_remote_id, commit_sha, folder, state, actions)
        select git_remote_id, '${commit}', code, 'ready', '${storedActions}' from templates`,
    },
    {
      table: 'template_versions',
      text: `
        insert into template_versions (template_id, project_id, path, version, state, git_remote_id, git_rev, commit_sha,
                                       fetch_open, created_by, user_id, created_at, updated_at)
        select t.id, t.project_id, t.path, version, 'ready', t.git_remote_id, 'main', '${commit}', false, t.created_by,
               t.user_id, t.created_at + interval '1 minute', t.created_at + interval '1 minute'
          from templates t, unnest(array['1.0', '1.1', '2.0']) version`,
    },
    {
      table: 'template_version_commits',
      text: `
        insert into template_version_commits (template_version_id, git_remote_id, commit_sha, active_from)
        select id, git_remote_id, commit_sha, created_at from template_versions`,
    },
    {
      table: 'nodes',
      text: `
        insert into nodes (id, node_type, code, name, description, parent_id, project_id, environment_id, path, archived,
                           archived_at, created_by, user_id, created_at, updated_at, settings_id, properties_id,
                           template_id, template_code, template_version_id, template_version)
        select sluice_uuid7_of(at), 'asset', made.code, made.name, made.description, coalesce(e.id, p.id), p.id, e.id,
               coalesce(e.path, p.path) || '/assets/' || made.code, made.archived, case when made.archived then now() end,
               u.username, u.id, at, case when made.archived then now() else ${changed('at', 'i')} end,
               sluice_uuid7(), sluice_uuid7(), t.id, t.code, v.id, v.version
          from (select i, project, age,
                       ${born(`case when project < ${oldProjects} then 0.03 else 0.04 end + case when project < ${oldProjects} then 0.01 else 0.96 end * i / ${assets}`)} + interval '30 days' * (project >= ${oldProjects})::int as at,
                       ${one(tiers, 'age')} || '-' || age as code,
                       ${one(services, 'project * 31 + age')} || ' ' || ${one(tiers, 'age')} || ' ' || age || ' '
                         || ${one(cities, 'project * 7 + age * 3')} || ' ' || project % 500 as name,
                       'Runs in rack ' || i % 977 || ', row ' || age || ', since the move of ' || project % 83 as description,
                       age % 33 = 7 as archived, ${someone('i * 7')} as username,
                       'project-' || lpad(project::text, 5, '0') as project_code,
                       case age % 2 when 0 then ${one(templateCodes, 'project')}
                                    else ${one(templateCodes, 'project + 7')} end as template_code,
                       case i % 3 when 0 then '1.0' when 1 then '1.1' else '2.0' end as template_version,
                       (array[${environments.map(each => `'${each}'`).join(', ')}])[1 + (age * 7 + project) % 5] as environment
                  from (select i, case when i < ${oldProjects * assetsOfProject} then i % ${oldProjects}
                                       else ${oldProjects} + (i - ${oldProjects * assetsOfProject}) % ${projects - oldProjects} end as project,
                               case when i < ${oldProjects * assetsOfProject} then i / ${oldProjects}
                                    else (i - ${oldProjects * assetsOfProject}) / ${projects - oldProjects} end as age
                          from generate_series(0, ${assets - 1}) i) numbered) made
          join nodes p on p.node_type = 'project' and p.path = '/projects/' || project_code
          left join nodes e on e.node_type = 'environment' and e.project_id = p.id and e.code = environment
          join templates t on t.project_id = p.id and t.code = made.template_code
          join template_versions v on v.template_id = t.id and v.version = made.template_version
          join users u on u.username = made.username
         order by i`,
    },
    {
      table: 'template_version_histories',
      text: `
        insert into template_version_histories (node_id, project_id, path, template_id, template_version_id, created_by,
                                                user_id, active_from)
        select n.id, n.project_id, n.path, n.template_id, n.template_version_id, n.created_by, n.user_id, n.created_at
          from nodes n
         where n.node_type = 'asset'
         order by n.number`,
    },
    { table: 'settings', text: documents('settings') },
    { table: 'properties', text: documents('properties') },
  ]
}

const storedActions = JSON.stringify({
  actions: ['deploy', 'restart', 'patch'].map(action => ({
    action,
    step_name: action,
    description: `To ${action} it`,
    needs: [],
    run: 'true',
    interpreter: [],
    env: {},
    timeout_seconds: null,
    ignore_failure: false,
    run_as: 'sequential',
    steps: [],
  })),
})

/** Runs them, one after the other; answers the rows written into each table. */
export async function growTree(client: pg.Client, wish: TreeWish): Promise<Map<string, number>> {
  const written = new Map<string, number>()
  // The nodes are made with what these would tell them.
  const telling = {
    template_version_histories: 'template_of_node',
    settings: 'settings_of_node',
    properties: 'properties_of_node',
  }
  const triggers = async (how: 'disable' | 'enable') => {
    for (const [table, trigger] of Object.entries(telling))
      await client.query(`alter table ${table} ${how} trigger ${trigger}`)
  }
  await triggers('disable')
  for (const { table, text } of treeStatements(wish)) {
    const { rowCount, command } = await client.query(text)
    // The next one is planned for what this one has written.
    await client.query(`analyze ${table}`)
    if (command === 'INSERT') written.set(table, (written.get(table) ?? 0) + (rowCount ?? 0))
  }
  await triggers('enable')
  return written
}
