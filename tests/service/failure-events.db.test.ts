import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, ended, eventsOf, often, ran, type Shown, shop, stepAt, written } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { assertEventsTold } from '../support/told-events.ts'
import { began, published, runEnded, runStatuses } from '../support/workflows.ts'

/** Events in the audit trail about failures within the service itself. */

let service: TestService
let admin: Client
let asset: string

before(async () => {
  service = await startTestService({ users: { guest: [{ path: '/projects/shop', read: true }] } })
  admin = service.as('admin')
  const actions = ['passing', 'failing', 'stuck', 'unwanted', 'made'].map(
    name => `  ${name}: { description: x, run: "true" }\n`,
  )
  // A folder that even its owner cannot enter stays as it is.
  const leaving =
    '  leaving: { description: x, run: "pwd; until [ -e go ]; do sleep 0.02; done; mkdir closed; touch closed/x; chmod 000 closed" }\n'
  ;({ asset } = await shop(service, { 'web/actions.yaml': `actions:\n${actions.join('')}${leaving}` }))
})
after(() => service.stop())

const eventsOfType = async (type: string): Promise<Shown[]> =>
  (await admin.get(`/api/events?limit=1000&filter[type_eq]=${type}`)).body.data

/**
 * PostgreSQL refuses to write steps of an action: `state` is the SQLSTATE, which determines whether it is transient.
 */
async function refuse(action: string, state: string, what: string): Promise<() => Promise<void>> {
  await asOwner(`
    create function refuse_${action}() returns trigger language plpgsql as $$
    begin raise exception 'no end of ${action} today' using errcode = '${state}'; end $$;
    create trigger refuse_${action} before update on steps for each row
      when (new.action = '${action}' and ${what})
      execute function refuse_${action}()`)
  return () => asOwner(`drop function refuse_${action}() cascade`)
}

const asOwner = (statements: string): Promise<void> =>
  withClient(service.testDatabase.superuserUrl, async client => void (await client.query(statements)))

test('a result that cannot be applied is told of and tried again; its change ends once it is cancelled, or after an hour in which others went well', async () => {
  const actions = ['passing', 'failing', 'stuck', 'unwanted']
  const refusals = [
    await refuse('passing', '53100', `new.status = 'success'`),
    await refuse('failing', 'P0001', `new.status = 'success'`),
    await refuse('stuck', 'P0001', `new.status in ('success', 'system_error')`),
    await refuse('unwanted', 'P0001', `new.exit_code is not null`),
  ]
  const ids: string[] = []
  for (const action of actions) ids.push((await created(admin.post(`${asset}/changes`, { action }))).id)
  const [ofPassing = '', ofFailing = '', ofStuck = '', ofUnwanted = ''] = ids
  const typesOf = async (id: string) => (await eventsOf(admin, id)).map(each => each.attributes.type)
  const toldOf = (times: number) =>
    until(
      `of each is told ${times} times that it cannot be applied`,
      () => Promise.all([ofPassing, ofFailing, ofStuck].map(typesOf)),
      told => told.every(types => types.filter(type => type === 'error:step:aasm_failure').length === times),
      often,
    )
  const endsSaying = async (id: string, action: string, status = 'system_error') => {
    const { attributes } = await ended(admin, id)
    assert.equal(attributes.status_code, status)
    assert.match(attributes.error_message, new RegExp(`the step ${action} reported .* no end of ${action} today`))
    assert.equal((await stepAt(admin, id, action)).attributes.status_code, status)
    const ends =
      status === 'cancelled'
        ? ['error:step:aasm_failure', 'api:steps:cancel', 'api:changes:cancel']
        : ['error:step:aasm_failure', 'api:steps:error', 'api:steps:system_error', 'api:changes:system_error']
    const told = (await eventsOf(admin, id))
      .map(each => each.attributes)
      .filter(({ type }) => /aasm_failure$|:(cancel|error|system_error)$/.test(type))
    assert.deepEqual([...new Set(told.map(({ type }) => type))], ends)
    for (const { node_path } of told) assert.equal(node_path, '/projects/shop/environments/live/assets/front')
    assert.deepEqual([told[0].name, told[0].error], [action, `no end of ${action} today`])
  }
  await toldOf(1)
  assert.equal((await admin.delete(`/api/changes/${ofUnwanted}`)).status, 204)
  await endsSaying(ofUnwanted, 'unwanted', 'cancelled')
  const transient = (await eventsOf(admin, ofPassing)).filter(
    ({ attributes }) => attributes.type === 'error:steps:transient_error',
  )
  assert.deepEqual(
    transient.map(({ attributes }) => [attributes.name, attributes.error]),
    [['passing', 'no end of passing today']],
    'tried many times, and told of once in an hour',
  )
  assert.ok(!(await typesOf(ofFailing)).includes('error:steps:transient_error'))

  await moveClock(service.testDatabase, '1 hour')
  await toldOf(2)
  for (const id of [ofPassing, ofFailing, ofStuck])
    assert.equal(
      (await admin.get(`/api/changes/${id}`)).body.data.attributes.status_code,
      'running',
      'most of them fail',
    )
  for (let well = 0; well < 4; well++) await ran(admin, asset, 'made')
  await endsSaying(ofPassing, 'passing')
  await endsSaying(ofFailing, 'failing')
  const [unended] = await until(
    'that it cannot be ended either is told of',
    () => eventsOfType('api:assign_system_error_job:error'),
    events => events.length > 0,
    often,
  )
  assert.deepEqual([unended!.attributes.name, unended!.attributes.error], ['stuck', 'no end of stuck today'])
  await Promise.all(refusals.map(lift => lift()))
  assert.equal((await ended(admin, ofStuck)).attributes.status_code, 'success')
  const change = { data: { type: 'change', id: ofPassing } }
  const raw = JSON.stringify({ data: { attributes: { retry: true }, relationships: { change } } })
  const again = await created(admin.send('POST', '/api/changes', { raw }))
  assert.equal((await ended(admin, again.id)).attributes.status_code, 'success')
  const seen = (await service.as('guest').get(`/api/events?limit=1000&filter[for_change]=${ofStuck}`)).body.data
  assert.ok(seen.some((each: Shown) => each.attributes.type === 'api:assign_system_error_job:error'))
})

