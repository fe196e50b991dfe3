import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { openKeyring } from '#platform/crypto/index.ts'
import { openDatabase } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { aroundOf } from '../../../tests/support/jobs.ts'
import { announce } from './key-rotation.store.ts'
import { rotateKeysJob } from './rotate-keys.jobs.ts'

const own = await testDatabase()
const database = openDatabase({ url: own.appUrl, name: 'rotate keys test' })
after(async () => {
  await database.end()
  await own.drop()
})

test('a rotation that has to wait is looked at again by the clock of the database, whatever the process takes the time for', async t => {
  const keyring = await openKeyring({ database, rootKey: randomBytes(32) })
  await database.transaction(tx => announce(tx, keyring, { rootKey: false, username: 'admin', userId: null }))
  await database.count(
    sql`insert into service_processes (role, host, pid, release) values ('worker', 'elsewhere', 1, 'x')`,
  )
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 600_000 })
  await rotateKeysJob({ keyring, sealed: [] }).run({} as never, aroundOf(database))
  const [again, ...more] = await database.rows(sql<{ soon: boolean }>`
    select run_at < now() + interval '10 seconds' as soon from graphile_worker.jobs`)
  assert.deepEqual([again, more], [{ soon: true }, []])
})
