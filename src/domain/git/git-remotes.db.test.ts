import assert from 'node:assert/strict'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import type { Domain } from '#platform/domain.ts'
import { startTestApi } from '../../../tests/support/api.ts'
import { moveClock } from '../../../tests/support/database.ts'
import { gitServer, testRepository } from '../../../tests/support/git-repository.ts'
import { aroundOf, runDueJobs } from '../../../tests/support/jobs.ts'
import { rightsFrom } from '../access/rights.sql.ts'
import { nodesDomain } from '../nodes/index.ts'
import { settingsDomain } from '../settings/index.ts'
import { type Git, gitDomain, openGit, remoteByName } from './index.ts'

const everything = rightsFrom({ superuser: true, blocked: false, rules: [] })
const ruled = (path: string, flags: object) =>
  rightsFrom({
    superuser: false,
    blocked: false,
    rules: [{ path, read: null, update: null, execute: null, delete: null, ...flags }],
  })

const dataDir = await mkdtemp(join(tmpdir(), 'sluice-data-'))
const shop = await testRepository({ 'README.md': 'x' })
let domains: readonly Domain[] = []
let git: Git
/** Git of another host of the same installation, with mirrors of its own. */
let elsewhere: Git
/** Stands for the domains to the right: it uses the remotes of this name. */
const users: Domain = {
  name: 'users-of-remotes',
  extends: {
    git_remote: {
      inUse: ids =>
        sql`select id, 'template' as what, path from git_remotes where id = any(${ids}::uuid[]) and name = 'used'`,
    },
  },
}
const api = await startTestApi({
  domains: async made => {
    const { domain, reader, start } = settingsDomain({ keyring: made.keyring, overrides: {} })
    // Templates are not here.
    const { template: _, template_version: __, ...extended } = domain.extends!
    const settings = { ...domain, extends: extended }
    await start(made)
    const options = {
      ...made,
      protocols: ['http', 'https', 'file'] as const,
      privateAddresses: ['127.0.0.0/8'],
      environment: { PATH: process.env['PATH']! },
    }
    git = await openGit({ ...options, dataDir })
    elsewhere = await openGit({ ...options, dataDir: join(dataDir, 'of another host') })
    domains = [
      nodesDomain({ others: [settings] }),
      settings,
      gitDomain({ ...made, git, settings: reader, others: [users] }),
    ]
    return domains
  },
  users: {
    admin: everything,
    reader: ruled('/projects/shop', { read: true }),
    keeper: ruled('/projects/shop/git_remotes', { update: true }),
    nobody: ruled('/elsewhere', { read: true }),
  },
})
after(async () => {
  await api.stop()
  await shop.remove()
  await rm(dataDir, { recursive: true })
})
const admin = api.as('admin')
const runtime = aroundOf(api.database)
const runJobs = () => runDueJobs(api.testDatabase, domains, runtime)
const eventsOf = (id: string) =>
  api.database.rows(sql<{ type: string; body: string; attributes: Record<string, unknown> }>`
    select type, convert_from(body, 'UTF8') as body, attributes from events where source_id = ${id}::uuid order by created_at`)
const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)
const remotes = '/api/projects/shop/git_remotes'
let number = 0
const make = async (attributes: object = {}) => {
  const made = await admin.post(remotes, { name: `remote ${++number}`, url: shop.url, ...attributes })
  assert.equal(made.status, 201, made.text)
  return made.body.data
}

await admin.post('/api/projects', { code: 'shop', name: 'Shop' })

test('a remote is made, listed, shown and linked from its project', async () => {
  const made = await make({ name: 'main', public_url: 'https://git.example.test/shop' })
  assert.deepEqual(
    [made.attributes.name, made.attributes.url, made.attributes.password, made.attributes.archived],
    ['main', shop.url, null, false],
  )
  assert.equal((await admin.get(made.links.self)).body.data.id, made.id)
  const project = await admin.get('/api/projects/shop')
  assert.equal(project.body.data.links.git_remotes, remotes)
  const listed = await admin.get(`${project.body.data.links.git_remotes}?filter[name_eq]=main`)
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: string }) => id),
    [made.id],
  )
  await runJobs()
  assert.ok((await admin.get(made.links.self)).body.data.attributes.fetched_at)
  assert.ok(await git.resolve(made.id, 'main'))
})

