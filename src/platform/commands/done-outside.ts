import { setTimeout as pause } from 'node:timers/promises'
import { isDatabaseAway } from '../db/away.ts'
import type { Database, Tx } from '../db/database.ts'
import { Failure } from '../failure.ts'
import { answerOfDocument, failureAnswer } from './answer-of.ts'
import type { DoneOutside, Surroundings } from './command.ts'
import { type Answer, type Claim, keepInstead } from './idempotency.ts'

/** Kept before it is answered: whoever does not get the answer is given it when they ask again. */
export async function doneOutside(
  { database, keyring, record }: Surroundings,
  claimed: Claim | undefined,
  { work, meanwhile }: DoneOutside,
): Promise<Answer> {
  const { answer: came, events } = await work()
  const answer = came instanceof Failure ? failureAnswer(came) : answerOfDocument(came)
  await onceDatabaseIsThere(database, async tx => {
    if (claimed && !(await keepInstead(tx, claimed, answer, keyring, meanwhile.status))) return
    for (const event of events) await record(tx, event)
  })
  if (came instanceof Failure) throw came
  return answer
}

/** A second apart: what was done outside is not done again, and nobody else knows what came of it. */
const mostTries = 60

async function onceDatabaseIsThere(database: Database, work: (tx: Tx) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await database.transaction(work)
    } catch (error) {
      if (!isDatabaseAway(error) || tries === mostTries) throw error
      await pause(1_000)
    }
  }
}
