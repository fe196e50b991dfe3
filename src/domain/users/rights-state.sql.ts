import { type Sql, sql } from '#platform/db/sql.ts'
import type { RightsSource } from './rights-source.port.ts'

/** State of a user's rights, in a statement with the alias `u` for the user. */
export const rightsState = (rights: RightsSource): Sql<string> =>
  rights.state({ id: sql`u.id`, groupnames: sql`u.groupnames` })
