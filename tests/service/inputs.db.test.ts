import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { changeWhen, created, ended, eventsOf, type Shown, shop, stepAt, written } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** A sensitive value in the actions file. */
const stated = 'rosebud-and-more'
const actions = `
actions:
  release:
    description: x
    steps:
      - input: Say what
        arguments:
          - { name: version, type: integer, path: /release }
          - { name: colours, type: array, path: /release, default_value: [grey] }
          - { name: where, valid_values: [here, there], default_value: here }
          - { name: token, sensitive: true, path: /release }
        steps: [tell]
  told:
    description: x
    steps:
      - { wait: Look at it }
      - input: Say where
        arguments: [{ name: where, path: /release, default_value: here }]
      - { input: Say what, arguments: [{ name: what, path: /release/where, default_value: this }] }
  stated:
    description: x
    steps: [{ input: Say it, arguments: [{ name: token, sensitive: true, default_value: ${stated}, valid_values: [${stated}] }] }]
  vain:
    description: x
    steps: [{ input: Say it, arguments: [{ name: token, sensitive: true, path: /release }] }, try]
  try: { env: { TOKEN: "{{ release.token }}" }, run: 'echo "\${#TOKEN}"; exit 3' }
  tell:
    env: { VERSION: "{{ release.version }}", COLOURS: "{{ release.colours }}", WHERE: "{{ where }}", TOKEN: "{{ release.token }}" }
    run: echo "$VERSION $COLOURS $WHERE $TOKEN \${#TOKEN}"
`
const secret = 'hunter2-and-more'

let service: TestService
let admin: Client
let asset: string

before(async () => {
  service = await startTestService({ users: { reader: [{ path: '/projects/shop', read: true }] } })
  admin = service.as('admin')
  asset = (await shop(service, { 'web/actions.yaml': actions })).asset
})
after(() => service.stop())

async function asked(): Promise<{ id: string; step: Shown }> {
  const { id } = await created(
    admin.post(`${asset}/changes`, { action: 'release', property_overrides: { release: { old: true } } }),
  )
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting')
  return { id, step: await stepAt(admin, id, 'release/Say what') }
}

test('what an input step is given lands in the overrides of its change, each value as its type; a secret is shown nowhere', async () => {
  const { id, step } = await asked()
  assert.deepEqual(
    step.attributes.input_arguments.map(({ name, type }: { name: string; type: string }) => [name, type]),
    [
      ['version', 'integer'],
      ['colours', 'array'],
      ['where', 'string'],
      ['token', 'string'],
    ],
  )
  const [listed] = (await admin.get('/api/steps?filter[with_input_arguments]=true')).body.data
  assert.equal(listed.id, step.id)
  const given = { version: ' 42', where: 'there', token: secret }
  assert.equal(
    (await service.as('reader').post(`/api/steps/${step.id}/continue`, { input_arguments: given })).status,
    403,
  )
  const answer = await admin.post(`/api/steps/${step.id}/continue`, { input_arguments: given })
  assert.equal(answer.status, 200, answer.text)
  const change = await ended(admin, id)
  assert.equal(change.attributes.status_code, 'success', JSON.stringify(change.attributes))
  const { release, where } = change.attributes.property_overrides
  assert.deepEqual([release.old, release.version, release.colours, where], [true, 42, ['grey'], 'there'])
  assert.match(release.token, /^secret:\/\/projects\/shop\//)
  assert.deepEqual(await written(admin, `/api/changes/${id}`), [`42 ["grey"] there *** ${secret.length}`])
  const events = await eventsOf(admin, id)
  const told = events.find(({ attributes }) => attributes.type === 'audit:steps:continue')
  assert.deepEqual(told?.attributes.input_arguments, ['version', 'colours', 'where', 'token'])
  for (const path of [`/api/changes/${id}`, `/api/steps/${step.id}`, `/api/changes/${id}/log_lines`])
    assert.ok(!(await admin.get(path)).text.includes(secret), path)
  assert.ok(!JSON.stringify(events).includes(secret))
})

test('values that are wrong are refused all at once, and the step goes on waiting', async () => {
  const { id, step } = await asked()
  const input_arguments = { version: 'two', where: 'nowhere', tokn: secret }
  const answer = await admin.post(`/api/steps/${step.id}/continue`, { input_arguments })
  assert.equal(answer.status, 422)
  assert.deepEqual(
    answer.body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer.split('/').at(-1)).sort(),
    ['token', 'tokn', 'version', 'where'],
  )
  assert.equal((await admin.get(`/api/steps/${step.id}`)).body.data.attributes.status_code, 'waiting')
  await admin.delete(`/api/changes/${id}`)
})

