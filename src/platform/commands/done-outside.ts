import { setTimeout as pause } from 'node:timers/promises'
import { isPassing } from '../db/connection-errors.ts'
import type { Database, Tx } from '../db/database.ts'
import { Failure } from '../failure.ts'
import type { Answer } from './answer.ts'
import { answerOfDocument, failureAnswer } from './answer-of.ts'
import type { DoneOutside, Surroundings } from './command.ts'
import { type Claim, replaceResponse } from './idempotency.ts'

/** Stores the response before it is sent: a caller who does not receive it gets it with the next attempt. */
export async function doneOutside(
  { database, keyring, record }: Surroundings,
  claimed: Claim | undefined,
  { work, meanwhile }: DoneOutside,
): Promise<Answer> {
  const { answer: came, events } = await work()
  const answer = came instanceof Failure ? failureAnswer(came) : answerOfDocument(came)
  await onceDatabaseIsThere(database, async tx => {
    if (claimed && !(await replaceResponse(tx, claimed, answer, keyring, meanwhile.status))) return
    for (const event of events) await record(tx, event)
  })
  if (came instanceof Failure) throw came
  return answer
}

/**
 * Time in milliseconds for which storing the outcome is retried: the action is not repeated, and only this process
 * knows its outcome.
 */
const retryForMilliseconds = 60_000

/** Whether other requests of the same user occupy all places of that user: the outcome must still be stored. */
const isBusy = (error: unknown): boolean => error instanceof Failure && error.faults[0].code === 'busy'

/** Runs a transaction and retries while the database is unavailable or busy, or its disk is full. */
async function onceDatabaseIsThere(database: Database, work: (tx: Tx) => Promise<void>): Promise<void> {
  const began = performance.now()
  for (;;) {
    try {
      return await database.transaction(work)
    } catch (error) {
      if (!(isPassing(error) || isBusy(error)) || performance.now() - began > retryForMilliseconds) throw error
      await pause(1_000)
    }
  }
}
