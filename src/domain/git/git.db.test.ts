import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openKeyring } from '#platform/crypto/index.ts'
import { openDatabase } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { moveClock, testDatabase } from '../../../tests/support/database.ts'
import { gitServer, manyPacks, type TestRepository, testRepository } from '../../../tests/support/git-repository.ts'
import { filesThatHold, processTable } from '../../../tests/support/process-table.ts'
import { sealCredentials } from './git-remote.store.ts'
import { GitFailure, openGit } from './index.ts'

const prepared = await testDatabase()
const database = openDatabase({ url: prepared.appUrl, name: 'test' })
const rootKey = Buffer.alloc(32, 7)
const keyring = await openKeyring({ database, rootKey })
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-data-'))
const environment = { PATH: process.env['PATH']! }
const git = await openGit({
  database,
  keyring,
  dataDir,
  protocols: ['http', 'file'],
  privateAddresses: ['127.0.0.0/8'],
  environment,
})
const repositories: TestRepository[] = []
after(async () => {
  await database.end()
  await prepared.drop()
  await rm(dataDir, { recursive: true })
  await Promise.all(repositories.map(repository => repository.remove()))
})

const project = (await database.one(sql<{ id: string }>`
  with given as (select sluice_uuid7() as id)
  insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
  select id, 'project', 'shop', 'Shop', 'Enterprise', id, '/projects/shop', 'test' from given
  returning id`))!

async function repository(files?: Parameters<typeof testRepository>[0]) {
  const made = await testRepository(files)
  repositories.push(made)
  return made
}

/** A process of its own, with its git in the middle of a fetch once the server says so. */
const fetchInAnotherProcess = (remoteId: string) =>
  spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../../../tests/support/fetch-process.ts'),
      JSON.stringify({
        url: prepared.appUrl,
        dataDir,
        rootKey: rootKey.toString('hex'),
        protocols: ['http'],
        remoteId,
      }),
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )

let number = 0
async function remote(url: string, signIn?: { user: string; password: string }): Promise<string> {
  const { id } = (await database.one(sql<{ id: string }>`select sluice_uuid7() as id`))!
  await database.count(sql`
    insert into git_remotes (id, project_id, path, name, url, "user", credentials, created_by)
    values (${id}::uuid, ${project.id}::uuid, ${`/projects/shop/git_remotes/${id}`}, ${`remote ${++number}`}, ${url},
            ${signIn?.user ?? null}, ${signIn ? sealCredentials(keyring, id, { password: signIn.password }) : null}, 'test')`)
  return id
}

/** Leaves all objects but this one, each in a file of its own. */
async function withoutObject(mirror: string, objectId: string): Promise<void> {
  const packs = join(mirror, 'objects/pack')
  for (const name of (await readdir(packs)).filter(each => each.endsWith('.pack'))) {
    const input = await readFile(join(packs, name))
    // Git unpacks nothing that it has already.
    for (const each of await readdir(packs)) if (each.startsWith(name.slice(0, -5))) await rm(join(packs, each))
    assert.equal(spawnSync('git', ['--git-dir', mirror, 'unpack-objects', '-q'], { input }).status, 0)
  }
  await rm(join(mirror, 'objects', objectId.slice(0, 2), objectId.slice(2)))
}

const keep = (remoteId: string, commit: string) => database.transaction(tx => git.keep(tx, remoteId, commit))
const now = { freshMilliseconds: 0 }

test('a branch, a tag, an annotated tag and a commit each stand for a commit', async () => {
  const shop = await repository()
  const first = shop.git('rev-parse', 'main')
  shop.git('tag', 'v1')
  shop.git('-c', 'user.name=x', '-c', 'user.email=x@example.test', 'tag', '-a', '-m', 'second', 'v1-annotated')
  const second = shop.commit({ 'README.md': 'more\n' }, { branch: 'feature/x' })
  const id = await remote(shop.url)
  await git.fetch(id)
  const names = ['main', 'v1', 'v1-annotated', 'refs/heads/main', first, first.slice(0, 12)]
  assert.deepEqual(
    await Promise.all(names.map(name => git.resolve(id, name))),
    names.map(() => first),
  )
  assert.equal(await git.resolve(id, 'feature/x'), second)
})

