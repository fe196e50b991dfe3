import type { Database } from '#platform/db/database.ts'
import { failpoint } from '#platform/failpoints.ts'
import type { EngineParts } from '../engine.port.ts'
import { type SideQuery, type Succeeded, succeedAll, type ToSucceed } from './success-batch.store.ts'

/** Statements under way at once: while PostgreSQL carries out one the next is gathered, and a third would only make both smaller. */
const mostUnderWay = 2
/**
 * Activities that a second statement is worth. A statement costs a millisecond before its first activity: with less the
 * next answer is waited for. With fifty activities shared by two processes 2,500 steps end in a second instead of
 * 2,050, with four in one process 1,150 instead of 900.
 */
const enoughForAnother = 10
/** Maximum time to wait for a statement before the next one starts: a slow one may be waiting for a lock. */
const maxWaitMilliseconds = 20
/** Activities of one statement. Beyond that the plan's fixed cost is no longer what a step costs. */
const mostAtOnce = 32

interface Waiting {
  readonly asked: ToSucceed
  readonly answered: PromiseWithResolvers<Succeeded | undefined>
}

/**
 * Successions of this process: one goes out at once; what comes while it is under way goes out together, which is what
 * makes a thousand steps a second cost less than a thousand times one.
 */
export class SuccessBatches {
  readonly #database: Database
  readonly #parts: Pick<EngineParts, 'recording'>
  readonly #beside: SideQuery
  #waiting: Waiting[] = []
  #underWay = 0
  /** Number of those that take longer than others wait. */
  #late = 0

  constructor(database: Database, parts: Pick<EngineParts, 'recording'>, beside: SideQuery) {
    this.#database = database
    this.#parts = parts
    this.#beside = beside
  }

  /**
   * Applies a predicted success. Undefined: the activity is not in the predicted state, and nothing happened.
   *
   * @throws as a transaction does; after a broken connection it is unknown whether it happened
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

  /** Activities that the next statement is worth. */
  get #enough(): number {
    return this.#underWay === 0 || this.#late > 0 ? 1 : enoughForAnother
  }

  async #carryOut(batch: readonly Waiting[]): Promise<void> {
    // An activity is there twice when its runner has changed its connection; only one of the two may hold.
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
