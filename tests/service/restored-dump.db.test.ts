import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { olderPostgres } from '../../bin/older-postgres.ts'
import { until } from '../../client/sluice.ts'
import { verifyAuditTrail } from '../../src/domain/events/verify.tx.ts'
import { release } from '../../src/main/release.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import type { EmbeddedDatabase } from '../../src/platform/db/embedded/embedded-postgres.adapter.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { created, ended, often, shop } from '../support/changes.ts'
import type { TestDatabase } from '../support/database.ts'
import { startTestServer } from '../support/database-server.ts'
import { follow, linesIn } from '../support/live-client.ts'
import { sealEverything } from '../support/sealed-trail.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'

/**
 * A dump of a lost server is restored on a new one, whose transaction numbers have only begun. Both are Debian's: the
 * embedded PostgreSQL has no pg_dump.
 */

const binaries = await olderPostgres()
const files = { 'web/actions.yaml': 'actions:\n  hello: { description: x, run: "echo hello" }\n' }

let service: TestService
let folder: string
let first: EmbeddedDatabase
let server: EmbeddedDatabase
let database: Database
let asset: string
let beforeIt: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-restored-'))
  await chmod(folder, 0o711)
  first = await startTestServer(join(folder, 'first'), binaries)
  process.env['SLUICE_TEST_DATABASE_URL'] = first.superuserUrl
  service = await startTestService({ spares: 0 })
  asset = (await shop(service, files)).asset
  await passTransactions(service.testDatabase, 20_000)
  beforeIt = await saidHello()
  await sealEverything(service.database)
  await service.halt({ keepRunners: false })

  const dump = join(folder, 'dump')
  program('pg_dump', '--format=custom', `--file=${dump}`, service.testDatabase.superuserUrl)
  server = await startTestServer(join(folder, 'second'), binaries)
  const at = new URL(server.superuserUrl)
  at.pathname = '/sluice'
  program('pg_restore', '--exit-on-error', `--dbname=${at.href}`, dump)
  database = openDatabase({ url: server.appUrl, name: 'test', size: 2 })
})
after(async () => {
  await service.stop()
  await database.end()
  await Promise.all([first, server].map(each => each.stop('immediate')))
  await rm(folder, { recursive: true, force: true })
})

const program = (name: string, ...args: string[]) =>
  execFileSync(join(binaries.folder, name), args, { stdio: ['ignore', 'inherit', 'inherit'] })

/** A server that has run for long has counted many more transactions than a new one. */
const passTransactions = ({ superuserUrl }: TestDatabase, count: number): Promise<unknown> =>
  withClient(superuserUrl, client =>
    client.query(`do $$ begin for i in 1..${count} loop perform pg_current_xact_id(); commit; end loop; end $$`),
  )

async function saidHello(): Promise<string> {
  const admin = service.as('admin')
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'hello' }))
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  return id
}

/** Log lines in the live stream of a change. */
async function told(id: string): Promise<string[]> {
  const messages = await (await follow(service.address, `/api/changes/${id}/live`)).ended()
  return linesIn(messages).map(({ attributes }) => attributes.message)
}

test('the service goes on there: changes run, live streams tell of them, and of those before', async () => {
  const said: string[] = []
  const start = () => migrate({ ...server, release: release(), log: line => void said.push(line) })
  await start()
  assert.match(said.join(), /restored on another server: its transactions are numbered on from \d+/)
  said.length = 0
  await start()
  assert.deepEqual(said, [])
  await service.startAgain({}, server)
  assert.deepEqual(await told(beforeIt), ['hello'])
  assert.deepEqual(await told(await saidHello()), ['hello'])
})

test('what happens there is sealed behind what was sealed before, and the audit trail holds', async () => {
  const unsealed = () =>
    database.rows(sql`select from events e where not exists (select from event_seals s where s.event_id = e.id)`)
  await until('all is sealed', unsealed, rows => rows.length === 0, often)
  const count = await database.one(sql<{ n: number }>`select count(*) as n from events`)
  assert.deepEqual(await verifyAuditTrail(database), { sealed: count!.n, removed: 0, faults: [] })
})
