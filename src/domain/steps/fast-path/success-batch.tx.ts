import type { Database } from '#platform/db/database.ts'
import { failpoint } from '#platform/failpoints.ts'
import type { EngineParts } from '../engine.port.ts'
import { type SideQuery, type Succeeded, succeedAll, type ToSucceed } from './success-batch.store.ts'

/**
 * Maximum number of concurrent statements: while PostgreSQL executes one, the next batch is gathered; a third would
 * only make both smaller.
 */
const mostUnderWay = 2
/**
 * Number of activities that justify a second concurrent statement. A statement costs a millisecond before its first
 * activity: with fewer activities it is better to wait for the running one. With fifty activities shared by two
 * processes 2,500 steps end in a second instead of 2,050, with four in one process 1,150 instead of 900.
 */
const enoughForAnother = 10
/** Maximum time to wait for a statement before the next one starts: a slow one may be waiting for a lock. */
const maxWaitMilliseconds = 20
/** Maximum number of activities of one statement. Beyond that the plan's fixed cost no longer matters. */
const mostAtOnce = 32

interface Waiting {
  readonly asked: ToSucceed
  readonly answered: PromiseWithResolvers<Succeeded | undefined>
}

/**
 * Predicted successes of this process: one is applied at once; those that arrive meanwhile are batched into the next
 * statement, which makes a thousand steps a second affordable.
 */
export class SuccessBatches {
  readonly #database: Database
  readonly #parts: Pick<EngineParts, 'recording'>
  readonly #beside: SideQuery
  #waiting: Waiting[] = []
  #underWay = 0
  /** Number of running statements that take longer than others wait. */
  #late = 0

  constructor(database: Database, parts: Pick<EngineParts, 'recording'>, beside: SideQuery) {
    this.#database = database
    this.#parts = parts
    this.#beside = beside
  }

  /**
   * Applies a predicted success. Undefined: the activity is not in the predicted state, and nothing was changed.
   *
   * @throws like a transaction; after a broken connection the outcome is unknown
   */
  succeed(asked: ToSucceed): Promise<Succeeded | undefined> {
    const answered = Promise.withResolvers<Succeeded | undefined>()
    this.#waiting.push({ asked, answered })
    this.#go()
    return answered.promise
  }

  #go(): void {
    while (this.#underWay < mostUnderWay && this.#waiting.length >= this.#enough) {
      this.#underWay += 1
      let late = 0
      const timer = setTimeout(() => {
        late = 1
        this.#late += late
        this.#go()
      }, maxWaitMilliseconds)
      void this.#carryOut(this.#waiting.splice(0, mostAtOnce)).finally(() => {
        clearTimeout(timer)
        this.#late -= late
        this.#underWay -= 1
        this.#go()
      })
    }
  }

  /** Number of activities that the next statement needs. */
  get #enough(): number {
    return this.#underWay === 0 || this.#late > 0 ? 1 : enoughForAnother
  }

  async #carryOut(batch: readonly Waiting[]): Promise<void> {
    // An activity occurs twice when its runner has reconnected; only one of the two may be applied.
    const byActivity = new Map(batch.map(({ asked }) => [asked.prediction.activity.id, asked]))
    try {
      failpoint('succession-before-sent')
      const done = await succeedAll(this.#database, this.#parts, [...byActivity.values()], this.#beside)
      for (const { asked, answered } of batch) {
        const { id } = asked.prediction.activity
        answered.resolve(byActivity.get(id) === asked ? done.get(id) : undefined)
      }
    } catch (error) {
      for (const { answered } of batch) answered.reject(error)
    }
  }
}
