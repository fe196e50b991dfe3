import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuTimeOf, processesIn } from './cpu-time.ts'
import { bareCommits, bareScripts } from './floors.ts'
import { asset, newInstallation, spareRunners, success, withClient } from './installation.ts'
import { lightSteps } from './light-steps.ts'
import { chained } from './peers.ts'
import { print, round, type Spread, spreadOf } from './report.ts'
import type { StepTime } from './step-observer.ts'

/**
 * Measures the cost of a light step, from the end of the previous one to its own, through runner, service and store: 40
 * in sequence in a warm change, compared with one durable commit on the same server in the same run. First with an
 * action of a program that does nothing, then with a script. A change begins when a spare runner is ready, so that no
 * other is being started meanwhile. It is warm when V8 has compiled the code of a step: after some hundreds of steps in
 * processes that were started for the change. The first forty steps are reported as well.
 */
const steps = 40
const warmUp = { program: 400, script: 100 }
const all = warmUp.program + steps
const changes = Number(process.env['SLUICE_BENCH_CHANGES'] ?? 8)

const actions = `
actions:
  scripts: { steps: [${Array.from({ length: warmUp.script + steps + 1 }, () => 'script').join(', ')}] }
  script: { run: 'true' }
`
const notes = join(tmpdir(), `sluice-bench-notes-${process.pid}`)

const observer = { file: join(import.meta.dirname, 'step-observer.ts'), notes }
const installation = await newInstallation({ actions, program: lightSteps(warmUp.program + steps + 1), observer })
try {
  const { sluice, ownerUrl } = installation
  const floorUrl = await installation.beside('floor')
  const commits: number[] = []
  const apart = { first: [] as number[], many: [] as number[], scripts: [] as number[] }
  let transactions = 0
  const cpu = { service: 0, database: 0 }
  await withClient(floorUrl, async floor => {
    for (let round = 0; round < changes; round++) {
      commits.push(...(await bareCommits(floor, 100)))
      const before = await transactionsOf(ownerUrl)
      const used = cpuNow()
      const program = await run('many', 'one')
      apart.first.push(...program.slice(0, steps))
      apart.many.push(...program.slice(-steps))
      const after = cpuNow()
      cpu.service += (after.service - used.service) / all / changes
      cpu.database += (after.database - used.database) / all / changes
      transactions = ((await transactionsOf(ownerUrl)) - before) / all
    }
    for (let round = 0; round < changes; round++) {
      commits.push(...(await bareCommits(floor, 100)))
      apart.scripts.push(...(await run('scripts', 'script')).slice(-steps))
    }
  })
  const [nothing, script, commit] = [spreadOf(apart.many), spreadOf(apart.scripts), spreadOf(commits)]
  const where = whereItWent()
    .slice(0, changes * all)
    .filter((_, at) => at % all >= warmUp.program)
  const part = (name: keyof StepTime) => spreadOf(where.map(each => each[name]))
  const peers = process.env['SLUICE_BENCH_PEERS'] === 'no' ? {} : await chained(installation, warmUp.program)
  const ofPeers = <Value>(name: (peer: string) => string, value: (steps: Spread) => Value) =>
    Object.fromEntries(Object.entries(peers).map(([peer, steps]) => [name(peer), value(steps)]))
  await print({
    bench: 'light-step',
    figures: {
      'step of a program that does nothing, ms': nothing,
      'one of the first forty of a change, ms': spreadOf(apart.first),
      'of that: runner and wire, ms': part('runner'),
      'of that: service, ms': part('service'),
      'of the service: the database with its commit, ms': part('database'),
      'round trips to the database': part('roundTrips'),
      'transactions a step, with everything else that runs': transactions,
      'CPU of the service a step, ms': cpu.service,
      'CPU of the database a step, ms': cpu.database,
      'step run: "true", ms': script,
    },
    floors: { 'bare durable commit, ms': commit, 'bare bash, ms': spreadOf(await bareScripts(100)) },
    peers: {
      ...ofPeers(
        peer => `${peer}, ms`,
        steps => steps,
      ),
      ...ofPeers(
        peer => `steps of ours in the time of one of ${peer}`,
        steps => round(steps.p50 / nothing.p50),
      ),
    },
    targets: {
      'step of a program, in bare commits': { value: nothing.p50 / commit.p50, atMost: 8 },
      'step of a program, ms, where a commit takes at most 0.25': { value: nothing.p50, atMost: within(commit) },
      'run: "true" more than a program, ms': { value: script.p50 - nothing.p50, atMost: 4 },
    },
    databaseUrl: ownerUrl,
  })

  function cpuNow() {
    const database = processesIn(join(installation.folder, 'database'))
    return { service: cpuTimeOf([installation.servicePid]), database: cpuTimeOf(database) }
  }

  async function run(action: string, step: string): Promise<number[]> {
    await spareRunners(ownerUrl, 1)
    const { id } = await sluice.create(`${asset}/changes`, { action })
    await success(sluice, id)
    return betweenSteps(ownerUrl, id, step)
  }
} finally {
  await installation.remove()
  rmSync(notes, { force: true })
}

/** Target in milliseconds: 2 if a commit is as fast as the target assumes, and proportionally more on a slower disk. */
function within(commit: Spread): number {
  return 2 * Math.max(1, commit.p50 / 0.25)
}

function whereItWent(): StepTime[] {
  return readFileSync(notes, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as StepTime)
}

/**
 * Milliseconds from the end of each step to the end of the next, in the order of the steps. The first step is left out:
 * it waits for the runner's start.
 */
function betweenSteps(url: string, changeId: string, action: string): Promise<number[]> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select extract(epoch from finished_at - lag(finished_at) over (order by tree_order)) * 1000 as apart
         from steps
        where activity_id = $1 and action = $2
        order by tree_order`,
      [changeId, action],
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
