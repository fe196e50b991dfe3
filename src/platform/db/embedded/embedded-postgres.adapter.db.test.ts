import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { copyMadeCluster } from '../../../../tests/support/made-cluster.ts'
import { CannotStart } from './cannot-start.ts'
import { prepareDataFolder, socketFolder } from './data-folder.ts'
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded-postgres.adapter.ts'
import { findPostmaster, stopPostmaster } from './postmaster.ts'
import { ensureSystemUsers } from './system-users.ts'

const users = await ensureSystemUsers()

test('a database is made, its roles may do what they are for, and its data outlive a stop', () =>
  withDataFolder(async dataDir => {
    const database = await start(dataDir)
    assert.equal(await ask(database.appUrl, 'select current_user::text as it'), 'sluice_app')
    await assert.rejects(ask(database.appUrl, 'create table mine ()'), /permission denied/)
    await assert.rejects(ask(database.appUrl, 'create schema mine'), /permission denied/)
    await ask(database.ownerUrl, 'create extension btree_gist; create table kept (word text)')
    await ask(database.ownerUrl, `insert into kept values ('here')`)
    await database.stop()
    const again = await start(dataDir)
    assert.equal(await ask(again.ownerUrl, 'select word as it from kept'), 'here')
    assert.equal(again.adopted, false)
    await again.stop()
  }))

test('only the database user enters the cluster, and only the service reads the passwords', () =>
  withDataFolder(async dataDir => {
    const database = await start(dataDir)
    assert.equal(statSync(join(dataDir, 'database-passwords.json')).mode & 0o777, 0o600)
    assert.equal(statSync(database.cluster).mode & 0o777, 0o700)
    assert.equal(statSync(database.socketDir).mode & 0o777, 0o700)
    assert.equal(await ask(database.superuserUrl, 'show listen_addresses', 'listen_addresses'), '')
    assert.equal(await ask(database.superuserUrl, 'show data_checksums', 'data_checksums'), 'on')
    await assert.rejects(ask(withPassword(database.appUrl, 'guessed'), 'select 1'), /password authentication failed/)
    await database.stop()
  }))

test('the server lives in a session of its own, so that Ctrl-C in our terminal does not reach it', () =>
  withCluster(async dataDir => {
    const database = await start(dataDir)
    const { pid } = findPostmaster(database.cluster)!
    // The sixth field of stat is the session; the name in brackets before it may contain blanks.
    const session = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[3]
    assert.equal(Number(session), pid)
    await database.stop()
    assert.equal(runs(pid), false)
  }))

test('a server left running by a killed service is taken over', () =>
  withCluster(async dataDir => {
    const first = await start(dataDir)
    const { pid } = findPostmaster(first.cluster)!
    const second = await start(dataDir)
    assert.equal(second.adopted, true)
    assert.equal(findPostmaster(first.cluster)!.pid, pid)
    await second.stop()
    assert.equal(findPostmaster(first.cluster), undefined)
  }))

test('a live server is known also by root without the right to look into processes, as in a container', async t => {
  // An ordinary user is also the user of the server, and may read its files.
  if (!users) return t.diagnostic('not root: nothing to withhold')
  await withCluster(async dataDir => {
    const database = await start(dataDir)
    const { pid } = findPostmaster(database.cluster)!
    const module = join(import.meta.dirname, 'postmaster.ts')
    const program = `const { findPostmaster } = await import(${JSON.stringify(module)}); console.log(findPostmaster(${JSON.stringify(database.cluster)})?.pid)`
    const args = [
      '--bounding-set=-sys_ptrace',
      '--inh-caps=-sys_ptrace',
      process.execPath,
      '--input-type=module',
      '-e',
      program,
    ]
    const { stdout, stderr } = spawnSync('setpriv', args, { encoding: 'utf8' })
    assert.equal(stdout.trim(), String(pid), stderr)
    await database.stop()
  })
})

test('a server whose socket is gone is restarted', () =>
  withCluster(async dataDir => {
    const first = await start(dataDir)
    rmSync(join(first.socketDir, '.s.PGSQL.5432'))
    const second = await start(dataDir)
    assert.equal(second.adopted, false)
    assert.equal(await ask(second.appUrl, 'select 1 as it'), 1)
    await second.stop()
  }))

test('many starts at the same moment end at one server', () =>
  withDataFolder(async dataDir => {
    const all = await Promise.all([start(dataDir), start(dataDir), start(dataDir)])
    assert.equal(all.filter(({ adopted }) => !adopted).length, 1)
    await all[0]!.stop()
  }))

test('a pid file whose number another program has by now is set aside', () =>
  withCluster(async dataDir => {
    const first = await start(dataDir)
    await first.stop()
    const lines = [process.pid, first.cluster, '1', '5432', first.socketDir, '', '', 'ready']
    writeFileSync(join(first.cluster, 'postmaster.pid'), `${lines.join('\n')}\n`)
    const second = await start(dataDir)
    assert.equal(second.adopted, false)
    assert.equal(await ask(second.appUrl, 'select 1 as it'), 1)
    await second.stop()
  }))

