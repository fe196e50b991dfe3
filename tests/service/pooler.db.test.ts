import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { servingDatabase } from '../../src/main/serving-database.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { ensureSystemUsers } from '../../src/platform/db/embedded/system-users.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { created, ended, often, shop } from '../support/changes.ts'
import { debianProgram } from '../support/debian-packages.ts'
import { freePort } from '../support/free-port.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'

/** PgBouncer in front of the database, with its pool mode as the only setting. */

let service: TestService
let asset: string
let folder: string
let url: string
const poolers: ChildProcess[] = []

before(async () => {
  service = await startTestService({ spares: 0 })
  asset = (await shop(service, { 'web/actions.yaml': 'actions:\n  hello: { description: x, run: "echo hello" }\n' }))
    .asset
  await service.halt({ keepRunners: false })
  folder = await mkdtemp(join(tmpdir(), 'sluice-pooler-'))
  const { appUrl, ownerUrl } = service.testDatabase
  url = await pooled(appUrl, 'session')
  await service.startAgain({}, { appUrl: url, ownerUrl })
})
after(async () => {
  await service.stop()
  for (const pooler of poolers) {
    pooler.kill('SIGTERM')
    await once(pooler, 'exit')
  }
  await rm(folder, { recursive: true, force: true })
})

/** Address of the pooler. */
async function pooled(appUrl: string, mode: 'session' | 'transaction' | 'statement'): Promise<string> {
  const program = await debianProgram({ path: '/usr/sbin/pgbouncer', packages: ['pgbouncer'], isService: true })
  const port = await freePort()
  const { hostname, port: itsPort, pathname, searchParams, username, password } = new URL(appUrl)
  const file = join(folder, `pgbouncer-${mode}.ini`)
  await writeFile(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  await writeFile(
    file,
    `
[databases]
* = host=${searchParams.get('host') ?? hostname} port=${itsPort || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${folder}/users.txt
pool_mode = ${mode}
default_pool_size = 60
`,
  )
  await chmod(folder, 0o755)
  // The test server's socket is accessible to its user only.
  const as = (await ensureSystemUsers())?.database.name
  poolers.push(spawn(program, [...(as ? ['-u', as] : []), file], { stdio: 'ignore' }))
  const url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`
  const answers = () =>
    withClient(url, client => client.query('select')).then(
      () => true,
      () => false,
    )
  await until('the pooler lets in', answers, Boolean, often)
  return url
}

test('a pooler in session mode may stand between', async () => {
  const admin = service.as('admin')
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'hello' }))
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  for (let round = 0; round < 5; round++) {
    const lists = await Promise.all(Array.from({ length: 8 }, () => admin.get('/api/changes')))
    assert.deepEqual(new Set(lists.map(({ status }) => status)), new Set([200]))
  }
})

test('through a pooler in session mode the settings of the service are in force', async () => {
  const database = openDatabase({ url, name: 'through the pooler', size: 2 })
  try {
    const settings = await database.one(sql`
      select current_setting('timezone') as timezone, current_setting('jit') as jit,
             current_setting('statement_timeout') as statements,
             current_setting('idle_in_transaction_session_timeout') as idle`)
    assert.deepEqual(settings, { timezone: 'UTC', jit: 'off', statements: '30s', idle: '15s' })
    const [{ plans } = {}] = (await database.atOnce(sql`select current_setting('plan_cache_mode') as plans`)) as {
      plans?: string
    }[]
    assert.equal(plans, 'force_generic_plan')
  } finally {
    await database.end()
  }
})

for (const mode of ['transaction', 'statement'] as const)
  test(`a pooler in ${mode} mode is refused at the start, with the remedy`, async () => {
    const { appUrl, ownerUrl } = service.testDatabase
    const config = { dataDir: folder, databaseUrl: await pooled(appUrl, mode), databaseDirectUrl: ownerUrl }
    await assert.rejects(
      servingDatabase(config, undefined, () => {}),
      /SLUICE_DATABASE_URL leads through a pooler that gives each transaction another connection .*Set pool_mode = session/,
    )
  })
