import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Rights } from '#platform/actor.ts'
import { sql } from '#platform/db/sql.ts'
import { type JsonObject, textOf } from '#platform/documents/document.ts'
import { type Domain, extensionsOf } from '#platform/domain.ts'
import { type Made, startTestApi, userIdOf } from '../../../tests/support/api.ts'
import { moveClock } from '../../../tests/support/database.ts'
import { storePropertyFiles } from '../git/index.ts'
import { eventNode, findNodeAt, nodesDomain } from '../nodes/index.ts'
import { settingsDomain } from '../settings/index.ts'
import { propertiesDomain } from './index.ts'

const everything: Rights = { superuser: true, may: () => true, visible: () => sql<boolean>`true` }
const readOnly: Rights = { superuser: false, may: right => right === 'read', visible: () => sql<boolean>`true` }

/** Templates are to the right; what they are made of is written into their tables here. */
const withoutTemplates = (domain: Domain): Domain => {
  const { template: _, template_version: __, ...ofNodes } = domain.extends ?? {}
  return { ...domain, extends: ofNodes }
}

let made: Made
let properties: ReturnType<typeof propertiesDomain>
const api = await startTestApi({
  domains: async parts => {
    made = parts
    const settings = settingsDomain({ keyring: parts.keyring, overrides: {} })
    await settings.start(parts)
    properties = propertiesDomain({ keyring: parts.keyring, record: parts.record, settings: settings.reader })
    const others = [withoutTemplates(settings.domain), withoutTemplates(properties.domain)]
    return [nodesDomain({ others }), ...others]
  },
  users: { admin: everything, reader: readOnly },
})
after(() => api.stop())
const admin = api.as('admin')

await admin.post('/api/projects', { code: 'bank', name: 'Bank' })
await admin.post('/api/projects/bank/environments', { code: 'live', name: 'Live' })
const web = '/projects/bank/environments/live/assets/web'
await admin.post(`/api/projects/bank/environments/live/assets`, { code: 'web', name: 'Web' })

const recordOf = async (path: string): Promise<string> =>
  (await admin.get(`/api${path}`)).body.data.relationships.properties.links.related
const [project, environment, asset] = await Promise.all([
  recordOf('/projects/bank'),
  recordOf('/projects/bank/environments/live'),
  recordOf(web),
])
const dataOf = async (record: string) => (await admin.get(record)).body.data.attributes.data
const now = async () => (await api.database.one(sql<{ at: string }>`select sluice_now() as at`))!.at
const patch = (record: string, kind: 'merge' | 'json', body: unknown) =>
  admin.send('PATCH', record, {
    raw: JSON.stringify(body),
    headers: { 'content-type': `application/${kind === 'merge' ? 'merge-patch' : 'json-patch'}+json` },
  })

test('a document is replaced, merged into and patched, each a version with its author', async () => {
  await admin.patch(project, { data: { z: 1, a: { b: [1, 2] }, '10': 'ten' } })
  await patch(project, 'merge', { a: { c: null, d: true }, z: null })
  const answer = await patch(project, 'json', [
    { op: 'test', path: '/a/b/1', value: 2 },
    { op: 'add', path: '/a/b/-', value: 3 },
    { op: 'move', from: '/a/d', path: '/moved' },
  ])
  assert.equal(answer.status, 200, answer.text)
  assert.equal(JSON.stringify(answer.body.data.attributes.data), '{"10":"ten","a":{"b":[1,2,3]},"moved":true}')
  assert.equal(answer.body.data.attributes.version, 4)
  const versions = await admin.get(`${project}/versions`)
  assert.deepEqual(
    versions.body.data.map(({ attributes }: { attributes: { version: number } }) => attributes.version),
    [4, 3, 2, 1],
  )
  assert.deepEqual((await admin.get(`${project}/versions/2`)).body.data.attributes.data, {
    '10': 'ten',
    z: 1,
    a: { b: [1, 2] },
  })
  const id = project.split('/').at(-1)
  assert.equal((await admin.get(`/api/properties_versions?properties_id=${id}`)).body.data.length, 4)
  assert.equal((await admin.get('/api/properties_versions')).status, 400)
  for (const list of [`${project}/versions?`, `/api/properties_versions?properties_id=${id}&`]) {
    const [bare] = (await admin.get(`${list}exclude_data=true`)).body.data
    assert.deepEqual([bare.attributes.version, bare.attributes.data], [4, undefined], list)
    assert.equal((await admin.get(`${list}filter[version_eq]=1`)).status, 400)
  }
})

