import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stepTree } from '#authoring/actions/action-tree.ts'
import { unpacked } from '#platform/crypto/packed.ts'
import { clockOf } from '#platform/db/clock.ts'
import { sql } from '#platform/db/sql.ts'
import { templateWorld } from '../../../tests/support/template-world.ts'
import { rightsFrom } from '../access/rights.sql.ts'
import { catalogueAt } from '../action-catalogue/index.ts'
import { openGit, readPropertyFiles } from '../git/index.ts'
import { followRevisions } from './follow-revisions.jobs.ts'
import { commitInForce } from './index.ts'

const everything = rightsFrom({ superuser: true, blocked: false, rules: [] })
const ruled = (...rules: object[]) =>
  rightsFrom({
    superuser: false,
    blocked: false,
    rules: rules.map(rule => ({ path: '/', read: null, update: null, execute: null, delete: null, ...rule })),
  })
const world = await templateWorld({
  admin: everything,
  reader: ruled({ path: '/projects/shop', read: true }),
  maker: ruled(
    { path: '/projects/shop/assets', update: true },
    { path: '/projects/shop/templates', read: false },
    { path: '/projects/shop', read: true },
  ),
})
after(() => world.stop())
const { admin, api, runJobs } = world
const { database } = api

const templates = '/api/projects/shop/templates'
const good = 'actions:\n  deploy: { description: Roll out, run: ./deploy, steps: [stop] }\n  stop: { run: ./stop }\n'
const eventsOf = (id: string) =>
  database.rows(sql<{ id: string; type: string; attributes: Record<string, unknown> }>`
    select id, type, attributes from events where source_id = ${id}::uuid order by created_at, id`)
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type.replace('template_version', 'v'))

let number = 0
/** A template over a repository of its own, its folder called like its code. */
async function template(files: (code: string) => Parameters<typeof world.repository>[0], attributes: object = {}) {
  const code = `web-${++number}`
  const repository = await world.repository(files(code))
  const made = await admin.post(templates, {
    code,
    name: code,
    template_type: 'asset',
    git_remote_name: repository.remote,
    ...attributes,
  })
  assert.equal(made.status, 201, made.text)
  return { code, repository, id: made.body.data.id, self: made.body.data.links.self as string }
}
const put = (self: string, version: string, attributes: object, meta?: object) =>
  admin.send('PUT', `${self}/versions/${encodeURIComponent(version)}`, {
    raw: JSON.stringify({ data: { attributes, ...(meta && { meta }) } }),
    headers: { 'content-type': 'application/vnd.api+json' },
  })
const shown = async (self: string, version: string) =>
  (await admin.get(`${self}/versions/${encodeURIComponent(version)}`)).body.data
const plain = (code: string) => ({ [`${code}/actions.yaml`]: good })

test('a version is fetched, resolved and derived: initializing, then ready', async () => {
  const { self, repository, id } = await template(plain)
  const answer = await put(self, '1.0 / β', { git_rev: 'main', description: 'First' })
  assert.equal(answer.status, 201, answer.text)
  assert.deepEqual(
    [answer.body.data.attributes.state, answer.body.data.attributes.commit_sha, answer.headers.get('location')],
    ['initializing', null, answer.body.data.links.self],
  )
  await runJobs()
  const version = await shown(self, '1.0 / β')
  const { state, commit_sha, git_rev, git_remote_name, has_model } = version.attributes
  assert.deepEqual([state, commit_sha], ['ready', repository.git('rev-parse', 'main')])
  assert.deepEqual([git_rev, git_remote_name, has_model], ['main', repository.remote, false])
  assert.deepEqual(version.relationships.pending_commit.data, null)
  assert.equal(version.relationships.template.data.id, id)
  assert.ok(version.relationships.properties.data.id && version.relationships.settings.data.id)
  assert.deepEqual(await typesOf(version.id), [
    'info:v:fetch_initialize',
    'api:vs:update',
    'info:v:fetch',
    'info:v:fetch_complete',
  ])
  assert.deepEqual(
    (await admin.get(`${self}/versions`)).body.data.map((each: { id: string }) => each.id),
    [version.id],
  )
})

test('what git says while it fetches is the progress of the event', async () => {
  const { self, repository, code } = await template(plain)
  await runJobs()
  repository.commit({ ...plain(code), more: 'x' })
  await put(self, '1', { git_rev: 'main' })
  await runJobs()
  const events = await eventsOf((await shown(self, '1')).id)
  const fetch = events.find(({ type }) => type === 'info:template_version:fetch')!
  const said = await database.one(sql<{ text: string }>`
    select string_agg(text, '' order by part) as text from event_progress where event_id = ${fetch.id}::uuid`)
  assert.match(said!.text, /main\s+-> main/)
})

test('an actions file with faults makes the version broken, each fault with its place, and a good commit mends it', async () => {
  const { self, repository, code } = await template(code => ({
    [`${code}/actions.yaml`]: 'actions:\n  deploy: { run: 5, steps: [stpo] }\n  stop: { rum: x }\n',
    '.sluice/properties/all.json': '{"a": 1,}',
  }))
  await put(self, '1', { git_rev: 'main' })
  await runJobs()
  const broken = await shown(self, '1')
  assert.equal(broken.attributes.state, 'broken')
  assert.deepEqual(broken.attributes.initialization_error.split('\n'), [
    `${code}/actions.yaml:2:18: "run" is a text: put quotes around it.`,
    `${code}/actions.yaml:3:3: The action "stop" has nothing to do: give it "run" or "steps".`,
    `${code}/actions.yaml:3:11: Unknown key "rum"; did you mean "run"?`,
    '.sluice/properties/all.json:1:9: A key in double quotes is missing here.',
  ])
  assert.deepEqual((await typesOf(broken.id)).slice(-3), [
    'info:v:fetch_complete',
    'error:v:refresh_actions',
    'error:v:broken',
  ])
  repository.commit(plain(code))
  assert.equal((await put(self, '1', {}, { fetch_revision: true })).body.data.attributes.state, 'initializing')
  await runJobs()
  assert.equal((await shown(self, '1')).attributes.state, 'ready')
})

