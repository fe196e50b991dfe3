import type { Actor } from '#platform/actor.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { byId } from '#platform/jsonapi/by-id.ts'
import { column } from '#platform/jsonapi/columns.ts'
import {
  type ListRoute,
  mostRelated,
  type ParentRow,
  type Relationship,
  type Resource,
} from '#platform/jsonapi/resource.ts'
import { switched } from '#platform/jsonapi/switched.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { outcomeReason } from './outcome-reason.sql.ts'
import { openArguments, type RequestedArgument } from './requested-arguments.ts'
import type { Activity } from './store/activity.store.ts'
import { stepColumns } from './store/step-columns.resource.ts'
import { openOutputs } from './store/step-tree.store.ts'

/**
 * Whether a step `s` waits. Uses its reported status, which has an index: no list reads the millions that have ended.
 */
export const stepWaits = sql<boolean>`s.reported_status in ('waiting', 'waiting_for_approval')`

/** JSON:API resource of the steps of a change. Lists are in tree order, newest change first. */
export const stepResource = (keyring: Keyring): Resource => ({
  type: 'step',
  describe: 'One step of a change: an action, a stage, a wait or an input.',
  id: sql`s.id`,
  from: sql`steps s join activities a on a.id = s.activity_id and a.kind = 'change'`,
  where: isOfExistingNode(sql`a.node_id`),
  lists: [{ path: '/api/steps' }, stepsOfChange],
  shows: [{ path: '/api/steps/:id', find: ({ id }) => sql`s.id = ${id}::uuid` }],
  columns: {
    action: column.textOrNull(sql`s.action`, 'Name of the action that it runs; null for waits and inputs.'),
    step_name: column.text(sql`s.step_name`, 'Its name.'),
    full_path: column.text(sql`s.full_path`, 'The names from the root down, joined by "/".'),
    description: column.textOrNull(sql`s.description`, 'Description by its author.'),
    step_type: column.oneOf(
      sql`s.step_type`,
      ['standard', 'wait', 'input', 'stage'],
      'standard, wait, input or stage.',
    ),
    ...stepColumns.place,
    input_arguments: {
      kind: 'opaque',
      sql: sql`s.input_arguments`,
      describe: 'Arguments of an input step.',
      nullable: true,
      read: (sealed, _, { id }) => openArguments(keyring, { id, input_arguments: sealed as Buffer | null }).map(shown),
    },
    ...stepColumns.decisions,
    attempt: column.integer(sql`s.attempt`, 'Number of attempts.'),
    outcome_reason: column.textOrNull(
      outcomeReason,
      'Reason of its outcome, where the action does not tell: what failed, or who rejected or cancelled it.',
    ),
    exit_code: column.integerOrNull(sql`s.exit_code`, 'Exit code of its action.'),
    outputs: {
      kind: 'opaque',
      sql: sql`s.outputs`,
      describe: 'Outputs of its action; null: none.',
      nullable: true,
      showOnly: true,
      read: (sealed, _, { id }) => openOutputs(keyring, id, sealed as Buffer | null),
    },
    ...stepColumns.end,
    ...stepColumns.log,
    change_id: column.id(sql`s.activity_id`, 'The change that it belongs to.'),
    tree_order: column.text(sql`s.tree_order`, 'Position in reading order among the steps of one change.'),
  },
  named: {
    for_change: {
      describe: 'The steps of this change.',
      sql: value => byId(value, sql`s.activity_id`, 'a change'),
    },
    with_input_arguments: {
      describe: 'Steps that wait for input.',
      sql: value => switched(value, sql`(${stepWaits} and s.input_arguments is not null)`),
    },
    without_input_arguments: {
      describe: 'Waiting steps that ask for nothing.',
      sql: value => switched(value, sql`(${stepWaits} and s.input_arguments is null)`),
    },
    mine: {
      describe: 'Steps of changes that the caller made.',
      sql: (value, actor: Actor) => switched(value, sql`(a.user_id = ${actor.userId}::uuid)`),
    },
  },
  relationships: {
    change: {
      kind: 'one',
      type: 'change',
      sql: sql`s.activity_id`,
      paths: 'own',
      describe: 'The change that it belongs to.',
      related: row => `/api/changes/${row['change_id']}`,
    },
    parent: {
      kind: 'one',
      type: 'step',
      sql: sql`s.parent_id`,
      paths: 'own',
      describe: 'The step above it; null for the root.',
    },
    children: childrenOf('step'),
  },
  links: row => ({
    self: `/api/steps/${row.id}`,
    change: `/api/changes/${row['change_id']}`,
    log_lines: `/api/steps/${row.id}/log_lines`,
    artefacts: `/api/steps/${row.id}/artefacts`,
    attempts: `/api/steps/${row.id}/attempts`,
  }),
  defaultSort: [
    { column: 'change_id', direction: 'desc' },
    { column: 'tree_order', direction: 'asc' },
  ],
  limit: { default: 1000, maximum: 1000 },
  rights: { projectId: sql`s.project_id`, path: sql`s.path` },
  rowVersion: sql<number>`s.row_version`,
})

/** Visible part of an argument: the default of a sensitive argument is hidden, although the actions file states it. */
function shown(argument: RequestedArgument): object {
  if (argument['sensitive'] !== true) return argument
  const values = ['default_value', 'valid_values'].filter(key => argument[key] !== undefined)
  return { ...argument, ...Object.fromEntries(values.map(key => [key, '{{hidden}}'])) }
}

const stepsOfChange: ListRoute = {
  path: '/api/changes/:id/steps',
  parent: ({ id }) => activityRow(String(id), 'change'),
  scope: parent => sql<boolean>`s.activity_id = ${parent.id}::uuid`,
}

const stepsBelow = sql`
  array(select below.id from steps below where below.parent_id = s.id order by below.position
         limit ${sql.raw(String(mostRelated + 1))})`

/** The children of a step `s`, whichever kind of activity it belongs to. */
export const childrenOf = (type: 'step' | 'workflow_step'): Relationship => ({
  kind: 'many',
  type,
  sql: stepsBelow,
  bounded: () => stepsBelow,
  paths: 'own',
  describe: 'The steps directly below it, in order, a thousand at most; the list of steps has all.',
})

/** The relationships of a change or a workflow run `a` with its tree. */
export const relationshipsWithSteps = (type: 'step' | 'workflow_step', describeRoot: string) =>
  ({
    root_step: { kind: 'one', type, sql: sql`a.root_step_id`, paths: 'own', describe: describeRoot },
    steps: {
      kind: 'many',
      type,
      sql: sql`array(select s.id from steps s where s.activity_id = a.id order by s.tree_order)`,
      describe: 'Its steps in the order of the tree.',
      showOnly: true,
    },
  }) satisfies Resource['relationships']

/** The parent of a list: a change or a workflow run. Below the path of one kind there is none of the other. */
export const activityRow = (id: string, kind: Activity['kind']): Sql<ParentRow> =>
  sql<ParentRow>`
    select a.id, a.path, a.project_id
      from activities a
     where a.id = ${id}::uuid and a.kind = ${kind} and ${isOfExistingNode(sql`a.node_id`)}`

/** The parent of a list: a step of a change or of a workflow run. */
export const stepRow = (id: string, kind: Activity['kind']): Sql<ParentRow> =>
  sql<ParentRow>`
    select s.id, s.path, s.project_id, s.activity_id, s.tree_order, coalesce(s.ran_as, s.id) as ran_as
      from steps s join activities a on a.id = s.activity_id
     where s.id = ${id}::uuid and a.kind = ${kind} and ${isOfExistingNode(sql`a.node_id`)}`
