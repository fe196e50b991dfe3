import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../../tests/support/database.ts'
import { CannotStart } from '../platform/db/embedded/cannot-start.ts'
import { ensureSystemUsers } from '../platform/db/embedded/system-users.ts'
import { servingDatabase } from './serving-database.ts'

const silent = () => {}
const embedded = (dataDir: string) => ({ dataDir, databaseUrl: undefined, databaseDirectUrl: undefined })

test('a second Sluice on the same data folder is refused, until the first has stopped', async () => {
  const users = await ensureSystemUsers()
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-serving-'))
  chmodSync(dataDir, 0o711)
  try {
    const first = await servingDatabase(embedded(dataDir), users, silent)
    await assert.rejects(servingDatabase(embedded(dataDir), users, silent), /already running on the data folder/)
    await first.stop()
    const next = await servingDatabase(embedded(dataDir), users, silent)
    await next.stop()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})

test('a database that is named is used as it is, and left running', async () => {
  const named = await testDatabase()
  try {
    const config = { dataDir: '/nowhere', databaseUrl: named.appUrl, databaseDirectUrl: named.ownerUrl }
    const database = await servingDatabase(config, undefined, silent)
    assert.equal(database.appUrl, named.appUrl)
    assert.equal(database.ownerUrl, named.ownerUrl)
    await database.stop()
    await (await servingDatabase(config, undefined, silent)).stop()
  } finally {
    await named.drop()
  }
})

test('a role that may not change the schema is refused with the grants that it lacks', async () => {
  const named = await testDatabase()
  try {
    const config = { dataDir: '/nowhere', databaseUrl: named.appUrl, databaseDirectUrl: undefined }
    await assert.rejects(servingDatabase(config, undefined, silent), (error: Error) => {
      assert.ok(error instanceof CannotStart)
      assert.match(error.message, /^The role sluice_app of SLUICE_DATABASE_URL may not change the schema/)
      assert.match(error.message, /SLUICE_DATABASE_DIRECT_URL/)
      assert.match(error.message, /grant usage, create on schema public to "sluice_app"/)
      assert.match(error.message, /grant "sluice_owner" to "sluice_app"/)
      return true
    })
  } finally {
    await named.drop()
  }
})

test('a named database that cannot be reached is named by its variable, never with its password', async () => {
  const config = {
    dataDir: '/nowhere',
    databaseUrl: 'postgres://me:hunter2@127.0.0.1:1/none',
    databaseDirectUrl: undefined,
  }
  await assert.rejects(servingDatabase(config, undefined, silent), (error: Error) => {
    assert.ok(error instanceof CannotStart)
    assert.match(error.message, /^The database that SLUICE_DATABASE_URL names cannot be used: /)
    assert.doesNotMatch(error.message, /hunter2/)
    return true
  })
})
