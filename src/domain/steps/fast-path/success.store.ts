import { raw, type Sql, sql } from '#platform/db/sql.ts'
import { columnsOf, type StoredStep } from '../store/neighbourhood.store.ts'
import type { Succession } from './next-step-prediction.tx.ts'

/** Successes being applied, with the session of the runner that reports them and continues. */
export interface ToSucceed extends Succession {
  readonly runner: { readonly id: string; readonly session: number }
  /** Text given to `Beside`, to answer for this activity. */
  readonly beside: string
}

/** A question of the caller's that the same statement answers: an expression on an activity's id and the text given. */
export type Beside = (activityId: Sql, given: Sql) => Sql<string>

/** A step that was claimed; of an activity without one, nothing but itself. */
export interface SuccessionRow {
  activity_id: string
  seen: string
  beside: string
  id: string
  attempt: number
  fence: number
  definition: string | null
  tree_order: string
  /** The siblings after it, in order, fewer than `readAhead` when these are all; null where they were not asked for. */
  younger: StoredStep[] | null
}

/** Number of siblings read at once: a sequence reads them once for as many steps. */
export const readAhead = 16

/** Unfinished siblings after a step `claimed`, as JSON. */
export const siblingsAfter = (): Sql => sql`
           (select coalesce(json_agg(younger), '[]')
              from (select ${columnsOf('s')}
                      from steps s
                     where s.parent_id = claimed.parent_id and not s.final and s.position > claimed.position
                     order by s.position
                     limit ${raw(String(readAhead))}) younger)`
