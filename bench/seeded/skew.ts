import type pg from 'pg'

/** Number of records under the few parents that have most. */
export interface SkewOptions {
  /** Parallel steps of each of the wide changes. */
  readonly children: number
  /** Targets of one step of a workflow run. */
  readonly targets: number
  /** Assets of one environment. */
  readonly assetsOfOne: number
  /** Changes of three steps. */
  readonly smallChanges: number
  /** Lines of the longest log. */
  readonly logLines: number
  /** Whether statistics are gathered while there are only small changes, so that they do not include the wide ones. */
  readonly analyzedSmall?: true
}

/** The records with the most children. */
export interface Skew {
  /** A change with thousands of parallel steps. */
  readonly wideChange: string
  /** Root step of the wide change. */
  readonly wideRoot: string
  /** A workflow run with a step of thousands of targets. */
  readonly wideRun: string
  /** Step of that run. */
  readonly wideRunStep: string
  /** A step with a long log. */
  readonly loggingStep: string
  /** The path of an environment with thousands of assets. */
  readonly crowded: string
  /** A background task of an asset with thousands of them. */
  readonly crowdedTask: string
}

export const skewedTables = [
  ...['activities', 'steps', 'changes', 'workflows', 'workflow_versions', 'workflow_runs', 'workflow_steps'],
  ...['artefacts', 'scheduled_activities', 'log_chunks', 'events'],
] as const

const wideChanges = 3
const someone = `(select id from users where username = 'operator-001')`

/** Adds records to a tree of nodes (`growTree`) that make the statistics of its tables misleading. */
export async function growSkew(client: pg.Client, wish: SkewOptions): Promise<Skew> {
  const one = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows[0]
  await client.query(`set session_replication_role = replica`)
  const env = await one(`
    select e.id, e.path, e.project_id from nodes e
     where e.node_type = 'environment' and e.code = 'dev'
     order by e.path desc limit 1`)
  await client.query(wideChange, [wish.smallChanges, 2, 'sequential'])
  await client.query(workflowRun, [2])
  await client.query(bookmarksOf, [10, 1])
  await client.query(schedulesOf, [10, 1])
  await client.query(artefactsOfAll)
  if (wish.analyzedSmall) await client.query('vacuum analyze')
  await client.query(
    `insert into nodes (id, node_type, code, name, description, parent_id, project_id, environment_id, path, created_by,
                        user_id, created_at, updated_at, settings_id, properties_id, template_id, template_code,
                        template_version_id, template_version)
     select sluice_uuid7(), 'asset', 'crowd-' || i, 'Crowd ' || i, '', $1::uuid, $2::uuid, $1::uuid,
            $3::text || '/assets/crowd-' || i, 'operator-001', ${someone},
            now() - interval '1 second' * i, now() - interval '1 second' * i, sluice_uuid7(), sluice_uuid7(),
            t.id, t.code, v.id, v.version
       from generate_series(1, $4::int) i,
            lateral (select * from templates t where t.project_id = $2::uuid order by t.code limit 1) t,
            lateral (select * from template_versions v where v.template_id = t.id order by v.version limit 1) v`,
    [env.id, env.project_id, env.path, wish.assetsOfOne],
  )
  await client.query(`
    insert into template_version_histories (node_id, project_id, path, template_id, template_version_id, created_by,
                                            user_id, active_from)
    select n.id, n.project_id, n.path, n.template_id, n.template_version_id, n.created_by, n.user_id, n.created_at
      from nodes n where n.node_type = 'asset' and n.code like 'crowd-%'`)
  const wide = await client.query(wideChange, [wideChanges, wish.children, 'parallel'])
  const run = await one(workflowRun, [wish.targets])
  await client.query(madeByRun, [run.root_step_id])
  const logging = await one(
    `select s.id, s.activity_id from steps s where s.parent_id = $1 order by s.position limit 1`,
    [wide.rows[0].root_step_id],
  )
  await client.query(logOf, [logging.id, logging.activity_id, Math.ceil(wish.logLines / 500), 500])
  await client.query(logsOfAll)
  await client.query(artefactsOfAll)
  await client.query(bookmarksOf, [2, 3_000])
  await client.query(`
    insert into node_background_tasks (task_type, node_id, project_id, path, pool, status_code, created_by, user_id,
                                       created_at, template_version_history_id)
    select 'GenerateActionsRequest', n.id, n.project_id, n.path, 'refresh', 'success', n.created_by, n.user_id,
           n.created_at, (select h.id from template_version_histories h where h.node_id = n.id limit 1)
      from (select * from nodes where node_type = 'asset' order by id limit 2) n, generate_series(1, 3000) i`)
  await client.query(schedulesOf, [2, 2_000])
  await client.query(`
    insert into events (type, system, username, path, project_id, source_type, source_id, activity_id, body, attributes)
    select 'success:change', true, 'operator-001', a.path, a.project_id, 'change', a.id, a.id, '\\x', '{}'
      from activities a, generate_series(1, 4) i`)
  await client.query(`set session_replication_role = origin`)
  return {
    wideChange: wide.rows[0].id,
    wideRoot: wide.rows[0].root_step_id,
    wideRun: run.id,
    wideRunStep: run.root_step_id,
    loggingStep: logging.id,
    crowded: env.path,
    crowdedTask: (await one(`select id from node_background_tasks order by request_number desc limit 1`)).id,
  }
}

