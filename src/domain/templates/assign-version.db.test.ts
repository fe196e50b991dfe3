import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { type TemplateWorld, templateWorld } from '../../../tests/support/template-world.ts'
import { rightsFrom } from '../access/rights.sql.ts'

const ruled = (...rules: object[]) =>
  rightsFrom({
    superuser: false,
    blocked: false,
    rules: rules.map(rule => ({ path: '/', read: null, update: null, execute: null, delete: null, ...rule })),
  })

let world: TemplateWorld
const assets = '/projects/shop/assets'
const versions = '/api/projects/shop/templates/web/versions'

before(async () => {
  world = await templateWorld({
    admin: rightsFrom({ superuser: true, blocked: false, rules: [] }),
    reader: ruled({ path: '/projects/shop', read: true }),
    stranger: ruled({ path: '/projects/elsewhere', read: true }),
    // The four assets: one to change, one to see, and two that are hidden.
    keeper: ruled(
      { path: '/projects/shop/templates', read: true },
      { path: `${assets}/a`, read: true, update: true },
      { path: `${assets}/b`, read: true },
    ),
  })
  const { admin, runJobs } = world
  const { remote } = await world.repository({
    'web/actions.yaml': 'actions:\n  hello: { description: x, run: echo }\n',
    'other/actions.yaml': 'actions:\n  hello: { description: x, run: echo }\n',
    'robot/Dockerfile': 'FROM scratch',
  })
  for (const [code, template_type] of [
    ['web', 'asset'],
    ['other', 'asset'],
    ['robot', 'agent'],
  ]) {
    await admin.post('/api/projects/shop/templates', { code, name: code, template_type, git_remote_name: remote })
    await admin.put(`/api/projects/shop/templates/${code}/versions/1`, { git_rev: 'main' })
  }
  for (const version of ['2', '3']) await admin.put(`${versions}/${version}`, { git_rev: 'main' })
  await admin.put(`${versions}/broken`, { git_rev: 'nowhere' })
  await runJobs()
  await admin.put(`${versions}/unfetched`, { git_rev: 'main' })
  for (const [code, template_code] of [
    ['a', 'web'],
    ['b', 'web'],
    ['c', 'web'],
    ['gone', 'web'],
    ['foreign', 'other'],
  ])
    await admin.post(`/api${assets}`, { code, name: code, template_code, template_version: '1' })
  assert.equal((await admin.delete(`/api${assets}/gone`)).status, 204)
})
after(() => world.stop())

const assign = (version: string, codes: readonly string[], as = 'admin') =>
  world.api
    .as(as)
    .post(`${versions}/${version}/assign_to_assets`, { asset_paths: codes.map(code => `${assets}/${code}`) })
const versionOf = async (code: string) =>
  (await world.admin.get(`/api${assets}/${code}`)).body.data.attributes.template_version
const eventsSince = async (time: string) =>
  (
    await world.api.database.rows(sql<{ type: string; path: string }>`
      select type, path from events where created_at > ${time}::timestamptz order by created_at, id`)
  ).map(({ type, path }) => `${type} ${path}`)
const now = async () => (await world.api.database.one(sql<{ now: string }>`select sluice_now() as now`))!.now

test('templates of all projects are one list, of those that the caller may read', async () => {
  const codes = async (user: string, query = '') => {
    const { status, body, text } = await world.api.as(user).get(`/api/templates?filter[sorts]=code${query}`)
    assert.equal(status, 200, text)
    return body.data.map((each: { attributes: { code: string } }) => each.attributes.code)
  }
  assert.deepEqual(await codes('reader'), ['other', 'robot', 'web'])
  assert.deepEqual(await codes('reader', '&filter[m]=or&filter[name_cont]=ob&filter[code_cont]=ob'), ['robot'])
  assert.deepEqual(await codes('stranger'), [])
})

test('a version is given to all assets that are named, each with its event and its time', async () => {
  const before = await now()
  const answer = await assign('2', ['b', 'a', 'a'])
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([answer.body.data.type, answer.body.data.attributes.version], ['template_version', '2'])
  assert.deepEqual([await versionOf('a'), await versionOf('b'), await versionOf('c')], ['2', '2', '1'])
  const history = (await world.admin.get(`/api${assets}/a/version_history`)).body.data
  assert.equal(history[0].attributes.active_from, history[1].attributes.active_to)
  assert.deepEqual((await eventsSince(before)).toSorted(), [
    'api:nodes:update /projects/shop/assets/a',
    'api:nodes:update /projects/shop/assets/b',
    'api:template_versions:assign_to_assets /projects/shop',
  ])
})

test('what has the version already is left as it is, without an event', async () => {
  assert.equal((await assign('2', ['a', 'b'])).status, 200)
  const before = await now()
  assert.equal((await assign('2', ['a'])).status, 200)
  assert.deepEqual(await eventsSince(before), [])
})

test('one path that cannot take it leaves all as they were, and is named', async () => {
  assert.equal((await assign('2', ['a'])).status, 200)
  for (const [codes, status, code, at] of [
    [['a', 'nowhere'], 404, 'missing', [1]],
    [['nowhere', 'a', 'nothing'], 404, 'missing', [0, 2]],
    [['a', 'gone'], 409, 'archived', [1]],
    [['foreign', 'a'], 422, 'invalid', [0]],
  ] as const) {
    const { body, ...refused } = await assign('3', codes)
    assert.deepEqual(
      [refused.status, body.errors[0].code, body.errors.map((each: { source: object }) => each.source)],
      [status, code, at.map(index => ({ pointer: `/data/attributes/asset_paths/${index}` }))],
    )
  }
  const project = await world.admin.post(`${versions}/3/assign_to_assets`, { asset_paths: ['/projects/shop'] })
  assert.equal(project.status, 422)
  for (const asset_paths of [[], undefined, `${assets}/a`, [7]])
    assert.ok([400, 422].includes((await world.admin.post(`${versions}/3/assign_to_assets`, { asset_paths })).status))
  assert.equal(await versionOf('a'), '2')
})

