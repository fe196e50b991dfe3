import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import Type from 'typebox'
import { type Rights, theService } from '#platform/actor.ts'
import { sql } from '#platform/db/sql.ts'
import type { Domain } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { until } from '../../../client/sluice.ts'
import { startTestApi } from '../../../tests/support/api.ts'
import { rightsTo } from '../../../tests/support/rights.ts'
import { mayByRule } from '../../../tests/support/rights-oracle.ts'
import { nodesDomain } from './index.ts'
import { insertNode, lockUnarchived, nodeByPath } from './node.store.ts'

const everything: Rights = { superuser: true, may: () => true, visible: () => sql<boolean>`true` }

/** Rights as rules on the project bank give them: with any, reading it and its descendants is allowed. */
const ruled = (...rules: Parameters<typeof mayByRule>[0]): Rights => ({
  superuser: false,
  may: (right, path) => mayByRule(rules, right, path),
  visible: ({ path }) =>
    rules.length > 0
      ? sql<boolean>`(${path} = '/projects/bank' or ${path} like '/projects/bank/%')`
      : sql<boolean>`false`,
})
const rule = (path: string, flags: object) => ({
  path,
  read: null,
  update: null,
  execute: null,
  delete: null,
  ...flags,
})

/** Stands for the domains to the right: it demands a size of assets, and uses what is called so. */
const sizes: Domain = {
  name: 'sizes',
  extends: {
    asset: {
      createAttributes: { size: Type.Integer({ minimum: 1 }) },
      updateAttributes: { size: Type.Optional(Type.Integer({ minimum: 1 })) },
      onCreate: async (_, record, { size }) => {
        if (size === 13) throw failure('invalid', `${record.code} is of an unlucky size`)
      },
      onUpdate: async (_, __, { size }) => size !== undefined,
      inUse: ids =>
        sql`select id, 'change' as what, path || '/running' as path from nodes where id = any(${ids}::uuid[]) and code = 'busy'`,
    },
  },
}

const solo = '/projects/bank/environments/live/assets/solo'

const api = await startTestApi({
  domains: [nodesDomain({ others: [sizes] }), sizes],
  users: {
    admin: everything,
    dev: ruled(
      rule('/projects/bank', { update: true }),
      rule('/projects/bank/environments/live', { read: true, update: false }),
    ),
    guest: ruled(rule('/projects/bank', { read: true })),
    nobody: ruled(),
    // Runs one action in one environment, and one workflow.
    runner: rightsTo({
      '/projects/bank': ['read'],
      '/projects/bank/environments/live/actions/check': ['execute'],
      '/projects/bank/workflows/release': ['execute'],
    }),
    keeper: {
      superuser: false,
      may: (_, path) => path.startsWith(solo),
      visible: ({ path }) => sql<boolean>`${path} like ${`${solo}%`}`,
    },
  },
})
after(() => api.stop())
const admin = api.as('admin')
const codeOf = ({ body }: { body: { errors?: { code: string }[] } }) => body.errors?.map(({ code }) => code)
const eventsOf = async (type: string) =>
  api.database.rows(sql<{ path: string; attributes: Record<string, unknown>; source_id: string }>`
    select path, attributes, source_id from events where type = ${type} order by created_at`)

await admin.post('/api/projects', { code: 'bank', name: 'Bank' })
await admin.post('/api/projects/bank/environments', { code: 'live', name: 'Live' })

test('a project is made with its path, and recorded', async () => {
  const made = await admin.post('/api/projects', { code: 'shop', name: 'Shop', description: 'Sells' })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('location'), '/api/projects/shop')
  const { attributes, meta, links } = made.body.data
  assert.deepEqual(
    { ...attributes, created_at: 0, updated_at: 0 },
    {
      code: 'shop',
      name: 'Shop',
      description: 'Sells',
      archived: false,
      project_type: 'Enterprise',
      created_by: 'admin',
      created_at: 0,
      updated_at: 0,
    },
  )
  assert.deepEqual(meta.child_node_types, ['environment', 'asset', 'agent'])
  assert.deepEqual(Object.keys(links).sort(), ['agents', 'assets', 'bookmarks', 'environments', 'self'])
  const [event] = (await eventsOf('api:projects:create')).filter(({ path }) => path === '/projects/shop')
  assert.equal(event?.source_id, made.body.data.id)
  assert.equal(event?.attributes['name'], 'Shop')
  assert.equal(event?.attributes['request_body_code'], 'shop')
})

