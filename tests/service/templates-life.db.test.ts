import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Client } from '../support/api.ts'
import {
  changeWhen,
  created,
  fetchedVersion,
  newAsset,
  often,
  ran,
  readyVersion,
  type Shop,
  type Shown,
  shop,
} from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { gitDaemon, gitServer } from '../support/git-repository.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { sshServer } from '../support/ssh-server.ts'
import { startWorkerProcess } from '../support/worker-process.ts'

/** Templates, their versions and Git remotes from creation to deletion, over HTTP. */

const files = {
  'web/actions.yaml': `
actions:
  hello: { description: Greets, run: echo hello }
  linger: { description: Stays, run: sleep 300 }
`,
}
const versions = '/api/projects/shop/templates/web/versions'

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService({ config: { gitProtocols: ['file', 'http', 'git', 'ssh'] } })
  admin = service.as('admin')
  made = await shop(service, files)
})
after(() => service.stop())

const gitRemotes = '/api/projects/shop/git_remotes'
/** A template with a remote of its own, its code and its name; returns the path of its versions. */
async function templateOver(name: string, remote: object): Promise<{ remoteId: string; versions: string }> {
  const { id } = await created(admin.post(gitRemotes, { name, ...remote }))
  const attributes = { code: name, name, template_type: 'asset', git_remote_name: name }
  await created(admin.post('/api/projects/shop/templates', attributes))
  return { remoteId: id, versions: `/api/projects/shop/templates/${name}/versions` }
}
const repositoryOf = (name: string) => service.repository({ [`${name}/actions.yaml`]: files['web/actions.yaml'] })
const versionWhen = async (path: string, what: string, isSo: (attributes: Shown['attributes']) => boolean) =>
  (
    await until(
      `${path} ${what}`,
      async () => (await admin.get(path)).body.data as Shown,
      ({ attributes }) => isSo(attributes),
      often,
    )
  ).attributes
/** Types of the events of a record, oldest first. */
const typesOf = async (id: string): Promise<string[]> =>
  (await admin.get(`/api/events?filter[source_id_eq]=${id}&limit=1000`)).body.data.map(
    ({ attributes }: Shown) => attributes.type,
  )
const put = async (path: string, attributes: object, meta: object = {}) => {
  const raw = JSON.stringify({ data: { attributes, meta } })
  const headers = { 'content-type': 'application/vnd.api+json' }
  const answer = await admin.send('PUT', path, { raw, headers })
  assert.ok(answer.status < 300, answer.text)
}

test('what a change ran is not deleted, though no node ever had that version', async () => {
  await readyVersion(admin, `${versions}/ran`, 'main')
  const { id } = await ran(admin, made.asset, 'hello', { template_version: 'ran' })
  for (const path of [`${versions}/ran`, '/api/projects/shop/templates/web']) {
    const refused = await admin.delete(path)
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'in-use'])
    assert.ok(refused.body.errors[0].meta.in_use.some((use: { id: string }) => use.id === id))
  }
  await service.addUser('librarian', [{ path: '/projects/shop/templates', read: true, delete: true }])
  const unnamed = await service.as('librarian').delete(`${versions}/ran`)
  assert.deepEqual([unnamed.status, unnamed.body.errors[0].meta.in_use], [409, [{ what: 'change', path: 'hidden' }]])
  assert.equal((await admin.get(`/api/changes/${id}`)).body.data.attributes.template_version, 'ran')
})

test('of a version that is deleted while a change of it is being made, either goes through and never both', async () => {
  for (let round = 1; round <= 6; round++) {
    await readyVersion(admin, `${versions}/contested`, 'main')
    const asked = { action: 'hello', template_version: 'contested' }
    const [change, deletion] = await Promise.all([
      admin.post(`${made.asset}/changes`, asked),
      admin.delete(`${versions}/contested`),
    ])
    assert.ok(
      [
        [201, 409],
        [409, 204],
      ].some(([one, other]) => change.status === one && deletion.status === other),
      `${change.status} and ${deletion.status}`,
    )
    if (change.status === 201) return
  }
})

