import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'

/**
 * Begins `start` again when the database goes away under it: PostgreSQL may be killed while the service starts, and is
 * started again a moment later.
 *
 * @param start undoes what it has done when it fails.
 * @throws its error, when that is another, or the same still after `tries`.
 */
export async function throughOutages<T>(
  start: () => Promise<T>,
  { tries, pauseMilliseconds, log }: { tries: number; pauseMilliseconds: number; log: (line: string) => void },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start()
    } catch (error) {
      if (!isDatabaseAway(error) || attempt === tries) throw error
      log(`The database went away during the start (${(error as Error).message}); starting again.`)
      await wait(pauseMilliseconds)
    }
  }
}
