import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BareRunners, changesWithBareRunners } from './bare-runner.ts'
import { bareCommits } from './floors.ts'
import { asset, newInstallation, success, withClient } from './installation.ts'
import { lightSteps, manyAtOnce } from './light-steps.ts'
import { print, spreadOf } from './report.ts'
import { sameSqlRate } from './same-sql.ts'
import { steadyRate } from './steady-rate.ts'

/**
 * Light steps a second with many changes at once, each with its own runner, in the middle of the run. A light step is
 * that of a program which does nothing. SLUICE_BENCH_CHANGES sets the number of changes (50); every one of them is
 * three processes of Node. Compared with the same with runners that are connections and no processes, and the floor:
 * the same statements of the service, sent again.
 */
const changes = Number(process.env['SLUICE_BENCH_CHANGES'] ?? 50)
/**
 * Number of steps at which the middle of the run is steady: fifty runners take ten seconds to start, and V8 a thousand
 * steps to compile the code of each.
 */
const steps = 1_500
/** Number of connections, the maximum of the service. */
const connections = 20

const notes = join(tmpdir(), `sluice-bench-statements-${process.pid}`)

const observer = { file: join(import.meta.dirname, 'statement-observer.ts'), notes }
const installation = await newInstallation({ program: lightSteps(steps), settings: manyAtOnce(changes), observer })
try {
  const { sluice, ownerUrl } = installation
  const bare = async (wish: { count: number; silent?: boolean }): Promise<BareRunners> => {
    const made = await changesWithBareRunners(installation, { action: 'many', ...wish })
    await (wish.silent ? made.running : made.ended)
    return made
  }
  // Its first steps prepare the statements; one of the later ones is sent again.
  const recorded = await bare({ count: 1 })
  // It leaves as many slots as there are changes.
  const withoutRunners = await steadyRate(ownerUrl, (await bare({ count: changes })).ids)
  const ids = await Promise.all(
    Array.from({ length: changes }, async () => (await sluice.create(`${asset}/changes`, { action: 'many' })).id),
  )
  await Promise.all(ids.map(id => success(sluice, id)))
  const rate = await steadyRate(ownerUrl, ids)
  // Last, because its changes hold their slots until the loss of their runners is noticed.
  const alone = await bare({ count: changes, silent: true })
  const floor = await sameSqlRate({
    url: installation.appUrl,
    ownerUrl,
    notes,
    recordedActivity: recorded.ids[0]!,
    activities: alone.ids,
    connections,
  })
  alone.leave()
  const floorUrl = await installation.beside('floor')
  const commits = spreadOf(await withClient(floorUrl, client => bareCommits(client, 500)))
  await print({
    bench: 'steps-per-second',
    figures: {
      'changes at once': changes,
      'steps a second': rate,
      'steps a second, runners without processes': withoutRunners,
    },
    floors: {
      'the same SQL alone, steps a second': floor,
      'bare durable commits a second, one after the other': 1_000 / commits.p50,
    },
    targets: {
      'steps a second': { value: rate, atLeast: 1_000 },
      'of the same SQL alone': { value: rate / floor, atLeast: 0.25 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
  rmSync(notes, { force: true })
}