test('credentials are never answered, and neither events nor the table hold them', async () => {
  const secret = 'canary-9a31'
  const made = await make({ user: 'deploy', password: secret })
  assert.equal(made.attributes.password, '{{hidden}}')
  const kept = await admin.patch(made.links.self, { password: '{{hidden}}', name: 'with password' })
  assert.equal(kept.body.data.attributes.password, '{{hidden}}')
  const changed = await admin.patch(made.links.self, { password: `${secret}-2` })
  assert.ok(!`${changed.text}${JSON.stringify(await eventsOf(made.id))}`.includes(secret))
  const row = await api.database.one(sql<{ row: string }>`
    select r::text || encode(credentials, 'escape') as row from git_remotes r where id = ${made.id}::uuid`)
  assert.ok(!row!.row.includes(secret))
  const removed = await admin.patch(made.links.self, { password: null })
  assert.equal(removed.body.data.attributes.password, null)
  const told = (await eventsOf(made.id)).filter(({ type }) => type.startsWith('api:'))
  assert.deepEqual(
    told.map(({ attributes }) => attributes['changed_pointers']),
    [['/password'], undefined, ['/password'], ['/password']],
  )
  assert.equal((await admin.get(`${remotes}?filter[password_eq]=x`)).status, 400)
})

test('a remote that cannot be reached is made, with a warning and an event', async () => {
  const made = await admin.post(remotes, { name: 'nowhere', url: 'file:///nowhere/at/all' })
  assert.equal(made.status, 201)
  assert.match(made.body.meta.warnings[0], /could not be reached/)
  await runJobs()
  const { id, links } = made.body.data
  assert.deepEqual(await typesOf(id), ['api:git_remotes:create', 'error:git_remote:create'])
  assert.ok((await admin.get(links.self)).body.data.attributes.fetch_error)
})

test('a remote is not fetched while it is archived, made so or archived before the fetch began, and is once restored', async () => {
  for (const attributes of [{ archived: true }, {}]) {
    const { id, links } = await make(attributes)
    assert.equal((await admin.patch(links.self, { archived: true })).status, 200)
    await runJobs()
    const fetchedAt = async () => (await admin.get(links.self)).body.data.attributes.fetched_at
    assert.equal(await fetchedAt(), null)
    assert.equal((await admin.patch(links.self, { archived: false })).status, 200)
    await runJobs()
    assert.ok(await fetchedAt())
    assert.ok(await git.resolve(id, 'main'))
  }
  const nowhere = await admin.post(remotes, { name: 'put aside', url: 'file:///nowhere/at/all', archived: true })
  assert.deepEqual([nowhere.status, nowhere.body.meta], [201, undefined])
  await runJobs()
  assert.deepEqual(await typesOf(nowhere.body.data.id), ['api:git_remotes:create'])
})

test('a remote says when it was last fetched, for whomever that was', async () => {
  const { id, links } = await make()
  await runJobs()
  const fetchedAt = async () => (await admin.get(links.self)).body.data.attributes.fetched_at
  const first = await fetchedAt()
  await git.fetch(id, { freshMilliseconds: 0 })
  assert.ok((await fetchedAt()) > first)
})

test('a URL that git would take for a program, or another protocol, is refused', async () => {
  for (const url of [
    'ext::touch /tmp/owned',
    'ssh://host/x',
    '/srv/x',
    'https://user:word@host/x',
    '--upload-pack=x',
  ]) {
    const refused = await admin.post(remotes, { name: 'bad', url })
    assert.equal(refused.status, 422, url)
    assert.equal(refused.body.errors[0].source.pointer, '/data/attributes/url')
  }
  const key = await admin.post(remotes, { name: 'bad', url: shop.url, ssh_key_data: 'no key', user: '-x' })
  assert.deepEqual(
    key.body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer),
    ['/data/attributes/user', '/data/attributes/ssh_key_data'],
  )
})

