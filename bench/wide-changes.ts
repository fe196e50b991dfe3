import type pg from 'pg'
import { type Change, isFinal, type Sluice, until } from '../client/sluice.ts'
import { bareCommits } from './floors.ts'
import { asset, newInstallation, success, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * One change of ten thousand light steps (SLUICE_BENCH_STEPS), sixteen of them at once: its duration, also with commits
 * that take two milliseconds more; the cost of the end of a step with all these siblings and with one; the time until
 * the rest is aborted when the first of a sequence fails; and a page of a thousand.
 */
const steps = Number(process.env['SLUICE_BENCH_STEPS'] ?? 10_000)
const atOnce = 16
const pairs = 150
const failures = 5

const program = `
import { action, stage } from '@sluice/actions'
const one = action('one', {}, () => {})
const fails = action('fails', {}, () => { throw new Error('on purpose') })
action('wide', { runAs: 'parallel', steps: Array.from({ length: ${steps} }, () => one) })
action('pairs', { steps: Array.from({ length: ${pairs} }, (_, i) => stage('pair ' + i, { runAs: 'parallel', steps: [one, one] })) })
action('broken', { steps: [fails, ...Array.from({ length: ${steps - 1} }, () => one)] })
`
const several = { settings_overrides: { parallel_change_worker_steps: atOnce } }
const alone = { settings_overrides: { parallel_change_worker_steps: 1 } }

const installation = await newInstallation({ program })
try {
  const { sluice, ownerUrl } = installation
  const floorUrl = await installation.beside('floor')
  const commits = await withClient(floorUrl, client => bareCommits(client, 500))
  const byHand = await withClient(floorUrl, sameRowsByHand)

  const wide = await run(sluice, 'wide', several)
  const pages: number[] = []
  for (let asked = 0; asked < 30; asked++)
    pages.push(await timed(() => sluice.list(`/api/changes/${wide}/steps`, { limit: 1_000 })))

  const besideMany = await partsOf(ownerUrl, await startAndCancel(sluice, 'wide', alone))
  const besideOne = await partsOf(ownerUrl, await run(sluice, 'pairs', alone))

  const aborted: number[] = []
  for (let failed = 0; failed < failures; failed++)
    aborted.push(await afterTheFailure(ownerUrl, await run(sluice, 'broken', {}, 'error')))

  await installation.slowCommits(2)
  const slow = await run(sluice, 'wide', several)
  const slowCommits = await withClient(floorUrl, client => bareCommits(client, 100))

  const seconds = await secondsOf(ownerUrl, wide)
  const [many, one, page, abort] = [spreadOf(besideMany), spreadOf(besideOne), spreadOf(pages), spreadOf(aborted)]
  await print({
    bench: 'wide-changes',
    figures: {
      'steps of the change': steps,
      'steps at once': atOnce,
      'the change, s': seconds,
      'with commits slowed to 2 ms, s': await secondsOf(ownerUrl, slow),
      [`from the end of a step to that of the next, beside ${steps} siblings, ms`]: many,
      'the same beside one sibling, ms': one,
      'from the failure of the first of a sequence to the end of all, ms': abort,
      'a page of 1000 steps, ms': page,
    },
    floors: {
      'bare durable commit, ms': spreadOf(commits),
      'bare durable commit, slowed, ms': spreadOf(slowCommits),
      'as many rows by hand, each written three times, sixteen in a commit, s': byHand / 1_000,
    },
    targets: {
      'the change, s': { value: seconds, atMost: 12 },
      'with commits slowed to 2 ms, s': { value: await secondsOf(ownerUrl, slow), atMost: 30 },
      'beside all siblings, times as long as beside one': { value: many.p50 / one.p50, atMost: 1.2 },
      'the rest aborted, ms': { value: abort.p50, atMost: 500 },
      'a page of 1000 steps, ms': { value: page.p50, atMost: 150 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

async function run(sluice: Sluice, action: string, how: object, ending = 'success'): Promise<string> {
  const { id } = await sluice.create(`${asset}/changes`, { action, ...how })
  if (ending === 'success') await success(sluice, id)
  else await ended(sluice, id)
  return id
}

function ended(sluice: Sluice, id: string): Promise<unknown> {
  return until(
    `change ${id} ends`,
    () => sluice.show<Change>(`/api/changes/${id}`),
    change => isFinal(change.attributes.status_code),
    { pause: 500, seconds: 120 },
  )
}

/**
 * Starts a change and cancels it once enough of its steps have ended: ten thousand in sequence show no more than the
 * first hundreds.
 */
async function startAndCancel(sluice: Sluice, action: string, how: object): Promise<string> {
  const { id } = await sluice.create(`${asset}/changes`, { action, ...how })
  await until(
    'enough of its steps have ended',
    () => sluice.list(`/api/changes/${id}/steps`, { 'filter[status_code_eq]': 'success', limit: 2 * pairs }),
    done => done.length === 2 * pairs,
    { pause: 500, seconds: 120 },
  )
  await sluice.remove(`/api/changes/${id}`)
  await ended(sluice, id)
  return id
}

/** Milliseconds from the end of a step to that of the next one below the same group; the first of all is warm-up. */
function partsOf(url: string, id: string): Promise<number[]> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select extract(epoch from finished_at - lag(finished_at) over (partition by parent_id order by tree_order)) * 1000 as ms,
              row_number() over (order by tree_order) as n
         from steps
        where activity_id = $1 and action = 'one' and status = 'success'
        order by tree_order`,
      [id],
    )
    return rows.flatMap(({ ms, n }) => (ms === null || Number(n) <= 20 ? [] : [Number(ms)]))
  })
}

function afterTheFailure(url: string, id: string): Promise<number> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select extract(epoch from greatest(a.finished_at, max(s.finished_at)) - min(s.finished_at)) * 1000 as ms
         from activities a join steps s on s.activity_id = a.id where a.id = $1 group by a.id`,
      [id],
    )
    return Number(rows[0].ms)
  })
}

function secondsOf(url: string, id: string): Promise<number> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      'select extract(epoch from finished_at - created_at) as seconds from activities where id = $1',
      [id],
    )
    return Number(rows[0].seconds)
  })
}

/** A simple queue: the rows are inserted, and each is then taken and ended, with a record of the event. */
async function sameRowsByHand(client: pg.Client): Promise<number> {
  await client.query(`create table steps (id bigserial primary key, status text not null default 'queued')`)
  await client.query('create index on steps (id) where status = $$queued$$')
  await client.query('create table happened (id bigserial primary key, step bigint not null, what text not null)')
  return timed(async () => {
    await client.query('insert into steps (status) select $$queued$$ from generate_series(1, $1)', [steps])
    for (let done = 0; done < steps; done += atOnce)
      await client.query({
        name: 'by hand',
        text: `with ended as (update steps set status = 'success' where status = 'running' returning id),
                    begun as (update steps set status = 'running'
                               where id in (select id from steps where status = 'queued' order by id limit ${atOnce})
                              returning id)
               insert into happened (step, what)
               select id, 'ended' from ended union all select id, 'begun' from begun`,
      })
  })
}
