import { type Sql, sql } from '#platform/db/sql.ts'
import { foldedName } from '#platform/folded-name.ts'

/*
 * Equality of the names of users, and of groups of the directory: in any form of Unicode, and in any case of the letters
 * A to Z. The unique index of user names in the database uses it too (`users_username`, over text of collation "C"). The
 * case of other letters counts: `Émile` and `émile` are two users, and neither can approve or do anything as the other.
 */

export const isSameName = (one: string, other: string): boolean => foldedName(one) === foldedName(other)

/**
 * Folded name in a statement. `lower` of a parameter alone would follow the database's locale, which columns do not.
 */
export const folded = (name: Sql): Sql<string> => sql<string>`lower(normalize(${name}) collate "C")`

/**
 * Names as they are kept, which is in one form of Unicode, each folded. All in one text: to take the names of each of a
 * million users apart takes several times as long, and PostgreSQL looks nothing up in an index by what a subquery says.
 */
export const foldedNames = (names: Sql): Sql<string[]> => sql<string[]>`lower((${names})::text collate "C")::text[]`

/**
 * Folded names, in a condition that an index of users serves (`users_by_group`): for finding users, not for judging
 * one.
 */
export const indexedNames = (groupnames: Sql): Sql<string[]> => sql<string[]>`sluice_folded_names(${groupnames})`

/**
 * Whether the user of this column (`users.username`) is called so; by the index that keeps them apart. Git remotes are told
 * apart within their project in the same way.
 */
export const isCalled = (column: Sql, name: string): Sql<boolean> =>
  sql<boolean>`lower(${column}) = ${foldedName(name)}`