test('what does not apply, or would make no document, changes nothing', async () => {
  const before = (await admin.get(project)).text
  const conflict = await patch(project, 'json', [
    { op: 'add', path: '/new', value: 1 },
    { op: 'test', path: '/moved', value: false },
  ])
  assert.deepEqual([conflict.status, conflict.body.errors[0].code], [409, 'wrong-state'])
  for (const [kind, body] of [
    ['json', [{ op: 'add', path: 'x', value: 1 }]],
    ['json', [{ op: 'replace', path: '', value: [] }]],
    ['json', {}],
    ['merge', [1]],
    ['merge', 'text'],
  ] as const)
    assert.equal((await patch(project, kind, body)).status, 422, JSON.stringify(body))
  assert.equal((await admin.patch(project, { data: [] })).status, 422)
  assert.equal((await admin.get(project)).text, before)
})

test('whole numbers beyond 2^53 are refused with a pointer, U+0000 is malformed, odd keys are data', async () => {
  const number = await admin.send('PATCH', project, {
    raw: '{"data":{"attributes":{"data":{"a":[1,9007199254740993]}}}}',
  })
  assert.equal(number.status, 422)
  assert.equal(number.body.errors[0].source.pointer, '/data/attributes/data/a/1')
  assert.equal((await admin.patch(project, { data: { a: 'x\0' } })).status, 400)
  const odd = '{"__proto__":{"polluted":true},"constructor":1,"$remove":2}'
  await admin.send('PATCH', environment, { raw: `{"data":{"attributes":{"data":${odd}}}}` })
  assert.ok((await admin.get(environment)).text.includes(odd))
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  await admin.patch(environment, { data: {} })
})

test('names that JSON writes with a backslash stay apart from those that other documents had before', async () => {
  await admin.post('/api/projects', { code: 'names', name: 'Names' })
  await admin.post('/api/projects/names/environments', { code: 'live', name: 'Live' })
  const [above, below] = await Promise.all(['/projects/names', '/projects/names/environments/live'].map(recordOf))
  await admin.patch(above!, { data: { shape: 1, '\\': 'a backslash', 'ab\\': { shape: 1, '\\': 2 } } })
  const written = { shape: 1, '"': 'a quotation mark', 'ab\n': { shape: 1, '\n': 2 } }
  assert.deepEqual((await admin.patch(below!, { data: written })).body.data.attributes.data, written)
  await patch(below!, 'json', [{ op: 'add', path: '/ab\n/"', value: 3 }])
  assert.deepEqual(await dataOf(below!), { ...written, 'ab\n': { shape: 1, '\n': 2, '"': 3 } })
  const converged = await admin.get('/api/projects/names/environments/live/converged_properties')
  assert.deepEqual(converged.body.data.attributes.data, {
    shape: 1,
    '\\': 'a backslash',
    'ab\\': { shape: 1, '\\': 2 },
    '"': 'a quotation mark',
    'ab\n': { shape: 1, '\n': 2, '"': 3 },
  })
})