test('a code is unique among its siblings whatever its case, archived ones included', async () => {
  await admin.post('/api/projects', { code: 'twin', name: 'Twin' })
  await admin.delete('/api/projects/twin')
  const again = await admin.post('/api/projects', { code: 'TWIN', name: 'Twin' })
  assert.equal(again.status, 409)
  assert.deepEqual(codeOf(again), ['code-taken'])
  // The code is free for another type, or under another parent.
  assert.equal((await admin.post('/api/projects/bank/environments', { code: 'twin', name: 'Twin' })).status, 201)
  assert.equal((await admin.post('/api/projects/bank/assets', { code: 'twin', name: 'Twin', size: 1 })).status, 201)
})

test('codes are refused that a path could not carry, with what they should be', async () => {
  for (const code of [
    '',
    '-a',
    'a-',
    'a b',
    'a/b',
    'ä',
    'a'.repeat(101),
    '..',
    '018f0000-0000-7000-8000-000000000000',
  ]) {
    const answer = await admin.post('/api/projects', { code, name: 'x' })
    assert.equal(answer.status, 422, code)
    assert.equal(answer.body.errors[0].source.pointer, '/data/attributes/code')
  }
  assert.equal((await admin.post('/api/projects', { code: 'a'.repeat(100), name: 'x'.repeat(255) })).status, 201)
})

test('an asset lies under a project or an environment and knows the line above it', async () => {
  const made = await admin.post('/api/projects/bank/environments/live/assets', { code: 'web', name: 'Web', size: 3 })
  assert.equal(made.status, 201, made.text)
  const { relationships, links, meta } = made.body.data
  assert.deepEqual(
    relationships.parents.data.map(({ type }: { type: string }) => type),
    ['project', 'environment'],
  )
  assert.equal(relationships.parent.data.type, 'environment')
  assert.equal(relationships.parent.links.related, '/api/projects/bank/environments/live')
  assert.equal(relationships.project.links.related, '/api/projects/bank')
  assert.equal(links.self, '/api/projects/bank/environments/live/assets/web')
  assert.equal(meta.requires_template, true)
  assert.deepEqual(
    made.body.included.map(({ type }: { type: string }) => type),
    ['project'],
  )
  const listed = await admin.get('/api/projects/bank/environments/live/assets')
  assert.deepEqual(
    listed.body.data.map(({ attributes }: { attributes: { code: string } }) => attributes.code),
    ['web'],
  )
  // Assets of the environment are not the project's own.
  const own = await admin.get('/api/projects/bank/assets')
  assert.ok(own.body.data.every(({ attributes }: { attributes: { code: string } }) => attributes.code !== 'web'))
})

test('what another domain adds to creating is asked for, and its refusal undoes the node', async () => {
  const without = await admin.post('/api/projects/bank/assets', { code: 'small', name: 'Small' })
  assert.equal(without.status, 422)
  assert.equal(without.body.errors[0].source.pointer, '/data/attributes/size')
  assert.equal((await admin.post('/api/projects/bank/assets', { code: 'small', name: 'Small', size: 13 })).status, 422)
  assert.equal((await admin.get('/api/projects/bank/assets/small')).status, 404)
})

test('an Idempotency-Key is taken with a path that is longer than an index holds', async () => {
  const code = encodeURIComponent(randomBytes(1_900).toString('utf16le').toWellFormed().replaceAll('\0', ''))
  const ask = () =>
    admin.post(
      `/api/projects/${code}/environments`,
      { code: 'env', name: 'Env' },
      { 'idempotency-key': 'k'.repeat(255) },
    )
  assert.equal((await ask()).status, 404)
  assert.equal((await ask()).status, 404)
})

test('a Standard project holds environments only', async () => {
  const made = await admin.post('/api/projects', { code: 'plain', name: 'Plain', project_type: 'Standard' })
  assert.deepEqual(made.body.data.meta.child_node_types, ['environment'])
  assert.equal(made.body.data.meta.can_have_changes, false)
  assert.deepEqual(Object.keys(made.body.data.links).sort(), ['bookmarks', 'environments', 'self'])
  assert.equal((await admin.post('/api/projects/plain/environments', { code: 'one', name: 'One' })).status, 201)
  const refused = await admin.post('/api/projects/plain/environments/one/assets', { code: 'a', name: 'A', size: 1 })
  assert.deepEqual([refused.status, codeOf(refused)], [409, ['not-supported-here']])
  assert.equal((await admin.get('/api/projects/plain/assets')).status, 404)
  assert.equal((await admin.post('/api/projects/plain/agents', { code: 'a', name: 'A' })).status, 409)
})