test('host and repository of a remote are changed by a superuser alone, another host without the stored password', async () => {
  const made = await make({ url: 'https://127.0.0.1:1/team/shop.git', user: 'deploy', password: 'secret-word' })
  for (const url of ['https://127.0.0.1:1/team/other', 'https://127.0.0.2:1/team/shop']) {
    const { status, body } = await api.as('keeper').patch(made.links.self, { url })
    assert.deepEqual([status, body.errors[0].source.pointer], [422, '/data/attributes/url'])
    assert.match(body.errors[0].detail, /Only a superuser can move a remote/)
  }
  assert.equal((await admin.patch(made.links.self, { url: 'https://127.0.0.1:1/team/other' })).status, 200)
  const elsewhere = { url: 'https://127.0.0.2:1/team/other' }
  const without = await admin.patch(made.links.self, elsewhere)
  assert.deepEqual([without.status, without.body.errors[0].source.pointer], [422, '/data/attributes/password'])
  assert.equal((await admin.patch(made.links.self, { ...elsewhere, password: '{{hidden}}' })).status, 422)
  assert.equal((await admin.patch(made.links.self, { ...elsewhere, password: null })).status, 200)
})

test('a remote that was moved is fetched from where it is now, and keeps the commits that records name', async () => {
  const made = await make({ url: shop.url })
  await runJobs()
  const before = await git.resolve(made.id, 'main')
  await api.database.transaction(tx => git.keep(tx, made.id, before!))
  const other = await testRepository({ 'README.md': 'moved' })
  try {
    assert.equal((await admin.patch(made.links.self, { url: other.url })).status, 200)
    await runJobs()
    assert.equal(await git.resolve(made.id, 'main'), other.git('rev-parse', 'main'))
    assert.equal((await git.readFile(made.id, before!, 'README.md'))?.toString(), 'x')
  } finally {
    await other.remove()
  }
})

test('scheme and port of a remote change with the credentials', async () => {
  const made = await make({ url: 'https://127.0.0.1:1/team/shop.git', user: 'deploy', password: 'secret-word' })
  const without = await admin.patch(made.links.self, { url: 'http://127.0.0.1:2/team/shop' })
  assert.equal(without.body.errors[0].source.pointer, '/data/attributes/password')
  const withIt = await admin.patch(made.links.self, { url: 'http://127.0.0.1:2/team/shop', password: 'secret-word' })
  assert.equal(withIt.status, 200)
  assert.match(withIt.body.meta.warnings[0], /could not be reached/)
  await runJobs()
  assert.deepEqual(await typesOf(made.id), [
    'api:git_remotes:create',
    'api:git_remotes:update',
    'error:git_remote:update',
  ])
})

test('names are taken without regard to case, and a change of nothing is no event', async () => {
  const first = await make({ name: 'Twice' })
  const second = await admin.post(remotes, { name: 'twice', url: shop.url })
  assert.deepEqual([second.status, second.body.errors[0].code], [409, 'code-taken'])
  const other = await make()
  assert.equal((await admin.patch(other.links.self, { name: 'TWICE' })).status, 409)
  assert.equal((await admin.patch(first.links.self, { name: 'Twice', archived: false })).status, 200)
  assert.deepEqual(await typesOf(first.id), ['api:git_remotes:create'])
})

test('a remote is found by its name in any case of A to Z and any form of Unicode', async () => {
  const attributes = { name: 'E\u0301cluse', url: 'https://git.example.org/locks.git', archived: true }
  const { id } = (await api.as('admin').post('/api/projects/shop/git_remotes', attributes)).body.data
  const project = (await api.database.one(sql<{ id: string }>`select id from nodes where code = 'shop'`))!
  const found = async (name: string) => (await remoteByName(api.database, project.id, name))?.id
  assert.deepEqual(await Promise.all(['\u00c9cluse', 'E\u0301CLUSE'].map(found)), [id, id])
})

test('who may not read the project is told that there is none; who may only read is refused', async () => {
  const made = await make()
  assert.equal((await api.as('nobody').get(made.links.self)).status, 404)
  assert.equal((await api.as('nobody').patch(made.links.self, { name: 'x' })).status, 404)
  assert.equal((await api.as('reader').get(made.links.self)).status, 200)
  assert.equal((await api.as('reader').patch(made.links.self, { name: 'x' })).status, 403)
  assert.equal((await api.as('reader').delete(made.links.self)).status, 403)
  assert.equal((await api.as('keeper').patch(made.links.self, { name: 'kept' })).status, 200)
})

