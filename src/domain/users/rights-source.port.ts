import type { Rights } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import type { Sql } from '#platform/db/sql.ts'

/**
 * Source of a user's rights. Signing in reads their state in the statement that reads the user, so that one round trip
 * returns the user and their current rights; implemented by the folder `access`, to the right of this one.
 */
export interface RightsSource {
  /** State of a user's grants: they are unchanged while this text is the same; for a select with these two columns. */
  state(user: { id: Sql; groupnames: Sql }): Sql<string>
  /** Rights of a user in that state, or in a later one. */
  of(queries: Queries, user: { readonly id: string; readonly rightsState: string }): Promise<Rights>
}
