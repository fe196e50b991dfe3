import type { Queries, Tx } from '#platform/db/database.ts'
import { equalsUnindexed, raw, type Sql, sql } from '#platform/db/sql.ts'
import {
  type Decision,
  type Happened,
  type Known,
  type MissingFacts,
  nextMoves,
  type StepNow,
  type Stopping,
} from '../rules/next-moves.ts'

/** Columns read of a step: those the rules use, and those that identify the attempt. */
export interface StoredStep extends StepNow {
  readonly attempt: number
  readonly fence: number
  readonly result_seq: number
  readonly runner_id: string | null
  readonly step_name: string
  readonly full_path: string
  readonly action: string | null
  /** Position in the tree: compares bytewise in the order of the tree. */
  readonly tree_order: string
}

export const columnsOf = (alias: string) =>
  raw(
    `id parent_id step_type status body child_execution_strategy ignore_failure skip_requested needs_approval
     open_children failed_children system_failed_children attempt fence result_seq runner_id
     step_name full_path action tree_order`
      .split(/\s+/)
      .map(name => `${alias}.${name}`)
      .join(', '),
  )

export interface Neighbourhood extends Known {
  readonly steps: Map<string, StoredStep>
  readonly after: Map<string, string | null>
  readonly children: Map<string, string[]>
  readonly allSkipped: Map<string, boolean>
  /** The first queued steps, in the order of the tree; undefined: not read. */
  readonly queued?: readonly StoredStep[]
  /** Result of the additional query; undefined when there was none, or none of the steps exists. */
  readonly beside: string | undefined
}

/**
 * Reads steps with all their ancestors, the groups that may end with them; and for steps in a sequence the next
 * sibling, which the end of a step usually needs. `offset 0` keeps the planner from joining the whole table, which
 * looks cheap while it is small. `beside` is another query, with a single text as its result, that runs in the same
 * statement.
 */
export async function neighbourhoodOf(
  tx: Queries,
  activityId: string,
  ids: readonly string[],
  beside: Sql<string> = sql`null::text`,
): Promise<Neighbourhood> {
  const rows = await tx.rows(sql<StoredStep & { elder: string | null; beside: string | null }>`
    with recursive up as (
      select ${columnsOf('s')} from steps s
       where s.id = any(${ids}::uuid[]) and ${equalsUnindexed('s.activity_id', sql`${activityId}::uuid`)}
      union
      select p.* from up cross join lateral (select ${columnsOf('s')} from steps s where s.id = up.parent_id offset 0) p
    )
    select up.*, null::uuid as elder, ${beside} as beside from up
    union all
    select n.*, e.id, null
      from up e
     cross join lateral (
       select ${columnsOf('s')}
         from steps s
        where s.parent_id = e.parent_id and not s.final
          and s.position > (select own.position from steps own where own.id = e.id)
        order by s.position
        limit 1) n
     where e.id = any(${ids}::uuid[]) and ${inSequence}`)
  const steps = new Map<string, StoredStep>()
  const after = new Map<string, string | null>()
  for (const { elder, beside: _, ...step } of rows) {
    steps.set(step.id, step)
    if (elder !== null) after.set(elder, step.id)
  }
  for (const id of ids) {
    const parent = steps.get(steps.get(id)?.parent_id ?? '')
    if (parent?.child_execution_strategy === 'sequential' && !after.has(id)) after.set(id, null)
  }
  return { steps, after, children: new Map(), allSkipped: new Map(), beside: rows[0]?.beside ?? undefined }
}

const inSequence = sql`
  exists (select from up p where p.id = e.parent_id and p.child_execution_strategy = 'sequential')`

/**
 * Applies the rules, reads the facts that they miss, and applies them again. A row of masked siblings is read in
 * growing pieces, so that one step costs one more row, and a thousand cost four reads.
 */
export async function decide(
  tx: Tx,
  known: Neighbourhood,
  stopping: Stopping,
  happened: readonly Happened[],
): Promise<Decision> {
  let reach = 1
  let decision = nextMoves(known, stopping, happened)
  while (decision.missing.length > 0) {
    const lacking = (of: MissingFacts['of']) => [
      ...new Set(decision.missing.filter(lack => lack.of === of).map(lack => lack.id)),
    ]
    await seeChildren(tx, known, lacking('children'), reach)
    await seeNext(tx, known, lacking('after'), reach)
    await seeMasks(tx, known, lacking('allSkipped'))
    reach = Math.min(reach * 8, 4_096)
    decision = nextMoves(known, stopping, happened)
  }
  return decision
}

async function seeChildren(tx: Tx, known: Neighbourhood, ids: readonly string[], reach: number): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.rows(sql<StoredStep & { above: string }>`
    select p.id as above, c.*
      from steps p
     cross join lateral (
       select ${columnsOf('s')}
         from steps s
        where s.parent_id = p.id and not s.final
        order by s.position
        limit case when p.child_execution_strategy = 'sequential' then ${reach}::int end) c
     where p.id = any(${ids}::uuid[])`)
  for (const id of ids) known.children.set(id, [])
  for (const { above, ...step } of rows) {
    known.steps.set(step.id, step)
    const children = known.children.get(above)!
    const elder = children.at(-1)
    if (elder) known.after.set(elder, step.id)
    children.push(step.id)
  }
}

async function seeNext(tx: Tx, known: Neighbourhood, ids: readonly string[], reach: number): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.rows(sql<StoredStep & { elder: string }>`
    select e.id as elder, n.*
      from steps e
     cross join lateral (
       select ${columnsOf('s')}
         from steps s
        where s.parent_id = e.parent_id and s.position > e.position and not s.final
        order by s.position
        limit ${reach}::int) n
     where e.id = any(${ids}::uuid[])`)
  const byElder = Map.groupBy(rows, row => row.elder)
  for (const id of ids) {
    const younger = byElder.get(id) ?? []
    for (const { elder: _, ...step } of younger) known.steps.set(step.id, step)
    lineUp(known.after, id, younger, reach)
  }
}

/** Links siblings in their order, behind the eldest; fewer than `reach` means that these are all. */
export function lineUp(
  after: Neighbourhood['after'],
  eldest: string,
  younger: readonly Pick<StoredStep, 'id'>[],
  reach: number,
): void {
  let last = eldest
  for (const { id } of younger) {
    after.set(last, id)
    last = id
  }
  if (younger.length < reach) after.set(last, null)
}

async function seeMasks(tx: Tx, known: Neighbourhood, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.rows(sql<{ above: string; all_skipped: boolean }>`
    with recursive below as (
      select s.parent_id as above, s.id, s.skip_requested and not s.needs_approval as skipped
        from steps s
       where s.parent_id = any(${ids}::uuid[]) and not s.final
      union all
      select b.above, s.id, s.skip_requested and not s.needs_approval
        from below b join steps s on s.parent_id = b.id
       where not s.final
    )
    select above, bool_and(skipped) as all_skipped from below group by above`)
  for (const row of rows) known.allSkipped.set(row.above, row.all_skipped)
}
