import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { until } from '../../client/sluice.ts'
import type { Client } from '../support/api.ts'
import { created, ended, often, type Shop, type Shown, shop, stepAt } from '../support/changes.ts'
import { loseRunners } from '../support/lose-runners.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** The first attempt of `hold` runs until its runner is lost; later ones fail in the first change only. */
const actions = `
actions:
  roll: { steps: [first, hold, last] }
  first: { run: "true" }
  hold: { run: 'test "$SLUICE_ATTEMPT" != 1 || test -n "$CALM" || sleep 600; exit $CODE', env: { CALM: "{{ calm }}", CODE: "{{ code }}" } }
  last: { run: "true" }
`

let service: TestService
let admin: Client
let maker: Client
let made: Shop

before(async () => {
  const read = { path: '/projects/shop', read: true }
  const users = { reader: [read], maker: [{ ...read, execute: true }], stranger: [] }
  service = await startTestService({ users })
  admin = service.as('admin')
  maker = service.as('maker')
  made = await shop(service, { 'web/actions.yaml': actions })
})
after(() => service.stop())

/** A change whose step `hold` loses its first runner, and that then ends with the exit code. */
async function withLostRunner(code: number): Promise<string> {
  const { id } = await created(
    admin.post(`${made.asset}/changes`, {
      action: 'roll',
      property_overrides: { code, calm: '' },
      settings_overrides: { on_runner_lost: 'restart' },
    }),
  )
  await until('the step runs', () => stepAt(admin, id, 'roll/hold'), isRunning, often)
  await loseRunners(service.database)
  await ended(admin, id)
  return id
}

const isRunning = ({ attributes }: Shown) => attributes.status_code === 'running'

async function attemptsOf(stepId: string, client = admin): Promise<Shown[]> {
  const { status, body } = await client.get(`/api/steps/${stepId}/attempts`)
  assert.equal(status, 200)
  return body.data
}

const stored = async (): Promise<number> =>
  (await service.database.one(sql<{ n: number }>`select count(*)::int as n from step_attempts`))!.n

test('attempts of a step are listed with their runners, also those before a retry, until their change is purged', async () => {
  const change = await withLostRunner(3)
  assert.equal(await stored(), 1)
  const hold = await stepAt(admin, change, 'roll/hold')
  assert.equal(hold.attributes.attempt, 2)
  const [lost, failed, ...none] = await attemptsOf(hold.id)
  assert.deepEqual(none, [])
  const { runner_id: lostRunner, started_at, finished_at, error_message, ...firstRest } = lost!.attributes
  assert.match(error_message, /^The runner was lost: ./)
  assert.ok(started_at < finished_at && finished_at <= failed!.attributes.started_at)
  assert.notEqual(lostRunner, failed!.attributes.runner_id)
  assert.deepEqual(firstRest, {
    attempt: 1,
    status_code: 'error',
    superseded: true,
    exit_code: null,
    outcome_reason: 'The service queued the step again, because its runner was lost (on_runner_lost: restart).',
    retried_by: null,
    step_id: hold.id,
    change_id: change,
  })
  const outcomeOf = ({ attributes: { attempt, status_code, exit_code, superseded, retried_by } }: Shown) =>
    [attempt, status_code, exit_code, superseded, retried_by] as const
  assert.deepEqual(outcomeOf(failed!), [2, 'error', 3, false, null])

  const retry = await created(
    maker.send('POST', '/api/changes', {
      headers: { 'content-type': 'application/json' },
      raw: JSON.stringify({
        data: {
          attributes: { retry: true, property_overrides: { code: 0, calm: 'yes' } },
          relationships: { change: { data: { type: 'change', id: change } } },
        },
      }),
    }),
  )
  await ended(admin, retry.id)
  const held = await stepAt(admin, retry.id, 'roll/hold')
  const all = await attemptsOf(held.id, service.as('reader'))
  assert.deepEqual(
    all.map(each => [each.attributes.change_id, ...outcomeOf(each)]),
    [
      [change, 1, 'error', null, true, null],
      [change, 2, 'error', 3, false, null],
      [retry.id, 1, 'success', 0, false, 'maker'],
    ],
  )
  assert.deepEqual(
    all.slice(0, 2).map(({ id }) => id),
    [lost!.id, failed!.id],
  )
  // A kept step has the attempts of the step that was executed.
  const kept = await stepAt(admin, retry.id, 'roll/first')
  const [own, ...others] = await attemptsOf(kept.id)
  assert.deepEqual([own!.attributes.change_id, others], [change, []])
  assert.equal((await service.as('stranger').get(`/api/steps/${held.id}/attempts`)).status, 404)

  await until(
    'the change is purged',
    () => admin.delete(`/api/changes/${change}?purge=true`),
    ({ status }) => status === 204,
    often,
  )
  assert.equal(await stored(), 0)
  assert.deepEqual((await attemptsOf(held.id)).map(outcomeOf), [[1, 'success', 0, false, 'maker']])
  const [copy, ...more] = await attemptsOf(kept.id)
  assert.deepEqual([copy!.attributes.change_id, more], [retry.id, []])
})

test('attempts of a change are filtered and paged, and a step that runs once is stored once', async () => {
  const before = await stored()
  const change = await withLostRunner(0)
  assert.equal(await stored(), before + 1)
  const { body } = await admin.get(`/api/changes/${change}/attempts?filter[superseded_eq]=true`)
  assert.deepEqual(
    body.data.map(({ attributes }: Shown) => attributes.attempt),
    [1],
  )
  const seen: string[] = []
  for (let next = `/api/changes/${change}/attempts?limit=1`; next; ) {
    const page = await admin.get(next)
    seen.push(...page.body.data.map(({ attributes }: Shown) => attributes.started_at))
    next = page.body.links.next
  }
  assert.equal(seen.length, 4)
  assert.deepEqual(seen, seen.toSorted())
  const hold = await stepAt(admin, change, 'roll/hold')
  const newestFirst = await admin.get(`/api/steps/${hold.id}/attempts?filter[sorts]=started_at desc`)
  assert.deepEqual(
    newestFirst.body.data.map(({ attributes }: Shown) => attributes.attempt),
    [2, 1],
  )
  // A stage is no work of a runner.
  assert.deepEqual(await attemptsOf((await stepAt(admin, change, 'roll')).id), [])
})
