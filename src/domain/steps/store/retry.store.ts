import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { copyArtefacts } from '../../logs/index.ts'
import { openArguments } from '../requested-arguments.ts'
import { type EndedStep, type RetainedTree, type RetriedStep, retriedTree } from '../rules/retried-tree.ts'
import type { StepDefinition } from '../rules/step-definition.ts'
import { treeRows } from '../rules/step-rows.ts'
import { outputsAad } from './associated-data.ts'
import { insertRows } from './step-tree.store.ts'

type StoredRow = Omit<EndedStep, 'segment' | 'definition' | 'wait' | 'input_arguments' | 'children'> & {
  readonly parent_id: string | null
  readonly full_path: string
  readonly definition: string | null
  readonly wait_seconds: number | null
  readonly wait_until: string | null
  readonly input_arguments: Buffer | null
}

/** The tree of an activity that has ended: its definition and its outcome; undefined if it never had a tree. */
export async function endedTree(
  queries: Queries,
  keyring: Keyring,
  activityId: string,
): Promise<EndedStep | undefined> {
  const rows = await queries.rows(sql<StoredRow>`
    select id, parent_id, full_path, action, step_name, description, step_type, child_execution_strategy, ignore_failure,
           definition, wait_seconds, wait_until, requires_approval_from, input_arguments, skip_requested, reset_on_retry,
           status, body, made_children, approved_by
      from steps
     where activity_id = ${activityId}::uuid
     order by activity_id desc, tree_order`)
  const steps = new Map<string, EndedStep & { readonly children: EndedStep[] }>()
  for (const row of rows) {
    const { parent_id, full_path, definition, wait_seconds, wait_until, input_arguments, ...step } = row
    const wait = {
      ...(wait_seconds !== null && { seconds: wait_seconds }),
      ...(wait_until !== null && { until: wait_until }),
    }
    const ended = {
      ...step,
      segment: full_path.slice(full_path.lastIndexOf('/') + 1),
      definition: definition === null ? null : (fromJson(definition) as object),
      wait: Object.keys(wait).length > 0 ? wait : null,
      ...(input_arguments && { input_arguments: openArguments(keyring, row) }),
      children: [],
    }
    steps.set(row.id, ended)
    if (parent_id !== null) steps.get(parent_id)!.children.push(ended)
  }
  const root = rows[0]
  return root && steps.get(root.id)
}

/** Sources of a retry. */
export interface RetryOf extends RetainedTree {
  /** The activity that has ended, and its tree (`endedTree`). */
  readonly from: string
  readonly before: EndedStep
  /** The new activity, which is initializing and has no tree. */
  readonly to: string
  /** Tree to run: `before` itself, the same with another mask or other approvals above it, or another tree. */
  readonly tree: StepDefinition
  /**
   * Skip mask as a function of full paths, if the tree is another one: steps that were added to `before` have no mask
   * of their own.
   */
  readonly isSkipped?: ((fullPath: string) => boolean) | undefined
}

/**
 * Stores the tree of a retry, of any kind of activity. Successful steps are stored as they ended, with times, outputs
 * and artefacts, and refer to the step whose log is theirs (`steps.ran_as`); the others are pending. Each refers to its
 * original (`steps.retry_of`). The activity must still be made ready; its first turn finds the steps to run.
 *
 * The caller has seen that `from` has ended, and has locked it, so that it is not deleted meanwhile.
 */
export async function insertRetry(
  tx: Tx,
  keyring: Keyring,
  { from, to, tree, before, isSkipped, ...standing }: RetryOf,
): Promise<{ readonly rootId: string; readonly kept: number; readonly again: number }> {
  const root = retriedTree(tree, before, standing)
  const steps = inReadingOrder(root)
  const ids = await insertRows(tx, keyring, to, null, treeRows([root], undefined, isSkipped))
  await takeOver(tx, to, ids, steps)
  await sealOutputs(tx, keyring, to)
  await copyArtefacts(tx, { from, to })
  const kept = steps.filter(step => step.kept).length
  return { rootId: ids[0]!, kept, again: steps.length - kept }
}