test('a branch that is not there, a revision with a hyphen and an expression stand for nothing', async () => {
  const shop = await repository()
  shop.commit({ a: '1' })
  const id = await remote(shop.url)
  await git.fetch(id)
  for (const revision of ['nowhere', '--all', '-x', 'main~1', 'main:README.md', 'HEAD', 'f'.repeat(40)])
    assert.equal(await git.resolve(id, revision), undefined, revision)
})

/** However slow the machine is: a test's own pauses are shorter. */
const withinTheHour = { freshMilliseconds: 3_600_000 }

test('a mirror that was fetched a moment ago is not fetched again', async () => {
  const shop = await repository()
  const id = await remote(shop.url)
  await git.fetch(id)
  const newer = shop.commit({ a: '1' })
  await git.fetch(id, withinTheHour)
  assert.notEqual(await git.resolve(id, 'main'), newer)
  await git.fetch(id, now)
  assert.equal(await git.resolve(id, 'main'), newer)
})

test('how old a mirror is, the clock of the database says, and a time that is still to come says nothing', async () => {
  const shop = await repository()
  const id = await remote(shop.url)
  await git.fetch(id)
  const first = await git.resolve(id, 'main')
  const newer = shop.commit({ a: '1' })
  await moveClock(prepared, '30 minutes')
  await git.fetch(id, withinTheHour)
  assert.equal(await git.resolve(id, 'main'), first)
  await moveClock(prepared, '31 minutes')
  await git.fetch(id, withinTheHour)
  assert.equal(await git.resolve(id, 'main'), newer)
  assert.equal(await git.known(database, id, 'main', 60_000), newer)
  const newest = shop.commit({ a: '2' })
  await moveClock(prepared, '-3 hours')
  assert.equal(await git.known(database, id, 'main', 60_000), undefined)
  await git.fetch(id, withinTheHour)
  assert.equal(await git.resolve(id, 'main'), newest)
  await moveClock(prepared, '2 hours')
})

test('a kept commit is still read after a force-push and a clean-up on both sides', async () => {
  const shop = await repository({ 'web/actions.yaml': 'old' })
  const id = await remote(shop.url)
  await git.fetch(id)
  const old = (await git.resolve(id, 'main'))!
  await keep(id, old)
  shop.commit({ 'web/actions.yaml': 'new' }, { rewrite: true })
  shop.git('reflog', 'expire', '--all', '--expire=now')
  shop.git('gc', '--quiet', '--prune=now')
  assert.throws(() => shop.git('cat-file', '-e', old))
  await git.fetch(id, now)
  spawnSync('git', ['-C', join(dataDir, `mirrors/${id}.git`), 'gc', '--quiet', '--prune=now'])
  assert.notEqual(await git.resolve(id, 'main'), old)
  assert.equal((await git.readFile(id, old, 'web/actions.yaml'))?.toString(), 'old')
  const row = await database.one(sql<{ subject: string }>`select subject from git_commits where commit_sha = ${old}`)
  assert.equal(row?.subject, 'a commit')
})

test('a branch that was deleted upstream is gone after the next fetch', async () => {
  const shop = await repository()
  shop.commit({ a: '1' }, { branch: 'short-lived' })
  const id = await remote(shop.url)
  await git.fetch(id)
  assert.ok(await git.resolve(id, 'short-lived'))
  shop.git('branch', '-D', 'short-lived')
  await git.fetch(id, now)
  assert.equal(await git.resolve(id, 'short-lived'), undefined)
})

