import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { removalType, stretchesText } from '../../audit/removals.ts'
import { record, removeEvents } from '../../src/domain/events/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Answer } from '../support/api.ts'
import { sealEverything } from '../support/sealed-trail.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { type CommandLine, newCommandLine } from './command-line.ts'

let service: TestService
let cli: CommandLine
let tokens: Record<'admin' | 'auditor' | 'reader', string>

const users = {
  auditor: [{ path: '/admin/audit_trail', read: true }],
  reader: [{ path: '/events', read: true }],
} as const

before(async () => {
  service = await startTestService({ spares: 0, users: { auditor: [...users.auditor], reader: [...users.reader] } })
  cli = await newCommandLine()
  const token = async (name: string) => {
    const { body } = await service
      .as(name)
      .post('/api/tokens', { description: 'audit', expires_at: '2099-01-01T00:00:00Z' })
    return body.meta.token as string
  }
  tokens = { admin: await token('admin'), auditor: await token('auditor'), reader: await token('reader') }
  await sealEverything(service.database)
})
after(async () => {
  await service.stop()
  await cli.remove()
})

/** Runs an audit command at the service with a user's token; `offline` runs it without one. */
const as = (who: keyof typeof tokens, ...args: string[]) =>
  cli.run(['audit', ...args], { env: { SLUICE_URL: service.address, SLUICE_TOKEN: tokens[who] } })
const offline = (...args: string[]) => cli.run(['audit', ...args])

const holds = /^The audit trail is intact: \d+ events verified, none missing\.\n\d+:[0-9a-f]{64}\n$/

/** Replaces the trail by another one, as an attacker with access to the whole database could. */
async function tampering<Result>(statement: string, work: () => Promise<Result>): Promise<Result> {
  const replica = (each: string) =>
    withClient(service.testDatabase.superuserUrl, client =>
      client.query(`begin; set local session_replication_role = replica; ${each}; commit`),
    )
  await replica(`create table kept as select * from events; ${statement}`)
  try {
    return await work()
  } finally {
    await replica('delete from events; insert into events select * from kept; drop table kept')
  }
}

test('the trail of a service is proved by whoever may read it, and by nobody else', async () => {
  const { status, stdout, stderr } = await as('auditor', 'verify')
  assert.deepEqual([status, stderr], [0, ''])
  assert.match(stdout, holds)
  for (const args of [['verify'], ['export'], ['head']]) {
    const refused = await as('reader', ...args)
    assert.deepEqual([refused.status, refused.stdout], [1, ''])
    assert.match(refused.stderr, /read on \/admin\/audit_trail/)
  }
})

test('what was changed, left out or put in behind the back of the service is told, and ends with 1', async () => {
  const second = '(select event_id from event_seals where seq = 2)'
  const faults: [statement: string, told: RegExp][] = [
    [`update events set username = 'eve' where id = ${second}`, /seal 2, event .*: the event’s username differ/],
    [`update events set body = 'no JSON' where id = ${second}`, /seal 2, event .*: the event was changed/],
    [
      `insert into events (tx, type, system, username, body, attributes)
       select tx, type, true, 'eve', body, attributes from events order by tx limit 1`,
      /no seal, event .*: the event was inserted without a seal/,
    ],
  ]
  for (const [statement, told] of faults) {
    const { status, stdout } = await tampering(statement, () => as('auditor', 'verify'))
    assert.match(stdout, /^The audit trail is not intact:\n/)
    assert.match(stdout, told)
    assert.equal(status, 1)
  }
  assert.match((await as('auditor', 'verify')).stdout, holds)
})

test('an export is proved away from the service, and what was done to it since is found out', async () => {
  const { status, stdout: lines } = await as('auditor', 'export')
  assert.equal(status, 0)
  const file = join(cli.folder, 'trail.ndjson')
  await writeFile(file, lines)
  const whole = await offline('verify', 'trail.ndjson')
  assert.deepEqual([whole.status, whole.stderr], [0, ''])
  assert.match(whole.stdout, holds)
  assert.equal((await cli.run(['audit', 'verify', '-'], { input: lines })).stdout, whole.stdout)

  const json = await offline('verify', 'trail.ndjson', '-o', 'json')
  const { sealed, head, faults } = JSON.parse(json.stdout)
  assert.deepEqual([sealed, faults], [lines.split('\n').length - 1, []])
  assert.equal(`${head.seq}:${head.hash}`, whole.stdout.split('\n')[1])

  const each = lines.trimEnd().split('\n')
  const told = async (changed: readonly string[]) => {
    await writeFile(join(cli.folder, 'changed.ndjson'), `${changed.join('\n')}\n`)
    const ran = await offline('verify', 'changed.ndjson')
    assert.equal(ran.status, 1)
    return `${ran.stdout}${ran.stderr}`
  }
  const edited = each[1]!.replace('"username\\":\\"', '"username\\":\\"x')
  assert.notEqual(edited, each[1])
  assert.match(await told(each.with(1, edited)), /seal 2, event .*: the event was changed/)
  assert.match(await told(each.toSpliced(1, 1)), /seal 3, event .*: seals 2 to 2 are missing/)
  assert.match(await told(each.with(1, each[1]!.slice(0, 50))), /changed.ndjson:2: not a line/)
  assert.match(await told([]), /:1: not a line/)
})

