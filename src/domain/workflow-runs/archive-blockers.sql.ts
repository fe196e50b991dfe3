import { type Sql, sql } from '#platform/db/sql.ts'
import { type Blocker, blockerLimit } from '../nodes/index.ts'

/** Runs that block archiving a workflow: those that have not ended. */
export const unfinishedRunsOf = (workflowIds: readonly string[]): Sql<Blocker> => sql<Blocker>`
  select a.id, a.kind as what, a.path
    from workflow_runs r join activities a on a.id = r.id
   where r.workflow_id = any(${[...workflowIds]}::uuid[]) and not a.final
   order by a.number
   limit ${blockerLimit}`
