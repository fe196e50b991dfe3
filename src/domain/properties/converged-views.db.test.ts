import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import type { Json } from '#platform/documents/document.ts'
import { applyOperations, type Operation } from '#platform/documents/json-patch.ts'
import type { Answer } from '../../../tests/support/api.ts'
import { moveClock } from '../../../tests/support/database.ts'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import { templateWorld } from '../../../tests/support/template-world.ts'

const live = '/projects/shop/environments/live'
const [web, other] = [`${live}/assets/web`, `${live}/assets/other`]
const world = await templateWorld({
  admin: superuserRights,
  // For the asset alone: nothing of the nodes above it.
  operator: rightsTo({ [web]: ['read'] }),
  developer: rightsTo({ '/projects/shop/properties': ['read'], [web]: ['read'] }),
  stranger: rightsTo({ '/projects/elsewhere': ['read'] }),
})
after(() => world.stop())
const { admin, api, runJobs } = world
const [operator, developer] = [api.as('operator'), api.as('developer')]

const actions = 'actions:\n  deploy: { description: Roll out, run: ./deploy, steps: [stop] }\n  stop: { run: ./stop }\n'
const repository = await world.repository({
  'server/actions.yaml': actions,
  'server/defaults.yaml': 'port: 80\nname: default\n',
})
const made = async (answer: Promise<Answer>) => {
  const { status, text, body } = await answer
  assert.ok(status < 300, text)
  return body?.data
}
await made(admin.post('/api/projects/shop/environments', { code: 'live', name: 'Live' }))
const template = '/api/projects/shop/templates/server'
await made(
  admin.post('/api/projects/shop/templates', {
    code: 'server',
    name: 'Server',
    template_type: 'asset',
    git_remote_name: repository.remote,
  }),
)
for (const version of ['1', '2']) {
  await made(admin.put(`${template}/versions/${version}`, { git_rev: 'main', float_git_rev: true }))
  await runJobs()
}
for (const code of ['web', 'other'])
  await made(admin.post(`/api${live}/assets`, { code, name: code, template_code: 'server', template_version: '1' }))
const recordOf = async (path: string, name = 'properties'): Promise<string> =>
  (await made(admin.get(path)))!.relationships[name].links.related
const states = async (path: string, data: object) => made(admin.patch(await recordOf(path), { data }))
await states('/api/projects/shop', { name: 'shop', hosts: ['a', 'b'], limits: { cpu: 1 } })
await states(`/api${live}`, { limits: { memory: 2 } })
await states(`${template}`, { name: 'server' })
await states(`${template}/versions/1`, { limits: { cpu: { $remove: true } } })
await states(`/api${web}`, { hosts: ['a', 'web', 'b'] })
const changesRecorded = async () =>
  (await api.database.one(sql<{ n: number }>`select count(*)::int as n from events`))!.n

const explain = (pointer: string, more = '') =>
  admin.get(`/api${web}/converged_properties/explain?pointer=${encodeURIComponent(pointer)}${more}`)
const layersIn = ({ body }: Answer) => body.data.attributes.layers as Record<string, unknown>[]
const told = (answer: Answer) =>
  layersIn(answer).map(({ source, wins, removes }) => `${source}${removes ? ' removes' : ''}${wins ? ' wins' : ''}`)

test('every layer that states a property is told, with its version, author and time, and the one in force', async () => {
  const answer = await explain('/name')
  assert.equal(answer.body.data.attributes.value, 'server')
  assert.deepEqual(told(answer), [
    'Repository: server/defaults.yaml',
    'Project: Shop (shop)',
    'Template: Server (server) wins',
  ])
  const [file, project] = layersIn(answer)
  assert.deepEqual([file!['file'], file!['commit_sha']], ['server/defaults.yaml', repository.git('rev-parse', 'main')])
  assert.deepEqual([project!['version'], project!['created_by'], project!['value']], [2, 'admin', 'shop'])
  const record = (await admin.get(String(project!['record']))).body.data
  assert.deepEqual([record.type, record.attributes.created_at], ['properties_version', project!['created_at']])
})

test('who took a property away is told, and a place that nobody speaks of has no value', async () => {
  const gone = await explain('/limits/cpu')
  assert.deepEqual([gone.body.data.attributes.is_set, 'value' in gone.body.data.attributes], [false, false])
  assert.deepEqual(told(gone), ['Project: Shop (shop)', 'Template version: Server (1) removes wins'])
  const never = (await explain('/nowhere/at~1all')).body.data.attributes
  assert.deepEqual([never.is_set, never.layers], [false, []])
  for (const wrong of ['limits', '/a~2'])
    assert.deepEqual((await explain(wrong)).body.errors[0].source, { parameter: 'pointer' })
  assert.equal((await admin.get(`/api${web}/converged_properties/explain`)).status, 400)
})

