import { setTimeout as pause } from 'node:timers/promises'
import { Refused, type Sluice, Unreachable } from '../client/sluice.ts'
import { plainLine } from './plain-text.ts'
import { unendedBeneath, waitingSteps } from './waiting-steps.ts'

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
    const lines = await whyItWaits(sluice, path)
    const words = lines.join('\n')
    if (words !== '' && words !== told && !enough.aborted) for (const line of lines) tell(plainLine(`Waiting: ${line}`))
    told = words
  }
}

/** Runs within runs that are looked into. */
const mostLevels = 3

/** What a change or a run waits for, a line each: of people with their names and what they have to do, of a run also beneath it. */
async function whyItWaits(sluice: Sluice, path: string, level = 0): Promise<string[]> {
  const reason = await unlessRefused(() => reasonOf(sluice, path))
  const asksPeople = reason?.kind === 'approval' || reason?.kind === 'input'
  const asked = asksPeople ? ((await unlessRefused(() => waitingSteps(sluice, path))) ?? []) : []
  const own = asked.length > 0 ? asked : reason ? [inWords(reason)] : []
  if (!path.startsWith('/api/workflow_runs/') || level === mostLevels) return own
  const beneath = (await unlessRefused(() => unendedBeneath(sluice, path))) ?? []
  const lines: string[] = []
  for (const each of beneath) lines.push(...(await whyItWaits(sluice, each, level + 1)))
  // Of what waits beneath a step more is known there.
  return lines.length > 0 && asked.length === 0 ? lines : [...own, ...lines]
}

/** Undefined where the service refuses or is away: whoever follows the change is told that by the stream. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreachable) return undefined
    throw error
  }
}

async function isStillWanted(milliseconds: number, enough: AbortSignal): Promise<boolean> {
  await pause(milliseconds, undefined, { signal: enough }).catch(() => {})
  return !enough.aborted
}

async function reasonOf(sluice: Sluice, path: string): Promise<Reason | undefined> {
  const answer = await sluice.send('GET', `${path}/waiting_reason`)
  return (answer?.data as { attributes?: Reason } | null)?.attributes
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
