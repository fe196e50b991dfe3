import { bareCommits, bareScripts } from './floors.ts'
import { asset, newInstallation, success, withClient } from './installation.ts'
import { print, spreadOf } from './report.ts'

/**
 * Light steps a second with many changes at once, each with its own runner, in the middle of the run: from the moment
 * when all of them run until the first has ended. SLUICE_BENCH_CHANGES sets how many (50); every one of them is two
 * processes of Node.
 */
const changes = Number(process.env['SLUICE_BENCH_CHANGES'] ?? 50)
const steps = 20

const actions = `
actions:
  many: { steps: [${Array.from({ length: steps }, () => 'one').join(', ')}] }
  one: { run: 'true' }
`
const settings = {
  SERVICE_OVERRIDE_CONCURRENT__RUNNER_LIMIT: String(changes),
  SERVICE_OVERRIDE_ALLOW_PARALLEL__CHANGES: 'true',
  SERVICE_OVERRIDE_ALLOW_PARALLEL__RUNS_OF_SAME_CHANGE: 'true',
}

const installation = await newInstallation({ actions, settings })
try {
  const { sluice, ownerUrl } = installation
  const ids = await Promise.all(
    Array.from({ length: changes }, async () => (await sluice.create(`${asset}/changes`, { action: 'many' })).id),
  )
  await Promise.all(ids.map(id => success(sluice, id)))
  const rate = await steadyRate(ownerUrl)
  const floorUrl = await installation.beside('floor')
  const commits = spreadOf(await withClient(floorUrl, client => bareCommits(client, 500)))
  const scripts = spreadOf(await bareScripts(50))
  await print({
    bench: 'steps-per-second',
    figures: { 'changes at once': changes, 'steps a second': rate },
    floors: {
      'bare durable commits a second, one after the other': 1_000 / commits.p50,
      'bare bash a second, one after the other': 1_000 / scripts.p50,
    },
    targets: { 'steps a second': { value: rate, atLeast: 1_000 } },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

/** Ends of steps in the middle half of all of them: runners have been started, and few have nothing more to do. */
function steadyRate(url: string): Promise<number> {
  return withClient(url, async client => {
    const { rows } = await client.query(`
      with ended as (
        select finished_at, ntile(4) over (order by finished_at) as quarter from steps where action = 'one'
      )
      select count(*) / extract(epoch from max(finished_at) - min(finished_at))::float as rate
        from ended
       where quarter in (2, 3)`)
    return rows[0].rate
  })
}
