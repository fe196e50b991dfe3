import { type Sql, sql } from '#platform/db/sql.ts'

/*
 * When two names of users, or of groups of the directory, are the same: in any form of Unicode, and in any case of the
 * letters A to Z. That is what keeps user names apart in the database (`users_username`, over text of collation "C"). Of
 * other letters the case counts: who is `Émile` there is not `émile`, and approves and may do nothing for them.
 */

export const isSameName = (one: string, other: string): boolean => foldedName(one) === foldedName(other)

/** The same text for the same name. */
export const foldedName = (name: string): string =>
  name.normalize('NFC').replace(/[A-Z]+/g, letters => letters.toLowerCase())

/** The same in a statement. `lower` of a parameter alone would follow the database's locale, which columns do not. */
export const folded = (name: Sql): Sql<string> => sql<string>`lower(normalize(${name}) collate "C")`

/** Whether the user of this column (`users.username`) is called so; by the index that keeps them apart. */
export const isCalled = (username: Sql, name: string): Sql<boolean> =>
  sql<boolean>`lower(${username}) = ${foldedName(name)}`
