import type { Sql } from '#platform/db/sql.ts'
import type { ParentRow } from '#platform/jsonapi/resource.ts'

export type ActivityKind = 'change' | 'workflow_run'

/** Queries for the records that lists of log lines and artefacts are nested under, given by the domain that owns them. */
export interface LogOwners {
  readonly activityRow: (id: string, kind: ActivityKind) => Sql<ParentRow>
  /** Row of a step with `activity_id`, `tree_order`, and `ran_as`: the step under whose id the log is stored. */
  readonly stepRow: (id: string, kind: ActivityKind) => Sql<ParentRow>
}