test('what a caller may not read does not exist; what they may not do is forbidden by name', async () => {
  assert.equal((await api.as('nobody').get('/api/projects/bank')).status, 404)
  assert.equal((await api.as('nobody').patch('/api/projects/bank', { name: 'x' })).status, 404)
  const forbidden = await api.as('guest').patch('/api/projects/bank', { name: 'x' })
  assert.equal(forbidden.status, 403)
  assert.deepEqual(forbidden.body.errors[0].meta, { right: 'update', path: '/projects/bank' })
  assert.equal((await api.as('guest').post('/api/projects', { code: 'g', name: 'G' })).status, 403)
  const dev = api.as('dev')
  assert.equal((await dev.post('/api/projects/bank/environments', { code: 'test', name: 'Test' })).status, 201)
  assert.equal((await dev.patch('/api/projects/bank/environments/live', { name: 'x' })).status, 403)
  const shown = await api.as('guest').get('/api/projects/bank')
  assert.deepEqual(shown.body.data.meta.authorisations.self, { update: false, execute: false, delete: false })
  assert.deepEqual(shown.body.data.meta.authorisations.environments, { read: true, update: false, delete: false })
})

test('changes and runs are said to be executable where at least one action, or one workflow, is', async () => {
  const said = async (who: string, path: string) => {
    const { changes, workflow_runs } = (await api.as(who).get(`/api${path}`)).body.data.meta.authorisations
    return [changes.execute, workflow_runs?.execute]
  }
  assert.deepEqual(await said('runner', '/projects/bank/environments/live'), [true, undefined])
  assert.deepEqual(await said('runner', '/projects/bank'), [false, true])
  assert.deepEqual(await said('guest', '/projects/bank'), [false, false])
})

test('of what it lies in a node names as parents what the caller may read, in lists and alone', async () => {
  const live = '/api/projects/bank/environments/live/assets'
  assert.equal((await admin.post(live, { code: 'solo', name: 'Solo', size: 1 })).status, 201)
  const parentsFor = async (who: string) => {
    const listed = (await api.as(who).get('/api/assets?filter[code_eq]=solo')).body.data[0].relationships.parents.data
    assert.deepEqual((await api.as(who).get(`/api${solo}`)).body.data.relationships.parents.data, listed)
    return listed.map(({ type }: { type: string }) => type)
  }
  assert.deepEqual(await parentsFor('keeper'), [])
  assert.deepEqual(await parentsFor('guest'), ['project', 'environment'])
  assert.equal((await admin.patch(`/api${solo}`, { archived: true })).status, 200)
})

test('that force is for superusers is told to whoever may delete the node and sees it, before If-Match is looked at', async () => {
  const forced = `/api${solo}?ignore_in_use=true`
  const stale = { 'if-match': '"0"' }
  assert.equal((await api.as('keeper').delete(forced, stale)).status, 403)
  assert.equal((await api.as('nobody').delete(forced, stale)).status, 404)
})

test('an update changes what is given, and without a difference writes nothing', async () => {
  const before = await admin.get('/api/projects/bank/environments/live')
  const changed = await admin.patch('/api/projects/bank/environments/live', { name: 'Live!', description: null })
  assert.equal(changed.body.data.attributes.name, 'Live!')
  assert.notEqual(changed.headers.get('etag'), before.headers.get('etag'))
  const events = (await eventsOf('api:nodes:update')).length
  assert.equal(changed.body.data.attributes.description, '')
  const same = await admin.patch('/api/projects/bank/environments/live', { name: 'Live!', description: null })
  assert.equal(same.status, 200)
  assert.equal(same.headers.get('etag'), changed.headers.get('etag'))
  assert.equal((await eventsOf('api:nodes:update')).length, events)
  assert.equal((await eventsOf('api:nodes:update')).at(-1)?.attributes['name'], 'Live!')
  assert.equal((await admin.patch('/api/projects/bank/environments/live', { code: 'other' })).status, 400)
})

