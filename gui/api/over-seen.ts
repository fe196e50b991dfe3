import { isStatus } from './query-client.ts'

/** Attempts to write over a record that is changed all the time, by background work say, before they are given up. */
const attempts = 3

interface OverSeen<State, Answer> {
  /** The record as the page shows it. */
  readonly seen: State
  /** Reads the record again. */
  readonly read: () => Promise<State>
  /** Whether both states of the record look alike on the page. */
  readonly isSame: (now: State, before: State) => boolean
  /** Writes with the ETag of the state that it is given. */
  readonly send: (over: State) => Promise<Answer>
}

/** Either the record as it is now, which looks different, so that nothing is written; or the answer to the write. */
export type Outcome<State, Answer> =
  | { readonly now: State; readonly answer?: undefined }
  | { readonly now?: undefined; readonly answer: Answer }

/**
 * Writes over a record as a page shows it. A record that has changed since, but not in what is shown, is written all the
 * same.
 *
 * @throws Refused and Unreachable, with status 412 once the attempts are used up
 */
export async function overSeen<State, Answer>({
  seen,
  read,
  isSame,
  send,
}: OverSeen<State, Answer>): Promise<Outcome<State, Answer>> {
  let over = seen
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { answer: await send(over) }
    } catch (error) {
      if (!isStatus(error, 412) || attempt === attempts) throw error
      const now = await read()
      if (!isSame(now, seen)) return { now }
      over = now
    }
  }
}