test('what is fetched is there all at once: a commit never without its trees', async () => {
  const shop = await repository({ 'web/actions.yaml': 'web\n' })
  const id = await remote(shop.url)
  await git.fetch(id)
  shop.commit({ 'web/actions.yaml': 'more\n' })
  await git.fetch(id, now)
  const objects = await readdir(join(dataDir, `mirrors/${id}.git/objects`), { recursive: true })
  assert.deepEqual(
    objects.filter(name => /^[0-9a-f]{2}\//.test(name)),
    [],
  )
  assert.equal(objects.filter(name => name.endsWith('.pack')).length, 2)
})

test('packs of many fetches are put together, with all that they hold, and what a killed service left of that goes', async () => {
  const shop = await repository()
  const id = await remote(shop.url)
  await git.fetch(id)
  const commit = (await git.resolve(id, 'main'))!
  await keep(id, commit)
  const folder = join(dataDir, `mirrors/${id}.git`)
  const left = join(folder, 'objects/pack/.tmp-1-pack-abcdef.pack')
  const packs = async () => (await readdir(join(folder, 'objects/pack'))).filter(name => name.endsWith('.pack'))
  const failed: string[] = []
  const tidy = () => git.tidy((remoteId, { message }) => failed.push(`${remoteId} ${message}`))
  manyPacks(folder, 20)
  const before = await packs()
  assert.ok(before.length > 20, `${before.length} packs`)
  await writeFile(left, '')
  // So git names a pack that a fetch is about to refer to.
  for (const pack of before.slice(0, 5))
    await writeFile(join(folder, 'objects/pack', pack.replace(/pack$/, 'keep')), 'fetch-pack 999999999 on here')
  await writeFile(`${folder}.fetching`, '999999999')
  await tidy()
  assert.deepEqual(failed, [])
  const after = await packs()
  assert.ok(after.length < 3, `${after.length} packs`)
  assert.ok(!after.includes(basename(left)))
  assert.equal((await git.readFile(id, commit, 'README.md'))?.toString(), 'hello\n')
  await tidy()
  assert.deepEqual(await packs(), after, 'what is tidy is left alone')
})

/** Makes a mirror with enough packs to be repacked. */
async function untidy() {
  const shop = await repository()
  const server = await gitServer(shop)
  const id = await remote(server.url)
  await git.fetch(id)
  const folder = join(dataDir, `mirrors/${id}.git`)
  manyPacks(folder, 25)
  const packs = async () => (await readdir(join(folder, 'objects/pack'))).filter(name => name.endsWith('.pack')).length
  return { id, server, packs }
}

test('a mirror that is being fetched into is tidied later, and a service that stops does not wait for that', async () => {
  const { id, server, packs } = await untidy()
  try {
    server.hold()
    const fetched = git.fetch(id, now)
    await server.held()
    const stopping = new AbortController()
    const tidied = git.tidy(assert.fail, stopping.signal)
    stopping.abort()
    await tidied
    assert.ok((await packs()) > 20)
    const later = git.tidy(assert.fail)
    server.release()
    await Promise.all([fetched, later])
    assert.ok((await packs()) < 4, `${await packs()} packs`)
  } finally {
    await server.stop()
  }
})

test('a service that stops does not wait until its mirrors are tidy, and tells of no failure', async () => {
  const mirrors = [await untidy(), await untidy()]
  const programs = await mkdtemp(join(tmpdir(), 'sluice-git-'))
  const begun = join(programs, 'begun')
  const slow = `#!/bin/sh\ncase " $* " in *' repack '*) echo begun >> ${begun}; exec sleep 600;; esac\nPATH=${environment.PATH} exec git "$@"\n`
  await writeFile(join(programs, 'git'), slow, { mode: 0o755 })
  const stopping = new AbortController()
  try {
    const path = { PATH: `${programs}:${environment.PATH}` }
    const slowGit = await openGit({
      database,
      keyring,
      dataDir,
      protocols: ['http'],
      privateAddresses: [],
      environment: path,
    })
    const tidied = slowGit.tidy(assert.fail, stopping.signal)
    // The shell creates the file before it writes.
    while (!existsSync(begun) || (await readFile(begun, 'utf8')) === '') await pause(5)
    stopping.abort()
    await tidied
    assert.equal(await readFile(begun, 'utf8'), 'begun\n', 'the second is not begun')
    await git.tidy(assert.fail)
    for (const { packs } of mirrors) assert.ok((await packs()) < 4)
  } finally {
    await rm(programs, { recursive: true })
    for (const { server } of mirrors) await server.stop()
  }
})

test('files are listed and read by commit, and links are told from files', async () => {
  const shop = await repository({
    'actions.yaml': 'root',
    'web/actions.yaml': 'web\n',
    'web/ä b\n.txt': 'odd name',
    'web/bin/start': { program: '#!/bin/sh\n' },
    'web/link': { link: '../actions.yaml' },
  })
  const id = await remote(shop.url)
  await git.fetch(id)
  const commit = (await git.resolve(id, 'main'))!
  const listed = await git.listFiles(id, commit, 'web')
  assert.deepEqual(
    listed.map(({ path, kind }) => [path, kind]),
    [
      ['web/actions.yaml', 'file'],
      ['web/bin', 'folder'],
      ['web/link', 'link'],
      ['web/ä b\n.txt', 'file'],
    ],
  )
  const deep = await git.listFiles(id, commit, '', true)
  const contents = await git.readFiles(id, commit, deep)
  assert.equal(contents.get('web/bin/start')?.toString(), '#!/bin/sh\n')
  assert.equal(contents.get('web/ä b\n.txt')?.toString(), 'odd name')
  assert.equal((await git.readFile(id, commit, 'actions.yaml'))?.toString(), 'root')
  assert.equal(await git.readFile(id, commit, 'web/nothing'), undefined)
  assert.deepEqual(await git.listFiles(id, commit, 'nowhere'), [])
})

test('the archive of a commit is what a checkout would have, whatever its attributes say', async () => {
  const shop = await repository({
    '.gitattributes': 'secret export-ignore\nversion export-subst\n',
    secret: 'here',
    version: '$Format:%H$',
    'bin/start': { program: 'x' },
  })
  const id = await remote(shop.url)
  await git.fetch(id)
  const commit = (await git.resolve(id, 'main'))!
  const folder = await mkdtemp(join(tmpdir(), 'sluice-checkout-'))
  spawnSync('tar', ['-x', '-C', folder], { input: await buffer(await git.archive(id, commit)) })
  assert.deepEqual((await readdir(folder)).toSorted(), ['.gitattributes', 'bin', 'secret', 'version'])
  assert.equal(await readFile(join(folder, 'version'), 'utf8'), '$Format:%H$')
  await rm(folder, { recursive: true })
})

test('an archive of a commit that cannot be had fails, rather than ending early', async () => {
  const id = await remote((await repository()).url)
  await assert.rejects(async () => buffer((await git.archive(id, 'f'.repeat(40))) as Readable), GitFailure)
})

test('over http the password reaches git, and neither its arguments nor its environment hold it', async () => {
  const shop = await repository()
  const signIn = { user: 'deploy', password: 'canary-5e1f-#%&?' }
  const server = await gitServer(shop, signIn)
  try {
    const id = await remote(server.url, signIn)
    server.hold()
    const fetched = git.fetch(id)
    await server.held()
    const seen = await processTable()
    assert.ok(seen.includes(`mirrors/${id}.git`), 'git is seen at work')
    assert.ok(!seen.includes('canary-5e1f'))
    server.release()
    await fetched
    assert.equal(await git.resolve(id, 'main'), shop.git('rev-parse', 'main'))
    assert.deepEqual(await filesThatHold(dataDir, 'canary-5e1f'), [])
  } finally {
    await server.stop()
  }
})

test('over ssh a key lies in a private folder while git runs, and is gone with it', async () => {
  const overSsh = await openGit({
    database,
    keyring,
    dataDir,
    protocols: ['ssh'],
    privateAddresses: ['127.0.0.0/8'],
    environment,
  })
  const credentials = {
    ssh_key_data: '-----BEGIN OPENSSH PRIVATE KEY-----\ncanary-71c2\n-----END OPENSSH PRIVATE KEY-----',
  }
  // Nothing listens there: what matters is what is left behind.
  await assert.rejects(overSsh.probe({ url: 'ssh://git@127.0.0.1:1/shop', user: null, credentials }), GitFailure)
  assert.deepEqual(await filesThatHold(dataDir, 'canary-71c2'), [])
})

test('a repository that is a shallow clone is called that, and one that was completed is fetched', async () => {
  const shop = await repository()
  for (const text of ['a', 'b']) shop.commit({ 'README.md': text })
  const clone = join(dataDir, 'shallow-clone')
  const run = (...args: string[]) => assert.equal(spawnSync('git', args).status, 0, args.join(' '))
  run('clone', '--quiet', '--depth', '1', '--', shop.url, clone)
  const id = await remote(`file://${clone}`)
  await assert.rejects(
    git.fetch(id),
    /The repository is a shallow clone, its history is cut off: refs\/heads\/main cannot be fetched from it\. Run "git fetch --unshallow"/,
  )
  run('-C', clone, 'fetch', '--quiet', '--unshallow')
  await git.fetch(id, now)
  assert.equal(await git.resolve(id, 'main'), shop.git('rev-parse', 'main'))
})

test('a wrong password and a remote that is not there are failures in words, without the password', async () => {
  const shop = await repository()
  const server = await gitServer(shop, { user: 'deploy', password: 'right' })
  try {
    const wrong = await remote(server.url, { user: 'deploy', password: 'wrong-canary' })
    await assert.rejects(git.fetch(wrong), (error: GitFailure) => {
      assert.match(error.message, /Authentication failed/)
      assert.ok(!`${error.message}${error.output}`.includes('wrong-canary'))
      return true
    })
    await assert.rejects(git.fetch(await remote(server.url)), /could not read Username|Authentication failed/)
  } finally {
    await server.stop()
  }
  await assert.rejects(
    git.probe({ url: server.url, user: null, credentials: {} }),
    /Failed to connect|unable to access/,
  )
  await assert.rejects(git.probe({ url: 'file:///nowhere/at/all', user: null, credentials: {} }), {
    name: 'GitFailure',
    message: "'/nowhere/at/all' does not appear to be a git repository",
  })
  await assert.rejects(git.probe({ url: 'ext::touch /tmp/owned', user: null, credentials: {} }), GitFailure)
})

test('a repository that belongs to another user can be a remote', async () => {
  const shop = await repository()
  // Only root can give a folder away; anyone else has git's own check of the folder above it.
  if (process.getuid?.() === 0) assert.equal(spawnSync('chown', ['-R', 'nobody', shop.folder]).status, 0)
  await assert.doesNotReject(git.probe({ url: shop.url, user: null, credentials: {} }))
  const id = await remote(shop.url)
  await git.fetch(id)
  assert.ok(await git.resolve(id, 'main'))
})

test('ten wishes for the same remote at once are one fetch', async () => {
  const shop = await repository()
  const server = await gitServer(shop)
  try {
    const id = await remote(server.url)
    const second = await openGit({
      database,
      keyring,
      dataDir,
      protocols: ['http'],
      privateAddresses: ['127.0.0.0/8'],
      environment,
    })
    server.hold()
    const wishes = Array.from({ length: 10 }, (_, i) => (i % 2 ? git : second).fetch(id))
    await server.held()
    server.release()
    await Promise.all(wishes)
    assert.equal(server.fetches(), 1)
  } finally {
    await server.stop()
  }
})

test('what another process has fetched is what a branch stands for here, at once', async () => {
  const shop = await repository({ a: '1' })
  const id = await remote(shop.url)
  await git.fetch(id)
  const old = await git.resolve(id, 'main')
  const newer = shop.commit({ a: '2' })
  assert.equal(await git.resolve(id, 'main'), old)
  const second = await openGit({ database, keyring, dataDir, protocols: ['file'], environment, privateAddresses: [] })
  await second.fetch(id, now)
  assert.equal(await git.resolve(id, 'main'), newer)
  // A mirror that was made again holds no ref of what was kept in a transaction that never ended.
  await keep(id, newer)
  await rm(join(dataDir, `mirrors/${id}.git`), { recursive: true })
  await keep(id, newer)
  const kept = spawnSync('git', ['--git-dir', join(dataDir, `mirrors/${id}.git`), 'for-each-ref', 'refs/sluice/keep'])
  assert.ok(String(kept.stdout).includes(newer))
})

test('a fetch that was abandoned by a killed service is ended, and the next one succeeds', async () => {
  const shop = await repository()
  const server = await gitServer(shop)
  try {
    const id = await remote(server.url)
    server.hold()
    const killed = fetchInAnotherProcess(id)
    await server.held()
    killed.kill('SIGKILL')
    await writeFile(join(dataDir, `mirrors/${id}.git/packed-refs.lock`), '')
    server.release()
    await git.fetch(id, now)
    assert.equal(await git.resolve(id, 'main'), shop.git('rev-parse', 'main'))
  } finally {
    await server.stop()
  }
})

test('a fetch that was stopped leaves nothing behind that stops the next one, or fills the disk', async () => {
  const shop = await repository()
  const server = await gitServer(shop)
  try {
    const id = await remote(server.url)
    server.hold()
    const stopping = new AbortController()
    const stopped = git.fetch(id, { ...now, signal: stopping.signal })
    await server.held()
    const folder = join(dataDir, `mirrors/${id}.git`)
    const left = ['packed-refs.lock', 'objects/pack/tmp_pack_abcdef'].map(name => join(folder, name))
    for (const file of left) await writeFile(file, '')
    stopping.abort()
    await assert.rejects(stopped, /git was stopped/)
    server.release()
    await git.fetch(id, now)
    assert.equal(await git.resolve(id, 'main'), shop.git('rev-parse', 'main'))
    const names = await readdir(folder, { recursive: true })
    assert.deepEqual(
      left.filter(file => names.includes(file.slice(folder.length + 1))),
      [],
    )
  } finally {
    await server.stop()
  }
})

test('a mirror that lacks an object is made again, and keeps its place until the remote has been there for that', async () => {
  const shop = await repository({ a: '1' })
  const id = await remote(shop.url)
  await git.fetch(id)
  const old = (await git.resolve(id, 'main'))!
  await keep(id, old)
  const newer = shop.commit({ a: '2' }, { rewrite: true })
  shop.git('gc', '--quiet', '--prune=now')
  await git.fetch(id, now)
  const folder = join(dataDir, `mirrors/${id}.git`)
  await withoutObject(folder, shop.git('rev-parse', 'main:a'))
  await rename(shop.folder, `${shop.folder}.away`)
  await assert.rejects(git.readFile(id, newer, 'a'), GitFailure)
  await rename(`${shop.folder}.away`, shop.folder)
  assert.equal((await git.readFile(id, newer, 'a'))?.toString(), '2')
  // The remote has it no more.
  assert.equal((await git.readFile(id, old, 'a'))?.toString(), '1')
  // Killed in the moment before the new one took the place of the old one.
  await rename(folder, `${folder}.whole`)
  await git.fetch(id, now)
  assert.equal((await git.readFile(id, old, 'a'))?.toString(), '1')
  await git.removeMirror(id)
  assert.deepEqual(
    (await readdir(join(dataDir, 'mirrors'))).filter(name => name.startsWith(id)),
    [],
  )
})

test('a commit of a time that no calendar has, or of none, is kept like any other', async () => {
  const shop = await repository()
  const tree = shop.git('rev-parse', 'main^{tree}')
  const odd = ['99999999999999999999 +0000', '999999999999 +0000', '', 'x y'].map((time, index) => {
    const text = `tree ${tree}\nauthor A <a> 1 +0000\ncommitter A <a> ${time}\n\nodd\n`
    const commit = shop.feed(text, 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally')
    shop.git('update-ref', `refs/heads/odd-${index}`, commit)
    return commit
  })
  const id = await remote(shop.url)
  await git.fetch(id)
  for (const commit of odd) await keep(id, commit)
  const kept = await database.rows(sql<{ committed_at: string | null; subject: string }>`
    select committed_at, subject from git_commits where git_remote_id = ${id}::uuid`)
  assert.deepEqual(
    kept.map(({ committed_at, subject }) => [committed_at, subject]),
    odd.map(() => [null, 'odd']),
  )
})

test('a mirror that is missing or damaged is made again, and what is kept stays kept', async () => {
  const shop = await repository({ a: '1' })
  const id = await remote(shop.url)
  await git.fetch(id)
  const old = (await git.resolve(id, 'main'))!
  await keep(id, old)
  const newer = shop.commit({ a: '2' }, { rewrite: true })
  const folder = join(dataDir, `mirrors/${id}.git`)
  await rm(join(folder, 'HEAD'))
  await git.fetch(id, now)
  assert.equal(await git.resolve(id, 'main'), newer)
  assert.equal((await git.readFile(id, old, 'a'))?.toString(), '1')
  await rm(folder, { recursive: true })
  assert.equal((await git.readFile(id, newer, 'a'))?.toString(), '2')
  for (const name of await readdir(join(folder, 'objects'), { recursive: true }))
    if (/^[0-9a-f]{2}\/|\.pack$/.test(name)) await writeFile(join(folder, 'objects', name), 'damaged')
  assert.equal((await git.readFile(id, newer, 'a'))?.toString(), '2')
  await rm(folder, { recursive: true })
  assert.ok((await buffer(await git.archive(id, newer))).includes('a'))
})