test('a revision that is not there, a missing folder, two programs and a link each say what is wrong', async () => {
  const { self, repository, code } = await template(code => ({ [`${code}/readme`]: 'x' }))
  repository.commit({ [`${code}/actions.ts`]: 'x', [`${code}/actions.mjs`]: 'x' }, { branch: 'programs' })
  repository.commit({ [`${code}/actions.yaml`]: { link: '/etc/passwd' } }, { branch: 'link' })
  repository.commit({ other: 'x' }, { branch: 'elsewhere' })
  const wanted = {
    nowhere: 'There is no branch, tag or commit "nowhere".',
    main: `The folder "${code}" has no actions.yaml and no actions.ts.`,
    elsewhere: `The repository has no folder "${code}": the folder of a template is called like its code.`,
    programs: `${code}/actions.mjs:1:1: There is ${code}/actions.ts already; one program declares the actions.`,
    link: `${code}/actions.yaml:1:1: The actions file must be a file, not a link.`,
  }
  for (const git_rev of Object.keys(wanted)) await put(self, git_rev, { git_rev })
  await runJobs()
  for (const [git_rev, error] of Object.entries(wanted))
    assert.equal((await shown(self, git_rev)).attributes.initialization_error, error)
  const types = await typesOf((await shown(self, 'nowhere')).id)
  assert.deepEqual(types.slice(-2), ['error:v:commit_verification', 'error:v:broken'])
})

test('whatever a repository holds, its version is broken in words and never fetched for ever', async () => {
  const { self, repository, code } = await template(plain)
  const branch = (name: string, files: Parameters<typeof repository.commit>[0]) =>
    repository.commit({ ...plain(code), ...files }, { branch: name })
  const main = repository.git('rev-parse', 'main')
  const long = 'x'.repeat(200)
  const longPath = `.sluice/properties/${Array.from({ length: 6 }, () => long).join('/')}/a.yaml`
  branch('submodule', { '.sluice/properties/all.yaml': { submodule: main } })
  branch('long', { [longPath]: 'a: 1' })
  branch('nul', { [`${code}/actions.yaml`]: 'actions:\n  a: { "x\\0y": 1, run: x }\n' })
  branch('half', {
    [`${code}/actions.yaml`]: 'actions:\n  a: { env: { X: "\\ud83d" }, run: x }\n',
  })
  branch('large', { [`${code}/actions.yaml`]: `# ${'x'.repeat(1_048_576)}\n${good}` })
  branch('model', { [`${code}/model.json.erb`]: 'x'.repeat(1_048_577) })
  branch('folder', { [`${code}/defaults.yaml/a.txt`]: 'x' })
  const blob = repository.feed('a: 1', 'hash-object', '-w', '--stdin')
  const trees = (kind: string, id: string, names: readonly string[]) =>
    repository.feed(names.map(name => `${kind} ${id}\t${name}\n`).join(''), 'mktree')
  const properties = (name: string, tree: string) => {
    const sluice = trees('040000 tree', tree, ['properties'])
    const entries = `${repository.git('ls-tree', 'main')}\n040000 tree ${sluice}\t.sluice\n`
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.test']
    const commit = repository.feed(name, ...author, 'commit-tree', repository.feed(entries, 'mktree'))
    repository.git('update-ref', `refs/heads/${name}`, commit)
  }
  // Two names that are no text, and the same once they are read as such.
  properties('twins', trees('100644 blob', blob, ['"\\377.yaml"', '"\\376.yaml"']))
  const names = (most: number, end: string) => Array.from({ length: most }, (_, index) => `${index}${end}`)
  properties('many', trees('100644 blob', blob, names(20_001, '.yaml')))
  const wanted = {
    submodule: '.sluice/properties/all.yaml:1:1: This is a submodule; property files must be files.',
    long: `${longPath}:1:1: The path has more than 1024 bytes.`,
    nul: `${code}/actions.yaml:2:8: U+0000 has no place in a text.\n${code}/actions.yaml:2:8: Unknown key "x\u2400y"`,
    half: `${code}/actions.yaml:2:18: Half of a surrogate pair is no character.`,
    large: `${code}/actions.yaml:1:1: The file has more than 1048576 bytes.`,
    model: `${code}/model.json.erb:1:1: The file holds more than 1048576 bytes.`,
    twins: '.sluice/properties/\uFFFD.yaml:1:1: The path of this file is not UTF-8.',
    many: '.sluice/properties:1:1: There are more than 20000 property files.',
  }
  for (const git_rev of [...Object.keys(wanted), 'folder']) await put(self, git_rev, { git_rev })
  await runJobs()
  for (const [git_rev, error] of Object.entries(wanted)) {
    const { state, initialization_error } = (await shown(self, git_rev)).attributes
    assert.equal(state, 'broken', git_rev)
    assert.ok(initialization_error.startsWith(error), initialization_error)
  }
  // Only files are property files.
  assert.equal((await shown(self, 'folder')).attributes.state, 'ready')
})

test('a remote that cannot be fetched breaks the version, with what git said', async () => {
  const { self, repository } = await template(plain)
  await put(self, '1', { git_rev: 'main' })
  await repository.remove()
  await runJobs()
  const version = await shown(self, '1')
  assert.equal(version.attributes.state, 'broken')
  const failed = (await eventsOf(version.id)).find(({ type }) => type === 'error:template_version:fetch')!
  assert.match(String(failed.attributes['fetch_output']), /does not appear to be a git repository/)
})

