import { changesWithBareRunners } from './bare-runner.ts'
import { bareCommits } from './floors.ts'
import { newInstallation, withClient } from './installation.ts'
import { lightSteps, manyAtOnce } from './light-steps.ts'
import { print, spreadOf } from './report.ts'
import { steadyRate } from './steady-rate.ts'

/**
 * Light steps a second of fifty changes at once, with runners that are connections and no processes; of two hundred of
 * the same changes for the fifty slots, including their starts and ends; and of the fifty with the runners shared by
 * two service processes. They alternate, and the results of each round are compared with each other.
 */
const slots = 50
const inFlight = 200
/** Number of steps, as in `bench/steps-per-second`, which reports the figure of fifty changes. */
const steps = 1_500
const rounds = 3

const installation = await newInstallation({ program: lightSteps(steps), settings: manyAtOnce(inFlight) })
try {
  const { ownerUrl, url } = installation
  const rate = async (wish: { count: number; urls?: readonly string[] }) => {
    const { ids, ended } = await changesWithBareRunners(installation, { action: 'many', slots, ...wish })
    await ended
    return steadyRate(ownerUrl, ids)
  }
  const urls = [url, await installation.another()]
  const kinds = {
    fifty: () => rate({ count: slots }),
    shared: () => rate({ count: slots, urls }),
    waiting: () => rate({ count: inFlight }),
  }
  await kinds.shared()
  const rates: Record<keyof typeof kinds, number[]> = { fifty: [], shared: [], waiting: [] }
  for (let round = 0; round < rounds; round++)
    for (const kind of inTurn(Object.keys(kinds) as (keyof typeof kinds)[], round))
      rates[kind].push(await kinds[kind]())
  const ofFifty = (some: readonly number[]) => spreadOf(some.map((rate, round) => rate / rates.fifty[round]!))
  const [waiting, shared] = [ofFifty(rates.waiting), ofFifty(rates.shared)]
  const commits = spreadOf(await withClient(await installation.beside('floor'), client => bareCommits(client, 500)))
  await print({
    bench: 'many-changes',
    figures: {
      [`steps a second, ${slots} changes`]: spreadOf(rates.fifty),
      [`steps a second, ${inFlight} changes for ${slots} slots`]: spreadOf(rates.waiting),
      'steps a second, two service processes': spreadOf(rates.shared),
      [`${inFlight} changes, of the rate of ${slots} in the same round`]: waiting,
      'two service processes, of the rate of one in the same round': shared,
    },
    floors: { 'bare durable commits a second, one after the other': 1_000 / commits.p50 },
    targets: {
      'with more changes than slots, of the rate of as many': { value: waiting.p50, atLeast: 0.9 },
      'with two service processes, of the rate of one': { value: shared.p50, atLeast: 0.85 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

/** Rotates a list, so that each round begins with another item. */
function inTurn<Each>(all: readonly Each[], round: number): Each[] {
  const first = round % all.length
  return [...all.slice(first), ...all.slice(0, first)]
}