test('a layer that the caller may not read is told without what it states, and is not included', async () => {
  const answer = await operator.get(`/api${web}/converged_properties/explain?pointer=/name`)
  assert.equal(answer.body.data.attributes.value, 'server')
  const hidden = layersIn(answer).filter(layer => layer['hidden'])
  assert.deepEqual(
    hidden.map(({ source, version, value }) => [source, version, value]),
    [
      ['Project: Shop (shop)', 2, undefined],
      ['Template: Server (server)', 2, undefined],
    ],
  )
  const [whole, part] = [
    await admin.get(`/api${web}/converged_properties`),
    await operator.get(`/api${web}/converged_properties`),
  ]
  assert.deepEqual(part.body.data.attributes, whole.body.data.attributes)
  assert.deepEqual(part.body.data.meta, whole.body.data.meta)
  const owners = ({ body }: Answer) =>
    body.included.flatMap((each: { attributes: { owner_type?: string } }) => each.attributes.owner_type ?? [])
  assert.deepEqual(owners(whole), ['Project', 'Environment', 'Template', 'Template version', 'Asset'])
  assert.deepEqual(owners(part), ['Asset'])
  assert.equal(part.body.data.relationships.properties.data.length, 1)
  // Each may see something that the other may not: neither gets the other's response.
  assert.notEqual(part.headers.get('etag'), whole.headers.get('etag'))
})

test('an included document of a template says which versions that has', async () => {
  const { included } = (await admin.get(`/api${web}/converged_properties`)).body
  const versions = included.flatMap(
    (each: { meta?: { template_versions: object } }) => each.meta?.template_versions ?? [],
  )
  const [one, two] = await Promise.all(
    ['1', '2'].map(async version => (await made(admin.get(`${template}/versions/${version}`))).id),
  )
  assert.deepEqual(versions, [{ '1': one, '2': two }, { '1': one }])
})

test('who has the answer is told so until something that decides it changes', async () => {
  const ask = (etag = '') => admin.get(`/api${web}/converged_properties`, { 'if-none-match': etag })
  let etag = (await ask()).headers.get('etag')!
  const changes: (() => Promise<unknown>)[] = [
    () => states(`/api${live}`, { limits: { memory: 3 } }),
    () => admin.patch(`/api${live}`, { name: 'Alive' }),
    // They say where property files are.
    async () => admin.patch(await recordOf(`/api${web}`, 'settings'), { data: { repo_folder: '.sluice' } }),
    () => admin.patch(`/api${web}`, { template_version: '2' }),
    () => admin.patch(`/api${web}`, { template_version: '1' }),
    () => states(`/api${live}`, { limits: { memory: 2 } }),
    () => admin.patch(`/api${live}`, { name: 'Live' }),
  ]
  const seen = new Set([etag])
  for (const [index, change] of changes.entries()) {
    const same = await ask(etag)
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', etag], `before change ${index}`)
    await change()
    const fresh = await ask(etag)
    assert.equal(fresh.status, 200, `after change ${index}: ${fresh.text}`)
    etag = fresh.headers.get('etag')!
    seen.add(etag)
  }
  // With the template version that it had before the answer is what it was before.
  assert.equal(seen.size, changes.length)
})

test('with a date it is told what then was, across a branch that moved on and another template version', async () => {
  const nowIs = async () => (await api.database.one(sql<{ at: string }>`select sluice_now() as at`))!.at
  await moveClock(api.testDatabase, '1 hour')
  const before = await nowIs()
  await moveClock(api.testDatabase, '1 hour')
  repository.commit({ 'server/actions.yaml': actions, 'server/defaults.yaml': 'port: 8080\nname: default\n' })
  await api.database.count(
    sql`update git_remotes set next_fetch_at = sluice_now() where id = ${repository.remoteId}::uuid`,
  )
  await world.loop('git.periodic_fetch')
  await world.git.fetch(repository.remoteId, { freshMilliseconds: 0 })
  await runJobs()
  const moved = await nowIs()
  await moveClock(api.testDatabase, '1 hour')
  await states(`${template}/versions/2`, { second: true })
  await admin.patch(`/api${web}`, { template_version: '2' })
  const at = async (date?: string) =>
    (await made(admin.get(`/api${web}/converged_properties${date ? `?converge_date=${date}` : ''}`))).attributes.data
  const [then, after, now] = [await at(before), await at(moved), await at()]
  assert.deepEqual([then.port, then.second], [80, undefined])
  assert.deepEqual([after.port, after.second], [8080, undefined])
  assert.deepEqual([now.port, now.second, now.limits.cpu], [8080, true, 1])
  assert.deepEqual(await at('2999-01-01'), now)
  assert.equal(
    told(await explain('/limits/cpu', `&converge_date=${before}`)).at(-1),
    'Template version: Server (1) removes wins',
  )
  assert.deepEqual(told(await explain('/limits/cpu')), ['Project: Shop (shop) wins'])
  await admin.patch(`/api${web}`, { template_version: '1' })
})

