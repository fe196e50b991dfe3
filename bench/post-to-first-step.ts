import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { asset, type Installation, newInstallation, spareRunners, success, withClient } from './installation.ts'
import { print, type Spread, spreadOf, timed } from './report.ts'

/**
 * Measures the time from the POST of a change to its first step running, with a fresh mirror: the delay that a person
 * notices after pressing the button, once with a spare runner waiting and once without. The floor is the start of the
 * parts of a runner: two Node processes.
 *
 * Running is the visible status: the step's status, committed. The script's own first line, which contains its time, is
 * a separate figure, and so is the time between.
 */
const changes = 40
const actions = `
actions:
  one: { run: 'echo "$EPOCHREALTIME"' }
`
const hops = ['answered', 'admitted', 'running', 'script'] as const
type Instants = Record<(typeof hops)[number], number>

const names: Record<keyof Instants, string> = {
  answered: 'its answer',
  admitted: 'admitted',
  running: 'first step running',
  script: "the script's first line",
}

const spare = await withInstallation(1, installation => observed(installation, 1))
await withInstallation(0, async installation => {
  const none = await observed(installation, 0)
  await print({
    bench: 'post-to-first-step',
    figures: { ...figures('with a spare runner', spare), ...figures('without one', none) },
    floors: {
      'two bare Node processes, one after the other, ms': spreadOf(await repeated(20, () => timed(twoNodes))),
    },
    targets: {
      'p50 with a spare runner, ms': { value: toRunning(spare).p50, atMost: 60 },
      'p99 with a spare runner, ms': { value: toRunning(spare).p99, atMost: 200 },
      'p50 without a spare runner, ms': { value: toRunning(none).p50, atMost: 180 },
    },
    databaseUrl: installation.ownerUrl,
  })
})

/** Milliseconds from the POST to each hop, of change after change. */
async function observed({ sluice, ownerUrl }: Installation, spares: number): Promise<Instants[]> {
  const all: Instants[] = []
  for (let round = 0; round <= changes; round++) {
    await spareRunners(ownerUrl, spares)
    const sent = Date.now()
    const { id } = await sluice.create(`${asset}/changes`, { action: 'one' })
    const answered = Date.now()
    await success(sluice, id)
    // The first change fetches, compiles and plans for all others.
    if (round > 0) all.push(since(sent, { answered, ...(await instants(ownerUrl, id)) }))
  }
  return all
}

async function withInstallation<T>(spares: number, work: (installation: Installation) => Promise<T>): Promise<T> {
  const installation = await newInstallation({ actions, settings: { SERVICE_OVERRIDE_RUNNER__SPARES: `${spares}` } })
  try {
    return await work(installation)
  } finally {
    await installation.remove()
  }
}

function since(sent: number, at: Instants): Instants {
  return Object.fromEntries(hops.map(hop => [hop, at[hop] - sent])) as Instants
}

function toRunning(all: readonly Instants[]): Spread {
  return spreadOf(all.map(({ running }) => running))
}

function figures(how: string, all: readonly Instants[]): Record<string, Spread> {
  return Object.fromEntries(hops.map(hop => [`${how}: POST to ${names[hop]}, ms`, spreadOf(all.map(at => at[hop]))]))
}

/** Milliseconds since 1970, by the database's clock, which on this machine is also the client's. */
function instants(url: string, changeId: string): Promise<Omit<Instants, 'answered'>> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select extract(epoch from a.started_at)::float * 1000 as admitted,
              extract(epoch from min(s.started_at))::float * 1000 as running,
              (select min(l.message)::float * 1000 from log_lines l
                where l.activity_id = a.id and l.category = 'stdout')  as script
         from activities a join steps s on s.activity_id = a.id and s.action is not null
        where a.id = $1
        group by a.id`,
      [changeId],
    )
    return rows[0]
  })
}

async function repeated<T>(times: number, work: () => Promise<T>): Promise<T[]> {
  const all: T[] = []
  for (let round = 0; round < times; round++) all.push(await work())
  return all
}

async function twoNodes(): Promise<void> {
  for (let started = 0; started < 2; started++) await once(spawn(process.execPath, ['-e', '']), 'exit')
}