test('requests for a version are checked before anything is fetched', async () => {
  const { self } = await template(plain)
  for (const [attributes, pointer] of [
    [{}, 'git_rev'],
    [{ git_rev: '-x' }, 'git_rev'],
    [{ git_rev: 'main~1' }, 'git_rev'],
    [{ git_rev: 'main', locked: true, float_git_rev: true }, 'float_git_rev'],
  ] as const) {
    const refused = await put(self, '1', attributes)
    assert.deepEqual([refused.status, refused.body.errors[0].source.pointer], [422, `/data/attributes/${pointer}`])
  }
  assert.equal((await put(self, 'x'.repeat(101), { git_rev: 'main' })).status, 422)
  assert.equal((await put(self, '1', { git_rev: 'main', state: 'ready' })).status, 400)
  assert.equal((await api.as('reader').put(`${self}/versions/1`, { git_rev: 'main' })).status, 403)
})

test('an asset has the actions of its version, and what it had when is kept', async () => {
  const { self, code, repository } = await template(plain)
  await put(self, '1', { git_rev: 'main' })
  const early = await admin.post('/api/projects/shop/assets', {
    code: `early-${code}`,
    name: 'x',
    template_code: code,
    template_version: '1',
  })
  assert.deepEqual([early.status, early.body.errors[0].code], [409, 'wrong-state'])
  await runJobs()
  const path = `/api/projects/shop/assets/${code}`
  const made = await admin.post('/api/projects/shop/assets', {
    code,
    name: 'Web',
    template_code: code,
    template_version: '1',
  })
  assert.equal(made.status, 201, made.text)
  const asset = (await admin.get(path)).body
  assert.deepEqual(
    [asset.data.attributes.template_code, asset.data.attributes.template_version, asset.data.attributes.task_active],
    [code, '1', false],
  )
  assert.deepEqual(
    asset.data.attributes.actions.map(({ action, full_path, children }: never) => [
      action,
      full_path,
      (children as { full_path: string }[])[0]?.full_path,
    ]),
    [['deploy', 'deploy', 'deploy/stop']],
  )
  assert.equal(asset.data.relationships.template.links.related, self)
  assert.deepEqual(
    asset.included
      .map(({ type }: { type: string }) => type)
      .toSorted()
      .filter((type: string) => type.startsWith('template')),
    ['template', 'template_version'],
  )
  repository.commit(
    { [`${code}/actions.yaml`]: 'actions:\n  start: { description: Start, run: x }\n' },
    { branch: 'next' },
  )
  await put(self, '2', { git_rev: 'next' })
  await runJobs()
  assert.equal((await admin.patch(path, { template_version: '3' })).status, 422)
  const [before, commit] = await Promise.all(
    ['1', '2'].map(async name => (await admin.get(`${self}/versions/${name}`)).body.data.attributes.commit_sha),
  )
  const at = (attributes: object) => admin.patch(path, { template_version_commit: before, ...attributes })
  const others = [
    await at({ template_version: '2', name: 'Other' }),
    await at({}),
    await at({ template_version_commit: 'main' }),
  ]
  assert.deepEqual(
    others.map(({ status, body }) => [status, body.errors[0].code, body.errors[0].source.pointer]),
    [
      [409, 'stale-version'],
      [422, 'invalid'],
      [422, 'invalid'],
    ].map(refusal => [...refusal, '/data/attributes/template_version_commit']),
  )
  assert.match(others[0]!.body.errors[0].detail, new RegExp(`Version "2" is at commit ${commit} now, not ${before}`))
  assert.deepEqual((await admin.get(path)).body.data.attributes.name, 'Web')
  // A node that has the version is not moved, whatever its commit.
  assert.equal((await at({ template_version: '1', template_version_commit: commit })).status, 200)
  const moved = await at({ template_version: '2', template_version_commit: commit })
  assert.equal(moved.body.data.attributes.actions[0].action, 'start')
  const history = await admin.get(`${path}/version_history`)
  assert.deepEqual(
    history.body.data.map(
      ({ attributes }: { attributes: { active_to: string | null; active_from: string } }) => attributes.active_to,
    ),
    [null, history.body.data[0].attributes.active_from],
  )
  assert.equal((await admin.get(history.body.data[1].links.self)).body.included.length, 2)
  assert.equal((await admin.get(`${path}/node_background_tasks`)).status, 200)
  const filtered = await admin.get(
    `/api/projects/shop/assets?filter[template_version_eq]=2&filter[template_code_eq]=${code}`,
  )
  assert.equal(filtered.body.data.length, 1)
  // By what is joined to nodes, and on from the record at which a page was cut.
  const other = await template(plain)
  await put(other.self, '1', { git_rev: 'main' })
  await runJobs()
  for (const [name, template_code] of [
    [`${code}-b`, other.code],
    [`${code}-c`, code],
  ]) {
    const attributes = { code: name, name, template_code, template_version: '1' }
    assert.equal((await admin.post('/api/projects/shop/assets', attributes)).status, 201)
  }
  const ours = `filter[code_start]=${code}&filter[template_code_in][]=${code}&filter[template_code_in][]=${other.code}`
  const sorted: string[] = []
  let next = `/api/projects/shop/assets?${ours}&filter[sorts]=template_code%20desc&limit=1&total=true`
  while (next) {
    const page = (await admin.get(next)).body
    assert.deepEqual([page.data.length, page.meta.total], [1, 3])
    sorted.push(page.data[0].attributes.code)
    next = page.links.next
  }
  assert.deepEqual(sorted, [`${code}-b`, `${code}-c`, code])
  const force = await commitInForce(database, asset.data.id)
  assert.deepEqual([force?.version, force?.gitRev, force?.gitRemoteName], ['2', 'next', repository.remote])
  assert.equal((await commitInForce(database, asset.data.id, '1'))?.gitRev, 'main')
  assert.equal(await commitInForce(database, asset.data.id, '9'), undefined)
})

