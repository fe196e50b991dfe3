import { hash } from 'node:crypto'
import Type from 'typebox'
import type { Actor, Rights } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { lineCountsByStep, logVersion } from '../logs/index.ts'
import { isOfExistingNode } from '../nodes/index.ts'
import { expectedSeconds } from '../steps/for-changes.ts'
import { actionOf } from './change.store.ts'
import { deciderOf, decisionsFor } from './step-can.resource.ts'

interface Found {
  readonly id: string
  readonly readPath: string
  /** Path of the right to continue its steps. */
  readonly executePath: string
  readonly creatorId: string | null
  readonly nodeId: string
  readonly nameKey: string
  readonly createdAt: string
  /** Text that changes with every step and every line of the log. */
  readonly version: string
}

/** Columns of the rows, over a step `s` and the counts `n` of its log. */
const columns = {
  id: sql`s.id`,
  parent_id: sql`s.parent_id`,
  name: sql`s.step_name`,
  full_path: sql`s.full_path`,
  step_type: sql`s.step_type`,
  action: sql`s.action`,
  status_code: sql`s.reported_status`,
  step_sequence: sql`s.position`,
  tree_order: sql`s.tree_order`,
  child_execution_strategy: sql`s.child_execution_strategy`,
  ignore_failure: sql`s.ignore_failure`,
  skip_requested: sql`s.skip_requested`,
  taken_over: sql`s.ran_as is not null`,
  requires_approval_from: sql`s.requires_approval_from`,
  approved_by: sql`s.approved_by`,
  attempt: sql`s.attempt`,
  exit_code: sql`s.exit_code`,
  queued_at: sql`s.queued_at`,
  started_at: sql`s.started_at`,
  finished_at: sql`s.finished_at`,
  updated_at: sql`s.updated_at`,
  log_line_count: sql`coalesce(n.lines, 0)`,
  error_line_count: sql`coalesce(n.errors, 0)`,
} as const satisfies Readonly<Record<string, Sql>>

/** Columns that only `can` is computed from. */
const decided = { waits: sql`s.status = 'waiting'`, for_approval: sql`s.needs_approval` } as const

/** Columns that are not read with the steps. */
const joined = ['expected_seconds', 'can']

/** Schema of a value in a row. */
const cell = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.Unknown()), Type.Null()])

const none: readonly string[] = []

/** Kind of activity whose steps are shown as a tree. */
interface TreeSubject {
  readonly kind: 'change' | 'workflow_run'
  readonly collection: string
  /** Name of the kind of activity, in words. */
  readonly named: string
  /** Path of the right to continue steps of an activity `a`. */
  readonly executePath: Sql
  /** Columns about the activities that its steps made, if they make some. */
  readonly made?: MadeOfSteps
}

interface MadeOfSteps {
  /** Further columns over a step `s`, as far as the caller may read what they name. */
  readonly columns: Readonly<Record<string, (rights: Rights) => Sql>>
  /** Number of lines that the caller may read of what each step of an activity made. */
  readonly lines: (activityId: string, rights: Rights) => Sql<{ step_id: string; lines: number }>
  readonly describe: string
}

/** All steps of a change in one document. */
export const treeOfChange: AnyView = stepTree({
  kind: 'change',
  collection: 'changes',
  named: 'change',
  executePath: sql`a.path || '/actions/' || ${actionOf(sql`a.id`)}`,
})

/** View of all steps of an activity in one document, a row for each. */
export function stepTree(subject: TreeSubject): AnyView {
  const { kind, collection, named, executePath, made } = subject
  const path = `/api/${collection}/:id/tree`
  const names = namesOf(subject)
  return view<Found>({
    name: `${collection}.tree`,
    summary: `All steps of a ${named}, as rows`,
    describe: `All steps of a ${named} in one answer, in the order of the tree: \`columns\` names the values that each of the \`rows\` has, in their order. They are as in the records of steps; \`taken_over\`: a retry kept the step as it had ended; \`can\`: the decisions that the caller may make on it, as in its \`meta\`.${made ? ` ${made.describe}` : ''} The ETag changes with every step, every line of the log and what the caller may do.`,
    method: 'GET',
    paths: [path],
    answer: Type.Object({
      data: Type.Object({
        id: Type.String({ format: 'uuid' }),
        type: Type.Literal('step_tree'),
        attributes: Type.Object({
          columns: Type.Array(Type.String(), { description: names.join(', ') }),
          rows: Type.Array(Type.Array(cell)),
        }),
      }),
      links: Type.Object({ self: Type.String() }),
    }),
    find: ({ database, params }) =>
      database.one(sql<Found>`
        select a.id, a.path as "readPath", ${executePath} as "executePath", a.user_id as "creatorId",
               a.node_id as "nodeId", a.name_key as "nameKey", a.created_at as "createdAt",
               a.row_version || ' ' || a.updated_at || ' ' || ${logVersion} as version
          from activities a
         where a.id = ${params['id']}::uuid and a.kind = ${kind} and ${isOfExistingNode(sql`a.node_id`)}`),
    needs: ({ readPath }) => [{ right: 'read', path: readPath }],
    run: async (found, { database, actor }) => {
      const document = async () => {
        const rows = await rowsOf(database, subject, found, actor)
        return {
          data: {
            id: found.id,
            type: 'step_tree',
            attributes: { columns: names, rows: rows.map(row => names.map(name => row[name])) },
          },
          links: { self: path.replace(':id', found.id) },
        }
      }
      if (!made) return { headers: { etag: etagOf(found, actor) }, body: document }
      // The version of the activity does not change with what its steps made.
      const body = await document()
      return { headers: { etag: hashed(JSON.stringify(body)) }, body }
    },
  })
}