test('an asset’s history has an entry for each layer, its versions with their starts, and its template versions', async () => {
  const { body } = await admin.get(`/api${web}/properties_history`)
  const entries = body.data as {
    type: string
    attributes: Record<string, unknown> & { properties_versions: object[] }
  }[]
  assert.deepEqual(
    entries.map(({ type, attributes: { level, code } }) => [type, level, code]),
    [
      ['project', 0, 'shop'],
      ['environment', 1, 'live'],
      ['template', 2, 'server'],
      ['template_version', 3, '1'],
      ['template_version', 3, '2'],
      ['asset', 4, 'web'],
    ],
  )
  for (const [index, path] of ['/api/projects/shop', `/api${live}`, template].entries()) {
    const versions = (await made(admin.get(`${await recordOf(path)}/versions`))).toReversed()
    assert.deepEqual(
      entries[index]!.attributes.properties_versions,
      versions.map(({ attributes: { version, created_at } }: { attributes: Record<string, unknown> }) => ({
        version,
        start_date: created_at,
      })),
    )
  }
  const had = entries.at(-1)!.attributes['template_versions'] as {
    version: string
    active_from: string
    active_to: string
  }[]
  assert.deepEqual(
    had.map(({ version }) => version),
    ['1', '2', '1', '2', '1'],
  )
  for (const [index, { active_to }] of had.entries()) assert.equal(active_to, had[index + 1]?.active_from ?? null)
})

test('the actions of an asset are those of its show', async () => {
  const { data } = (await admin.get(`/api${web}/actions`)).body
  assert.deepEqual(
    data.map(({ attributes }: { attributes: object }) => attributes),
    (await made(admin.get(`/api${web}`))).attributes.actions,
  )
  assert.deepEqual([data.length, data[0].id, data[0].type], [1, 'deploy', 'action'])
})

const impact = (record: string, data: object, query = '', as = admin) => as.post(`${record}/impact${query}`, { data })
const affected = ({ body }: Answer) =>
  Object.fromEntries(
    body.data.map(({ attributes }: { attributes: { node_path: string; changes: Operation[] } }) => [
      attributes.node_path,
      attributes.changes.map(({ op, path }) => `${op} ${path}`),
    ]),
  )

test('the impact of a document is what writing it does to every node that converges it, and nothing is written', async () => {
  const project = await recordOf('/api/projects/shop')
  const events = await changesRecorded()
  const next = { name: 'market', hosts: ['a', 'c', 'b'], limits: {} }
  const answer = await impact(project, next)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(affected(answer), {
    '/projects/shop': ['replace /name', 'add /hosts/1', 'remove /limits/cpu'],
    [live]: ['replace /name', 'add /hosts/1', 'remove /limits/cpu'],
    [other]: ['add /hosts/1'],
  })
  assert.deepEqual([await changesRecorded(), (await made(admin.get(project))).attributes.data.name], [events, 'shop'])

  const paths = ['/projects/shop', live, web, other]
  const converged = async () =>
    Promise.all(
      paths.map(async path => (await made(admin.get(`/api${path}/converged_properties`))).attributes.data as Json),
    )
  const before = await converged()
  const { data } = (await made(admin.get(project))).attributes
  await states('/api/projects/shop', next)
  const after = await converged()
  await states('/api/projects/shop', data)
  for (const [index, path] of paths.entries()) {
    const told = answer.body.data.find(
      (each: { attributes: { node_path: string } }) => each.attributes.node_path === path,
    )
    assert.deepEqual(applyOperations(before[index]!, told?.attributes.changes ?? []), after[index])
  }
})

test('of a template’s document the nodes are those that have it, of a version’s those that have that', async () => {
  await admin.patch(`/api${other}`, { template_version: '2' })
  const ofTemplate = await impact(await recordOf(template), { name: 'renamed' })
  assert.deepEqual(Object.keys(affected(ofTemplate)), [other, web])
  const ofVersion = await impact(await recordOf(`${template}/versions/1`), {})
  assert.deepEqual(affected(ofVersion), { [web]: ['add /limits/cpu'] })
})