test('only a version that is ready is given to assets', async () => {
  for (const version of ['broken', 'unfetched']) {
    const refused = await assign(version, ['c'])
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'wrong-state'])
  }
  assert.equal((await assign('none', ['c'])).status, 404)
  await world.admin.put(`${versions}/3`, { archived: true })
  assert.equal((await assign('3', ['c'])).body.errors[0].code, 'archived')
  await world.admin.put(`${versions}/3`, { archived: false })
  const robot = await world.admin.post('/api/projects/shop/templates/robot/versions/1/assign_to_assets', {
    asset_paths: [`${assets}/c`],
  })
  assert.equal(robot.status, 422)
  assert.equal(await versionOf('c'), '1')
})

test('each asset is one that the caller may change: hidden ones are not there, others are refused', async () => {
  assert.equal((await assign('2', ['a', 'b', 'c'])).status, 200)
  const hidden = await assign('3', ['a', 'c'], 'keeper')
  const never = await assign('3', ['a', 'never'], 'keeper')
  const withoutIds = ({ body }: typeof hidden) => body.errors.map(({ id: _, ...error }: { id: string }) => error)
  assert.deepEqual([hidden.status, withoutIds(hidden)], [404, withoutIds(never)])
  assert.equal((await assign('3', ['a', 'b'], 'keeper')).status, 403)
  assert.equal((await assign('3', ['a'], 'reader')).status, 403)
  assert.deepEqual([await versionOf('a'), await versionOf('b')], ['2', '2'])
  assert.equal((await assign('3', ['a'], 'keeper')).status, 200)
  assert.equal(await versionOf('a'), '3')
})

test('assets are moved only from the versions that the caller has seen, and to the version that it has seen', async () => {
  await world.admin.put(`${versions}/3`, { archived: false })
  assert.equal((await assign('1', ['a', 'b', 'c'])).status, 200)
  assert.equal((await assign('2', ['b'])).status, 200)
  const to = (version: string, from: Record<string, string>, ifMatch?: string) =>
    world.admin.post(
      `${versions}/${version}/assign_to_assets`,
      {
        asset_paths: [`${assets}/a`, `${assets}/b`],
        from_versions: Object.fromEntries(Object.entries(from).map(([code, has]) => [`${assets}/${code}`, has])),
      },
      ifMatch === undefined ? {} : { 'if-match': ifMatch },
    )
  const stale = await to('3', { a: '1', b: '1' })
  assert.deepEqual(
    [stale.status, stale.body.errors.map(({ code, source }: { code: string; source: object }) => [code, source])],
    [409, [['stale-version', { pointer: '/data/attributes/asset_paths/1' }]]],
  )
  assert.match(stale.body.errors[0].detail, /has version "2" now, not "1"/)
  assert.deepEqual([await versionOf('a'), await versionOf('b')], ['1', '2'])
  const unasked = await to('3', { a: '1', c: '1' })
  assert.equal(unasked.status, 422)
  assert.match(unasked.body.errors[0].source.pointer, /from_versions\/~1projects~1shop~1assets~1c$/)
  // An asset that has the version already needs no move.
  assert.equal((await to('2', { a: '1', b: '1' })).status, 200)
  assert.equal((await to('2', {})).status, 200)

  const { headers } = await world.admin.get(`${versions}/3`)
  await world.admin.put(`${versions}/3`, { description: 'another' })
  assert.equal((await to('3', { a: '2', b: '2' }, headers.get('etag')!)).status, 412)
  const now = (await world.admin.get(`${versions}/3`)).headers.get('etag')!
  assert.equal((await to('3', { a: '2', b: '2' }, now)).status, 200)
  assert.deepEqual([await versionOf('a'), await versionOf('b')], ['3', '3'])
  assert.equal((await assign('2', ['a', 'b'])).status, 200)
})

test('assignments, changes of one asset and a deletion at the same time end whole, and none waits for ever', async () => {
  await world.admin.put(`${versions}/late`, { git_rev: 'main' })
  await world.runJobs()
  const answers = await Promise.all([
    assign('2', ['a', 'b', 'c']),
    assign('3', ['c', 'b', 'a']),
    world.admin.patch(`/api${assets}/b`, { template_version: '1' }),
    assign('late', ['c', 'a']),
    world.admin.delete(`${versions}/late`),
    assign('2', ['b', 'c']),
  ])
  for (const { status, text } of answers) assert.ok([200, 204, 404, 409].includes(status), text)
  for (const code of ['a', 'b', 'c']) {
    const rows = await world.api.database.rows(sql<{ version: string }>`
      select v.version, n.template_version as told, n.template_code as template,
             n.template_id = h.template_id and n.template_version_id = v.id as "toldById"
        from template_version_histories h
        join template_versions v on v.id = h.template_version_id
        join nodes n on n.id = h.node_id
       where n.path = ${`${assets}/${code}`} and active_to is null`)
    const [{ version = '' } = {}] = rows
    assert.deepEqual(rows, [{ version, told: version, template: 'web', toldById: true }])
  }
})
