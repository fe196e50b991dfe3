import type { Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

interface Failed {
  readonly full_path: string
  readonly error_message: string | null
}

/** An activity shows the beginning of a message that may have a megabyte. */
const mostWords = 1_000

/**
 * Why an activity whose root has failed did so: the step that failed first and its reason. Walks from the root down to
 * that step, each time to the child that failed first; a failure below a step that ignores it has not failed the
 * activity.
 *
 * @returns undefined if no step has a reason
 */
export async function firstFailure(tx: Tx, rootStepId: string | null): Promise<string | undefined> {
  const failed =
    rootStepId !== null &&
    (await tx.one(sql<Failed>`
      with recursive failing as (
        select s.id, s.full_path, s.body, s.error_message, 0 as depth
          from steps s
         where s.id = ${rootStepId}::uuid and s.status in ('error', 'system_error')
         union all
        select first.id, first.full_path, first.body, first.error_message, f.depth + 1
          from failing f
         cross join lateral (
           select c.id, c.full_path, c.body, c.error_message
             from steps c
            where c.parent_id = f.id and c.status in ('error', 'system_error')
            order by c.finished_at, c.position
            limit 1) first
         where f.body <> 'failed'
      )
      select full_path, error_message from failing order by depth desc limit 1`))
  if (!failed || failed.error_message === null) return undefined
  const { full_path, error_message: reason } = failed
  const words = reason.length > mostWords ? `${reason.slice(0, mostWords).toWellFormed()}…` : reason
  return `Step "${full_path}" failed: ${words}`
}