test('a remote is deleted with its mirror, and one in use is not', async () => {
  const used = await make({ name: 'used' })
  const refused = await admin.delete(used.links.self)
  assert.deepEqual([refused.status, refused.body.errors[0].meta.in_use[0].what], [409, 'template'])
  const made = await make()
  await runJobs()
  assert.ok(await git.resolve(made.id, 'main'))
  assert.equal((await admin.delete(made.links.self)).status, 204)
  await runJobs()
  assert.equal((await admin.get(made.links.self)).status, 404)
  await assert.rejects(git.resolve(made.id, 'main'))
})

test('the mirrors of a deleted remote go on every host that has one, and no others', async () => {
  const [gone, stays] = [await make(), await make()]
  await runJobs()
  for (const { id } of [gone, stays]) await elsewhere.fetch(id)
  assert.equal((await admin.delete(gone.links.self)).status, 204)
  await runJobs()
  assert.ok(await elsewhere.resolve(gone.id, 'main'))
  await elsewhere.removeOrphaned()
  await assert.rejects(elsewhere.resolve(gone.id, 'main'))
  assert.ok(await elsewhere.resolve(stays.id, 'main'))
})

test('remotes are fetched periodically, less often while that fails, and recover', async () => {
  const server = await gitServer(shop, { user: 'deploy', password: 'right' })
  try {
    const made = await make({ url: server.url, user: 'deploy', password: 'wrong', periodic_fetch_interval: 60 })
    await runJobs()
    const loop = domains.flatMap(({ loops }) => loops ?? []).find(({ name }) => name === 'git.periodic_fetch')!
    const dueIn = async () =>
      (await api.database.one(sql<{ seconds: number }>`
        select round(extract(epoch from next_fetch_at - sluice_now()))::int as seconds from git_remotes where id = ${made.id}::uuid`))!
        .seconds
    assert.ok(Math.abs((await dueIn()) - 120) < 10, String(await dueIn()))
    await moveClock(api.testDatabase, '121 seconds')
    while (await loop.run(runtime)) {}
    await runJobs()
    assert.ok(Math.abs((await dueIn()) - 240) < 10, String(await dueIn()))
    await admin.patch(made.links.self, { password: 'right' })
    await runJobs()
    assert.ok(Math.abs((await dueIn()) - 60) < 10, String(await dueIn()))
    assert.deepEqual(await typesOf(made.id), [
      'api:git_remotes:create',
      'error:git_remote:create',
      'warn:git_remote:periodic_fetch:failed',
      'api:git_remotes:update',
      'info:git_remote:periodic_fetch:recovered',
    ])
  } finally {
    await server.stop()
  }
})

test('a remote is fetched again although the clock was set back, by more than any of them waits', async () => {
  const made = await make({ url: shop.url, periodic_fetch_interval: 86_400 })
  await runJobs()
  const loop = domains.flatMap(({ loops }) => loops ?? []).find(({ name }) => name === 'git.periodic_fetch')!
  const fetchedAt = async () => (await admin.get(made.links.self)).body.data.attributes.fetched_at
  const before = await fetchedAt()
  while (await loop.run(runtime)) {}
  await runJobs()
  assert.equal(await fetchedAt(), before, 'its time has not come')
  await moveClock(api.testDatabase, '-30 days')
  try {
    while (await loop.run(runtime)) {}
    await runJobs()
    assert.ok((await fetchedAt()) < before)
  } finally {
    await moveClock(api.testDatabase, '30 days')
  }
})

test('a remote that has been failing is fetched again at once when a fetch for somebody goes well', async () => {
  const away = await testRepository()
  const head = `${away.folder}/HEAD`
  try {
    await rename(head, `${head}.away`)
    const { id } = await make({ url: away.url })
    await runJobs()
    const loop = domains.flatMap(({ loops }) => loops ?? []).find(({ name }) => name === 'git.periodic_fetch')!
    const lastTold = async () => {
      await loop.run(runtime)
      await runJobs()
      return (await typesOf(id)).at(-1)
    }
    await assert.rejects(git.fetch(id))
    assert.equal(await lastTold(), 'error:git_remote:create')
    await rename(`${head}.away`, head)
    await git.fetch(id)
    assert.equal(await lastTold(), 'info:git_remote:periodic_fetch:recovered')
  } finally {
    await away.remove()
  }
})

