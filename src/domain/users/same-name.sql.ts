import { type Sql, sql } from '#platform/db/sql.ts'
import { foldedName } from '#platform/folded-name.ts'

/*
 * Equality of the names of users, and of groups of the directory: in any form of Unicode, case-insensitive for the
 * letters A to Z. The unique index of user names in the database uses it too (`users_username`, over text of collation
 * "C"). The case of other letters counts: `Émile` and `émile` are two users, and neither can approve or do anything as
 * the other.
 */

export const isSameName = (one: string, other: string): boolean => foldedName(one) === foldedName(other)

/**
 * Folded name in a statement. `lower` of a parameter alone would follow the database's locale, which columns do not.
 */
export const folded = (name: Sql): Sql<string> => sql<string>`lower(normalize(${name}) collate "C")`

/**
 * Names as stored, in one form of Unicode, each folded. All in one text: unnesting the names of each of a million users
 * takes several times as long, and PostgreSQL does not use an index for values of a subquery.
 */
export const foldedNames = (names: Sql): Sql<string[]> => sql<string[]>`lower((${names})::text collate "C")::text[]`

/**
 * Folded names, in a condition that an index of users serves (`users_by_group`): for finding users, not for decisions
 * about one.
 */
export const indexedNames = (groupnames: Sql): Sql<string[]> => sql<string[]>`sluice_folded_names(${groupnames})`

/**
 * Whether the user of this column (`users.username`) has the name; uses the unique index. Names of Git remotes are
 * compared within their project in the same way.
 */
export const isCalled = (column: Sql, name: string): Sql<boolean> =>
  sql<boolean>`lower(${column}) = ${foldedName(name)}`