test('what an actions file states as a sensitive value is shown nowhere either', async () => {
  const asked = { action: 'stated' }
  const raw = JSON.stringify({ data: { attributes: asked, meta: { plan: true } } })
  const plan = await admin.send('POST', `${asset}/changes`, { raw })
  assert.equal(plan.status, 200, plan.text)
  const { id } = await created(admin.post(`${asset}/changes`, asked))
  await changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting')
  const step = await stepAt(admin, id, 'stated/Say it')
  const [argument] = (await admin.get(`/api/steps/${step.id}`)).body.data.attributes.input_arguments
  assert.deepEqual([argument.default_value, argument.valid_values], ['{{hidden}}', '{{hidden}}'])
  const wrong = await admin.post(`/api/steps/${step.id}/continue`, { input_arguments: { token: 'another' } })
  assert.equal(wrong.status, 422)
  assert.equal((await admin.post(`/api/steps/${step.id}/continue`)).status, 200)
  await ended(admin, id)
  const answers = [plan, wrong]
  for (const path of [asset, `${asset}/actions`, `/api/changes/${id}?include=steps`, `/api/changes/${id}/steps`])
    answers.push(await admin.get(path))
  for (const { status, text } of answers) assert.ok(status !== 404 && !text.includes(stated), text)
  assert.ok(!JSON.stringify(await eventsOf(admin, id)).includes(stated))
})

test('waits that ask nobody anything are over by themselves where a change says so, with the defaults, and audited', async () => {
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'told', auto_continue_wait_steps: true }))
  const waits = (
    await changeWhen(
      admin,
      id,
      'waits for somebody',
      ({ attributes }) => attributes.status_code === 'waiting' && attributes.property_overrides.release,
    )
  ).attributes
  assert.deepEqual(waits.property_overrides, { release: { where: 'here' } })
  const events = await eventsOf(admin, id)
  assert.deepEqual(
    events
      .filter(({ attributes }) => attributes.type === 'audit:steps:continue')
      .map(({ attributes: { username, name, input_arguments } }) => [username, name, input_arguments]),
    [
      ['system', 'told/Look at it', undefined],
      ['system', 'told/Say where', ['where']],
    ],
  )
  // Its place is below a text: a person has to decide what happens to that.
  const last = await stepAt(admin, id, 'told/Say what')
  await until(
    'its log says why',
    () => admin.get(`/api/steps/${last.id}/log_lines`),
    ({ body }) => body.data.length > 0,
  )
  assert.equal((await stepAt(admin, id, 'told/Say what')).attributes.status_code, 'waiting')
  await admin.delete(`/api/changes/${id}`)
})
test('a secret that an input step was given is there for as long as any retry refers to it, whatever is purged', async () => {
  const { id: first } = await created(admin.post(`${asset}/changes`, { action: 'vain' }))
  await changeWhen(admin, first, 'waits', ({ attributes }) => attributes.status_code === 'waiting')
  const step = await stepAt(admin, first, 'vain/Say it')
  const given = await admin.post(`/api/steps/${step.id}/continue`, { input_arguments: { token: secret } })
  assert.equal(given.status, 200, given.text)
  await ended(admin, first)
  const retried = async (id: string): Promise<string> => {
    const change = { data: { type: 'change', id } }
    const data = { type: 'change', attributes: { retry: true }, relationships: { change } }
    const again = await created(
      admin.send('POST', '/api/changes', {
        headers: { 'content-type': 'application/json' },
        raw: JSON.stringify({ data }),
      }),
    )
    await ended(admin, again.id)
    assert.deepEqual((await written(admin, `/api/changes/${again.id}`)).at(-1), String(secret.length))
    return again.id
  }
  const purge = (id: string) =>
    until(
      `change ${id} is purged`,
      () => admin.delete(`/api/changes/${id}?purge=true`),
      ({ status }) => status === 204,
    )
  const kept = async () =>
    (await service.database.rows(sql`select from vault_entries where path like ${`%/changes/${first}/%`}`)).length

  const [one, other] = [await retried(first), await retried(first)]
  await purge(first)
  await purge(one)
  assert.equal(await kept(), 1)
  const last = await retried(other)
  await Promise.all([purge(other), purge(last)])
  assert.equal(await kept(), 0)
})
