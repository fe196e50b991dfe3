import pg from 'pg'
import { changesWithBareRunners } from './bare-runner.ts'
import { bareCommits } from './floors.ts'
import { type Installation, newInstallation, withClient } from './installation.ts'
import { lightSteps, manyAtOnce } from './light-steps.ts'
import { print, spreadOf } from './report.ts'

/**
 * A million light steps (SLUICE_BENCH_STEPS), twenty changes at once, with runners that are no processes, and a
 * snapshot of a reader open for a tenth of it: whether the last steps take longer than the first, and how large the
 * constantly written tables are compared with their size after a rewrite.
 *
 * A machine with other load may be several times slower at the end than at the beginning. So the last tenth alternates
 * with the first tenth of another installation, made for that: both have the same load.
 */
const total = Number(process.env['SLUICE_BENCH_STEPS'] ?? 1_000_000)
const changes = 20
const steps = 500
const rounds = Math.max(10, Math.round(total / changes / steps))
const hot = ['activities', 'steps', 'runners', 'slot_claims', 'slot_pools', 'name_checks', 'audit_head']

const wish = { program: lightSteps(steps), settings: manyAtOnce(changes) }
const installation = await newInstallation(wish)
let young: Installation | undefined
try {
  const { ownerUrl } = installation
  const floorUrl = await installation.beside('floor')
  const commits = [await withClient(floorUrl, client => bareCommits(client, 300))]
  await round(installation)
  const decile = Math.ceil(rounds / 10)
  const times: number[][] = []
  const inTurns: number[][] = []
  let reader: pg.Client | undefined
  for (let done = 0; done < rounds; done++) {
    if (done === Math.floor(rounds * 0.4)) reader = await openSnapshot(ownerUrl)
    if (done === rounds - decile) {
      young = await newInstallation(wish)
      await round(young)
    }
    if (young) inTurns.push(await round(young))
    times.push(await round(installation))
    if (done === Math.floor(rounds * 0.5)) await reader?.end()
  }
  commits.push(await withClient(floorUrl, client => bareCommits(client, 300)))
  const [first, last] = [spreadOf(times.slice(0, decile).flat()), spreadOf(times.slice(-decile).flat())]
  const firstOfYoung = spreadOf(inTurns.flat())
  const grown = await sizesOf(ownerUrl)
  await withClient(ownerUrl, async client => {
    for (const table of hot) await client.query(`vacuum full ${table}`)
  })
  const rewritten = await sizesOf(ownerUrl)
  await print({
    bench: 'long-run',
    figures: {
      steps: rounds * changes * steps,
      'a step of the first tenth, ms': first,
      'a step of the last tenth, ms': last,
      'the last tenth, of the first, before': Math.round((last.p50 / first.p50) * 1_000) / 1_000,
      'hot tables with their indexes, MiB': grown,
    },
    floors: {
      "a step of another installation's first tenth, in turns with the last, ms": firstOfYoung,
      'bare durable commit before, ms': spreadOf(commits[0]!),
      'bare durable commit after, ms': spreadOf(commits[1]!),
      'the same tables rewritten, MiB': rewritten,
    },
    targets: {
      'last tenth, of a first one in turns with it': { value: last.p50 / firstOfYoung.p50, atMost: 1.2 },
      'hot tables, of what they are rewritten': { value: grown / rewritten, atMost: 2 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await young?.remove()
  await installation.remove()
}

/** Milliseconds from the end of each step to that of the next of its change. */
async function round(installation: Installation): Promise<number[]> {
  const { ids, ended } = await changesWithBareRunners(installation, { action: 'many', count: changes })
  await ended
  return withClient(installation.ownerUrl, async client => {
    const { rows } = await client.query(
      `select extract(epoch from finished_at - lag(finished_at) over (partition by activity_id order by tree_order)) * 1000 as ms
         from steps
        where activity_id = any($1) and action = 'one'`,
      [ids],
    )
    return rows.flatMap(({ ms }) => (ms === null ? [] : [Number(ms)]))
  })
}

async function openSnapshot(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from installation')
  return client
}

function sizesOf(url: string): Promise<number> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      'select sum(pg_total_relation_size(t::regclass))::float / 1048576 as mib from unnest($1::text[]) t',
      [hot],
    )
    return Math.round(rows[0].mib * 10) / 10
  })
}
