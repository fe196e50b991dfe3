import { hash } from 'node:crypto'
import Type from 'typebox'
import { type Sql, sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { lineCountsByStep, logVersion } from '../logs/index.ts'
import { isOfExistingNode } from '../nodes/index.ts'

interface Found {
  readonly id: string
  readonly readPath: string
  /** Text that changes with every step and every line of the log. */
  readonly version: string
}

/** Columns of the rows, over a step `s` and the counts `n` of its log. */
const columns = {
  id: sql`s.id`,
  parent_id: sql`s.parent_id`,
  name: sql`s.step_name`,
  step_type: sql`s.step_type`,
  action: sql`s.action`,
  status_code: sql`s.reported_status`,
  step_sequence: sql`s.position`,
  tree_order: sql`s.tree_order`,
  child_execution_strategy: sql`s.child_execution_strategy`,
  ignore_failure: sql`s.ignore_failure`,
  skip_requested: sql`s.skip_requested`,
  taken_over: sql`s.ran_as is not null`,
  attempt: sql`s.attempt`,
  exit_code: sql`s.exit_code`,
  queued_at: sql`s.queued_at`,
  started_at: sql`s.started_at`,
  finished_at: sql`s.finished_at`,
  log_line_count: sql`coalesce(n.lines, 0)`,
  error_line_count: sql`coalesce(n.errors, 0)`,
} as const satisfies Readonly<Record<string, Sql>>

const names = Object.keys(columns)

/** All steps of a change in one document. */
export const treeOfChange: AnyView = stepTree('change', 'changes', 'change')

/** All steps of a workflow run in one document. */
export const treeOfRun: AnyView = stepTree('workflow_run', 'workflow_runs', 'workflow run')

function stepTree(kind: 'change' | 'workflow_run', collection: string, named: string): AnyView {
  const path = `/api/${collection}/:id/tree`
  return view<Found>({
    name: `${collection}.tree`,
    summary: `All steps of a ${named}, as rows`,
    describe: `All steps of a ${named} in one answer, in the order of the tree: \`columns\` names the values that each of the \`rows\` has, in their order. They are as in the records of steps; \`taken_over\`: a retry kept the step as it had ended. The ETag changes with every step and every line of the log.`,
    method: 'GET',
    paths: [path],
    answer: Type.Object({
      data: Type.Object({
        id: Type.String({ format: 'uuid' }),
        type: Type.Literal('step_tree'),
        attributes: Type.Object({
          columns: Type.Array(Type.String(), { description: names.join(', ') }),
          rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Null()]))),
        }),
      }),
      links: Type.Object({ self: Type.String() }),
    }),
    find: ({ database, params }) =>
      database.one(sql<Found>`
        select a.id, a.path as "readPath", a.row_version || ' ' || a.updated_at || ' ' || ${logVersion} as version
          from activities a
         where a.id = ${params['id']}::uuid and a.kind = ${kind} and ${isOfExistingNode(sql`a.node_id`)}`),
    needs: ({ readPath }) => [{ right: 'read', path: readPath }],
    run: async ({ id, version }, { database }) => ({
      headers: { etag: `"${hash('sha256', version, 'base64url').slice(0, 22)}"` },
      body: async () => {
        const steps = await database.rows(stepsOf(id), { byKeys: true })
        const rows = steps.map(step => names.map(name => step[name]))
        return {
          data: { id, type: 'step_tree', attributes: { columns: names, rows } },
          links: { self: path.replace(':id', id) },
        }
      },
    }),
  })
}

const stepsOf = (activityId: string): Sql<Readonly<Record<string, unknown>>> => sql<Readonly<Record<string, unknown>>>`
  select ${sql.join(Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.raw(name)}`))}
    from steps s
    left join (${lineCountsByStep(activityId)}) n on n.step_id = coalesce(s.ran_as, s.id)
   where s.activity_id = ${activityId}::uuid
   order by s.tree_order`
