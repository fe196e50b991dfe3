import type { Database, Queries, Tx } from '../../src/platform/db/database.ts'

/**
 * A database whose work stands still once, before a certain statement or COMMIT, with everything locked that it has
 * locked by then, until `halt` resolves. Its other work is not touched.
 *
 * @param before counted from 1 through all of the work; a COMMIT counts as one
 */
export function haltingDatabase(database: Database, before: number | undefined, halt: () => Promise<void>): Database {
  if (before === undefined) return database
  let counted = 0
  const gate = (): Promise<void> | undefined => (++counted === before ? halt() : undefined)
  return {
    ...database,
    ...gated(database, gate),
    transaction: (work, how) =>
      database.transaction(async tx => {
        let halted: Promise<void> | undefined
        // What is sent without waiting for the one before stays behind it on the connection, and before the COMMIT.
        const noted = () => {
          halted = gate() ?? halted
          return halted
        }
        const result = await work({ ...tx, ...gated(tx, noted) })
        await halted
        await gate()
        return result
      }, how),
  }
}

/** A statement that need not wait is sent at once; those that do are sent in the order in which they were asked for. */
function gated(queries: Tx | Database, gate: () => Promise<void> | undefined): Omit<Queries, 'external'> {
  const through = <T>(send: () => Promise<T>): Promise<T> => {
    const stop = gate()
    return stop === undefined ? send() : stop.then(send)
  }
  return {
    rows: (query, how) => through(() => queries.rows(query, how)),
    one: (query, how) => through(() => queries.one(query, how)),
    count: query => through(() => queries.count(query)),
  }
}