test('a template names the nodes that are made from it, without the archived ones when asked so', async () => {
  const { self, code } = await template(plain)
  await put(self, '1', { git_rev: 'main' })
  await runJobs()
  for (const name of ['kept', 'old']) {
    const attributes = { code: `${name}-${code}`, name, template_code: code, template_version: '1' }
    assert.equal((await admin.post('/api/projects/shop/assets', attributes)).status, 201)
  }
  assert.equal((await admin.delete(`/api/projects/shop/assets/old-${code}`)).status, 204)
  const count = async (path: string) => [(await admin.get(path)).body.data].flat()[0].relationships.nodes.data.length
  const list = `/api/projects/shop/templates?filter[code_eq]=${code}`
  assert.deepEqual(await Promise.all([count(self), count(`${self}?exclude_archived_nodes=true`)]), [2, 1])
  assert.deepEqual(await Promise.all([count(list), count(`${list}&exclude_archived_nodes=1`)]), [2, 1])
  assert.equal((await admin.get(`${self}?exclude_archived_nodes=maybe`)).status, 400)
})

test('an asset is made from a template of its project and type that its maker may read', async () => {
  const { self, code } = await template(plain)
  await put(self, '1', { git_rev: 'main' })
  await runJobs()
  const make = (as: string, attributes: object) =>
    api.as(as).post('/api/projects/shop/assets', {
      code: `a-${++number}`,
      name: 'x',
      template_code: code,
      template_version: '1',
      ...attributes,
    })
  assert.equal((await make('admin', { template_code: 'nowhere' })).status, 422)
  assert.equal((await make('admin', { template_version: 'nowhere' })).status, 422)
  assert.equal((await make('maker', {})).body.errors[0].detail, `There is no template "${code}" in the project.`)
  await admin.patch(self, { disabled: true })
  assert.equal((await make('admin', {})).status, 409)
  assert.equal((await put(self, '2', { git_rev: 'main' })).status, 409)
  await admin.patch(self, { disabled: false })
  assert.equal((await make('admin', {})).status, 201)
  const agents = await template(() => ({ 'agent.sh': 'x' }), { template_type: 'agent' })
  await put(agents.self, '1', { git_rev: 'main' })
  await runJobs()
  assert.equal((await shown(agents.self, '1')).attributes.state, 'ready')
  assert.equal(
    (await make('admin', { template_code: agents.code })).body.errors[0].source.pointer,
    '/data/attributes/template_code',
  )
})

test('a locked version stands still, and one in use moves only for who says so', async () => {
  const { self, code, repository } = await template(plain)
  await put(self, '1', { git_rev: 'main' })
  await runJobs()
  await admin.post('/api/projects/shop/assets', { code, name: 'x', template_code: code, template_version: '1' })
  const next = repository.commit({ ...plain(code), more: 'x' }, { branch: 'next' })
  const refused = await put(self, '1', { git_rev: 'next' })
  assert.deepEqual([refused.status, refused.body.errors[0].meta.in_use[0].path], [409, `/projects/shop/assets/${code}`])
  const moving = await put(self, '1', { git_rev: 'next' }, { ignore_in_use: true })
  assert.equal(moving.body.data.attributes.state, 'ready')
  await runJobs()
  assert.equal((await shown(self, '1')).attributes.commit_sha, next)
  assert.equal((await put(self, '1', { locked: true })).status, 200)
  const locked = await put(self, '1', { git_rev: 'main' }, { ignore_in_use: true })
  assert.deepEqual([locked.status, locked.body.errors[0].code], [409, 'wrong-state'])
  assert.equal((await admin.delete(`${self}/versions/1`)).status, 409)
  assert.equal((await admin.delete(self)).body.errors[0].meta.in_use[0].what, 'asset')
  const commits = await database.rows(sql<{ closed: boolean }>`
    select active_to is not null as closed from template_version_commits c
      join template_versions v on v.id = c.template_version_id
      join templates t on t.id = v.template_id
     where t.code = ${code} order by active_from`)
  assert.deepEqual(
    commits.map(({ closed }) => closed),
    [true, false],
  )
})

test('a version on its way to another commit is frozen when it is there, or has been called back', async () => {
  const { self, code, repository } = await template(plain)
  const floating = await put(self, '1', { git_rev: 'main', float_git_rev: true })
  assert.equal(floating.status, 201, floating.text)
  assert.equal((await put(self, '1', { float_git_rev: false })).status, 200, 'it has no commit yet to stay at')
  await put(self, '1', { float_git_rev: true })
  await runJobs()
  const { commit_sha } = (await shown(self, '1')).attributes
  const next = repository.commit({ [`${code}/actions.yaml`]: 'actions: none\n' })
  await put(self, '1', {}, { fetch_revision: true })
  for (const frozen of [{ float_git_rev: false }, { float_git_rev: false, locked: true }]) {
    const refused = await put(self, '1', frozen)
    assert.deepEqual([refused.status, refused.body.errors?.[0].code], [409, 'wrong-state'])
    assert.match(refused.body.errors[0].detail, /on its way to another commit: .*cancel_refresh/)
  }
  assert.equal((await put(self, '1', { description: 'Still following' })).status, 200)
  assert.equal((await put(self, '1', { description: null })).body.data.attributes.description, '')
  assert.equal((await admin.post(`${self}/versions/1/cancel_refresh`)).status, 200)
  assert.equal((await put(self, '1', { float_git_rev: false, locked: true })).status, 200)
  await runJobs()
  const { state, locked, commit_sha: kept } = (await shown(self, '1')).attributes
  assert.notEqual(next, commit_sha)
  assert.deepEqual([state, locked, kept], ['ready', true, commit_sha])
})

