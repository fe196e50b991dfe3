import { isStatus } from './query-client.ts'
import { readVersioned, type Versioned } from './versioned.ts'

/** Attempts to write over a record that is changed all the time, by background work say, before they are given up. */
export const attempts = 3

/**
 * Writes over a record as a page shows it. A record that has changed since, but not in what is shown, is written all the
 * same.
 *
 * @param isSame whether both states of the record look alike on the page
 * @param send writes with the ETag that it is given
 * @returns the record as it is now if it looks different: nothing is written then. Undefined once it is written
 * @throws Refused and Unreachable
 */
export async function overSeen<Attributes>(
  path: string,
  seen: Versioned<Attributes>,
  isSame: (now: Attributes, before: Attributes) => boolean,
  send: (over: Versioned<Attributes>) => Promise<unknown>,
): Promise<Versioned<Attributes> | undefined> {
  let over = seen
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send(over)
      return undefined
    } catch (error) {
      if (!isStatus(error, 412) || attempt === attempts) throw error
      const now = await readVersioned<Attributes>(path)
      if (!isSame(now.record.attributes, seen.record.attributes)) return now
      over = now
    }
  }
}
