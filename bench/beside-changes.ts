import { setTimeout as wait } from 'node:timers/promises'
import { adminPassword, asset, newInstallation, success } from './installation.ts'
import { lightSteps, manyAtOnce } from './light-steps.ts'
import { QuietClient } from './quiet-client.ts'
import { print, spreadOf } from './report.ts'

/**
 * Measures how changes that begin and end affect a person who repeatedly looks at an asset: each change starts the
 * processes of a runner and removes its leftovers. A change is created every second, so that most of the time one is
 * beginning or ending; every second period is quiet.
 */
const rounds = Number(process.env['SLUICE_BENCH_ROUNDS'] ?? 5)
const changes = 6
const everyMilliseconds = 1_000

const installation = await newInstallation({ program: lightSteps(10), settings: manyAtOnce(10) })
try {
  const { sluice, url } = installation
  const client = new QuietClient(url)
  const look = () => client.get(asset, `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}`)
  const [quiet, meanwhile]: [number[], number[]] = [[], []]
  const lookFor = async (milliseconds: number, into: number[]) => {
    for (const until = performance.now() + milliseconds; performance.now() < until; await wait(2))
      into.push(await look())
  }
  // The first requests are warm-up.
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) for (const each of [quiet, meanwhile]) each.length = 0
    const begun = Array.from({ length: changes }, async (_, at) => {
      await wait(at * everyMilliseconds)
      return success(sluice, (await sluice.create(`${asset}/changes`, { action: 'many' })).id)
    })
    await lookFor(changes * everyMilliseconds, meanwhile)
    await Promise.all(begun)
    // Its runners end, and a spare one is started in their place.
    await wait(3_000)
    await lookFor(changes * everyMilliseconds, quiet)
  }
  await client.close()
  const [others, before] = [spreadOf(meanwhile), spreadOf(quiet)]
  await print({
    bench: 'beside-changes',
    figures: { 'an asset shown while changes begin and end, ms': others },
    floors: { 'an asset shown, ms': before },
    targets: { 'p99 while changes begin and end against before': { value: others.p99 / before.p99, atMost: 5 } },
    databaseUrl: installation.ownerUrl,
  })
} finally {
  await installation.remove()
}