test('a node with active children, or something that uses it, is not archived; the answer names them', async () => {
  await admin.post('/api/projects', { code: 'old', name: 'Old' })
  await admin.post('/api/projects/old/environments', { code: 'env', name: 'Env' })
  await admin.post('/api/projects/old/environments/env/assets', { code: 'busy', name: 'Busy', size: 1 })
  const refused = await admin.delete('/api/projects/old')
  assert.equal(refused.status, 409)
  assert.deepEqual(refused.body.errors[0].meta.in_use, [
    { type: 'environment', path: '/projects/old/environments/env' },
  ])
  const used = await admin.patch('/api/projects/old/environments/env/assets/busy', { archived: true })
  assert.deepEqual(used.body.errors[0].meta.in_use, [
    { type: 'change', path: '/projects/old/environments/env/assets/busy/running' },
  ])
})

test('a node is reached by the paths of its own type alone, however their slashes are written', async () => {
  await admin.post('/api/projects', { code: 'slash', name: 'Slash' })
  await admin.post('/api/projects/slash/assets', { code: 'busy', name: 'Busy', size: 1 })
  const [node, asProject] = ['/api/projects/slash/assets/busy', '/api/projects/slash%2Fassets%2Fbusy']
  for (const answer of [
    await admin.get(`${asProject}/bookmarks`),
    await admin.post(`${asProject}/bookmarks`, { description: 'x' }),
    await admin.patch(asProject, { name: 'Other' }),
    // Only extensions of assets are asked about an asset: as a project it would be archived, in use or not.
    await admin.delete(asProject),
    await admin.delete('/api/projects/slash/assets%2Fbusy'),
  ])
    assert.equal(answer.status, 404, answer.text)
  assert.equal((await admin.get(node)).body.data.attributes.archived, false)
})

test('an archived node takes nothing but its restoring, and is restored only under a living parent', async () => {
  await admin.post('/api/projects', { code: 'rest', name: 'Rest' })
  await admin.post('/api/projects/rest/environments', { code: 'env', name: 'Env' })
  assert.equal((await admin.delete('/api/projects/rest/environments/env')).status, 204)
  assert.equal((await admin.delete('/api/projects/rest')).status, 204)
  assert.deepEqual((await eventsOf('api:projects:destroy')).at(-1)?.attributes['archived'], true)
  const listed = await admin.get('/api/projects?filter[code_eq]=rest')
  assert.equal(listed.body.data[0].attributes.archived, true)
  for (const answer of [
    await admin.patch('/api/projects/rest', { name: 'New' }),
    await admin.post('/api/projects/rest/environments', { code: 'other', name: 'Other' }),
    await admin.patch('/api/projects/rest/environments/env', { archived: false }),
  ])
    assert.deepEqual([answer.status, codeOf(answer)], [409, ['archived']], answer.text)
  assert.equal(
    (await admin.patch('/api/projects/rest', { archived: false, name: 'New' })).body.data.attributes.name,
    'New',
  )
  assert.equal((await admin.patch('/api/projects/rest/environments/env', { archived: false })).status, 200)
})

test('a child that is made while its parent is archived is either refused or hinders the archiving', async () => {
  for (let round = 0; round < 10; round++) {
    await admin.post('/api/projects', { code: `race${round}`, name: 'Race' })
    const [child, parent] = await Promise.all([
      admin.post(`/api/projects/race${round}/environments`, { code: 'env', name: 'Env' }),
      admin.delete(`/api/projects/race${round}`),
    ])
    assert.ok((child.status === 201) !== (parent.status === 204), `${child.status} and ${parent.status}`)
  }
})

test('a refusal names a hundred of what uses a node, and tells that there is more', async () => {
  await admin.post('/api/projects', { code: 'wide', name: 'Wide' })
  const make = (code: string) => admin.post('/api/projects/wide/environments', { code, name: 'Env' })
  await Promise.all(Array.from({ length: 100 }, (_, index) => make(`env${index}`)))
  const hundred = (await admin.delete('/api/projects/wide')).body.errors[0].meta
  assert.deepEqual([hundred.in_use.length, 'in_use_more' in hundred], [100, false])
  await make('another')
  const more = (await admin.delete('/api/projects/wide')).body.errors[0].meta
  assert.deepEqual([more.in_use.length, more.in_use_more], [100, true])
})

