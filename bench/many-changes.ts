import { changesWithBareRunners } from './bare-runner.ts'
import { bareCommits } from './floors.ts'
import { newInstallation, withClient } from './installation.ts'
import { lightSteps, manyAtOnce } from './light-steps.ts'
import { print, spreadOf } from './report.ts'
import { steadyRate } from './steady-rate.ts'

/**
 * Light steps a second of fifty changes at once, with runners that are connections and no processes; and of the same with
 * two hundred changes for the fifty slots, whose starts and ends are among what is measured, and with the runners shared by
 * two service processes.
 */
const slots = 50
const inFlight = 200
const steps = 400

const installation = await newInstallation({ program: lightSteps(steps), settings: manyAtOnce(inFlight) })
try {
  const { ownerUrl, url } = installation
  const rate = async (count: number, urls: readonly string[] = [url]) => {
    const { ids, ended } = await changesWithBareRunners(installation, { action: 'many', count, slots, urls })
    await ended
    return steadyRate(ownerUrl, ids)
  }
  const both = [url, await installation.another()]
  await rate(slots)
  const fifty: number[] = []
  const waiting: number[] = []
  const shared: number[] = []
  for (let round = 0; round < 2; round++) {
    fifty.push(await rate(slots))
    shared.push(await rate(slots, both))
    waiting.push(await rate(inFlight))
  }
  const commits = spreadOf(await withClient(await installation.beside('floor'), client => bareCommits(client, 500)))
  const best = (rates: readonly number[]) => Math.max(...rates)
  await print({
    bench: 'many-changes',
    figures: {
      [`steps a second, ${slots} changes`]: spreadOf(fifty),
      [`steps a second, ${inFlight} changes for ${slots} slots`]: spreadOf(waiting),
      'steps a second, two service processes': spreadOf(shared),
    },
    floors: { 'bare durable commits a second, one after the other': 1_000 / commits.p50 },
    targets: {
      'with more changes than slots, of the rate of as many': { value: best(waiting) / best(fifty), atLeast: 0.9 },
      'with two service processes, of the rate of one': { value: best(shared) / best(fifty), atLeast: 0.85 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}
