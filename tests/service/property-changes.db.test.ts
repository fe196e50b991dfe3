import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '../support/api.ts'
import { changeWhen, created, newAsset, ran, type Shown, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Properties of a change that differ from those of the last such change that succeeded. */

const actions = `
actions:
  deploy:
    description: x
    steps:
      - { wait: Look at it, approvers: { user_names: [eve] } }
      - free
  free: { description: x, run: 'true' }
`
const live = '/projects/shop/environments/live'

let service: TestService
let admin: Client

before(async () => {
  service = await startTestService({
    users: {
      eve: [{ path: '/projects/shop', read: true }],
      blind: [
        { path: '/projects/shop', read: true },
        { path: `${live}/assets/front/properties`, read: false },
      ],
      stranger: [],
    },
  })
  admin = service.as('admin')
  await shop(service, { 'web/actions.yaml': actions, 'actions.yaml': actions })
})
after(() => service.stop())

const front = `/api${live}/assets/front`

/** A change that has ended, or that waits for eve. */
async function change(action: string, property_overrides: object, on = front): Promise<Shown> {
  if (action === 'free') return ran(admin, on, action, { property_overrides })
  const { id } = await created(admin.post(`${on}/changes`, { action, property_overrides }))
  return changeWhen(admin, id, 'waits', ({ attributes }) => attributes.status_code === 'waiting_for_approval')
}

async function differences(id: string, client = admin) {
  const answer = await client.get(`/api/changes/${id}/property_changes`)
  assert.equal(answer.status, 200, answer.text)
  const { type, attributes, links } = answer.body.data
  assert.deepEqual([type, links.self], ['property_changes', `/api/changes/${id}/property_changes`])
  return { ...attributes, link: links.compared_with }
}

async function approved(id: string): Promise<void> {
  const { body } = await service.as('eve').get(`/api/waiting_steps?limit=1000`)
  const step = body.data.find((each: Shown) => each.attributes.activity_id === id)
  assert.equal((await service.as('eve').post(`/api/steps/${step.id}/approve`, {})).status, 200)
  await changeWhen(admin, id, 'succeeds', ({ attributes }) => attributes.status_code === 'success')
}

test('an approver sees which properties differ from the last success of the action, and nothing is compared before there is one', async () => {
  const first = await change('deploy', { web: { port: 80, hosts: ['a'] }, old: true })
  const nothing = await differences(first.id, service.as('eve'))
  assert.deepEqual(nothing, { compared_with: null, differences: [], difference_count: 0, link: undefined })
  await approved(first.id)
  await change('free', { web: { port: 1 } })

  const second = await change('deploy', { web: { port: 443, hosts: ['a'] }, fresh: { x: 1 } })
  const found = await differences(second.id, service.as('eve'))
  assert.deepEqual(found.differences, [
    { pointer: '/web/port', before: 80, after: 443 },
    { pointer: '/fresh', after: { x: 1 } },
    { pointer: '/old', before: true },
  ])
  assert.deepEqual([found.difference_count, found.link], [3, `/api/changes/${first.id}`])
  assert.deepEqual(Object.keys(found.compared_with), ['id', 'finished_at'])
  assert.equal(found.compared_with.id, first.id)

  const { related } = (await admin.get(front)).body.data.relationships.properties.links
  const patched = await admin.patch(related, { data: { web: { workers: 4 } } })
  assert.ok(patched.status < 300, patched.text)
  const now = (await differences(second.id)).differences.map(({ pointer }: { pointer: string }) => pointer)
  assert.deepEqual(now.toSorted(), ['/fresh', '/old', '/web/port', '/web/workers'], 'as its next step would see them')
  await approved(second.id)
  await change('deploy', {}).then(({ id }) => approved(id))
  assert.equal(
    (await differences(second.id)).compared_with.id,
    first.id,
    'an ended change is compared with what was before it',
  )
})

test('values are shown to those alone who may read the properties of the node, and no secret is', async () => {
  const secret = {
    node_path: `${live}/assets/front`,
    path: 'db',
    key: 'password',
    value: 'the password of the database',
  }
  const stored = await admin.post('/api/secrets/encrypt', secret)
  assert.ok(stored.status < 300, stored.text)
  const reference = /"(secret:[^"]*)"/.exec(stored.text)![1]
  const { id } = await change('deploy', { db: { password: reference } })
  const path = `/api/changes/${id}/property_changes`
  assert.equal((await service.as('blind').get(path)).status, 403)
  assert.equal((await service.as('stranger').get(path)).status, 404)
  assert.equal((await admin.get(`/api/changes/${crypto.randomUUID()}/property_changes`)).status, 404)
  const answer = await service.as('eve').get(path)
  assert.ok(answer.text.includes('/db/password') && !answer.text.includes('the password of the database'))
})

test('a change whose commit was not found out has nothing to compare', async () => {
  const failed = await ran(admin, `/api${live}`, 'free', { git_remote_name: 'code', git_rev: 'no-such-branch' })
  const answer = await admin.get(`/api/changes/${failed.id}/property_changes`)
  assert.equal(answer.status, 409)
  assert.match(answer.body.errors[0].detail, /which commit no-such-branch of code is has not been found out/)
})

test('a list of 1,000 differences at most tells how many there are', async () => {
  const asset = await newAsset(admin, 'wide')
  const wide = (value: number) => ({
    all: Object.fromEntries(Array.from({ length: 1_200 }, (_, i) => [`k${i}`, value])),
  })
  await change('free', wide(1), asset)
  const { id } = await change('free', wide(2), asset)
  const found = await differences(id)
  assert.deepEqual([found.differences.length, found.difference_count], [1_000, 1_200])
})
