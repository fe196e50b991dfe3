import type { Database } from '../../src/platform/db/database.ts'

/** Error of a killed process. */
export class Killed extends Error {}

/** Life of a process: it is killed before or after one of its commits, counted from its start. */
export class Life {
  private commits = 0
  private diesAt: number | undefined
  private isOver = false

  /** @param diesAt even: before that commit; odd: after it */
  begins(diesAt: number | undefined): void {
    Object.assign(this, { commits: 0, diesAt, isOver: false })
  }

  /** Throws once the process was killed: nothing that it does from then on reaches the database. */
  goesOn(): void {
    if (this.isOver) throw new Killed('it was killed')
  }

  comesTo(moment: 'before a commit' | 'after a commit'): void {
    this.goesOn()
    this.isOver = this.diesAt === this.commits * 2 + (moment === 'before a commit' ? 0 : 1)
    if (moment === 'after a commit') this.commits += 1
    this.goesOn()
  }
}

/** A process's connection to the database: once killed, it sees and does nothing any more. */
export function mortal(database: Database, life: Life): Database {
  const alive = <A extends unknown[], R>(ask: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      life.goesOn()
      return ask(...given)
    }
  }
  return {
    ...database,
    rows: alive(database.rows),
    one: alive(database.one),
    count: alive(database.count),
    atOnce: alive(database.atOnce),
    transaction: async (work, how) => {
      life.goesOn()
      const result = await database.transaction(async tx => {
        const done = await work(tx)
        life.comesTo('before a commit')
        return done
      }, how)
      life.comesTo('after a commit')
      return result
    },
  }
}