test('a Git remote that a change still takes its files from is not deleted', async () => {
  const { url } = await service.repository({ 'actions.yaml': files['web/actions.yaml'] })
  const remote = await created(admin.post('/api/projects/shop/git_remotes', { name: 'of a change', url }))
  const asked = { action: 'linger', git_remote_name: 'of a change', git_rev: 'main' }
  const change = await created(admin.post('/api/projects/shop/environments/live/changes', asked))
  const path = `/api/projects/shop/git_remotes/${remote.id}`
  const refused = await admin.delete(path)
  assert.deepEqual([refused.status, refused.body.errors[0].meta.in_use[0].id], [409, change.id])
  assert.ok((await admin.delete(`/api/changes/${change.id}`)).status < 300)
  await changeWhen(admin, change.id, 'is cancelled', ({ attributes }) => attributes.status_code === 'cancelled')
  assert.equal((await admin.delete(path)).status, 204)
})

test('over http a wrong password breaks the version, which says so of the remote too, and the right one mends it', async () => {
  const repository = await repositoryOf('guarded')
  const server = await gitServer(repository, { user: 'deploy', password: 'right' })
  try {
    const { remoteId, versions } = await templateOver('guarded', {
      url: server.url,
      user: 'deploy',
      password: 'wrong-canary',
    })
    const broken = await fetchedVersion(admin, `${versions}/1`, 'main')
    assert.equal(broken.attributes.state, 'broken')
    const said = await admin.get(`/api/events?filter[source_id_eq]=${remoteId}&filter[type_eq]=error:git_remote:fetch`)
    assert.equal(said.body.data.length, 1)
    assert.ok(!said.text.includes('wrong-canary'))
    assert.equal((await admin.patch(`${gitRemotes}/${remoteId}`, { password: 'right' })).status, 200)
    await put(`${versions}/1`, {}, { fetch_revision: true })
    const { commit_sha } = await versionWhen(`${versions}/1`, 'is ready', ({ state }) => state === 'ready')
    assert.equal(commit_sha, repository.git('rev-parse', 'main'))
    assert.deepEqual(
      (await typesOf(broken.id)).filter(type => !type.startsWith('api:')),
      [
        'info:template_version:fetch_initialize',
        'info:template_version:fetch',
        'info:template_version:fetch_complete',
        'error:template_version:fetch',
        'error:template_version:broken',
        'info:template_version:fetch_initialize',
        'info:template_version:fetch',
        'info:template_version:fetch_complete',
      ],
    )
  } finally {
    await server.stop()
  }
})

test('by git daemon a version is fetched, and a revision and actions that are not there break others', async () => {
  const repository = await repositoryOf('plain')
  repository.commit({ 'plain/actions.yaml': 'actions: 5' }, { branch: 'faulty' })
  const server = await gitDaemon(repository)
  try {
    const { versions } = await templateOver('plain', { url: server.url })
    await readyVersion(admin, `${versions}/1`, 'main')
    for (const [revision, event] of [
      ['nowhere', 'error:template_version:commit_verification'],
      ['faulty', 'error:template_version:refresh_actions'],
    ] as const) {
      const { id, attributes } = await fetchedVersion(admin, `${versions}/${revision}`, revision)
      assert.equal(attributes.state, 'broken')
      assert.ok((await typesOf(id)).includes(event))
    }
  } finally {
    await server.stop()
  }
})

