import { setTimeout as pause } from 'node:timers/promises'
import { Refused, type Sluice, Unreachable } from '../client/sluice.ts'
import { plainLine } from './plain-text.ts'

interface Reason {
  readonly kind: string
  readonly by: string | null
  readonly estimated_until?: string
}

/** What begins within a moment is no news, and what waits for people does so for hours. */
const pauses = { first: 2_000, later: 5_000 }

/**
 * Tells why a change or a run does not go on, and again each time that it is something else, as long as the work takes.
 *
 * @param path of the change or run
 */
export async function tellingWhyItWaits<T>(
  sluice: Sluice,
  path: string,
  tell: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const telling = tellWhyItWaits(sluice, path, tell, over.signal)
  try {
    return await work()
  } finally {
    over.abort()
    await telling
  }
}

async function tellWhyItWaits(
  sluice: Sluice,
  path: string,
  tell: (line: string) => void,
  enough: AbortSignal,
): Promise<void> {
  let told = ''
  for (let milliseconds = pauses.first; await isStillWanted(milliseconds, enough); milliseconds = pauses.later) {
    const reason = await reasonOf(sluice, path)
    const words = reason ? inWords(reason) : ''
    if (words !== '' && words !== told && !enough.aborted) tell(plainLine(`Waiting: ${words}`))
    told = words
  }
}

async function isStillWanted(milliseconds: number, enough: AbortSignal): Promise<boolean> {
  await pause(milliseconds, undefined, { signal: enough }).catch(() => {})
  return !enough.aborted
}

async function reasonOf(sluice: Sluice, path: string): Promise<Reason | undefined> {
  try {
    const answer = await sluice.send('GET', `${path}/waiting_reason`)
    return (answer?.data as { attributes?: Reason } | null)?.attributes
  } catch (error) {
    // Whoever follows the change is told what is wrong with the service by that.
    if (error instanceof Refused || error instanceof Unreachable) return undefined
    throw error
  }
}

function inWords({ kind, by, estimated_until: until }: Reason): string {
  const words: Record<string, string> = {
    maintenance: `maintenance is on${by === null ? '' : `, switched on by ${by}`}`,
    same_name: `${by}, older and of the same name, goes first`,
    parallel_not_allowed: `${by} is first on the same node, where one change runs at a time`,
    slot: `all slots are taken (${by})`,
    approval: `${by} waits for an approval`,
    input: `${by} waits for somebody to continue it`,
    timer: `${by} goes on at ${until}`,
    start_time: `it starts at ${until}`,
    paused: `it is paused${by === null ? '' : ` by ${by}`}`,
  }
  return words[kind] ?? kind
}