test('a revision that is a branch and a tag is refused, with the names that say which is meant', async () => {
  const { self, repository, code } = await template(plain)
  const branch = repository.commit({ ...plain(code), more: 'x' }, { branch: 'rel' })
  repository.commit(plain(code), { branch: 'deep/tags/rel' })
  repository.git('tag', 'rel', 'main')
  repository.git('tag', 'only', 'main')
  const both =
    '"rel" is ambiguous: the repository has refs/tags/rel and refs/heads/rel. Give one of them as the revision.'
  const refused = async (answer: ReturnType<typeof put>, detail: string) => {
    const { status, body } = await answer
    assert.deepEqual(
      [status, body.errors?.[0]?.source.pointer, body.errors?.[0]?.detail],
      [422, '/data/attributes/git_rev', detail],
    )
  }
  await refused(put(self, '1', { git_rev: 'rel' }), both)
  await refused(put(self, '1', { git_rev: 'rel', float_git_rev: true }), both)
  for (const git_rev of ['refs/heads/rel', 'heads/rel', 'refs/tags/rel', 'tags/rel', 'only', 'main', 'deep/tags/rel'])
    assert.equal((await put(self, git_rev, { git_rev })).status, 201, git_rev)
  await runJobs()
  const main = repository.git('rev-parse', 'main')
  for (const [git_rev, commit] of [
    ['refs/heads/rel', branch],
    ['heads/rel', branch],
    ['refs/tags/rel', main],
    ['tags/rel', main],
    ['only', main],
  ] as const)
    assert.equal((await shown(self, git_rev)).attributes.commit_sha, commit, git_rev)
  await refused(put(self, 'only', { git_rev: 'rel' }), both)
  // A branch that is called like the short form of a tag is another revision, too.
  repository.git('branch', 'tags/rel', 'main')
  await refused(
    put(self, '2', { git_rev: 'tags/rel' }),
    '"tags/rel" is ambiguous: the repository has refs/tags/rel and refs/heads/tags/rel. Give one of them as the revision.',
  )
  assert.equal((await put(self, 'tags/rel', { description: 'kept' })).status, 200)
})

test('a version keeps the kind of its revision when something else comes to be called so, and a warning says that once', async () => {
  const { self, repository, code } = await template(plain)
  const first = repository.commit({ ...plain(code), more: '1' }, { branch: 'rel' })
  repository.git('tag', 'v1', 'main')
  const short = repository.git('rev-parse', '--short', 'main')
  await put(self, 'branch', { git_rev: 'rel', float_git_rev: true })
  await put(self, 'tag', { git_rev: 'v1', float_git_rev: true })
  await put(self, 'commit', { git_rev: short })
  await runJobs()
  const main = repository.git('rev-parse', 'main')
  const follow = async () => {
    await followRevisions({ git: world.git, keyring: world.keyring, settings: {} as never }).run(
      { gitRemoteId: repository.remoteId, since: await clockOf(database) } as never,
      world.runtime,
    )
    await runJobs()
  }
  const commits = async () =>
    Promise.all(['branch', 'tag', 'commit'].map(async each => (await shown(self, each)).attributes.commit_sha))
  assert.deepEqual(await commits(), [first, main, main])
  repository.git('tag', 'rel', 'main')
  repository.commit({ ...plain(code), more: 'v' }, { branch: 'v1' })
  repository.commit({ ...plain(code), more: 's' }, { branch: short })
  const second = repository.commit({ ...plain(code), more: '2' }, { branch: 'rel' })
  await follow()
  await follow()
  await put(self, 'commit', {}, { fetch_revision: true })
  await put(self, 'branch', {}, { fetch_revision: true })
  await runJobs()
  assert.deepEqual(await commits(), [second, main, main])
  const warned = async (version: string) =>
    (await eventsOf((await shown(self, version)).id))
      .filter(({ type }) => type === 'warn:template_version:ambiguous_revision')
      .map(({ attributes: { git_rev, git_ref, also } }) => ({ git_rev, git_ref, also }))
  assert.deepEqual(await warned('branch'), [{ git_rev: 'rel', git_ref: 'refs/heads/rel', also: ['refs/tags/rel'] }])
  assert.deepEqual(await warned('tag'), [{ git_rev: 'v1', git_ref: 'refs/tags/v1', also: ['refs/heads/v1'] }])
  assert.deepEqual(await warned('commit'), [{ git_rev: short, git_ref: main, also: [`refs/heads/${short}`] }])
  // The branch is gone, and the tag is not taken in its place.
  repository.git('branch', '-D', 'rel')
  await follow()
  const { state, commit_sha, float_refresh_error } = (await shown(self, 'branch')).attributes
  assert.deepEqual(
    [state, commit_sha, float_refresh_error],
    ['ready', second, 'There is no refs/heads/rel any more. If refs/tags/rel is meant, give that as "git_rev".'],
  )
  assert.equal((await put(self, 'branch', { git_rev: 'refs/tags/rel' })).status, 200)
  await runJobs()
  assert.equal((await shown(self, 'branch')).attributes.commit_sha, main)
})

test('a ready version of an earlier release follows what its commit is of', async () => {
  const { self, repository, code } = await template(plain)
  const first = repository.commit({ ...plain(code), more: '1' }, { branch: 'rel' })
  await put(self, '1', { git_rev: 'rel', float_git_rev: true })
  await runJobs()
  const { id } = await shown(self, '1')
  await database.count(sql`update template_versions set git_ref = null where id = ${id}::uuid`)
  repository.git('tag', 'rel', 'main')
  await put(self, '1', {}, { fetch_revision: true })
  await runJobs()
  assert.equal((await shown(self, '1')).attributes.commit_sha, first)
})