test('a reference to a secret of another node is refused when it is saved, however that is done', async () => {
  const own = 'secret://projects/bank/environments/live/database/password'
  const foreign = 'secret://projects/shop/database/password'
  assert.equal((await admin.patch(environment, { data: { fine: own } })).status, 200)
  const answers = [
    await admin.patch(environment, { data: { list: [{ a: foreign }] } }),
    await patch(environment, 'json', [{ op: 'add', path: '/list', value: [{ a: foreign }] }]),
    // Properties of an environment are not its project's.
    await patch(project, 'merge', { list: [{ a: own }] }),
  ]
  for (const { status, body } of answers)
    assert.deepEqual([status, body.errors[0].source.pointer], [422, '/data/attributes/data/list/0/a'])
  await admin.patch(environment, { data: {} })
})

test('a short patch that makes very much is refused, and the service goes on', async () => {
  const doubling = Array.from({ length: 60 }, (_, i) => ({ op: 'copy', from: '', path: `/copy${i}` }))
  assert.equal((await patch(project, 'json', doubling)).status, 413)
})

test('the same document again is no version and no event; a stale version is 409; If-Match is asked before it', async () => {
  const shown = await admin.get(project)
  const { version, data } = shown.body.data.attributes
  const events = async () =>
    (await api.database.one(
      sql<{ n: number }>`select count(*)::int as n from events where type = 'api:properties:update'`,
    ))!.n
  const before = await events()
  assert.equal((await admin.patch(project, { data, version })).body.data.attributes.version, version)
  assert.equal(await events(), before)
  assert.equal((await admin.patch(project, { data: {}, version: version - 1 })).status, 409)
  const failed = await admin.patch(project, { data: {}, version: version - 1 }, { 'if-match': '"1:other"' })
  assert.equal(failed.status, 412)
})

test('an event of a write carries its version and where it differs, never the document', async () => {
  await admin.patch(asset, { data: { password: 'hunter2hunter2' } })
  const event = await api.database.one(sql<{ attributes: JsonObject; node_id: string }>`
    select attributes, node_id from events where type = 'api:properties:update' order by created_at desc limit 1`)
  assert.deepEqual(event?.attributes['changed_pointers'], ['/password'])
  assert.deepEqual([event?.attributes['owner_type'], event?.attributes['owner_id']], ['Asset', event?.node_id])
  assert.equal(event?.attributes['version'], 2)
  assert.ok(!JSON.stringify(event).includes('hunter2'))
  const stored = await api.database.one(sql<{ found: boolean }>`
    select exists (select from properties_versions where position('hunter2'::bytea in data) > 0) as found`)
  assert.equal(stored?.found, false)
  await admin.patch(asset, { data: {} })
})

test('a version says where it differs from the one before, or from any other', async () => {
  const { version } = (await admin.patch(environment, { data: { a: { b: 1, c: 2 }, list: [1] } })).body.data.attributes
  await admin.patch(environment, { data: { a: { b: 2 }, list: [1, 2], new: true } })
  const pointers = async (query: string) =>
    (await admin.get(`${environment}/versions/${version + 1}${query}`)).body.data.meta
  const changed = ['/a/b', '/a/c', '/list', '/new']
  assert.deepEqual((await pointers('')).changed_pointers, changed)
  assert.deepEqual((await pointers(`?against=${version}`)).changed_pointers, changed)
  assert.deepEqual((await pointers('?against=0')).changed_pointers, ['/a', '/list', '/new'])
  const many = Object.fromEntries(Array.from({ length: 10_050 }, (_, i) => [`key${i}`, i]))
  await admin.patch(environment, { data: many })
  const { body } = await admin.get(`${environment}/versions/${version + 2}`)
  assert.equal(body.data.meta.changed_pointers.length, 10_000)
  assert.equal(body.data.meta.changed_pointers_left_out, 53)
  assert.equal((await admin.get(`${environment}/versions?exclude_data=true`)).body.data[0].meta, undefined)
})

