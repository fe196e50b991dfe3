import { setTimeout as pause } from 'node:timers/promises'
import { type Change, type Sluice, until } from '../client/sluice.ts'
import { asset, newInstallation, withClient } from './installation.ts'
import { print, spreadOf } from './report.ts'

/**
 * 1,771 schedules of one project (SLUICE_BENCH_SCHEDULES) are due at the same moment. Meanwhile a schedule of another
 * project is due every five seconds, and a person starts one change after the other in a third. The same is measured
 * before, for SLUICE_BENCH_SECONDS (30), while nothing else is due.
 */
const schedules = Number(process.env['SLUICE_BENCH_SCHEDULES'] ?? 1_771)
const quietSeconds = Number(process.env['SLUICE_BENCH_SECONDS'] ?? 30)
const atOnce = 16

const installation = await newInstallation({ actions: "actions: { work: { description: Nothing, run: 'true' } }" })
const { sluice, ownerUrl } = installation
try {
  const [regular, manual] = [await projectWithAsset('regular'), await projectWithAsset('manual')]
  const yearly = { action: 'work', cron_schedule: '0 3 1 1 *' }
  for (let made = 0; made < schedules; made += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, schedules - made) }, () =>
        sluice.create(`${asset}/scheduled_activities`, yearly),
      ),
    )
  const everyFive = { action: 'work', cron_schedule: '*/5 * * * * *' }
  const { id: other } = await sluice.create(`${regular}/scheduled_activities`, everyFive)

  await changesOf(manual, async () => pause(5_000))
  const quiet = await changesOf(manual, () => pause(quietSeconds * 1_000))
  const quietDelays = await delaysOf(other, quiet)

  const busy = await changesOf(manual, async () => {
    await rows(`update scheduled_activities set next_run_at = sluice_now() where cron_schedule = $1`, [
      yearly.cron_schedule,
    ])
    await until(
      'all of them are made',
      () =>
        rows<{ left: number }>(
          `select count(*)::int as left from scheduled_activities s where cron_schedule = $1 and not exists
        (select from schedule_occurrences o where o.schedule_id = s.id and o.state not in ('due', 'resolving'))`,
          [yearly.cron_schedule],
        ),
      ([row]) => row!.left === 0,
      { pause: 500, seconds: 3_600 },
    )
  })
  const busyDelays = await delaysOf(other, busy)
  const states = await rows<{ state: string; n: number }>(
    `select state, count(*)::int as n from schedule_occurrences where schedule_id <> $1 group by state`,
    [other],
  )

  const [asked, askedQuiet] = [spreadOf(busy.started), spreadOf(quiet.started)]
  const [delayed, delayedQuiet] = [spreadOf(busyDelays), spreadOf(quietDelays)]
  await print({
    bench: 'schedules-at-once',
    figures: {
      'schedules due at once': schedules,
      'until all of them were decided, s': (busy.until - busy.from) / 1_000,
      ...Object.fromEntries(states.map(({ state, n }) => [`of these ${state}`, n])),
      'schedule of another project, due to created, ms': delayed,
      'manual change, POST to first step running, ms': asked,
    },
    floors: {
      'schedule of another project when nothing else is due, ms': delayedQuiet,
      'manual change when nothing else is due, ms': askedQuiet,
    },
    targets: {
      'schedule of another project, due to created at most, ms': { value: delayed.max, atMost: 5_000 },
      'manual change, POST to first step at most, ms': { value: asked.max, atMost: 5_000 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

interface Period {
  /** Start of the period by the service's clock, in milliseconds. */
  readonly from: number
  readonly until: number
  /** Milliseconds from POST to the first running step, for each change that a person started. */
  readonly started: number[]
}

/** Starts one change after the other in an asset while the work is running. */
async function changesOf(at: string, work: () => Promise<void>): Promise<Period> {
  const from = await now()
  const started: number[] = []
  let going = true
  const starting = (async () => {
    while (going) {
      started.push(await startedAfter(sluice, at))
      await pause(500)
    }
  })()
  await work()
  going = false
  await starting
  return { from, until: await now(), started }
}

async function startedAfter(client: Sluice, at: string): Promise<number> {
  const from = performance.now()
  const { id } = await client.create(`${at}/changes`, { action: 'work' })
  await until(
    'its first step runs',
    () => client.show<Change & { started_at: string | null }>(`/api/changes/${id}?fields[change]=started_at`),
    ({ attributes }) => attributes.started_at !== null,
    { pause: 20, seconds: 600 },
  )
  return performance.now() - from
}

/** Delays in milliseconds of the changes that the schedule created in a period, behind their due times. */
async function delaysOf(schedule: string, { from, until: end }: Period): Promise<number[]> {
  const found = await rows<{ delay: number }>(
    `select extract(epoch from a.created_at - o.due_at)::float8 * 1000 as delay
       from schedule_occurrences o
       join activities a on a.id = o.activity_id
      where o.schedule_id = $1 and o.due_at between to_timestamp($2) and to_timestamp($3)`,
    [schedule, from / 1_000, end / 1_000],
  )
  return found.map(({ delay }) => delay)
}

async function now(): Promise<number> {
  const [row] = await rows<{ at: number }>('select extract(epoch from sluice_now())::float8 * 1000 as at')
  return row!.at
}

function rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return withClient(ownerUrl, async client => (await client.query<Row>(text, values)).rows)
}

async function projectWithAsset(code: string): Promise<string> {
  const project = `/api/projects/${code}`
  const template = { code: 'bench', name: 'Bench', template_type: 'asset', git_remote_name: 'bench' }
  const remote = await sluice.list<{ url: string }>('/api/projects/bench/git_remotes')
  await sluice.create('/api/projects', { code, name: code })
  await sluice.create(`${project}/environments`, { code: 'bench', name: 'Bench' })
  await sluice.create(`${project}/git_remotes`, { name: 'bench', url: remote[0]!.attributes.url })
  await sluice.create(`${project}/templates`, template)
  const version = `${project}/templates/bench/versions/1.0`
  await sluice.put(version, { git_rev: 'main' })
  await until(
    'the template version is fetched',
    () => sluice.show<{ state: string }>(version),
    ({ attributes }) => attributes.state !== 'initializing',
  )
  const made = { code: 'bench', name: 'Bench', template_code: 'bench', template_version: '1.0' }
  await sluice.create(`${project}/environments/bench/assets`, made)
  return `${project}/environments/bench/assets/bench`
}