test('what another version brings is told in commits and files, and what it takes away', async () => {
  const { code, self, repository } = await template(code => ({ ...plain(code), [`${code}/old.txt`]: 'a\n'.repeat(50) }))
  const start = repository.git('rev-parse', 'main')
  repository.commit(
    { ...plain(code), [`${code}/new name.txt`]: 'a\n'.repeat(50), 'ünter.txt': 'x' },
    { message: 'Move it' },
  )
  const last = repository.commit(
    { [`${code}/actions.yaml`]: `${good}  more: { run: ./more }\n`, [`${code}/new name.txt`]: 'a\n'.repeat(50) },
    { message: 'Drop one\n\nand say why' },
  )
  repository.git('branch', 'old', start)
  const side = repository.commit({ ...plain(code), 'side.txt': '1' }, { branch: 'old', message: 'Aside \u001b[31mred' })
  for (const [version, git_rev] of [
    ['1', start],
    ['2', last],
    ['side', side],
  ] as const)
    await put(self, version, { git_rev })
  await runJobs()
  const changes = async (version: string, since: string) => {
    const { status, body, text } = await admin.get(`${self}/versions/${version}/changes?since=${since}`)
    assert.equal(status, 200, text)
    return body.data.attributes
  }
  const forward = await changes('2', '1')
  assert.deepEqual([forward.since_commit_sha, forward.commit_sha], [start, last])
  assert.deepEqual(
    forward.commits.map(({ subject }: { subject: string }) => subject),
    ['Drop one', 'Move it'],
  )
  assert.equal(forward.commits[0].sha, last)
  assert.match(forward.commits[0].committed_at, /^\d{4}-\d\d-\d\dT/)
  assert.deepEqual([forward.commit_count, forward.removed_commit_count, forward.removed_commits], [2, 0, []])
  assert.deepEqual(forward.files, [
    { path: `${code}/actions.yaml`, change: 'modified' },
    { path: `${code}/new name.txt`, change: 'renamed', previous_path: `${code}/old.txt` },
  ])
  const back = await changes('1', '2')
  assert.deepEqual([back.commits, back.removed_commits], [[], forward.commits])
  const aside = await changes('side', '2')
  assert.deepEqual([aside.commit_count, aside.removed_commit_count], [1, 2])
  assert.equal(aside.commits[0].subject, 'Aside [31mred')
  assert.equal((await changes('2', '2')).file_count, 0)

  const path = `${self}/versions/2/changes`
  assert.equal((await admin.get(path)).status, 400)
  assert.equal((await admin.get(`${path}?since=none`)).status, 422)
  assert.equal((await admin.get(`${self}/versions/none/changes?since=1`)).status, 404)
  assert.equal((await api.as('maker').get(`${path}?since=1`)).status, 404)
  await put(self, 'unfetched', { git_rev: 'main' })
  const early = await admin.get(`${self}/versions/unfetched/changes?since=1`)
  assert.equal(early.status, 409)
  assert.match(early.body.errors[0].detail, /has no commit yet/)
  await runJobs()
})

test('a floating version follows its branch, and keeps its commit when that cannot be used', async () => {
  const { self, code, repository } = await template(plain)
  await put(self, 'live', { git_rev: 'main', float_git_rev: true })
  await runJobs()
  const refetch = async () => {
    await database.count(
      sql`update git_remotes set next_fetch_at = sluice_now() where id = ${repository.remoteId}::uuid`,
    )
    await world.loop('git.periodic_fetch')
    // A remote that was fetched a moment ago would not be fetched again.
    await world.git.fetch(repository.remoteId, { freshMilliseconds: 0 })
    await runJobs()
  }
  const second = repository.commit({ ...plain(code), more: '2' })
  await refetch()
  assert.equal((await shown(self, 'live')).attributes.commit_sha, second)
  repository.commit({ [`${code}/actions.yaml`]: 'actions: 5' })
  for (let times = 0; times < 3; times++) await refetch()
  const failures = (await typesOf((await shown(self, 'live')).id)).filter(type => type.endsWith('_failed'))
  assert.equal(failures.length, 1, 'what was told once is not told with every fetch')
  const kept = (await shown(self, 'live')).attributes
  assert.deepEqual([kept.state, kept.commit_sha, kept.initialization_error], ['ready', second, null])
  assert.match(kept.float_refresh_error, /actions\.yaml:1:10: "actions" must hold/)
  repository.git('branch', '-m', 'main', 'elsewhere')
  await refetch()
  assert.equal((await shown(self, 'live')).attributes.float_refresh_error, 'There is no branch, tag or commit "main".')
  repository.git('branch', '-f', 'main', second)
  await refetch()
  assert.deepEqual(
    [(await shown(self, 'live')).attributes.float_refresh_error, (await shown(self, 'live')).attributes.commit_sha],
    [null, second],
  )
  repository.commit({ [`${code}/actions.yaml`]: 'actions: 5' })
  await refetch()
  assert.ok((await shown(self, 'live')).attributes.float_refresh_error)
  const still = await put(self, 'live', { float_git_rev: false })
  assert.equal(still.body.data.attributes.float_refresh_error, null, 'it follows no more')
})

test('a version follows its branch on whichever host that is looked at, and never back', async () => {
  const { self, repository, code } = await template(plain)
  await put(self, '1', { git_rev: 'main', float_git_rev: true })
  await runJobs()
  const { id } = (await shown(self, '1')) as { id: string }
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-elsewhere-'))
  try {
    const elsewhere = await openGit({
      ...{ database, keyring: world.keyring, dataDir, protocols: ['file'], privateAddresses: [] },
      environment: { PATH: process.env['PATH']! },
    })
    await elsewhere.fetch(repository.remoteId)
    const old = await elsewhere.resolve(repository.remoteId, 'main')
    const since = await clockOf(database)
    const newest = repository.commit({ ...plain(code), more: 'x' })
    await put(self, '1', {}, { fetch_revision: true })
    await runJobs()
    assert.equal((await shown(self, '1')).attributes.commit_sha, newest)
    assert.equal(await elsewhere.resolve(repository.remoteId, 'main'), old)
    const fetches = async () => (await typesOf(id)).filter(type => type === 'info:v:fetch').length
    const before = await fetches()
    const parts = { git: elsewhere, keyring: world.keyring, settings: {} as never }
    await followRevisions(parts).run({ gitRemoteId: repository.remoteId, since } as never, world.runtime)
    await runJobs()
    assert.equal(await fetches(), before)
    assert.equal(await elsewhere.resolve(repository.remoteId, 'main'), newest)
    // Fetched since then, it is not fetched again.
    repository.commit({ ...plain(code), more: 'y' })
    await elsewhere.fetch(repository.remoteId, { since })
    assert.equal(await elsewhere.resolve(repository.remoteId, 'main'), newest)
  } finally {
    await rm(dataDir, { recursive: true })
  }
})