test('a cluster of another major version is refused in words, and left as it is', () =>
  withCluster(async dataDir => {
    const first = await start(dataDir)
    await first.stop()
    writeFileSync(join(first.cluster, 'PG_VERSION'), '17\n')
    await assert.rejects(start(dataDir), (error: Error) => {
      assert.ok(error instanceof CannotStart)
      assert.match(error.message, /was made by PostgreSQL 17, and this Sluice brings PostgreSQL 18/)
      return true
    })
    assert.ok(existsSync(join(first.cluster, 'global/pg_control')))
  }))

test('a broken cluster is refused in words, and left as it is', () =>
  withCluster(async dataDir => {
    const first = await start(dataDir)
    await first.stop()
    rmSync(join(first.cluster, 'global/pg_control'))
    await assert.rejects(start(dataDir), /contains no complete PostgreSQL cluster.*Nothing was changed/)
    assert.ok(existsSync(join(first.cluster, 'base')))
  }))

test('lost passwords are named, not made anew', () =>
  withCluster(async dataDir => {
    const first = await start(dataDir)
    await first.stop()
    rmSync(join(dataDir, 'database-passwords.json'))
    await assert.rejects(start(dataDir), /database-passwords.json is missing/)
  }))

test('a first start cut short in the middle is made whole by the next', () =>
  withDataFolder(async dataDir => {
    mkdirSync(join(dataDir, 'postgres.new/base'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres.new/PG_VERSION'), '18\n')
    const database = await start(dataDir)
    assert.equal(await ask(database.appUrl, 'select 1 as it'), 1)
    await database.stop()
  }))

test('a folder too deep for a socket gets one in the temporary folder', () =>
  withDataFolder(async folder => {
    const deep = join(folder, 'd'.repeat(60), 'e'.repeat(60))
    const dataDir = await prepareDataFolder(deep, users, () => {})
    assert.equal(dataDir, deep)
    const first = socketFolder(dataDir, users?.database)
    assert.match(first, /\/sluice-[0-9a-f]{12}$/)
    assert.equal(socketFolder(dataDir, users?.database), first)
    // Another user creates the folder before the database does.
    mkdirSync(first, { mode: 0o755 })
    const database = await start(dataDir)
    assert.notEqual(database.socketDir, first)
    rmSync(first, { recursive: true })
    assert.equal(await ask(database.appUrl, 'select 1 as it'), 1)
    await database.stop()
    assert.equal(existsSync(database.socketDir), false, 'the temporary folder is left clean')
  }))

test('started by root below a closed folder, data go where the database user can enter, and the log says so', async t => {
  const closed = mkdtempSync(join(tmpdir(), 'sluice-closed-'))
  const lines: string[] = []
  const dataDir = await prepareDataFolder(join(closed, 'data'), users, line => lines.push(line))
  t.after(() => {
    for (const folder of [closed, dataDir]) rmSync(folder, { recursive: true, force: true })
  })
  // No other user has to enter the folder when an ordinary user starts the service, so the data stay there.
  const expected = users ? /^\/var\/lib\/sluice\/data-[0-9a-f]{12}$/ : new RegExp(`^${closed}/data$`)
  assert.match(dataDir, expected)
  assert.equal(lines.length, users ? 1 : 0)
  const database = await start(dataDir)
  assert.equal(await ask(database.appUrl, 'select 1 as it'), 1)
  await database.stop()
})

test('the settings of a shell do not reach the database', () =>
  withDataFolder(async dataDir => {
    const program = `
      import { startEmbeddedDatabase } from ${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.adapter.ts'))}
      const database = await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, log: () => {}, runAs: ${JSON.stringify(users?.database)} })
      await database.stop()`
    const env = { ...process.env, PGDATA: '/nowhere', PGHOST: 'elsewhere', PGPORT: '1', LC_ALL: 'xx_XX' }
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      env,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
  }))

function start(dataDir: string): Promise<EmbeddedDatabase> {
  return startEmbeddedDatabase({ dataDir, runAs: users?.database, log: () => {}, settings: { fsync: 'off' } })
}

/** A zombie has ended; this process, whose child it is, has not been notified yet. */
function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Runs the test in a data folder in which the first start has already created its cluster. */
const withCluster = (work: (dataDir: string) => Promise<void>): Promise<void> =>
  withDataFolder(async dataDir => {
    await copyMadeCluster(dataDir)
    await work(dataDir)
  })

async function withDataFolder(work: (dataDir: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-embedded-'))
  chmodSync(folder, 0o711)
  try {
    await work(folder)
  } finally {
    const cluster = join(folder, 'postgres')
    const left = findPostmaster(cluster)
    if (left) await stopPostmaster(left, cluster, () => {}, 0)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The column `it` (or another) of the first row. */
async function ask(url: string, query: string, column = 'it'): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return (await client.query(query)).rows?.[0]?.[column]
  } finally {
    await client.end()
  }
}

function withPassword(url: string, password: string): string {
  const other = new URL(url)
  other.password = password
  return other.href
}