test('a change that cannot be prepared by a fault of the service ends with that, and holds up nothing of its name', async () => {
  await asOwner(`
    create function spoil() returns trigger language plpgsql as $$
    begin new.resolved_settings := decode('00', 'hex'); return new; end $$;
    create trigger spoil before insert on changes for each row execute function spoil()`)
  const at = { action: 'passing', git_remote_name: 'code', git_rev: 'refs/heads/main' }
  const { id } = await created(admin.post('/api/projects/shop/changes', at))
  const { attributes } = await ended(admin, id)
  await asOwner('drop function spoil() cascade')
  assert.equal(attributes.status_code, 'error')
  assert.match(attributes.error_message, /^The service could not prepare it: /)
  const told = (await eventsOf(admin, id)).find(each => each.attributes.type === 'api:changes:error')
  assert.equal(told?.attributes.error, attributes.error_message)
})

test('what the runner of a change has left and cannot be removed is told of once, holds up no other, and is tried again', async () => {
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'leaving' }))
  const [copy] = await until(
    'its step runs',
    () => written(admin, `/api/changes/${id}`),
    lines => lines.length > 0,
    often,
  )
  const [its] = await service.database.rows<{ id: string }>(sql`select id from runners where activity_id = ${id}`)
  const folder = join(service.dataDir, 'runners', its!.id)
  const kept = join(copy!, 'kept')
  // The user of the steps cannot remove what root has created there; if both are one user, it is the runner's own
  // folder.
  mkdirSync(kept)
  writeFileSync(join(kept, 'file'), '')
  if (process.getuid!() !== 0) chmodSync(folder, 0o500)
  writeFileSync(join(copy!, 'go'), '')
  try {
    const type = 'error:change_worker:delete'
    const events = await until(
      'that its folder stays is told of',
      async () => (await eventsOf(admin, id)).filter(each => each.attributes.type === type),
      told => told.length > 0,
      often,
    )
    const [{ attributes }] = events as [Shown]
    assert.deepEqual([attributes.name, attributes.node_path], ['leaving', asset.replace('/api', '')])
    assert.match(attributes.error, /could not be removed|permission denied/i)
    const next = await ran(admin, asset, 'passing')
    const [runner] = await service.database.rows<{ id: string }>(
      sql`select id from runners where activity_id = ${next.id}`,
    )
    await until(
      'the folder of another runner is gone',
      async () => existsSync(join(service.dataDir, 'runners', runner!.id)),
      there => !there,
      often,
    )
    assert.equal((await eventsOf(admin, id)).filter(each => each.attributes.type === type).length, 1)
  } finally {
    rmSync(kept, { recursive: true, force: true })
    chmodSync(folder, 0o711)
  }
  await until(
    'it is gone after all',
    async () => existsSync(folder),
    there => !there,
    { seconds: 120, pause: 200 },
  )
})