test('an archived node’s properties take nothing new; who may only read does not write', async () => {
  await admin.post('/api/projects', { code: 'old', name: 'Old' })
  const record = await recordOf('/projects/old')
  await admin.delete('/api/projects/old')
  assert.equal((await admin.patch(record, { data: { a: 1 } })).body.errors[0].code, 'archived')
  assert.equal((await api.as('reader').patch(project, { data: {} })).status, 403)
  await admin.delete('/api/projects/old?ignore_in_use=true')
  assert.equal((await admin.get(record)).status, 404)
  const [job] = properties.domain.jobs!
  await job!.run({} as never, { ...made, log: console, stopping: new AbortController().signal })
  const left = await api.database.one(sql<{ n: number }>`
    select count(*)::int as n from properties_versions where properties_id = ${record.split('/').at(-1)}::uuid`)
  assert.equal(left?.n, 0)
})

test('an older version is made the newest again', async () => {
  await admin.patch(environment, { data: { a: 1 } })
  const { version } = (await admin.get(environment)).body.data.attributes
  await admin.patch(environment, { data: { a: 2 } })
  const restored = await admin.send('POST', `${environment}/versions/${version}/restore`)
  assert.deepEqual(restored.body.data.attributes.data, { a: 1 })
  assert.equal(restored.body.data.attributes.version, version + 2)
})

const commitSha = 'a'.repeat(40)
const otherSha = 'b'.repeat(40)

test('an asset converges its repository, its line, its template and itself, and says where each value is from', async () => {
  const node = (await findNodeAt(api.database, web))!
  await api.database.transaction(async tx => {
    const one = async (query: ReturnType<typeof sql>) => ((await tx.one(query)) as { id: string }).id
    const remote = await one(sql`
      insert into git_remotes (project_id, path, name, url, created_by)
      values (${node.project_id}::uuid, '/projects/bank/git_remotes/x', 'main', 'file:///x', 'admin') returning id`)
    await tx.count(sql`
      insert into git_commits (git_remote_id, commit_sha) values (${remote}::uuid, ${commitSha}), (${remote}::uuid, ${otherSha})`)
    const template = await one(sql`
      insert into templates (project_id, path, code, name, template_type, git_remote_id, created_by)
      values (${node.project_id}::uuid, '/projects/bank/templates/server', 'server', 'Server', 'asset', ${remote}::uuid, 'admin')
      returning id`)
    const version = await one(sql`
      insert into template_versions (template_id, project_id, path, version, state, git_remote_id, git_rev, commit_sha, created_by)
      values (${template}::uuid, ${node.project_id}::uuid, '/projects/bank/templates/server/versions/1.0', '1.0', 'ready',
              ${remote}::uuid, 'main', ${commitSha}, 'admin')
      returning id`)
    await tx.count(sql`
      insert into template_version_commits (template_version_id, git_remote_id, commit_sha)
      values (${version}::uuid, ${remote}::uuid, ${commitSha})`)
    await tx.count(sql`
      insert into template_version_histories (node_id, project_id, path, template_id, template_version_id, created_by)
      values (${node.id}::uuid, ${node.project_id}::uuid, ${node.path}, ${template}::uuid, ${version}::uuid, 'admin')`)
    const record = { projectId: node.project_id, createdAt: node.created_at }
    for (const [type, id, data] of [
      ['template', template, { layer: 'template', template: 1 }],
      ['template_version', version, { layer: 'version', version: 1 }],
    ] as const) {
      const path = `/projects/bank/templates/${type}`
      const [extension] = extensionsOf([properties.domain], type)
      await extension!.onCreate!(
        {
          tx,
          actor: { ...actor, rights: everything },
          record: async () => {},
          enqueue: async () => {},
          requireMatch: () => {},
        },
        { ...record, id, type, path, code: 'server' },
        {},
      )
      const locked = (await properties.store.lockOfOwner(tx, id))!
      await properties.store.write(tx, locked, textOf(data), actor)
    }
    const key = { gitRemoteId: remote, repoFolder: '.sluice', templateCode: 'server' }
    await storePropertyFiles(tx, made.keyring, { ...key, commitSha }, [
      {
        path: '.sluice/properties/projects/bank/environments/live/own.yaml',
        content: { layer: 'repo', folder: 'env' },
      },
      { path: '.sluice/properties/projects/other/own.yaml', content: { other: true } },
      {
        path: 'server/defaults.yaml',
        content: { layer: 'defaults', defaults: [1, { deep: null }], folder: 'defaults' },
      },
    ])
    await storePropertyFiles(
      tx,
      made.keyring,
      { ...key, commitSha: otherSha },
      { error: '.sluice/properties/a.yaml:3:7: not YAML' },
    )
  })
  await admin.patch(project, { data: { layer: 'project', project: 1 } })
  await admin.patch(environment, { data: { layer: 'environment', environment: {} } })
  await admin.patch(asset, { data: { layer: 'asset', project: { $remove: true } } })

  const { body, headers } = await admin.get(`/api${web}/converged_properties`)
  assert.deepEqual(body.data.attributes.data, {
    layer: 'asset',
    defaults: [1, { deep: null }],
    folder: 'env',
    environment: {},
    template: 1,
    version: 1,
  })
  assert.deepEqual(body.data.meta.property_sources.by_property, {
    layer: 'Asset: Web (web)',
    defaults: ['Repository: server/defaults.yaml', { deep: 'Repository: server/defaults.yaml' }],
    folder: 'Repository: .sluice/properties/projects/bank/environments/live/own.yaml',
    environment: 'Environment: Live (live)',
    template: 'Template: Server (server)',
    version: 'Template version: Server (1.0)',
  })
  assert.deepEqual([body.data.id, body.data.type], ['web', 'converged_properties'])
  assert.deepEqual(
    body.data.relationships.repository_properties.data.map(({ id }: { id: string }) => id),
    ['server/defaults.yaml', '.sluice/properties/projects/bank/environments/live/own.yaml'],
  )
  assert.deepEqual(
    body.included.flatMap(({ attributes }: { attributes: { owner_type?: string } }) => attributes.owner_type ?? []),
    ['Project', 'Environment', 'Template', 'Template version', 'Asset'],
  )
  const again = await admin.get(`/api${web}/converged_properties`)
  assert.equal(again.headers.get('etag'), headers.get('etag'))
})