/** An artefact of each step without one. */
const artefactsOfAll = `
    insert into artefacts (step_id, activity_id, project_id, path, attempt, name, content_type, byte_size, sha256)
    select s.id, s.activity_id, s.project_id, s.path, 1, 'report.txt', 'text/plain', 1, repeat('a', 64)
      from steps s where s.parent_id is not null on conflict do nothing`

/** $2 schedules of each of $1 assets. */
const schedulesOf = `
    insert into scheduled_activities (kind, node_id, project_id, path, action, cron_schedule, enabled, property_overrides,
                                      settings_overrides, created_by, user_id)
    select 'scheduled_change', n.id, n.project_id, n.path, 'deploy', '0 0 * * *', false, '\\x', '\\x', n.created_by, n.user_id
      from (select * from nodes where node_type = 'asset' order by id limit $1::int) n, generate_series(1, $2::int) i`

/** $2 bookmarks of each of $1 assets. */
const bookmarksOf = `
  insert into bookmarks (node_id, project_id, path, description, created_by, user_id, created_at)
  select n.id, n.project_id, n.path, 'Runbook ' || i, n.created_by, n.user_id, n.created_at
    from (select * from nodes where node_type = 'asset' order by id limit $1::int) n, generate_series(1, $2::int) i`

/** $1 changes of old assets, each a root with $2 children. */
const wideChange = `
  with asset as (
    select id, project_id, path, row_number() over (order by id) - 1 as at
      from (select * from nodes where node_type = 'asset' and code not like 'crowd-%' order by id limit 1500) old
  ), numbered as (
    select i, asset.id as node_id, asset.project_id, asset.path, sluice_uuid7_of(now() - interval '1 minute' * i) as id,
           sluice_uuid7() as root
      from generate_series(1, $1::int) i join asset on asset.at = i % 1500
  ), made as (
    insert into activities (id, kind, node_id, project_id, path, name_key, status, root_step_id, created_by, user_id,
                            created_at, started_at, finished_at, updated_at)
    select id, 'change', node_id, project_id, path, path, 'success', root, 'operator-001', ${someone},
           now() - interval '1 minute' * i, now(), now(), now() from numbered
    returning id, root_step_id
  ), changes as (
    insert into changes (id, action, step_name, property_overrides, settings_overrides)
    select id, 'deploy', 'deploy', '\\x', '\\x' from numbered
  ), roots as (
    insert into steps (id, activity_id, project_id, path, "position", tree_order, step_type, action, step_name, full_path,
                       status, body, child_execution_strategy, children, created_at, updated_at)
    select root, id, project_id, path, 0, '0', 'standard', 'deploy', 'deploy', 'deploy', 'success', 'done', $3::text, $2::int,
           now(), now() from numbered
  ), children as (
    insert into steps (activity_id, project_id, path, parent_id, "position", tree_order, step_type, action, step_name,
                       full_path, status, body, created_at, updated_at)
    select id, project_id, path, root, k, '0.' || lpad(k::text, 8, '0'), 'standard', 'part', 'part-' || k,
           'deploy/part-' || k, 'success', 'done', now(), now()
      from numbered, generate_series(1, $2::int) k
  )
  select id, root_step_id from made order by id desc`

