import type { Rights } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'

/**
 * Where the rights of a user come from. Signing in reads them in the statement that reads the user, so that one round
 * trip tells who it is and what they may do as of now; the folder `access`, to the right of this one, knows how.
 */
export interface RightsSource {
  /** What is granted to a user, as text, in a select whose columns are these two. */
  granted(user: { id: Sql; groupnames: Sql }): Sql<string>
  compile(granted: string): Rights
}

/** In a statement that calls the user `u`. */
export const grantedTo = (rights: RightsSource): Sql<string> =>
  rights.granted({ id: sql`u.id`, groupnames: sql`u.groupnames` })
