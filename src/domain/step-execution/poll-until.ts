import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '#platform/failure.ts'

/** A call to an external system may take five seconds; a connected runner answers within one poll. */
const maxWaitMilliseconds = 4_000
const betweenLooks = 20

/**
 * Polls until there is an answer.
 *
 * @throws Failure (503) if there is none within a few seconds
 */
export async function pollUntil<Answer>(look: () => Promise<Answer | undefined>, otherwise: string): Promise<Answer> {
  const end = performance.now() + maxWaitMilliseconds
  for (let answer = await look(); ; answer = await look()) {
    if (answer !== undefined) return answer
    if (performance.now() > end) throw new Failure([{ code: 'unavailable', detail: otherwise }], { 'retry-after': '1' })
    await pause(betweenLooks)
  }
}
