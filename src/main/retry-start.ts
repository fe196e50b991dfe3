import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseAway } from '#platform/db/connection-errors.ts'

/**
 * Retries `start` when the database becomes unavailable during it: PostgreSQL may be killed while the service starts,
 * and is restarted a moment later.
 *
 * @param start undoes its effects when it fails
 * @throws any other error of `start`, and the same one after `tries` attempts
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
