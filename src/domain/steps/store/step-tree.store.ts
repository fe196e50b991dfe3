import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { StepDefinition } from '../rules/step-definition.ts'
import { type Above, type TreeRow, treeRows } from '../rules/step-rows.ts'
import { inputAad, outputsAad } from './associated-data.ts'

/**
 * Stores the tree of a new activity, all of it pending, in one statement.
 *
 * @returns the id of its root step
 */
export async function insertTree(tx: Tx, keyring: Keyring, activityId: string, root: StepDefinition): Promise<string> {
  return (await insertRows(tx, keyring, activityId, null, treeRows([root])))[0]!
}

/** Adds steps below one whose body is in progress, or replaces its children. The caller has locked the activity. */
export async function addChildren(
  tx: Tx,
  keyring: Keyring,
  activityId: string,
  parentId: string,
  children: readonly StepDefinition[],
  how: {
    replace: boolean
    strategy?: 'sequential' | 'parallel'
    /** The activity's skip mask, a function of full paths. */
    isSkipped?: ((fullPath: string) => boolean) | undefined
  },
): Promise<void> {
  if (how.replace) await removeChildren(tx, activityId, parentId)
  if (how.strategy) {
    await tx.count(sql`update steps set child_execution_strategy = ${how.strategy} where id = ${parentId}`)
  }
  if (how.replace || children.length > 0)
    await tx.count(sql`update steps set made_children = true where id = ${parentId}`)
  if (children.length === 0) return
  const above = await tx.one(sql<Above>`
    select p.tree_order, p.full_path, coalesce(max(c.position) + 1, 0) as position,
           coalesce(array_agg(substr(c.full_path, length(p.full_path) + 2)) filter (where c.id is not null), '{}') as taken
      from steps p left join steps c on c.parent_id = p.id
     where p.id = ${parentId}
     group by p.id`)
  await insertRows(tx, keyring, activityId, parentId, treeRows(children, above!, how.isSkipped))
}

/** Removes the children of a step; none of them has begun, because the body of their parent has not ended. */
async function removeChildren(tx: Tx, activityId: string, parentId: string): Promise<void> {
  await tx.count(sql`
    with recursive below as (
      select id from steps where parent_id = ${parentId}
      union all
      select s.id from below b join steps s on s.parent_id = b.id
    ),
    removed as (delete from steps s using below b where s.id = b.id returning s.status),
    parent as (
      update steps
         set children = 0, open_children = 0, failed_children = 0, system_failed_children = 0
       where id = ${parentId}
    )
    update activities
       set n_pending = n_pending - (select count(*)::int from removed where status = 'pending')
     where id = ${activityId}`)
}

/**
 * Inserts rows of steps. Without a parent they are the whole tree of the activity, whose own row then refers to the
 * first of them, its root.
 *
 * @returns the ids in the order of the rows
 */