test('a change adds its overrides, and converges at its own commit; what does not parse yields nothing', async () => {
  const node = (await findNodeAt(api.database, web))!
  const overrides = { layer: 'change' }
  const { data, layers } = await properties.converge(api.database, node, {
    change: { overrides, repoFolder: '.sluice' },
  })
  assert.equal(data['layer'], 'change')
  assert.equal(layers.at(-1)!.source, 'Change')
  const { id } = (await api.database.one(sql<{ id: string }>`select id from git_remotes`))!
  const at = (sha: string, on = node) =>
    properties.converge(api.database, on, {
      change: { overrides, repoFolder: '.sluice', commit: { gitRemoteId: id, commitSha: sha } },
    })
  await assert.rejects(at(otherSha), /a\.yaml:3:7: not YAML/)
  await assert.rejects(at('c'.repeat(40)), /have not been read yet/)
  // A project has no template: another reading of the same commit.
  const bank = (await findNodeAt(api.database, '/projects/bank'))!
  await api.database.transaction(tx =>
    storePropertyFiles(tx, made.keyring, { gitRemoteId: id, commitSha, repoFolder: '.sluice', templateCode: '' }, [
      { path: '.sluice/properties/a.json', content: { only: 'here' } },
    ]),
  )
  assert.equal((await at(commitSha, bank)).data['only'], 'here')
})