test('by ssh only a host is spoken to whose key is known, and one whose key has changed not before somebody says so', async () => {
  const repository = await repositoryOf('shelled')
  const server = await sshServer()
  const globally = (await admin.get('/api/system_configuration')).body.data.relationships.settings.links.related
  const know = async (line: string) => {
    const stated = await admin.patch(globally, { data: { known_hosts: [line] } })
    assert.equal(stated.status, 200, stated.text)
  }
  try {
    const { remoteId, versions } = await templateOver('shelled', {
      url: server.url(repository),
      ssh_key_data: server.key,
      passphrase: server.passphrase,
    })
    const version = `${versions}/1`
    const refused = async (path: string, why: string) => {
      const { initialization_error } = await versionWhen(path, 'is broken', ({ state }) => state === 'broken')
      for (const said of [why, 'known_hosts', await server.fingerprint(), await server.hostLine()])
        assert.ok(initialization_error.includes(said), initialization_error)
    }
    await put(version, { git_rev: 'main' })
    await refused(version, 'has no host key for')
    await know(await server.hostLine())
    const keyless = await templateOver('keyless', { url: server.url(repository) })
    await put(`${keyless.versions}/1`, { git_rev: 'main' })
    const { initialization_error } = await versionWhen(
      `${keyless.versions}/1`,
      'is broken',
      ({ state }) => state === 'broken',
    )
    assert.match(initialization_error, /requires a key, and the remote has none: set its ssh_key_data/)
    await put(version, {}, { fetch_revision: true })
    const first = await versionWhen(version, 'is ready', ({ state }) => state === 'ready')
    assert.equal(first.commit_sha, repository.git('rev-parse', 'main'))

    await server.changeHostKey()
    const next = repository.commit({ 'shelled/actions.yaml': files['web/actions.yaml'], more: 'x' })
    await put(`${versions}/2`, { git_rev: 'main' })
    await refused(`${versions}/2`, 'shows another host key')
    assert.ok((await typesOf(remoteId)).includes('error:git_remote:fetch'))
    // Versions fetched with the old key remain.
    assert.equal((await admin.get(version)).body.data.attributes.state, 'ready')

    await know(await server.hostLine())
    await put(`${versions}/2`, {}, { fetch_revision: true })
    const accepted = await versionWhen(`${versions}/2`, 'is ready', ({ state }) => state === 'ready')
    assert.equal(accepted.commit_sha, next)
    const said = await admin.get('/api/events?limit=1000')
    for (const secret of [server.passphrase, server.key.split('\n')[2]!]) assert.ok(!said.text.includes(secret))
  } finally {
    await server.stop()
  }
})

test('a request that overtakes a fetch has the last word', async () => {
  const repository = await repositoryOf('overtaken')
  const next = repository.commit({ 'overtaken/actions.yaml': files['web/actions.yaml'], more: 'x' }, { branch: 'next' })
  const server = await gitServer(repository)
  try {
    const { versions } = await templateOver('overtaken', { url: server.url })
    await until(
      'it was fetched once',
      async () => server.fetches(),
      count => count >= 2,
      often,
    )
    server.hold()
    await put(`${versions}/1`, { git_rev: 'main' })
    await server.held()
    await put(`${versions}/1`, { git_rev: 'next' })
    server.release()
    const { commit_sha } = await versionWhen(`${versions}/1`, 'is ready', ({ state }) => state === 'ready')
    assert.equal(commit_sha, next)
    const { id } = (await admin.get(`${versions}/1`)).body.data
    await until(
      'the older request is told of',
      () => typesOf(id),
      types => types.includes('info:template_version:refresh_superseded'),
      often,
    )
    assert.equal((await admin.get(`${versions}/1`)).body.data.attributes.commit_sha, next)
  } finally {
    await server.stop()
  }
})