test('how the fetches go is summed up once in each interval, and not where the settings say so', async () => {
  const about = await admin.get('/api/system_configuration')
  const settings = about.body.data.relationships.settings.links.related
  const job = domains.flatMap(({ jobs }) => jobs ?? []).find(({ name }) => name === 'git.summarise_fetches')!
  const summaries = () =>
    api.database.rows(sql<{ attributes: Record<string, unknown> }>`
      select attributes from events where type = 'info:git_remote:periodic_fetch:summary' order by created_at`)
  const away = await make({ url: 'file:///nowhere/to/be/found' })
  const reached = await make()
  await runJobs()
  await job.run({} as never, runtime)
  // No remote has been there for a day.
  assert.deepEqual(await summaries(), [])
  await moveClock(api.testDatabase, '1 day')
  for (let times = 0; times < 2; times++) await job.run({} as never, runtime)
  const [{ attributes } = { attributes: {} }, ...more] = await summaries()
  assert.deepEqual(more, [])
  const [remotes, failing] = await Promise.all(
    [sql<boolean>`true`, sql<boolean>`fetch_failures > 0`].map(async which => {
      const rows = await api.database.rows(sql`select from git_remotes where not archived and ${which}`)
      return rows.length
    }),
  )
  assert.deepEqual([attributes['remotes'], attributes['failing']], [remotes, failing])
  const seconds = ['fastest', 'median', 'p95', 'slowest'].map(name => Number(attributes[`${name}_seconds`]))
  assert.ok(seconds.every(Number.isFinite))
  assert.deepEqual(
    seconds,
    seconds.toSorted((a, b) => a - b),
  )
  assert.ok(Date.parse(String(attributes['oldest_fetch_at'])) <= Date.parse(reached.attributes.created_at) + 60_000)
  assert.equal(
    (await admin.patch(settings, { data: { 'git_remote.periodic_fetch_summary.enabled': false } })).status,
    200,
  )
  await moveClock(api.testDatabase, '1 day')
  await job.run({} as never, runtime)
  assert.equal((await summaries()).length, 1)
  const hourly = {
    'git_remote.periodic_fetch_summary.enabled': true,
    'git_remote.periodic_fetch_summary.interval': 3_600,
  }
  assert.equal((await admin.patch(settings, { data: hourly })).status, 200)
  await job.run({} as never, runtime)
  assert.equal((await summaries()).length, 2)
  assert.equal((await admin.delete(away.links.self)).status, 204)
})

test('the remotes of each of several projects are fetched, and none of a project that was destroyed', async () => {
  const remoteOf = async (code: string) => {
    await admin.post('/api/projects', { code, name: code })
    const { body } = await admin.post(`/api/projects/${code}/git_remotes`, { name: 'tools', url: shop.url })
    return body.data.id as string
  }
  const [mill, gone] = [await remoteOf('mill'), await remoteOf('gone')]
  await runJobs()
  assert.equal((await admin.delete('/api/projects/gone?ignore_in_use=true')).status, 204)
  await moveClock(api.testDatabase, '1 day')
  const loop = domains.flatMap(({ loops }) => loops ?? []).find(({ name }) => name === 'git.periodic_fetch')!
  while (await loop.run(runtime)) {}
  const due = await api.database.rows(sql<{ id: string }>`
    select id from git_remotes where next_fetch_at <= sluice_now() and not archived`)
  assert.deepEqual(
    due.map(({ id }) => id),
    [gone],
  )
  const asked = await api.database.rows(sql<{ node_path: string }>`
    select payload ->> 'node_path' as node_path from graphile_worker._private_jobs where key = ${`git.fetch:${mill}`}`)
  assert.deepEqual(
    asked.map(({ node_path }) => node_path),
    ['/projects/mill'],
  )
})