test('impact is told of what the caller may read, page by page, and refuses what a write would refuse', async () => {
  const project = await recordOf('/api/projects/shop')
  const seen = await impact(project, { more: 1 }, '', developer)
  assert.ok(!JSON.stringify(seen.body).includes(other))
  assert.deepEqual(Object.keys(affected(seen)), ['/projects/shop', web])
  const first = await impact(project, { more: 1 }, '?limit=3')
  assert.deepEqual([first.body.meta.nodes_examined, first.body.meta.partial_response], [3, true])
  const rest = await admin.post(first.body.links.next, { data: { more: 1 } })
  assert.deepEqual(Object.keys(affected(rest)), [web])
  assert.deepEqual([rest.body.meta.partial_response, rest.body.links.next], [false, undefined])

  assert.equal((await impact(project, {}, '', operator)).status, 404)
  assert.equal((await impact(project, {}, '?limit=0')).status, 400)
  assert.equal((await admin.post(`${project}/impact`, { data: [] })).status, 422)
  const { version } = (await made(admin.get(project))).attributes
  assert.equal((await admin.post(`${project}/impact`, { data: {}, version })).status, 200)
  const stale = await admin.post(`${project}/impact`, { data: {}, version: version + 1 })
  assert.deepEqual(
    [stale.status, stale.body.errors[0].code, stale.body.errors[0].source.pointer, stale.body.errors[0].meta],
    [409, 'stale-version', '/data/attributes/version', { version }],
  )
  const foreign = await impact(project, { a: 'secret://projects/elsewhere/a/b' })
  assert.deepEqual([foreign.status, foreign.body.errors[0].source.pointer], [422, '/data/attributes/data/a'])
})

test('a node that converges to nothing is named, and does not hide the others', async () => {
  const settings = await recordOf(`/api${web}`, 'settings')
  await admin.patch(settings, { data: { repo_folder: 'unread' } })
  const { body } = await impact(await recordOf('/api/projects/shop'), {})
  await admin.patch(settings, { data: { repo_folder: null } })
  assert.deepEqual(
    body.meta.not_converging.map((each: { node_path: string }) => each.node_path),
    [web],
  )
  assert.match(body.meta.not_converging[0].reason, /unread of commit [0-9a-f]{40} have not been read yet/)
  assert.equal(body.data.length, 3)
})

test('two nodes are compared in what is in force on them, from the one to the other', async () => {
  const answer = await admin.post('/api/compare_nodes', { node_path_a: web, node_path_b: live })
  assert.equal(answer.status, 200, answer.text)
  const { properties, settings } = answer.body.data.attributes
  for (const [path, of] of [
    [web, 'a'],
    [live, 'b'],
  ] as const) {
    assert.deepEqual(properties[of], (await made(admin.get(`/api${path}/converged_properties`))).attributes.data)
    assert.deepEqual(settings[of], (await made(admin.get(`/api${path}/converged_settings`))).attributes.data)
  }
  assert.deepEqual(applyOperations(properties.a, properties.difference), properties.b)
  assert.ok(properties.difference.length > 0)
  assert.deepEqual(settings.difference, [])
})

test('of two nodes both must be there and be readable, each in both areas', async () => {
  const compare = (node_path_a: unknown, node_path_b: unknown, as = admin) =>
    as.post('/api/compare_nodes', { node_path_a, node_path_b } as object)
  assert.equal((await compare(web, '/projects/none')).status, 404)
  assert.equal((await compare(web, other, operator)).status, 404)
  assert.equal((await compare(web, 5)).status, 422)
  assert.equal(
    (await admin.post('/api/compare_nodes', { node_path_a: web })).body.errors[0].source.pointer,
    '/data/attributes/node_path_b',
  )
  assert.equal((await compare(web, web, operator)).body.data.attributes.properties.difference.length, 0)
})

test('each type of node has a history of its layers', async () => {
  const typesOf = async (path: string) => {
    const { status, body, text } = await admin.get(`/api${path}/properties_history`)
    assert.equal(status, 200, text)
    return body.data.map(({ type }: { type: string }) => type)
  }
  assert.deepEqual(await typesOf(live.replace(/\/environments.*/, '')), ['project'])
  assert.deepEqual(await typesOf(live), ['project', 'environment'])
})

test('whoever may not read a node finds none of its views', async () => {
  for (const view of ['converged_properties/explain?pointer=/a', 'properties_history', 'actions'])
    assert.equal((await api.as('stranger').get(`/api${web}/${view}`)).status, 404, view)
})

test('what is in force is told by what was written last, not by a clock that was set back', async () => {
  const late = `${live}/assets/late`
  const attributes = { code: 'late', name: 'Late', template_code: 'server', template_version: '1' }
  const made = await admin.post(`/api${live}/assets`, attributes)
  assert.equal(made.status, 201, made.text)
  const converged = async () => (await admin.get(`/api${late}/converged_properties`)).body.data.attributes.data
  const before = await converged()
  assert.equal(before.name, 'server')
  // A database that takes over may be behind the one that failed.
  await moveClock(api.testDatabase, '-1 hour')
  assert.deepEqual(await converged(), before)
  await moveClock(api.testDatabase, '1 hour')
})
