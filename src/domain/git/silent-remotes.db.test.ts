import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openKeyring } from '#platform/crypto/index.ts'
import { openDatabase } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { until } from '../../../client/sluice.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { testRepository } from '../../../tests/support/git-repository.ts'
import { openGit } from './index.ts'

const prepared = await testDatabase()
const database = openDatabase({ url: prepared.appUrl, name: 'test', size: 12 })
const keyring = await openKeyring({ database, rootKey: Buffer.alloc(32, 7) })
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-data-'))
const shop = await testRepository()
/** Takes every connection and never says a word. */
const sockets: Socket[] = []
const silent = createServer(socket => void sockets.push(socket.on('error', () => {})))
await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
const silentUrl = `git://127.0.0.1:${(silent.address() as AddressInfo).port}/shop`
after(async () => {
  for (const socket of sockets) socket.destroy()
  silent.close()
  await database.end()
  await prepared.drop()
  await rm(dataDir, { recursive: true })
  await shop.remove()
})

const gitWith = (silenceMilliseconds?: number) =>
  openGit({
    database,
    keyring,
    dataDir,
    protocols: ['git', 'file'],
    privateAddresses: ['127.0.0.0/8'],
    environment: { PATH: process.env['PATH']! },
    ...(silenceMilliseconds && { silenceMilliseconds }),
  })

const project = (await database.one(sql<{ id: string }>`
  with given as (select sluice_uuid7() as id)
  insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
  select id, 'project', 'shop', 'Shop', 'Enterprise', id, '/projects/shop', 'test' from given
  returning id`))!

async function remotes(count: number, url: string): Promise<string[]> {
  const rows = await database.rows(sql<{ id: string }>`
    with given as materialized (select sluice_uuid7() as id from generate_series(1, ${count}::int))
    insert into git_remotes (id, project_id, path, name, url, created_by)
    select id, ${project.id}::uuid, '/projects/shop/git_remotes/' || id, 'remote ' || id, ${url}, 'test' from given
    returning id`)
  return rows.map(({ id }) => id)
}

const connections = (count: number) =>
  until(
    `${count} wait for the silent server`,
    async () => sockets.length,
    now => now >= count,
    { pause: 20 },
  )

test('however many remotes of a host hang, those of others are fetched meanwhile', async () => {
  const git = await gitWith()
  const stopping = new AbortController()
  const ids = await remotes(8, silentUrl)
  const hanging = Promise.allSettled(ids.map(id => git.fetch(id, { signal: stopping.signal })))
  await connections(4)
  const [other] = await remotes(1, shop.url)
  await git.fetch(other!)
  assert.equal(await git.resolve(other!, 'main'), shop.git('rev-parse', 'main'))
  assert.equal(sockets.length, 4)
  stopping.abort()
  await hanging
})

test('a host that does not say a word is given up, and whoever waits behind that is told at once', async () => {
  sockets.length = 0
  const git = await gitWith(1_000)
  const ids = await remotes(8, silentUrl)
  const failures = await Promise.all(
    ids.map(id =>
      git.fetch(id).then(
        () => 'fetched',
        (error: Error) => error.message,
      ),
    ),
  )
  const told = failures.map(message => (/has not answered/.test(message) ? 'at once' : message)).toSorted()
  const [late, atOnce] = ['the remote said nothing for 1 s', 'at once']
  assert.deepEqual(told, [atOnce, atOnce, atOnce, atOnce, late, late, late, late])
  assert.equal(sockets.length, 4)
})
