import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ran, type Shown, shop, stepAt, written } from '../support/changes.ts'
import { follow, linesIn, stepsIn } from '../support/live-client.ts'
import { startTestService, type TestRule, type TestService } from '../support/service.ts'

const actions = `
actions:
  deploy: { description: x, steps: [install, migrate] }
  install: { description: x, run: echo installed }
  migrate: { description: x, run: echo customers }
`
const reading: TestRule = { path: '/projects/shop', read: true }
const users = {
  all: [reading],
  named: [reading, { path: '/log_lines/migrate', read: true }],
  without: [reading, { path: '/log_lines/migrate', read: false }],
  only: [reading, { path: '/log_lines', read: false }, { path: '/log_lines/install', read: true }],
  'no-deploy': [reading, { path: '/log_lines/deploy', read: false }],
  starred: [reading, { path: '/log_lines/*', read: false }],
  logs: [{ path: '/log_lines', read: true }],
}

let service: TestService
let change: Shown
before(async () => {
  service = await startTestService({ users })
  const { asset } = await shop(service, { 'web/actions.yaml': actions })
  change = await ran(service.as('admin'), asset, 'deploy')
  assert.equal(change.attributes.status_code, 'success')
})
after(() => service.stop())

test('lines of an action come to whoever may read its node, unless a rule on /log_lines denies that action to them', async () => {
  const seen: Record<string, string[]> = {
    all: ['installed', 'customers'],
    named: ['installed', 'customers'],
    without: ['installed'],
    // If a change is hidden, so are all of its steps.
    only: [],
    'no-deploy': [],
    starred: [],
  }
  for (const [username, lines] of Object.entries(seen)) {
    const client = service.as(username)
    assert.deepEqual(await written(client, `/api/changes/${change.id}`), lines, username)
    const all = (await client.get('/api/log_lines?filter[category_eq]=stdout&total=true')).body
    assert.deepEqual([all.data.length, all.meta.total], [lines.length, lines.length], username)
    const step = await stepAt(client, change.id, 'deploy/migrate')
    const ofStep = await written(client, `/api/steps/${step.id}`)
    assert.deepEqual(ofStep, lines.slice(1), username)
    const csv = await client.get(`/api/changes/${change.id}/log_lines?download=log`)
    assert.equal(csv.text.includes('customers'), lines.includes('customers'), username)
  }
  assert.equal((await service.as('logs').get(`/api/changes/${change.id}/log_lines`)).status, 404)
})

test('a live stream has the lines that the list has', async () => {
  for (const username of ['all', 'without', 'starred']) {
    const messages = await (await follow(service.address, `/api/changes/${change.id}/live`, { username })).ended()
    assert.equal(stepsIn(messages).length, 3)
    assert.deepEqual(
      linesIn(messages).map(({ attributes }) => attributes.message),
      await written(service.as(username), `/api/changes/${change.id}`),
      username,
    )
  }
})
