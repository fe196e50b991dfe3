import { bareCommits, bareScripts } from './floors.ts'
import { asset, newInstallation, success, withClient } from './installation.ts'
import { chained } from './peers.ts'
import { print, spreadOf } from './report.ts'

/**
 * What a light step costs from the end of the one before it to its own, through runner, service and store: 40 in sequence
 * in a change whose runner is warm, against one durable commit on the same server in the same run.
 */
const steps = 40
const changes = 5

const actions = `
actions:
  many: { steps: [${Array.from({ length: steps + 1 }, () => 'one').join(', ')}] }
  one: { run: 'true' }
`

const installation = await newInstallation({ actions })
try {
  const { sluice, ownerUrl } = installation
  const floorUrl = await installation.beside('floor')
  const commits: number[] = []
  const apart: number[] = []
  let perStep = {}
  await withClient(floorUrl, async floor => {
    for (let round = 0; round < changes; round++) {
      commits.push(...(await bareCommits(floor, 100)))
      const before = await transactionsOf(ownerUrl)
      const { id } = await sluice.create(`${asset}/changes`, { action: 'many' })
      await success(sluice, id)
      // The first step waits for the runner's start; it is what makes the change warm.
      apart.push(...(await betweenSteps(ownerUrl, id)))
      perStep = { transactions: ((await transactionsOf(ownerUrl)) - before) / steps }
    }
  })
  const scripts = await bareScripts(100)
  const step = spreadOf(apart)
  const commit = spreadOf(commits)
  const script = spreadOf(scripts)
  await print({
    bench: 'light-step',
    figures: { 'step run: "true", ms': step, ...perStep },
    floors: { 'bare durable commit, ms': commit, 'bare bash, ms': script },
    peers: await chained(installation),
    targets: {
      'step without its bash, in bare commits': { value: (step.p50 - script.p50) / commit.p50, atMost: 8 },
      'step, ms': { value: step.p50, atMost: 8 * commit.p50 + 4 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

function betweenSteps(url: string, changeId: string): Promise<number[]> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select extract(epoch from finished_at - lag(finished_at) over (order by tree_order)) * 1000 as apart
         from steps
        where activity_id = $1 and action = 'one'`,
      [changeId],
    )
    return rows.flatMap(({ apart }) => (apart === null ? [] : [Number(apart)]))
  })
}

function transactionsOf(url: string): Promise<number> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      'select xact_commit::int as n from pg_stat_database where datname = current_database()',
    )
    return rows[0].n
  })
}
