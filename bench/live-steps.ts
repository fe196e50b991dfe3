import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { isFinal, type Sluice } from '../client/sluice.ts'
import { usualTimes } from '../src/platform/live/live-streams.ts'
import { asset, newInstallation, withClient } from './installation.ts'
import { print, type Spread, spreadOf } from './report.ts'

/**
 * Delay between the commit that ends a step and the event on the change's live stream, with log lines and without, for
 * changes of sequential steps. The commit is observed with LISTEN/NOTIFY on a connection of this process, which PostgreSQL
 * notifies only after the commit; only this bench's database has the trigger. The floor is the delay of that notification
 * behind the time that the service stored as the step's end, and a bare statement that polls at the interval of live streams.
 */
const rounds = Number(process.env['SLUICE_BENCH_ROUNDS'] ?? 5)
const steps = 40

/** Actions whose durations are random, so that the ends of the steps do not synchronize with the poll. */
const program = `
import { action } from '@sluice/actions'
import { setTimeout as wait } from 'node:timers/promises'
const one = action('one', {}, async step => {
  step.log.info('one line')
  await wait(20 + Math.random() * 130)
})
action('many', { steps: Array.from({ length: ${steps} }, () => one) })
`

interface Observed {
  /** Delay of the event behind the notification of the commit, in milliseconds. */
  readonly delays: number[]
  /** Delay of the notification behind the stored end. */
  readonly notifications: number[]
  /** Delay of a bare poll behind the notification. */
  readonly polls: number[]
  outOfOrder: number
}

/** Time at which its notification arrived. */
interface Commit {
  readonly at: number
  readonly transaction: string
}

const installation = await newInstallation({ program })
try {
  const { sluice, ownerUrl } = installation
  await notifyOfEnds(ownerUrl)
  const kinds = { 'with log lines': true, 'without log lines': false }
  const observed = Object.fromEntries(
    Object.keys(kinds).map(kind => [kind, { delays: [], notifications: [], polls: [], outOfOrder: 0 } as Observed]),
  )
  await withClient(ownerUrl, async client => {
    await client.query('listen step_ended')
    await withClient(ownerUrl, async poller => {
      // Round 0 is the warm-up.
      for (let round = 0; round <= rounds; round++)
        for (const [kind, logLines] of Object.entries(kinds)) {
          const into = round === 0 ? { delays: [], notifications: [], polls: [], outOfOrder: 0 } : observed[kind]!
          await observeChange({ sluice, client, poller }, logLines, into)
        }
    })
  })
  const spreads = Object.entries(observed).map(([kind, { delays }]) => [kind, delays] as const)
  const notifications = Object.values(observed).flatMap(each => each.notifications)
  const polls = Object.values(observed).flatMap(each => each.polls)
  await print({
    bench: 'live-steps',
    figures: Object.fromEntries(
      spreads.flatMap(([kind, delays]): [string, Spread | number][] => [
        [`commit of a step's end to its event, ${kind}, ms`, spreadOf(delays)],
        [`the same, p95, ${kind}, ms`, percentile95(delays)],
      ]),
    ),
    floors: {
      'stored end of a step to the notification of its commit, ms': spreadOf(notifications),
      'notification to a bare statement that polls, ms': spreadOf(polls),
      'the same, p95, ms': percentile95(polls),
      'poll interval of live streams, ms': usualTimes.poll,
    },
    targets: {
      ...Object.fromEntries(
        spreads.map(([kind, delays]) => [`p95, ${kind}, ms`, { value: percentile95(delays), atMost: 100 }]),
      ),
      'events out of the order of the commits': {
        value: Object.values(observed).reduce((sum, each) => sum + each.outOfOrder, 0),
        atMost: 0,
      },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

function notifyOfEnds(ownerUrl: string): Promise<void> {
  return withClient(ownerUrl, async client => {
    await client.query(`
      create function bench_step_ended() returns trigger language plpgsql as $$
      begin
        perform pg_notify('step_ended', json_build_object('id', new.id, 'transaction', pg_current_xact_id()::text, 'finished', extract(epoch from new.finished_at) * 1000)::text);
        return null;
      end $$`)
    await client.query(`
      create trigger bench_step_ended after update on steps for each row
        when (new.final and not old.final) execute function bench_step_ended()`)
  })
}

/** Creates a change and follows its stream to the end. */
async function observeChange(
  { sluice, client, poller }: { sluice: Sluice; client: pg.Client; poller: pg.Client },
  logLines: boolean,
  into: Observed,
): Promise<void> {
  const committed = new Map<string, Commit>()
  const heard = ({ payload }: pg.Notification) => {
    const now = performance.timeOrigin + performance.now()
    const { id, transaction, finished } = JSON.parse(payload!) as { id: string; transaction: string; finished: number }
    committed.set(id, { at: now, transaction })
    into.notifications.push(now - finished)
  }
  client.on('notification', heard)
  try {
    const { id } = await sluice.create(`${asset}/changes`, { action: 'many' })
    const arrived = new Map<string, number>()
    const polled = pollEnds(poller, id)
    let last = ''
    for await (const batch of sluice.live(`/api/changes/${id}/live`, { log_lines: logLines })) {
      const now = performance.timeOrigin + performance.now()
      for (const { kind, data } of batch) {
        const record = data as { id: string; attributes: { status_code: string } } | undefined
        if (kind === 'change' && record) last = record.attributes.status_code
        if (kind !== 'step' || !record || !isFinal(record.attributes.status_code)) continue
        if (!arrived.has(record.id)) arrived.set(record.id, now)
      }
    }
    if (last !== 'success') throw new Error(`the change ended as ${last}`)
    if (arrived.size <= steps) throw new Error(`only ${arrived.size} steps ended on the stream`)
    const ends = [...committed.keys()].filter(each => arrived.has(each))
    if (ends.length !== arrived.size) throw new Error(`${arrived.size} events, but ${ends.length} notifications`)
    for (const [id, at] of await polled) into.polls.push(at - committed.get(id)!.at)
    into.delays.push(...ends.map(each => arrived.get(each)! - committed.get(each)!.at))
    into.outOfOrder += outOfOrder([...arrived.keys()].map(each => committed.get(each)!))
  } finally {
    client.off('notification', heard)
  }
}

/** Times at which a bare statement at the interval of live streams sees the end of each step, until the last. */
async function pollEnds(poller: pg.Client, changeId: string): Promise<Map<string, number>> {
  const seen = new Map<string, number>()
  for (let left = true; left; ) {
    const { rows } = await poller.query('select id, final from steps where activity_id = $1', [changeId])
    const now = performance.timeOrigin + performance.now()
    for (const { id, final } of rows) if (final && !seen.has(id)) seen.set(id, now)
    left = rows.length === 0 || rows.some(({ final }) => !final)
    await wait(usualTimes.poll)
  }
  return seen
}

/** Events behind one of a later commit; steps that end in one transaction have no order. */
function outOfOrder(arrived: readonly Commit[]): number {
  const firsts = new Map<string, number>()
  for (const { at, transaction } of arrived) firsts.set(transaction, Math.min(at, firsts.get(transaction) ?? Infinity))
  const times = arrived.map(({ transaction }) => firsts.get(transaction)!)
  return times.filter((time, index) => times.slice(0, index).some(before => before > time)).length
}

function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))]!
}