test('a new version that is refused for two reasons is told first what stands in the way of any', async () => {
  const { self } = await template(plain)
  await admin.patch(self, { disabled: true })
  assert.equal((await put(self, '1', {})).status, 409)
  await admin.patch(self, { disabled: false })
  assert.equal((await put(self, '1', {})).status, 422)
})

test('a fetch that was lost with its process is found and resumed', async () => {
  const { self } = await template(plain)
  await put(self, '1', { git_rev: 'main' })
  await database.rows(sql`select graphile_worker.remove_job(key) from graphile_worker.jobs where key is not null`)
  await runJobs()
  assert.equal((await shown(self, '1')).attributes.state, 'initializing')
  await world.loop('templates.resume_fetches')
  await runJobs()
  assert.equal((await shown(self, '1')).attributes.state, 'ready')
})

test('a fetch that ends after a newer request is discarded', async () => {
  const { self, repository, code } = await template(plain)
  const newer = repository.commit({ ...plain(code), more: 'x' }, { branch: 'next' })
  await put(self, '1', { git_rev: 'main' })
  const version = await shown(self, '1')
  const job = world.domains.flatMap(({ jobs }) => jobs ?? []).find(({ name }) => name === 'templates.fetch_version')!
  // The newer request arrives when the older one has fetched and is about to resolve.
  const overtaking = {
    ...world.runtime,
    record: async (...args: Parameters<typeof world.runtime.record>) => {
      if (args[1].type === 'info:template_version:fetch' && !overtaken) {
        overtaken = true
        await put(self, '1', { git_rev: 'next' })
      }
      return world.runtime.record(...args)
    },
  }
  let overtaken = false
  await job.run({ templateVersionId: version.id } as never, overtaking)
  assert.equal((await shown(self, '1')).attributes.state, 'initializing')
  assert.ok((await typesOf(version.id)).includes('info:v:refresh_superseded'))
  await runJobs()
  assert.equal((await shown(self, '1')).attributes.commit_sha, newer)
})

test('property files are stored sealed, and read again without Git', async () => {
  const { self, code, repository } = await template(code => ({
    ...plain(code),
    [`${code}/defaults.yaml`]: 'web: { port: 80 }\nsecret: canary-77\n',
    [`${code}/other.yaml`]: 'ignored: true',
    '.sluice/properties/projects/shop/all.toml': 'b = 2\n',
    '.sluice/properties/note.txt': 'not data',
  }))
  await put(self, '1', { git_rev: 'main' })
  await runJobs()
  const commitSha = repository.git('rev-parse', 'main')
  const key = { gitRemoteId: repository.remoteId, commitSha, repoFolder: '.sluice', templateCode: code }
  await repository.remove()
  const read = await readPropertyFiles(database, world.keyring, key)
  assert.ok(read.state === 'read')
  assert.deepEqual(read.files.map(({ path, text }) => [path, String(unpacked(text))]).toSorted(), [
    ['.sluice/properties/projects/shop/all.toml', '{"b":2}'],
    [`${code}/defaults.yaml`, '{"web":{"port":80},"secret":"canary-77"}'],
  ])
  const stored = await database.rows(
    sql<{ text: string }>`select encode(content, 'escape') as text from repository_files`,
  )
  assert.ok(stored.length > 0 && !stored.some(({ text }) => text.includes('canary-77')))
})

test('the actions at the root of any commit are read once and kept', async () => {
  const { repository } = await template(code => ({ ...plain(code), 'actions.yaml': good }))
  await world.git.fetch(repository.remoteId)
  const commit = (await world.git.resolve(repository.remoteId, 'main'))!
  const key = { gitRemoteId: repository.remoteId, commit, folder: '' }
  const parts = { git: world.git, keyring: world.keyring }
  const [first, second] = await Promise.all([catalogueAt(parts, database, key), catalogueAt(parts, database, key)])
  assert.ok(first.state === 'ready' && second.id === first.id)
  assert.equal(stepTree(first.catalogue, 'deploy')?.children[0]?.full_path, 'deploy/stop')
  await repository.remove()
  assert.equal((await catalogueAt(parts, database, key)).id, first.id)
})

test('templates are made, changed, archived and deleted', async () => {
  const { self, code, id, repository } = await template(plain)
  const other = await world.repository(plain(code))
  const twice = await admin.post(templates, {
    code: code.toUpperCase(),
    name: 'x',
    template_type: 'asset',
    git_remote_name: repository.remote,
  })
  assert.deepEqual([twice.status, twice.body.errors[0].code], [409, 'code-taken'])
  assert.equal((await admin.get(`${templates}/${id}`)).body.data.id, id)
  const changed = await admin.patch(self, {
    name: 'Web',
    description: null,
    git_remote_name: other.remote,
    archived: true,
  })
  assert.deepEqual([changed.body.data.attributes.name, changed.body.data.attributes.archived], ['Web', true])
  assert.equal(changed.body.data.relationships.git_remote.data.id, other.remoteId)
  assert.equal((await put(self, '1', { git_rev: 'main' })).status, 409)
  assert.equal((await admin.patch(self, { template_type: 'agent' })).status, 400)
  assert.equal((await admin.patch(self, { git_remote_name: 'nowhere' })).status, 422)
  assert.equal((await admin.delete(`/api/projects/shop/git_remotes/${other.remoteId}`)).status, 409)
  assert.equal((await api.as('reader').delete(self)).status, 403)
  assert.equal((await admin.delete(self)).status, 204)
  assert.equal((await admin.get(self)).status, 404)
  assert.deepEqual(await typesOf(id), ['api:templates:create', 'api:templates:update', 'api:templates:destroy'])
  await admin.post('/api/projects', { code: 'plain', name: 'x', project_type: 'Standard' })
  assert.equal((await admin.get('/api/projects/plain/templates')).status, 404)
  const refused = await admin.post('/api/projects/plain/templates', {
    code: 'x',
    name: 'x',
    template_type: 'asset',
    git_remote_name: 'x',
  })
  assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'not-supported-here'])
})