test('converge_date takes every layer, the template version and its commit as they then were', async () => {
  await moveClock(api.testDatabase, '1 hour')
  const before = await now()
  await moveClock(api.testDatabase, '1 hour')
  await admin.patch(asset, { data: { layer: 'later' } })
  await api.database.rows(sql`
    with closed as (
      update template_version_commits set active_to = sluice_now() where active_to is null returning *
    )
    insert into template_version_commits (template_version_id, git_remote_id, commit_sha, active_from)
    select template_version_id, git_remote_id, ${otherSha}, active_to from closed`)
  const then = await admin.get(`/api${web}/converged_properties?converge_date=${before}`)
  assert.equal(then.body.data.attributes.data.layer, 'asset')
  assert.equal(then.body.data.attributes.data.folder, 'env')
  const current = await admin.get(`/api${web}/converged_properties`)
  assert.deepEqual([current.status, current.body.errors[0].code], [409, 'wrong-state'])
  assert.equal((await admin.get(`/api${web}/converged_properties?converge_date=2020-01-01`)).status, 422)
})

const actor = { userId: userIdOf('admin'), username: 'admin', via: 'basic' as const, remoteAddress: null }

test('the tag of converged properties is no test of guesses at a secret that the environment states', async () => {
  const node = (await findNodeAt(api.database, web))!
  const tagWith = async (overrides: JsonObject) => {
    const { reader } = settingsDomain({ keyring: made.keyring, overrides })
    const { answerConverged } = propertiesDomain({ keyring: made.keyring, record: made.record, settings: reader })
    const asked = { node, options: {}, id: 'web', self: '', actor: { ...actor, rights: everything } }
    return (await answerConverged(api.database, asked)).headers?.['etag']
  }
  const tag = await tagWith({ 'ldap.password': 'correct horse' })
  assert.equal(await tagWith({ 'ldap.password': 'battery staple' }), tag)
  assert.notEqual(await tagWith({ repo_folder: 'ops' }), tag)
})

test('a step’s patch is a new version with the step as author, or a report of what it met', async () => {
  const node = (await findNodeAt(api.database, web))!
  const stepId = '01900000-0000-7000-8000-000000000001'
  const apply = (operations: unknown) =>
    api.database.transaction(tx =>
      properties.applyPatch(tx, {
        ownerId: node.id,
        operations,
        author: { ...actor, stepId },
        node: eventNode(node),
        activityId: '01900000-0000-7000-8000-000000000002',
      }),
    )
  const { version } = (await admin.get(asset)).body.data.attributes
  assert.deepEqual(await apply([{ op: 'add', path: '/pid', value: 42 }]), { outcome: 'written', version: version + 1 })
  assert.deepEqual(await apply([{ op: 'replace', path: '/pid', value: 42 }]), {
    outcome: 'unchanged',
    version: version + 1,
  })
  const conflict = await apply([{ op: 'test', path: '/pid', value: 41 }])
  assert.ok(conflict.outcome === 'conflict')
  assert.deepEqual([conflict.found, conflict.version], [42, version + 1])
  assert.equal((await apply([{ op: 'add', path: '/big', value: 2 ** 60 }])).outcome, 'invalid')
  assert.equal((await apply('nothing')).outcome, 'invalid')
  assert.equal((await dataOf(asset)).pid, 42)
  const event = await api.database.one(sql<{ attributes: JsonObject; activity_id: string }>`
    select attributes, activity_id from events where type = 'api:properties:update' order by created_at desc limit 1`)
  assert.equal(event?.attributes['step_id'], stepId)
  const row = await api.database.one(sql<{ step_id: string }>`
    select step_id from properties_versions where step_id is not null`)
  assert.equal(row?.step_id, stepId)
})

test('patches of many steps at once are all kept', async () => {
  const node = (await findNodeAt(api.database, web))!
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      api.database.transaction(tx =>
        properties.applyPatch(tx, {
          ownerId: node.id,
          operations: [{ op: 'add', path: `/n${i}`, value: i }],
          author: { ...actor, stepId: '01900000-0000-7000-8000-000000000001' },
          node: eventNode(node),
          activityId: '01900000-0000-7000-8000-000000000002',
        }),
      ),
    ),
  )
  const data = await dataOf(asset)
  for (let i = 0; i < 20; i++) assert.equal(data[`n${i}`], i)
})