/** Steps in the order of `treeRows`. */
const inReadingOrder = (step: RetriedStep): RetriedStep[] => {
  const steps: RetriedStep[] = []
  const add = (each: RetriedStep) => {
    steps.push(each)
    for (const child of each.children) add(child)
  }
  add(step)
  return steps
}

/**
 * Updates pending rows to the state that was taken over, and the counters accordingly. No row makes a move here:
 * nothing began or ended, so there is no event, and the rows were not visible before.
 */
async function takeOver(tx: Tx, to: string, ids: readonly string[], steps: readonly RetriedStep[]): Promise<void> {
  const column = <T>(pick: (step: RetriedStep) => T) => steps.map(pick)
  await tx.count(sql`
    with given as materialized (
      select * from unnest(${ids}::uuid[],
                           ${column(({ was }) => was?.id ?? null)}::uuid[],
                           ${column(({ kept }) => kept)}::boolean[],
                           ${column(({ body }) => body ?? null)}::text[],
                           ${column(({ approved }) => approved)}::boolean[],
                           ${column(({ approved_by }) => JSON.stringify(approved_by))}::jsonb[],
                           ${column(({ children }) => children.filter(child => !child.kept).length)}::int[])
          as given(id, was, kept, body, approved, approved_by, open_children)
    ),
    kept as (select count(*)::int as steps from given where kept),
    counted as (
      update activities a
         set n_pending   = a.n_pending - kept.steps,
             approved_by = coalesce(
               (select jsonb_agg(approval.it || jsonb_build_object('step', s.full_path) order by approval.it ->> 'at')
                  from given g
                  join steps s on s.id = g.id
                 cross join lateral jsonb_array_elements(g.approved_by) as approval (it)), '[]')
        from kept
       where a.id = ${to}::uuid
    )
    update steps n
       set retry_of      = g.was,
           open_children = case when g.kept then 0 else g.open_children end,
           body          = case when g.kept then o.body else coalesce(g.body, n.body) end,
           approved_by   = g.approved_by,
           needs_approval = n.needs_approval and (g.kept or not g.approved),
           made_children = o.made_children and (g.kept or g.body is not null),
           status        = case when g.kept then o.status else n.status end,
           ran_as        = case when g.kept then coalesce(o.ran_as, o.id) end,
           attempt       = case when g.kept then o.attempt else 0 end,
           exit_code     = case when g.kept then o.exit_code end,
           error_message = case when g.kept then o.error_message end,
           continued_by  = case when g.kept then o.continued_by end,
           rejected_by   = case when g.kept then o.rejected_by else n.rejected_by end,
           rejected      = g.kept and o.rejected,
           outputs       = case when g.kept then o.outputs end,
           failed_children        = case when g.kept then o.failed_children else 0 end,
           system_failed_children = case when g.kept then o.system_failed_children else 0 end,
           created_at    = case when g.kept then o.created_at else n.created_at end,
           queued_at     = case when g.kept then o.queued_at end,
           started_at    = case when g.kept then o.started_at end,
           finished_at   = case when g.kept then o.finished_at end,
           updated_at    = case when g.kept then o.updated_at else n.updated_at end
      from given g
      join steps o on o.id = g.was
     where n.id = g.id`)
}

/**
 * Encrypts copied outputs again: ciphertexts are bound to their step, and the copies are still bound to the old one.
 */
async function sealOutputs(tx: Tx, keyring: Keyring, activityId: string): Promise<void> {
  const rows = await tx.rows(sql<{ id: string; ran_as: string; outputs: Buffer; retry_of: string }>`
    select id, retry_of, outputs from steps where activity_id = ${activityId}::uuid and outputs is not null`)
  if (rows.length === 0) return
  const sealed = rows.map(({ id, retry_of, outputs }) =>
    keyring.seal(keyring.openText(outputs, outputsAad(retry_of)), outputsAad(id)),
  )
  await tx.count(sql`
    update steps s set outputs = given.sealed
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${sealed}::bytea[]) as given(id, sealed)
     where s.id = given.id`)
}