export async function insertRows(
  tx: Tx,
  keyring: Keyring,
  activityId: string,
  parentId: string | null,
  rows: readonly TreeRow[],
): Promise<string[]> {
  const column = <T>(pick: (row: TreeRow) => T) => rows.map(pick)
  const root = parentId === null ? rows[0]!.step : undefined
  const inserted = await tx.rows(sql<{ id: string }>`
    with given as materialized (
      select given.*, sluice_uuid7() as id
        from unnest(${column(row => row.parent)}::int[],
                    ${column(row => row.position)}::int[],
                    ${column(row => row.tree_order)}::text[],
                    ${column(row => row.full_path)}::text[],
                    ${column(row => row.body)}::text[],
                    ${column(row => row.needs_approval)}::boolean[],
                    ${column(row => row.children)}::int[],
                    ${column(row => row.step.step_type)}::text[],
                    ${column(row => row.step.action)}::text[],
                    ${column(row => row.step.step_name)}::text[],
                    ${column(row => row.step.description)}::text[],
                    ${column(row => (row.step.definition === null ? null : JSON.stringify(row.step.definition)))}::text[],
                    ${column(row => row.step.child_execution_strategy)}::text[],
                    ${column(row => row.step.ignore_failure)}::boolean[],
                    ${column(row => row.skip)}::boolean[],
                    ${column(row => row.step.reset_on_retry ?? false)}::boolean[],
                    ${column(row => (row.needs_approval ? null : (row.step.wait?.seconds ?? null)))}::int[],
                    ${column(row => (row.needs_approval ? null : (row.step.wait?.until ?? null)))}::timestamptz[],
                    ${column(row => JSON.stringify(row.step.requires_approval_from ?? []))}::jsonb[])
             with ordinality
          as given(parent, position, tree_order, full_path, body, needs_approval, children, step_type, action, step_name,
                   description, definition, strategy, ignore_failure, skip_requested, reset_on_retry, wait_seconds,
                   wait_until, requires_approval_from, n)
    ),
    inserted as (
      insert into steps (id, activity_id, project_id, path, parent_id, position, tree_order, full_path, body,
                         needs_approval, children, open_children, step_type, action, step_name, description, definition,
                         child_execution_strategy, ignore_failure, skip_requested, reset_on_retry, wait_seconds,
                         wait_until, requires_approval_from)
      select g.id, a.id, a.project_id, a.path, coalesce(p.id, ${parentId}), g.position, g.tree_order, g.full_path,
             g.body, g.needs_approval, g.children, g.children, g.step_type, g.action, g.step_name, g.description,
             g.definition, g.strategy, g.ignore_failure, g.skip_requested, g.reset_on_retry, g.wait_seconds,
             g.wait_until, g.requires_approval_from
        from given g
        join activities a on a.id = ${activityId}
        left join given p on p.n = g.parent + 1
    ),
    parent as (
      update steps
         set children      = children + ${rows.filter(row => row.parent === null).length},
             open_children = open_children + ${rows.filter(row => row.parent === null).length}
       where id = ${parentId}
    ),
    counted as (
      update activities
         set n_pending              = n_pending + ${rows.length},
             root_step_id           = coalesce(root_step_id, (select id from given where n = 1 and ${root !== undefined})),
             requires_approval_from = coalesce(${root ? JSON.stringify(root.requires_approval_from ?? []) : null}::jsonb,
                                               requires_approval_from),
             updated_at             = case when ${root !== undefined} then sluice_now() else updated_at end
       where id = ${activityId}
    )
    select id from given order by n`)
  const ids = inserted.map(row => row.id)
  await sealInputs(tx, keyring, ids, rows)
  return ids
}

/** Encrypts the arguments of input steps, which may contain sensitive values. */
async function sealInputs(tx: Tx, keyring: Keyring, ids: readonly string[], rows: readonly TreeRow[]): Promise<void> {
  const inputs = rows.flatMap(({ step }, at) =>
    step.input_arguments?.length ? [{ id: ids[at]!, asked: step.input_arguments }] : [],
  )
  if (inputs.length === 0) return
  const sealed = inputs.map(({ id, asked }) => keyring.seal(JSON.stringify(asked), inputAad(id)))
  await tx.count(sql`
    update steps s set input_arguments = given.sealed
      from unnest(${inputs.map(each => each.id)}::uuid[], ${sealed}::bytea[]) as given(id, sealed)
     where s.id = given.id`)
}

/** Stores the outputs of a successful body; the caller changes the activity's row as well. */
export async function storeOutputs(tx: Tx, keyring: Keyring, id: string, outputs: object): Promise<void> {
  await tx.count(sql`
    update steps set outputs = ${keyring.seal(JSON.stringify(outputs), outputsAad(id))} where id = ${id}::uuid`)
}

export const openOutputs = (keyring: Keyring, id: string, sealed: Buffer | null): object | null =>
  sealed && (fromJson(keyring.openText(sealed, outputsAad(id))) as object)
