import { fromJson } from '#json/from-json.ts'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { completedMaking, type RetriedMaking, retriedMaking } from './retried-making.ts'
import { makingAad } from './run.ts'
import type { Making } from './run-tree.ts'

/** Stores the makings of the steps of a run, in the order of its tree; null for a step that creates nothing. */
export async function insertMakings(
  tx: Tx,
  keyring: Keyring,
  runId: string,
  makings: readonly (Making | null)[],
): Promise<void> {
  const steps = await tx.rows(sql<{ id: string }>`
    select id from steps where activity_id = ${runId}::uuid order by tree_order`)
  await insertRows(
    tx,
    keyring,
    makings.flatMap((making, at) => (making ? [{ ...making, id: steps[at]!.id, retries: null }] : [])),
  )
}

async function insertRows(
  tx: Tx,
  keyring: Keyring,
  rows: readonly (RetriedMaking & { readonly id: string })[],
): Promise<void> {
  if (rows.length === 0) return
  const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick)
  await tx.count(sql`
    insert into workflow_steps (id, targets, action, template_version, start_time, workflow_code, making, retries)
    select given.id, array(select jsonb_array_elements_text(given.targets)), given.action, given.template_version,
           given.start_time, given.workflow_code, given.making, given.retries
      from unnest(${column(row => row.id)}::uuid[], ${column(row => JSON.stringify(row.targets))}::jsonb[],
                  ${column(row => row.action)}::text[], ${column(row => row.template_version)}::text[],
                  ${column(row => row.start_time)}::text[], ${column(row => row.workflow)}::text[],
                  ${column(({ id, retries, ...making }) => keyring.seal(JSON.stringify(making), makingAad(id)))}::bytea[],
                  ${column(row => row.retries)}::uuid[])
        as given(id, targets, action, template_version, start_time, workflow_code, making, retries)`)
}

/**
 * Making of a step. The child that it was to retry may have been purged since: then it creates a new one.
 * `tried_run_at`: the earliest start of that child.
 */
export async function findMaking(
  queries: Queries,
  keyring: Keyring,
  stepId: string,
): Promise<RetriedMaking & { readonly tried_run_at: string | null }> {
  const row = await queries.one(sql<{ making: Buffer; retries: string | null; tried_run_at: string | null }>`
    select w.making, before.id as retries, before.run_at as tried_run_at
      from workflow_steps w
      left join activities before on before.id = w.retries
     where w.id = ${stepId}::uuid`)
  if (!row) throw new Error(`step ${stepId} has nothing to make`)
  const { retries, tried_run_at } = row
  return { ...opened(keyring, stepId, row.making), retries, tried_run_at }
}

/** Makings of the steps of a run, by the steps' ids. */
export async function makingsOf(queries: Queries, keyring: Keyring, runId: string): Promise<Map<string, Making>> {
  const rows = await queries.rows(sql<{ id: string; making: Buffer }>`
    select w.id, w.making from workflow_steps w join steps s on s.id = w.id where s.activity_id = ${runId}::uuid`)
  return new Map(rows.map(({ id, making }) => [id, opened(keyring, id, making)]))
}

interface RetriedRow {
  readonly id: string
  readonly full_path: string
  readonly was: string | null
  readonly final: boolean
  readonly making: Buffer | null
  readonly retries: string | null
  readonly has_made: boolean
}

/**
 * Stores the makings of a retry's steps. Successful steps keep theirs; the others create what they did before, or the
 * child from the tree that is run instead (`anew`, by full path), as a retry of the child that the step had created, or
 * had been about to.
 */
export async function takeOverMakings(
  tx: Tx,
  keyring: Keyring,
  runId: string,
  anew?: ReadonlyMap<string, Making | null>,
): Promise<void> {
  const rows = await tx.rows(sql<RetriedRow>`
    select s.id, s.full_path, s.retry_of as was, s.final, w.making, coalesce(m.id, w.retries) as retries,
           m.id is not null as has_made
      from steps s
      left join workflow_steps w on w.id = s.retry_of
      left join activities m on m.workflow_step_id = s.retry_of
     where s.activity_id = ${runId}::uuid`)
  await insertRows(
    tx,
    keyring,
    rows.flatMap(({ id, full_path, was, final, making, retries, has_made }) => {
      const before = making && { ...startedAs(has_made, opened(keyring, was!, making)), retries }
      if (before && final) return [{ ...completedMaking(before), id }]
      const now = anew ? anew.get(full_path) : before
      return now ? [{ ...retriedMaking(now, before), id }] : []
    }),
  )
}

/** Making with the start time that applies: an existing child has its own; one that was only requested has none. */
function startedAs(hasMade: boolean, making: Making): Making {
  const { retry_starts_anew, ...rest } = making
  return hasMade ? rest : making
}

const opened = (keyring: Keyring, stepId: string, making: Buffer): Making =>
  fromJson(keyring.openText(making, makingAad(stepId))) as unknown as Making
