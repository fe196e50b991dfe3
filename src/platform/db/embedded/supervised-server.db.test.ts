import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { until } from '../../../../client/sluice.ts'
import { prepareDataFolder } from './data-folder.ts'
import { startEmbeddedDatabase } from './embedded-postgres.adapter.ts'
import { findPostmaster } from './postmaster.ts'
import { ensureSystemUsers } from './system-users.ts'

const users = await ensureSystemUsers()

test('a server that is killed is started again, as often as that happens, with everything that was committed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kept-'))
  chmodSync(folder, 0o711)
  const said: string[] = []
  const dataDir = await prepareDataFolder(join(folder, 'data'), users, () => {})
  const database = await startEmbeddedDatabase({ dataDir, runAs: users?.database, log: line => void said.push(line) })
  try {
    database.keepRunning()
    await ask(database.ownerUrl, 'create table kept (word text)')
    for (const times of [1, 2]) {
      // Idle connections stay open during the kill, as the service's own do.
      const idle = await connected(database.ownerUrl)
      await ask(database.ownerUrl, `insert into kept values ('again')`)
      const killed = findPostmaster(database.cluster)!.pid
      process.kill(killed, 'SIGKILL')
      const count = await until(
        'it answers again',
        () => ask(database.ownerUrl, 'select count(*)::int as it from kept').catch(() => undefined),
        answer => answer !== undefined && findPostmaster(database.cluster)?.pid !== killed,
        { seconds: 30, pause: 50 },
      )
      assert.equal(count, times, said.join('\n'))
      await idle.end().catch(() => {})
    }
    assert.match(said.join('\n'), /has ended; starting it again\.[\s\S]*PostgreSQL runs again/)
    await database.stop()
    assert.equal(findPostmaster(database.cluster), undefined)
  } finally {
    await database.stop('immediate')
    rmSync(folder, { recursive: true })
  }
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function ask(url: string, statement: string): Promise<unknown> {
  const client = await connected(url)
  try {
    return (await client.query(statement)).rows[0]?.it
  } finally {
    await client.end()
  }
}
