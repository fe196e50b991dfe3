import type { Database, Queries, Tx } from '../../src/platform/db/database.ts'

/**
 * A database whose work halts once, before a given statement or COMMIT, with all its locks held, until `halt` resolves.
 * Other work is not affected.
 *
 * @param before counted from 1 over all of the work; a COMMIT counts as one
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
        // Statements sent without awaiting the previous one remain behind it on the connection, and before the COMMIT.
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

/** A statement that need not wait is sent at once; those that do are sent in the order of their calls. */
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
