import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { startTestApi, userIdOf } from '../../../tests/support/api.ts'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import { passwords, usersDomain } from './index.ts'

const nothing = rightsTo({})
const api = await startTestApi({
  domains: made => [
    usersDomain({
      ...made,
      passwords: passwords(),
      keepLastSuperuser: async () => {},
      sessionMinutes: async () => 240,
    }),
  ],
  users: { boss: superuserRights, ann: nothing, bob: nothing, blocked: { ...nothing, blocked: true } },
})
after(() => api.stop())
const [boss, ann, bob] = ['boss', 'ann', 'bob'].map(name => api.as(name)) as [Api, Api, Api]
type Api = ReturnType<typeof api.as>

before(async () => {
  for (const name of ['boss', 'ann', 'bob', 'blocked'])
    await api.database.count(sql`
      insert into users (id, username, created_by) values (${userIdOf(name)}, ${name}, 'test')`)
})

const preferences = '/api/me/preferences'
const dataOf = async (client: Api) => (await client.get(preferences)).body.data.attributes.data

test('preferences are merged into, of each user their own, and a null removes a member', async () => {
  assert.deepEqual(await dataOf(ann), {})
  const stars = ['/projects/bank', '/projects/shop']
  const first = await ann.patch(preferences, { data: { theme: 'dark', stars, columns: { activities: ['path'] } } })
  assert.equal(first.status, 200, first.text)
  await ann.patch(preferences, { data: { theme: null, columns: { nodes: ['name'] }, __proto: 1 } })
  assert.deepEqual(await dataOf(ann), { stars, columns: { activities: ['path'], nodes: ['name'] }, __proto: 1 })
  assert.deepEqual(await dataOf(bob), {})
  const events = await api.database.one(sql<{ count: number }>`select count(*)::int as count from events`)
  assert.equal(events!.count, 0)
})

test('preferences are guarded by their ETag, and a change without a difference is none', async () => {
  const before = await bob.get(preferences)
  const ifMatch = { 'if-match': before.headers.get('etag')! }
  assert.equal((await bob.patch(preferences, { data: { a: 1 } }, ifMatch)).status, 200)
  assert.equal((await bob.patch(preferences, { data: { a: 2 } }, ifMatch)).status, 412)
  const etag = (await bob.get(preferences)).headers.get('etag')!
  await bob.patch(preferences, { data: { a: 1 } })
  assert.equal((await bob.get(preferences, { 'if-none-match': etag })).status, 304)
})

test('preferences have at most 64 KiB, and are an object', async () => {
  const long = 'x'.repeat(40_000)
  assert.equal((await bob.patch(preferences, { data: { long } })).status, 200)
  const { status, body } = await bob.patch(preferences, { data: { more: long } })
  assert.deepEqual([status, body.errors[0].source], [422, { pointer: '/data/attributes/data' }])
  assert.equal((await bob.patch(preferences, { data: [1] })).status, 422)
  assert.equal((await bob.patch(preferences, { stars: [] })).status, 400)
  assert.equal((await api.as('blocked').patch(preferences, { data: {} })).status, 403)
  assert.equal((await api.stranger.get(preferences)).status, 401)
})

const views = '/api/saved_views'
const view = { name: 'Failed today', list: 'activities', query: 'filter[status_code_eq]=error' }

test('a saved view is private until its owner shares it', async () => {
  const made = await ann.post(views, view)
  assert.equal(made.status, 201, made.text)
  const path = made.body.data.links.self
  const { created_at: _, updated_at: __, ...attributes } = made.body.data.attributes
  assert.deepEqual(attributes, { ...view, shared_with: 'private', created_by: 'ann' })
  assert.deepEqual(made.body.data.meta.can, ['update', 'delete'])
  assert.equal((await bob.get(path)).status, 404)
  assert.equal((await boss.get(path)).status, 200)
  assert.equal((await bob.patch(path, { name: 'Mine' })).status, 404)

  assert.equal((await ann.patch(path, { shared_with: 'everyone' })).status, 200)
  const seen = (await bob.get(`${views}?filter[list_eq]=activities`)).body.data
  assert.deepEqual([seen.length, seen[0].meta.can], [1, []])
  assert.deepEqual((await bob.get(`${views}?filter[mine]=true`)).body.data, [])
  assert.equal((await bob.patch(path, { name: 'Mine' })).status, 403)
  assert.equal((await bob.delete(path)).status, 403)
  assert.equal((await boss.delete(path)).status, 204)
  const recorded = await api.database.rows(
    sql<{ type: string; username: string }>`select type, username from events order by created_at, id`,
  )
  assert.deepEqual(
    recorded.map(({ type, username }) => [type, username]),
    [
      ['api:saved_views:create', 'ann'],
      ['api:saved_views:update', 'ann'],
      ['api:saved_views:destroy', 'boss'],
    ],
  )
})

test('a user has one view of a name for a list, and wrong values are refused', async () => {
  assert.equal((await bob.post(views, view)).status, 201)
  assert.equal((await bob.post(views, view)).status, 409)
  const other = await bob.post(views, { ...view, list: 'events' })
  assert.equal(other.status, 201)
  assert.equal((await bob.patch(other.body.data.links.self, { list: 'activities' })).status, 409)
  for (const wrong of [{ name: '' }, { list: '/api/x' }, { query: 'x'.repeat(8_193) }, { shared_with: 'friends' }])
    assert.equal((await bob.post(views, { ...view, name: 'Another', ...wrong })).status, 422, JSON.stringify(wrong))
  assert.equal((await api.as('blocked').post(views, view)).status, 403)
})

test('both are deleted with their user', async () => {
  await ann.post(views, { ...view, shared_with: 'everyone' })
  assert.equal((await boss.delete('/api/users/ann')).status, 204)
  const left = await api.database.one(sql<{ views: number; preferences: number }>`
    select (select count(*)::int from saved_views where user_id = ${userIdOf('ann')}) as views,
           (select count(*)::int from user_preferences where user_id = ${userIdOf('ann')}) as preferences`)
  assert.deepEqual(left, { views: 0, preferences: 0 })
})
