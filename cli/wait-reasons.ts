import { setTimeout as pause } from 'node:timers/promises'
import { Refused, type Sluice, Unreachable } from '../client/sluice.ts'
import { plainLine } from './plain-text.ts'
import { unfinishedChildren, waitingSteps } from './waiting-steps.ts'

interface Reason {
  readonly kind: string
  readonly by: string | null
  readonly estimated_until?: string
}

/** Delay before the first report, so that short waits are not reported, and the interval after it, in milliseconds. */
const pauses = { first: 2_000, later: 5_000 }

/**
 * Reports why a change or run is waiting, and each later change of the reason, while `work` runs.
 *
 * @param path API path of the change or run
 */
export async function reportingWaitReasons<T>(
  sluice: Sluice,
  path: string,
  report: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const reporting = reportWaitReasons(sluice, path, report, over.signal)
  try {
    return await work()
  } finally {
    over.abort()
    await reporting
  }
}

async function reportWaitReasons(
  sluice: Sluice,
  path: string,
  report: (line: string) => void,
  stop: AbortSignal,
): Promise<void> {
  let reported = ''
  for (let milliseconds = pauses.first; await isActiveAfter(milliseconds, stop); milliseconds = pauses.later) {
    const lines = await waitReasons(sluice, path)
    const words = lines.join('\n')
    if (words !== '' && words !== reported && !stop.aborted)
      for (const line of lines) report(plainLine(`Waiting: ${line}`))
    reported = words
  }
}

/** Maximum depth of nested runs to inspect. */
const maximumDepth = 3

/** Reasons why a change or run waits, one per line, including people to ask and the children of a run. */
async function waitReasons(sluice: Sluice, path: string, depth = 0): Promise<string[]> {
  const reason = await unlessUnavailable(() => reasonOf(sluice, path))
  const asksPeople = reason?.kind === 'approval' || reason?.kind === 'input'
  const asked = asksPeople ? ((await unlessUnavailable(() => waitingSteps(sluice, path))) ?? []) : []
  const own = asked.length > 0 ? asked : reason ? [reasonText(reason)] : []
  if (!path.startsWith('/api/workflow_runs/') || depth === maximumDepth) return own
  const children = (await unlessUnavailable(() => unfinishedChildren(sluice, path))) ?? []
  const lines: string[] = []
  for (const each of children) lines.push(...(await waitReasons(sluice, each, depth + 1)))
  // The reasons of the children are more specific.
  return lines.length > 0 && asked.length === 0 ? lines : [...own, ...lines]
}

/** Returns undefined on a refusal or a lost connection, which the followed stream reports. */
async function unlessUnavailable<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refused || error instanceof Unreachable) return undefined
    throw error
  }
}

async function isActiveAfter(milliseconds: number, stop: AbortSignal): Promise<boolean> {
  await pause(milliseconds, undefined, { signal: stop }).catch(() => {})
  return !stop.aborted
}

async function reasonOf(sluice: Sluice, path: string): Promise<Reason | undefined> {
  const answer = await sluice.send('GET', `${path}/waiting_reason`)
  return (answer?.data as { attributes?: Reason } | null)?.attributes
}

function reasonText({ kind, by, estimated_until: until }: Reason): string {
  const words: Record<string, string> = {
    maintenance: `maintenance mode is on${by === null ? '' : `, enabled by ${by}`}`,
    same_name: `${by} has the same name and was created earlier`,
    parallel_not_allowed: `${by} runs first; the node allows one change at a time`,
    slot: `all slots are in use (${by})`,
    approval: `${by} waits for an approval`,
    input: `${by} waits for input`,
    timer: `${by} continues at ${until}`,
    start_time: `scheduled to start at ${until}`,
    paused: `paused${by === null ? '' : ` by ${by}`}`,
  }
  return words[kind] ?? kind
}
