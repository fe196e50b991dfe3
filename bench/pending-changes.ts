import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Change, isFinal, type Sluice, until } from '../client/sluice.ts'
import { bareCommits } from './floors.ts'
import { asset, type Installation, newInstallation, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * A hundred thousand changes (SLUICE_BENCH_PENDING), nine of ten with the same name, wait for the only slot of their
 * pool: the time between the end of one change and the start of the next, the time to switch maintenance, and the
 * memory growth of the service. Compared with the same without waiting changes.
 */
const pending = Number(process.env['SLUICE_BENCH_PENDING'] ?? 100_000)
const turns = Array.from({ length: 25 }, (_, i) => `turn${i}`)
const switches = 20

const actions = `actions:
${turns.map(name => `  ${name}: { run: 'true' }`).join('\n')}
  holds: { run: sleep 600 }
  waits: { run: 'true' }
`
const settings = {
  SERVICE_OVERRIDE_CONCURRENT__RUNNER_LIMIT: '1',
  SERVICE_OVERRIDE_ALLOW_PARALLEL__CHANGES: 'true',
}

const installation = await newInstallation({ actions, settings })
try {
  const { sluice, ownerUrl, servicePid } = installation
  const floor = await installation.beside('floor')
  const commits = await withClient(floor, client => bareCommits(client, 300))

  await admissions(installation, await createTurns(sluice))
  const alone = spreadOf(await admissions(installation, await createTurns(sluice)))
  const switchedAlone = spreadOf(await switching(sluice))

  const ids = await createTurns(sluice)
  const { id: holds } = await sluice.create(`${asset}/changes`, { action: 'holds' })
  const { id: waits } = await sluice.create(`${asset}/changes`, { action: 'waits' })
  const before = memoryOf(servicePid)
  const loading = await timed(() => withClient(ownerUrl, client => load(client, waits)))
  const among = spreadOf(await admissions(installation, ids))
  const switched = spreadOf(await switching(sluice))
  await pause(5_000)
  const after = memoryOf(servicePid)
  await sluice.remove(`/api/changes/${holds}`)

  await print({
    bench: 'pending-changes',
    figures: {
      pending,
      'loading them, s': loading / 1_000,
      'from the end of a change to the start of the next, ms': among,
      'maintenance switched, ms': switched,
      'memory of the service before, MiB': before,
      'memory of the service after, MiB': after,
    },
    floors: {
      'bare durable commit, ms': spreadOf(commits),
      'to the start of the next with no other waiting, ms': alone,
      'maintenance switched with no change waiting, ms': switchedAlone,
    },
    targets: {
      'to the start of the next, more than with no change waiting, ms': { value: among.p50 - alone.p50, atMost: 3 },
      'maintenance switched, ms': { value: switched.p50, atMost: 50 },
      'memory grows by, MiB': { value: after - before, atMost: 32 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

/** Changes of different names; held, so that they come before all other waiting ones. */
async function createTurns(sluice: Sluice): Promise<string[]> {
  await setMode(sluice, 'enabled')
  const ids: string[] = []
  for (const action of turns) ids.push((await sluice.create(`${asset}/changes`, { action })).id)
  return ids
}

/** Milliseconds from the end of each to the start of the next, through the only slot. */
async function admissions({ sluice, ownerUrl }: Installation, ids: readonly string[]): Promise<number[]> {
  await setMode(sluice, 'disabled')
  await until(
    'the last of them has ended',
    () => sluice.show<Change>(`/api/changes/${ids.at(-1)}`),
    ({ attributes }) => isFinal(attributes.status_code),
    { pause: 500, seconds: 120 },
  )
  return withClient(ownerUrl, async client => {
    const { rows } = await client.query(
      `select extract(epoch from started_at - lag(finished_at) over (order by started_at)) * 1000 as ms
         from activities where id = any($1)`,
      [ids],
    )
    return rows.flatMap(({ ms }) => (ms === null ? [] : [Number(ms)]))
  })
}

async function switching(sluice: Sluice): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < switches; done++)
    times.push(await timed(() => setMode(sluice, done % 2 === 0 ? 'enabled' : 'disabled')))
  return times
}

async function setMode(sluice: Sluice, mode: string): Promise<void> {
  const { relationships } = await sluice.show('/api/system_configuration')
  const { id } = (relationships!['settings'] as { data: { id: string } }).data
  await sluice.update(`/api/settings/${id}`, { data: { maintenance_mode: mode } })
}

/**
 * Copies of a waiting change, with their steps: nine of ten with its name. They can be listed and considered for
 * admission, but are never admitted: data sealed for one change cannot be opened for another.
 */
async function load(client: pg.Client, waits: string): Promise<void> {
  const columnsOf = async (table: string, but: readonly string[]) => {
    const { rows } = await client.query(
      `select column_name from information_schema.columns
        where table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO' and column_name <> all($2)`,
      [table, but],
    )
    const names = rows.map(row => row.column_name as string)
    return { all: names.join(', '), of: (alias: string) => names.map(name => `${alias}.${name}`).join(', ') }
  }
  const activity = await columnsOf('activities', ['id', 'name_key', 'head', 'root_step_id'])
  const change = await columnsOf('changes', ['id'])
  const step = await columnsOf('steps', ['id', 'activity_id'])
  await client.query('begin')
  await client.query(`create temp table copies on commit drop as
    select sluice_uuid7() as id, sluice_uuid7() as step_id, n % 10 = 0 as own, n from generate_series(1, ${pending}) n`)
  await client.query(`
    insert into activities (id, name_key, head, root_step_id, ${activity.all})
    select copies.id, name_key || case when own then ' ' || n else '' end, own, copies.step_id, ${activity.of('a')}
      from copies, activities a where a.id = '${waits}'`)
  await client.query(
    `insert into changes (id, ${change.all}) select copies.id, ${change.of('c')} from copies, changes c where c.id = '${waits}'`,
  )
  await client.query(
    `insert into steps (id, activity_id, ${step.all}) select copies.step_id, copies.id, ${step.of('s')} from copies, steps s where s.activity_id = '${waits}'`,
  )
  await client.query('commit')
  await client.query('vacuum analyze activities, steps, changes')
}

/** Resident memory of a process in MiB. */
function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Math.round(Number(kilobytes) / 1_024)
}
