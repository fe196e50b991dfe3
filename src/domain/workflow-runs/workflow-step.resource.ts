import type { Actor, Rights } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { byId } from '#platform/jsonapi/by-id.ts'
import { column } from '#platform/jsonapi/columns.ts'
import { type ListRoute, mostRelated, type Relationship, type Resource } from '#platform/jsonapi/resource.ts'
import { switched } from '#platform/jsonapi/switched.ts'
import { decisionsFor, stepDecisions, stepsThatWait } from '../changes/index.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { childrenOf, stepColumns } from '../steps/for-workflow-runs.ts'
import { activityRow } from '../steps/index.ts'
import { runPath } from './run.ts'

/** JSON:API resource of a step of a workflow run. Lists are in tree order, newest run first. */
export const workflowStepResource: Resource = {
  type: 'workflow_step',
  describe: 'One step of a workflow run: a change, a wait or approval, another workflow, or a stage.',
  id: sql`s.id`,
  // Found by the few runs: steps of changes are a thousand times as many.
  from: sql`workflow_runs r join activities a on a.id = r.id join steps s on s.activity_id = r.id`,
  // The condition that both are of one project lets PostgreSQL start with either: the few runs of a project, or its
  // steps.
  where: sql<boolean>`a.kind = 'workflow_run' and a.project_id = s.project_id and ${isOfExistingNode(sql`a.node_id`)}`,
  joins: { w: sql`left join workflow_steps w on w.id = s.id` },
  lists: [{ path: '/api/workflow_steps' }, stepsOfRun()],
  shows: [{ path: '/api/workflow_steps/:id', find: ({ id }) => sql`s.id = ${id}::uuid` }],
  columns: {
    name: column.text(sql`s.step_name`, 'Its name.'),
    full_path: column.text(sql`s.full_path`, 'The names from the root down, joined by "/".'),
    step_type: column.oneOf(
      sql`s.step_type`,
      ['change', 'wait', 'workflow', 'stage'],
      'change, wait, workflow or stage.',
    ),
    targets: {
      ...column.json(sql`coalesce(to_jsonb(w.targets), '[]')`, 'Paths of the nodes that its changes run on.'),
      joined: true,
    },
    action: { ...column.textOrNull(sql`w.action`, 'The action that its changes run.'), joined: true },
    template_version: {
      ...column.textOrNull(sql`w.template_version`, 'The template version that its changes take their actions from.'),
      joined: true,
    },
    workflow_code: { ...column.textOrNull(sql`w.workflow_code`, 'Code of the workflow that it runs.'), joined: true },
    start_time: {
      ...column.textOrNull(sql`w.start_time`, 'Earliest start of what it starts, as written in the workflow.'),
      joined: true,
    },
    ...stepColumns.place,
    ...stepColumns.decisions,
    reset_on_retry: column.boolean(sql`s.reset_on_retry`, 'Whether a retry of the run asks for approval again.'),
    ...stepColumns.end,
    ...stepColumns.log,
    workflow_run_id: column.id(sql`s.activity_id`, 'The run that it belongs to.'),
    tree_order: column.text(sql`s.tree_order`, 'Position in reading order among the steps of one run.'),
  },
  extra: {
    waits: stepDecisions.extra!['waits']!,
    for_approval: stepDecisions.extra!['for_approval']!,
    rules_of_approval: stepDecisions.extra!['rules_of_approval']!,
    approvals: stepDecisions.extra!['approvals']!,
    made_by: stepDecisions.extra!['made_by']!,
    project_path: sql`s.path`,
    code_of_run: sql`r.workflow_code`,
  },
  named: {
    for_workflow_run: {
      describe: 'The steps of this run.',
      sql: value => byId(value, sql`s.activity_id`, 'a workflow run'),
    },
    mine: {
      describe: 'Steps of runs that the caller made.',
      sql: (value, actor: Actor) => switched(value, sql`(a.user_id = ${actor.userId}::uuid)`),
    },
    ...stepsThatWait(sql`s.path || '/workflows/' || r.workflow_code`),
  },
  relationships: {
    workflow_run: {
      kind: 'one',
      type: 'workflow_run',
      sql: sql`s.activity_id`,
      paths: 'own',
      describe: 'The run that it belongs to.',
      related: row => `/api/workflow_runs/${row['workflow_run_id']}`,
    },
    parent: {
      kind: 'one',
      type: 'workflow_step',
      sql: sql`s.parent_id`,
      paths: 'own',
      describe: 'The step above it; null for the root.',
    },
    children: childrenOf('workflow_step'),
    changes: createdByStep('change', 'The changes that it, or a step below it for each of its targets, made.'),
    workflow_runs: createdByStep('workflow_run', 'The runs of another workflow that it, or a step below it, made.'),
  },
  links: row => ({
    self: `/api/workflow_steps/${row.id}`,
    workflow_run: `/api/workflow_runs/${row['workflow_run_id']}`,
    log_lines: `/api/workflow_steps/${row.id}/log_lines`,
  }),
  meta: (row, { actor }) => ({
    can: decisionsFor(row, actor, runPath(String(row['project_path']), String(row['code_of_run']))),
  }),
  defaultSort: [
    { column: 'workflow_run_id', direction: 'desc' },
    { column: 'tree_order', direction: 'asc' },
  ],
  limit: { default: 1000, maximum: 1000 },
  rights: { projectId: sql`s.project_id`, path: sql`s.path` },
  rowVersion: sql<number>`s.row_version`,
}

function stepsOfRun(): ListRoute {
  return {
    path: '/api/workflow_runs/:id/steps',
    parent: ({ id }) => activityRow(String(id), 'workflow_run'),
    scope: parent => sql<boolean>`s.activity_id = ${parent.id}::uuid`,
  }
}

/**
 * Array of the ids of what a step `s` made. A step with several targets has one below it for each.
 *
 * @param readable condition on `made`, of which the others are left out
 */
export function createdIds(type: 'change' | 'workflow_run', readable: Sql<boolean>, most: number): Sql {
  const [kind, makes] = [sql.lit(type), sql.lit(type === 'change' ? 'change' : 'workflow')]
  // `offset 0` keeps the rights out of the index lookups on activities, as with the children of a node.
  return sql`
    case when s.step_type = ${makes} then
    array(select made.id
            from (select s.id, s.ran_as, -1 as "position"
                   union all
                  (select target.id, target.ran_as, target."position"
                     from steps target
                    where target.parent_id = s.id
                    order by target."position")
                  ) maker
           cross join lateral (
                  select own.* from activities own
                   where own.workflow_step_id = coalesce(maker.ran_as, maker.id) and own.kind = ${kind}
                     and ${isOfExistingNode(sql`own.node_id`)}
                  offset 0) made
           where ${readable}
           order by maker."position"
           limit ${sql.raw(String(most))})
    else '{}' end`
}

/** The condition that the caller may read `made`. */
export const readableMade = ({ visible }: Rights): Sql<boolean> =>
  visible({ projectId: sql`made.project_id`, path: sql`made.path` })

function createdByStep(type: 'change' | 'workflow_run', describe: string): Relationship {
  return {
    kind: 'many',
    type,
    sql: createdIds(type, sql<boolean>`true`, mostRelated + 1),
    bounded: rights => createdIds(type, readableMade(rights), mostRelated + 1),
    describe: `${describe} A thousand at most.`,
  }
}