test('what only a destroyed asset had is deleted, also while the rows of its tasks are still there', async () => {
  const { code, self } = await template(plain)
  await put(self, '1', { git_rev: 'main' })
  await runJobs()
  const made = { code, name: 'x', template_code: code, template_version: '1' }
  const asset = (await admin.post('/api/projects/shop/assets', made)).body.data.links.self as string
  assert.equal((await admin.post(`${asset}/node_background_tasks`)).status, 201)
  assert.equal((await admin.delete(`${asset}?ignore_in_use=true`)).status, 204)
  const deleted = await admin.delete(`${self}/versions/1`)
  assert.equal(deleted.status, 204, deleted.text)
  await runJobs()
})

test('of a remote that is archived no version is made or moved until it is restored', async () => {
  const { self, repository } = await template(plain)
  await put(self, '1', { git_rev: 'main' })
  await runJobs()
  const named = `/api/projects/shop/git_remotes?filter[name_eq]=${repository.remote}`
  const remote = (await admin.get(named)).body.data[0].links.self as string
  assert.equal((await admin.patch(remote, { archived: true })).status, 200)
  const fetching: [string, object, object?][] = [
    ['2', { git_rev: 'main' }],
    ['1', { git_rev: 'other' }],
    ['1', {}, { fetch_revision: true }],
  ]
  for (const [version, attributes, meta] of fetching) {
    const { status, body } = await put(self, version, attributes, meta)
    assert.deepEqual([status, body.errors?.[0].code], [409, 'archived'], version)
    assert.match(body.errors[0].detail, /fetched no more: restore it first/)
  }
  assert.equal((await put(self, '1', { description: 'Still described' })).status, 200)
  assert.equal((await admin.patch(remote, { archived: false })).status, 200)
  assert.equal((await put(self, '2', { git_rev: 'main' })).status, 201)
  await runJobs()
})

test('the versions of a deleted template are told of, each by itself', async () => {
  const { code, self } = await template(plain)
  const ids: string[] = []
  for (const version of ['1', '2']) ids.push((await put(self, version, { git_rev: 'main' })).body.data.id)
  await runJobs()
  assert.equal((await admin.delete(self)).status, 204)
  const told = await Promise.all(ids.map(async id => (await eventsOf(id)).at(-1)))
  assert.deepEqual(
    told.map(event => [event?.type, event?.attributes['name'], event?.attributes['template_code']]),
    ['1', '2'].map(version => ['api:template_versions:destroy', version, code]),
  )
})

test('a version is called by something that shows, on one line, of at most a hundred characters', async () => {
  const { self } = await template(plain)
  for (const name of [' ', '\u3000', 'a\nb', 'a\u202eb', 'a\u2028b', '😀'.repeat(101)])
    assert.equal((await put(self, name, { git_rev: 'main' })).status, 422, JSON.stringify(name))
  for (const name of ['😀'.repeat(100), '1.0 β', '...'])
    assert.equal((await put(self, name, { git_rev: 'main' })).status, 201, JSON.stringify(name))
  await runJobs()
})

test('who may not read a template gives an asset no other version of it, and learns of none', async () => {
  const { self, code } = await template(plain)
  for (const version of ['1', '2', 'broken'])
    await put(self, version, { git_rev: version === 'broken' ? 'nowhere' : 'main' })
  await runJobs()
  const asset = { code: `a-${++number}`, name: 'x', template_code: code, template_version: '1' }
  const path = (await admin.post('/api/projects/shop/assets', asset)).body.data.links.self as string
  const maker = api.as('maker')
  const answers = await Promise.all(
    ['2', 'broken', 'none'].map(version => maker.patch(path, { template_version: version })),
  )
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.errors?.[0].source.pointer], [422, '/data/attributes/template_version'])
    assert.deepEqual(body, answers[0]!.body)
  }
  assert.equal((await maker.patch(path, { name: 'y', template_version: '1' })).status, 200)
  assert.equal((await admin.patch(path, { template_version: '2' })).status, 200)
})

test('a PUT that only creates never replaces a version, not even one that is created at the same time', async () => {
  const { self } = await template(plain)
  const path = `${self}/versions/only-once`
  const create = (git_rev: string) => admin.put(path, { git_rev }, { 'if-none-match': '*' })
  const replace = (ifMatch: string) => admin.put(path, { description: 'replaced' }, { 'if-match': ifMatch })
  for (const tag of ['*', '"1"']) assert.equal((await replace(tag)).status, 412)
  const answers = await Promise.all([create('main'), create('main'), create('main')])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 412, 412])
  const refused = answers.find(({ status }) => status === 412)!
  assert.deepEqual(
    refused.body.errors.map(({ code, source }: { code: string; source: object }) => [code, source]),
    [['precondition-failed', { header: 'if-none-match' }]],
  )
  await runJobs()
  const { headers, body } = await admin.get(path)
  assert.equal((await create('other')).status, 412)
  assert.deepEqual((await admin.get(path)).body.data, body.data)
  assert.equal((await replace(headers.get('etag')!)).status, 200)
  assert.equal((await admin.put(path, {}, { 'if-none-match': headers.get('etag')! })).status, 200)
})