/** A run of a root with $1 targets. */
const workflowRun = `
  with project as (
    select id, path from nodes where node_type = 'project' order by path desc limit 1
  ), flow as (
    insert into workflows (project_id, path, code, name, created_by, user_id)
    select id, path, 'roll-out-' || $1::int, 'Roll out', 'operator-001', ${someone} from project
    returning id, project_id, path, code
  ), version as (
    insert into workflow_versions (workflow_id, project_id, path, version, source_yaml, parsed, created_by, user_id)
    select id, project_id, path, 1, '\\x', '\\x', 'operator-001', ${someone} from flow returning id
  ), numbered as (
    select flow.*, version.id as version_id, sluice_uuid7() as run, sluice_uuid7() as root from flow, version
  ), made as (
    insert into activities (id, kind, node_id, project_id, path, name_key, status, root_step_id, created_by, user_id,
                            created_at, started_at, finished_at, updated_at)
    select run, 'workflow_run', project_id, project_id, path, path, 'success', root, 'operator-001', ${someone},
           now(), now(), now(), now() from numbered
    returning id, root_step_id
  ), runs as (
    insert into workflow_runs (id, workflow_id, workflow_version_id, workflow_code, version, name, property_overrides)
    select run, id, version_id, code, 1, 'Roll out', '\\x' from numbered
  ), roots as (
    insert into steps (id, activity_id, project_id, path, "position", tree_order, step_type, step_name, full_path,
                       status, body, child_execution_strategy, children, created_at, updated_at)
    select root, run, project_id, path, 0, '0', 'change', 'all', 'all', 'success', 'done', 'parallel', $1::int,
           now(), now() from numbered
  ), children as (
    insert into steps (activity_id, project_id, path, parent_id, "position", tree_order, step_type, step_name,
                       full_path, status, body, created_at, updated_at)
    select run, project_id, path, root, k, '0.' || lpad(k::text, 8, '0'), 'change', 'target-' || k,
           'all/target-' || k, 'success', 'done', now(), now()
      from numbered, generate_series(1, $1::int) k
  )
  select id, root_step_id from made`

/** Statement that creates a change for each target of the step $1. */
const madeByRun = `
  with targets as (
    select s.id as step_id, n.id as node_id, n.project_id, n.path, sluice_uuid7() as id, sluice_uuid7() as root
      from (select s.*, row_number() over (order by s.tree_order) as at from steps s where s.parent_id = $1::uuid) s
      join (select n.*, row_number() over (order by n.id) as at from nodes n where n.node_type = 'asset') n using (at)
  ), made as (
    insert into activities (id, kind, node_id, project_id, path, name_key, status, root_step_id, created_by, user_id,
                            created_at, started_at, finished_at, updated_at, workflow_step_id)
    select id, 'change', node_id, project_id, path, path, 'success', root, 'operator-001', ${someone},
           now() - interval '1 day', now(), now(), now(), step_id from targets
  ), changes as (
    insert into changes (id, action, step_name, property_overrides, settings_overrides)
    select id, 'deploy', 'deploy', '\\x', '\\x' from targets
  )
  insert into steps (id, activity_id, project_id, path, "position", tree_order, step_type, action, step_name, full_path,
                     status, body, created_at, updated_at)
  select root, id, project_id, path, 0, '0', 'standard', 'deploy', 'deploy', 'deploy', 'success', 'done', now(), now()
    from targets`

/** $3 chunks of $4 lines of one step. */
const logOf = `
  insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
  select $1::uuid, 1, c * $4::int + 1, $4::int, $2::uuid, at, at, array_fill(at, array[$4::int]),
         array_fill('stdout'::text, array[$4::int]),
         array(select 'line ' || c || ' ' || md5(k::text) from generate_series(1, $4::int) k)
    from (select c, now() - interval '1 day' + interval '1 second' * c as at from generate_series(0, $3::int - 1) c) chunks`

/** Two lines of every second step. */
const logsOfAll = `
  insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
  select s.id, 1, 1, 2, s.activity_id, s.at, s.at, array[s.at, s.at], array['stdout', 'stdout'], array['one', 'two']
    from (select s.*, now() - interval '10 milliseconds' * row_number() over (order by s.id) as at from steps s) s
    on conflict do nothing`