test('a superuser destroys a node with everything beneath: gone at once, recorded each, codes free', async () => {
  await admin.post('/api/projects', { code: 'gone', name: 'Gone' })
  await admin.post('/api/projects/gone/environments', { code: 'env', name: 'Env' })
  await admin.post('/api/projects/gone/environments/env/assets', { code: 'busy', name: 'Busy', size: 1 })
  assert.equal((await api.as('dev').delete('/api/projects/bank?ignore_in_use=true')).status, 403)
  assert.equal((await admin.delete('/api/projects/gone?ignore_in_use=true')).status, 204)
  for (const path of ['', '/environments/env', '/environments/env/assets/busy'])
    assert.equal((await admin.get(`/api/projects/gone${path}`)).status, 404)
  const forced = (await eventsOf('api:nodes:destroy')).filter(({ path }) => path.startsWith('/projects/gone/'))
  assert.deepEqual(
    forced.map(({ path, attributes }) => [path, attributes['forced']]),
    [
      ['/projects/gone/environments/env', true],
      ['/projects/gone/environments/env/assets/busy', true],
    ],
  )
  assert.equal((await admin.post('/api/projects', { code: 'gone', name: 'Again' })).status, 201)
  assert.equal((await admin.get('/api/projects/gone/environments')).body.data.length, 0)
})

test('what is being made beneath a node while it is destroyed goes with it', async () => {
  await admin.post('/api/projects', { code: 'doomed', name: 'Doomed' })
  const { destroyed } = await api.database.transaction(async tx => {
    const parent = (await tx.one(nodeByPath({ project_code: 'doomed' })))!
    await lockUnarchived(tx, parent)
    const late = { type: 'environment', code: 'late', name: 'Late', description: '' } as const
    await insertNode(tx, { ...late, parent, path: '/projects/doomed/environments/late' }, theService)
    const { pid } = (await tx.one(sql<{ pid: number }>`select pg_backend_pid() as pid`))!
    const destroyed = admin.delete('/api/projects/doomed?ignore_in_use=true')
    await until(
      'the destroyer waits',
      () =>
        api.database.one(sql<{ n: number }>`
          select count(*)::int as n from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`),
      row => row?.n === 1,
    )
    return { destroyed }
  })
  assert.equal((await destroyed).status, 204)
  assert.equal((await admin.get('/api/projects/doomed/environments/late')).status, 404)
  const told = (await eventsOf('api:nodes:destroy')).map(({ path }) => path)
  assert.ok(told.includes('/projects/doomed/environments/late'))
})

test('of two who destroy a node at once one has done it, and the audit trail tells it once', async () => {
  await admin.post('/api/projects', { code: 'twice', name: 'Twice' })
  const { both } = await api.database.transaction(async tx => {
    await tx.rows(sql`select from nodes where path = '/projects/twice' for update`)
    const both = [1, 2].map(() => admin.delete('/api/projects/twice?ignore_in_use=true'))
    await until(
      'both wait',
      () =>
        api.database.one(sql<{ n: number }>`
          select count(*)::int as n from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`),
      row => row?.n === 2,
    )
    return { both }
  })
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [204, 404])
  const told = (await eventsOf('api:projects:destroy')).filter(({ path }) => path === '/projects/twice')
  assert.equal(told.length, 1)
})

test('bookmarks are kept by whoever reads the node, and changed by their maker or whoever may update it', async () => {
  const guest = api.as('guest')
  const made = await guest.post('/api/projects/bank/bookmarks', {
    description: 'Wiki',
    url: 'https://wiki.example/bank',
  })
  assert.equal(made.status, 201, made.text)
  const { self } = made.body.data.links
  assert.equal((await guest.patch(self, { description: 'The wiki' })).body.data.attributes.description, 'The wiki')
  const other = await admin.post('/api/projects/bank/bookmarks', { description: 'Board' })
  assert.equal((await guest.patch(other.body.data.links.self, { description: 'x' })).status, 403)
  assert.equal((await api.as('dev').delete(other.body.data.links.self)).status, 204)
  assert.equal(
    (await guest.post('/api/projects/bank/bookmarks', { description: 'x', url: 'javascript:alert(1)' })).status,
    422,
  )
  const shown = await guest.get('/api/projects/bank')
  assert.equal(shown.body.data.relationships.bookmarks.data.length, 1)
  assert.equal((await api.as('nobody').get('/api/bookmarks')).body.data.length, 0)
})

test('a record is reached by its id in any case, to be read and to be written', async () => {
  const { id } = (await admin.post('/api/projects/bank/bookmarks', { description: 'Case' })).body.data
  const path = `/api/projects/bank/bookmarks/${id.toUpperCase()}`
  const answers = [await admin.get(path), await admin.patch(path, { description: 'Cases' }), await admin.delete(path)]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 204],
  )
})