function namesOf({ made }: TreeSubject): readonly string[] {
  const ofMade = made ? [...Object.keys(made.columns), 'total_line_count'] : none
  return [...Object.keys(columns), ...ofMade, ...joined]
}

type TreeRow = Readonly<Record<string, unknown>> & { readonly id: string }

async function rowsOf(database: Queries, { kind, made }: TreeSubject, found: Found, actor: Actor): Promise<TreeRow[]> {
  const more = Object.entries(made?.columns ?? {}).map(([name, value]) => [name, value(actor.rights)] as const)
  const steps = await database.rows(stepsOf(found.id, more), { byKeys: true })
  // Joined here: the planner has no idea of the number of its rows, and would compare all with all.
  const usual = new Map((await database.rows(usualSeconds(kind, found))).map(each => [each.full_path, each.seconds]))
  const lines = made && totalLines(steps, await database.rows(made.lines(found.id, actor.rights), { byKeys: true }))
  return steps.map(step => ({
    ...step,
    ...(lines && { total_line_count: lines.get(step.id) }),
    expected_seconds: usual.get(String(step['full_path'])) ?? null,
    can: step['waits'] ? decisionsFor(waiting(step, found.creatorId), actor, found.executePath) : none,
  }))
}

/** Number of lines of each step with those of what it made and of the steps below it. Parents come before their children. */
function totalLines(
  steps: readonly TreeRow[],
  made: readonly { readonly step_id: string; readonly lines: number }[],
): ReadonlyMap<string, number> {
  const totals = new Map(steps.map(({ id, log_line_count: own }) => [id, Number(own)]))
  const add = (id: string, lines: number) => totals.set(id, (totals.get(id) ?? 0) + lines)
  for (const { step_id: id, lines } of made) add(id, lines)
  for (const { id, parent_id: parent } of steps.toReversed()) if (parent !== null) add(String(parent), totals.get(id)!)
  return totals
}

/** ETag of a tree for one caller: everything that `can` depends on, besides the steps, is in it. */
function etagOf({ version, executePath }: Found, actor: Actor): string {
  const caller = { ...deciderOf(actor), mayContinue: actor.rights.may('execute', executePath) }
  return hashed(`${version} ${JSON.stringify(caller)}`)
}

const hashed = (text: string): string => `"${hash('sha256', text, 'base64url').slice(0, 22)}"`

/** A row as `decisionsFor` reads it. */
const waiting = (step: TreeRow, creatorId: string | null): TreeRow => ({
  ...step,
  rules_of_approval: step['requires_approval_from'],
  approvals: step['approved_by'],
  made_by: creatorId,
})

const stepsOf = (activityId: string, more: readonly (readonly [string, Sql])[]): Sql<TreeRow> => sql<TreeRow>`
  select ${sql.join([...Object.entries({ ...columns, ...decided }), ...more].map(([name, value]) => sql`${value} as ${sql.raw(name)}`))}
    from steps s
    left join (${lineCountsByStep(activityId)}) n on n.step_id = coalesce(s.ran_as, s.id)
   where s.activity_id = ${activityId}::uuid
   order by s.tree_order`

const usualSeconds = (kind: TreeSubject['kind'], { nodeId, nameKey, createdAt }: Found) =>
  expectedSeconds({
    kind: sql`${kind}`,
    nodeId: sql`${nodeId}::uuid`,
    nameKey: sql`${nameKey}`,
    createdAt: sql`${createdAt}::timestamptz`,
  })