test('a remote that goes away fails less and less often, keeps what floats on it, and is followed again when back', async () => {
  const repository = await repositoryOf('floating')
  const { remoteId, versions } = await templateOver('floating', { url: repository.url, periodic_fetch_interval: 60 })
  await put(`${versions}/live`, { git_rev: 'main', float_git_rev: true })
  const first = await versionWhen(`${versions}/live`, 'is ready', ({ state }) => state === 'ready')
  const remoteWhen = (what: string, isSo: (types: string[]) => boolean) =>
    until(`the remote ${what}`, () => typesOf(remoteId), isSo, often)
  const head = `${repository.folder}/HEAD`
  await rename(head, `${head}.away`)
  await moveClock(service.testDatabase, '61 seconds')
  await remoteWhen('fails', types => types.includes('warn:git_remote:periodic_fetch:failed'))
  assert.equal((await admin.get(`${versions}/live`)).body.data.attributes.commit_sha, first.commit_sha)
  await rename(`${head}.away`, head)
  repository.commit({ 'floating/actions.yaml': 'actions: 5' })
  // Twice the interval after the first failure.
  await moveClock(service.testDatabase, '121 seconds')
  await remoteWhen('is back', types => types.includes('info:git_remote:periodic_fetch:recovered'))
  const kept = await versionWhen(`${versions}/live`, 'could not follow', each => each.float_refresh_error !== null)
  assert.deepEqual([kept.state, kept.commit_sha], ['ready', first.commit_sha])
  const { id } = (await admin.get(`${versions}/live`)).body.data
  assert.equal((await typesOf(id)).at(-1), 'warn:template_version:float_refresh_failed')
  const good = repository.commit({ 'floating/actions.yaml': files['web/actions.yaml'], more: 'x' })
  await moveClock(service.testDatabase, '61 seconds')
  const followed = await versionWhen(`${versions}/live`, 'follows', ({ commit_sha }) => commit_sha === good)
  assert.equal(followed.float_refresh_error, null)
})

test('what is made from a template that is then disabled goes on', async () => {
  await readyVersion(admin, `${versions}/other`, 'main')
  const asset = await newAsset(admin, 'older')
  const disable = (disabled: boolean) => admin.patch('/api/projects/shop/templates/web', { disabled })
  assert.equal((await disable(true)).status, 200)
  const attributes = { code: 'newer', name: 'x', template_code: 'web', template_version: '1.0' }
  assert.equal((await admin.post('/api/projects/shop/environments/live/assets', attributes)).status, 409)
  assert.equal((await admin.patch(asset, { template_version: 'other' })).status, 200)
  const path = asset.replace('/api', '')
  assert.equal((await admin.post(`${versions}/1.0/assign_to_assets`, { asset_paths: [path] })).status, 200)
  assert.equal((await ran(admin, asset, 'hello')).attributes.status_code, 'success')
  assert.equal((await disable(false)).status, 200)
})

test('a fetch in the middle of which its process is killed is taken up by another one', async () => {
  const alone = await startTestService({ config: { role: 'api' } })
  const client = alone.as('admin')
  const repository = await alone.repository({ 'held/actions.yaml': files['web/actions.yaml'] })
  const server = await gitServer(repository)
  const first = await startWorkerProcess(alone)
  try {
    await created(client.post('/api/projects', { code: 'held', name: 'Held' }))
    await created(client.post('/api/projects/held/git_remotes', { name: 'held', url: server.url }))
    const template = { code: 'held', name: 'Held', template_type: 'asset', git_remote_name: 'held' }
    await created(client.post('/api/projects/held/templates', template))
    await until(
      'it was fetched once',
      async () => server.fetches(),
      count => count >= 2,
      often,
    )
    server.hold()
    const version = '/api/projects/held/templates/held/versions/1'
    assert.equal((await client.put(version, { git_rev: 'main' })).status, 201)
    await server.held()
    await first.kill()
    server.release()
    // Long enough for the killed process to be noticed; before the next one measures silence of runners by the clock.
    await moveClock(alone.testDatabase, '2 minutes')
    const second = await startWorkerProcess(alone)
    try {
      await until(
        'the version is ready',
        async () => (await client.get(version)).body.data.attributes.state as string,
        state => state === 'ready',
        often,
      )
    } finally {
      assert.deepEqual(await second.stop(), [])
    }
  } finally {
    await first.stop()
    await server.stop()
    await alone.stop()
  }
})