test('an export goes on where the last one ended, and is proved with it or by what was noted', async () => {
  const noted = (await as('auditor', 'head')).stdout.trim()
  assert.match(noted, /^\d+:[0-9a-f]{64}$/)
  const [seq = ''] = noted.split(':')
  await writeFile(join(cli.folder, 'first.ndjson'), (await as('auditor', 'export')).stdout)
  await service.as('admin').post('/api/projects', { code: 'bank', name: 'Bank' })
  await sealEverything(service.database)
  const rest = (await as('auditor', 'export', '--after', seq)).stdout
  assert.match(rest, /api:projects:create/)
  await writeFile(join(cli.folder, 'rest.ndjson'), rest)

  assert.match((await offline('verify', 'first.ndjson', 'rest.ndjson')).stdout, holds)
  assert.match((await offline('verify', 'rest.ndjson', '--head', noted)).stdout, holds)
  const alone = await offline('verify', 'rest.ndjson')
  assert.deepEqual([alone.status, alone.stdout], [1, ''])
  assert.match(alone.stderr, new RegExp(`rest.ndjson starts with seal ${Number(seq) + 1}: .*--head ${seq}:<hash>`))
  assert.match((await as('auditor', 'verify', '--head', noted)).stdout, holds)

  const wrong = await as('auditor', 'verify', '--head', `${seq}:${'0'.repeat(64)}`)
  assert.match(wrong.stdout, new RegExp(`seal ${seq}, event .*: the hash is not the one that was noted`))
  assert.equal(wrong.status, 1)
  assert.match(
    (await as('auditor', 'verify', '--head', `999999:${'0'.repeat(64)}`)).stdout,
    /seal 999999: the seal was noted/,
  )
})

test('what was typed wrongly ends with 2, and a file that is not there is named', async () => {
  const head = await offline('verify', '--head', 'abc', 'first.ndjson')
  assert.equal(head.status, 2)
  assert.match(head.stderr, /output of "sluice audit head", <number>:<hash>, not "abc"/)
  assert.equal((await as('auditor', 'export', '--after', 'x')).status, 2)
  const missing = await offline('verify', 'nowhere.ndjson')
  assert.equal(missing.status, 1)
  assert.match(missing.stderr, /nowhere\.ndjson/)
})

test('a trail of many large events is read in pages that have a bound', async () => {
  const text = 'x'.repeat(500_000)
  for (let n = 0; n < 12; n++) {
    const { status, text: said } = await service.as('admin').post('/api/events', { type: 'custom', text, n })
    assert.equal(status, 201, said.slice(0, 1_000))
  }
  await service.database.count(sql`
    insert into events (type, system, username, body, attributes)
    select 'api:projects:create', true, 'ann', '{}', '{}' from generate_series(1, 2500)`)
  await sealEverything(service.database)
  let pages = 0
  let next: string | undefined = '/api/admin/audit_trail'
  while (next) {
    const { body }: Answer = await service.as('auditor').get(next)
    assert.ok(JSON.stringify(body).length < 5_000_000)
    next = body.links.next
    pages += 1
  }
  assert.ok(pages >= 6)
  const { status, stdout } = await as('auditor', 'verify')
  assert.match(stdout, holds)
  assert.equal(status, 0)
  const exported = (await as('auditor', 'export')).stdout
  await writeFile(join(cli.folder, 'large.ndjson'), exported)
  assert.equal((await offline('verify', 'large.ndjson')).stdout, stdout)
  assert.equal(
    (await readFile(join(cli.folder, 'large.ndjson'), 'utf8')).split('\n').length - 1,
    Number(/intact: (\d+)/.exec(stdout)![1]),
  )
})

test('events that were removed as old are no fault where the trail tells of them, and are one where it does not', async () => {
  const { database } = service
  await database.count(sql`
    insert into events (id, created_at, type, system, username, body, attributes)
    select sluice_uuid7_at(at, uuid_send(gen_random_uuid())), at, 'of.old', true, 'ann', '{}', '{}'
      from (select sluice_now() - interval '40 days' + n * interval '1 day' as at from generate_series(1, 3) n) old`)
  await sealEverything(database)
  const removed = await database.transaction(async tx => {
    const old = await tx.rows(sql<{ id: string }>`select id from events where type = 'of.old'`)
    const seals = await removeEvents(
      tx,
      old.map(({ id }) => id),
    )
    const attributes = { removed_seals: stretchesText(seals) }
    await record(tx, { type: removalType, actor: { userId: null, username: 'system' }, attributes })
    return seals
  })
  assert.equal(removed.length, 3)
  await sealEverything(database)
  const holdsWithout =
    /^The audit trail is intact: \d+ events verified, none missing; 3 were deleted by data cleaning, .*\.\n/
  assert.match((await as('auditor', 'verify')).stdout, holdsWithout)
  const lines = (await as('auditor', 'export')).stdout.trimEnd().split('\n')
  const proof = (some: readonly string[]) => cli.run(['audit', 'verify', '-'], { input: `${some.join('\n')}\n` })
  assert.match((await proof(lines)).stdout, holdsWithout)
  const before = await proof(lines.slice(0, removed.at(-1)))
  assert.match(
    before.stdout,
    new RegExp(`seal ${removed[0]}: the events up to seal ${removed[2]} are not there, and none`),
  )
  assert.equal(before.status, 1)
  const [first = ''] = lines
  const gone = JSON.stringify({ ...JSON.parse(first), created_at: null, body: null })
  const deleted = await proof(lines.with(0, gone))
  assert.match(deleted.stdout, /seal 1: the event is not there, and none that follows tells that it was removed as old/)
  assert.equal(deleted.status, 1)
})