test('a step of a run that cannot make its change now is tried again; that is told of once, not each time', async () => {
  await published(admin, 'making', `steps: [{ target: environments/live/assets/front, action: made, name: it }]`)
  await asOwner(`
    create sequence refusals;
    create function refuse_made() returns trigger language plpgsql security definer as $$
    begin perform nextval('refusals'); raise exception 'no change today' using errcode = '53000'; end $$;
    create trigger refuse_made before insert on changes for each row
      when (new.action = 'made') execute function refuse_made()`)
  const id = await began(admin, 'making')
  const refusals = () =>
    withClient(service.testDatabase.superuserUrl, async client =>
      Number((await client.query('select last_value from refusals')).rows[0].last_value),
    )
  await until('it is tried again and again', refusals, count => count >= 3, { seconds: 60, pause: 50 })
  await asOwner('drop function refuse_made() cascade; drop sequence refusals')
  assert.equal((await runEnded(admin, id)).attributes.status_code, 'success')
  assert.deepEqual(await runStatuses(admin, id), [['it', 'success']])
  const { data } = (await admin.get(`/api/events?limit=1000&filter[for_workflow_run]=${id}`)).body
  const told = data
    .map(({ attributes }: Shown) => attributes)
    .filter(({ type }: { type: string }) => type === 'error:steps:transient_error')
  assert.deepEqual(
    told.map(({ name, error, node_path }: Record<string, string>) => [name, error, node_path]),
    [['making', 'no change today', '/projects/shop']],
  )
})

test('that a process heard of no cancellation and no freed slot for a while is told of once it hears again', async () => {
  const types = ['api:change_listener:error', 'api:resource_slot_freed_listener:error']
  const before = new Map<string, number>()
  for (const type of types) before.set(type, (await eventsOfType(type)).length)
  await asOwner(`
    select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'sluice hints' and datname = current_database()`)
  for (const type of types) {
    const events = await until(
      `there is ${type}`,
      () => eventsOfType(type),
      events => events.length > before.get(type)!,
      often,
    )
    const event = events.at(-1)
    assert.match(event!.attributes.error, /terminating connection|Connection terminated|has ended/)
    assert.equal(event!.attributes.pid, process.pid)
  }
  const listening = await service.database.rows(sql`
    select from pg_stat_activity where application_name = 'sluice hints' and datname = current_database()`)
  assert.equal(listening.length, 1)
})

test('a request that fails by a fault of the service is told of with its method and path; nothing of it stands', async () => {
  await asOwner(`
    create function refuse_bookmarks() returns trigger language plpgsql as $$
    begin raise exception 'no bookmark today'; end $$;
    create trigger refuse_bookmarks before insert on bookmarks for each row execute function refuse_bookmarks()`)
  const answer = await admin.post(`${asset}/bookmarks`, { description: 'of a bug' })
  await asOwner('drop function refuse_bookmarks() cascade')
  assert.equal(answer.status, 500)
  assert.doesNotMatch(answer.text, /no bookmark today/)
  const [event] = (await eventsOfType('error:api:controller:unhandled')).slice(-1)
  const { request_method, request_path, error_id, username } = event!.attributes
  assert.deepEqual(
    [request_method, request_path, error_id, username],
    ['POST', `${asset}/bookmarks`, answer.body.errors[0].id, 'admin'],
  )
  assert.deepEqual((await admin.get(`${asset}/bookmarks`)).body.data, [])
})

test('every event of changes, steps, workflows and schedules here tells what its table says', () =>
  assertEventsTold(
    service.database,
    `api:assign_system_error_job:error api:change_listener:error api:changes:system_error
     api:resource_slot_freed_listener:error api:steps:error api:steps:system_error error:change_worker:delete
     error:step:aasm_failure error:steps:transient_error`,
  ))
