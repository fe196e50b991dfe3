import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Actor } from '#platform/actor.ts'
import { openKeyring } from '#platform/crypto/index.ts'
import { type Database, openDatabase } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { Failure } from '#platform/failure.ts'
import type { Authenticate } from '#platform/http/server.ts'
import { moveClock, testDatabase } from '../../../tests/support/database.ts'
import { record } from '../events/index.ts'
import { attemptToken, authenticator, insertUser, passwords } from '../users/index.ts'
import { insertPersonalToken } from '../users/token.store.ts'
import { deleteUser, updateUser } from '../users/user.store.ts'
import { ensureFirstSuperuser, rightsSource } from './index.ts'

const own = await testDatabase()
const database: Database = openDatabase({ url: own.appUrl, name: 'sign-in test' })
const hasher = passwords()
let hashes = 0
const counting = {
  ...hasher,
  verify: (known: string | null, given: string) => hasher.verify(known, given).finally(() => hashes++),
}
let authenticate: Authenticate
let fence = 7
let admin: { username: string; password: string }

before(async () => {
  const first = await ensureFirstSuperuser({ database, passwords: hasher, adminPassword: undefined })
  admin = first!
  authenticate = await anotherProcess()
})
after(async () => {
  await database.end()
  await own.drop()
})

const rootKey = randomBytes(32)
/** Authenticator of another process of the service: its own memory, the same keys. */
const anotherProcess = async () =>
  authenticator({
    database,
    keyring: await openKeyring({ database, rootKey }),
    passwords: counting,
    rights: rightsSource(),
    record,
    directory: { verify: async () => undefined },
    placeOfToken: token => sql`
      select id as project_id, '/projects/bank/assets/web' as path
        from nodes where path = '/projects/bank' and ${token.fence}::bigint = ${fence}::bigint`,
  })

const basic = (username: string, password: string, { from = '10.0.0.1', by = authenticate } = {}): Promise<Actor> =>
  by({
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    remoteAddress: from,
    host: 'sluice',
    method: 'GET',
    signsIn: false,
  })
const bearer = (token: string) =>
  authenticate({
    headers: { authorization: `Bearer ${token}` },
    remoteAddress: '10.0.0.1',
    host: 'sluice',
    method: 'GET',
    signsIn: false,
  })
const refusal = async (asked: Promise<Actor>) => {
  const error = await asked.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(error instanceof Failure, String(error))
  return error
}
const newUser = async (username: string, password: string) => {
  const passwordHash = await hasher.hash(password)
  const createdBy = { userId: null, username: 'test' }
  return (await database.transaction(tx => insertUser(tx, { username, passwordHash, createdBy })))!
}
const denials = async () =>
  (await database.one(
    sql<{ n: number }>`select count(*)::int as n from events where type = 'audit:users:sign_in:denied'`,
  ))!.n

test('the first start makes one superuser with a random password, and no later start another', async () => {
  assert.equal(admin.username, 'admin')
  assert.match(admin.password, /^[\w-]{20}$/)
  const actor = await basic('Admin', admin.password)
  assert.equal(actor.username, 'admin')
  assert.equal(actor.rights.superuser, true)
  assert.equal(await ensureFirstSuperuser({ database, passwords: hasher, adminPassword: 'x'.repeat(12) }), undefined)
})

test('the first password is shown before it counts: it is known also where nobody hears of the commit', async t => {
  const other = await testDatabase()
  const there = openDatabase({ url: other.appUrl, name: 'first superuser test', size: 2 })
  t.after(async () => {
    await there.end()
    await other.drop()
  })
  const breaksAtCommit: Database = Object.create(there, {
    transaction: {
      value: async (work: Parameters<Database['transaction']>[0]) => {
        await there.transaction(work)
        throw new Error('the connection ended')
      },
    },
  })
  const shown: string[] = []
  const about = { passwords: hasher, adminPassword: undefined, made: (password: string) => void shown.push(password) }
  await assert.rejects(ensureFirstSuperuser({ ...about, database: breaksAtCommit }), /the connection ended/)
  assert.equal(await ensureFirstSuperuser({ ...about, database: there }), undefined)
  assert.equal(shown.length, 1)
  const user = await there.one(sql<{ password_hash: string }>`select password_hash from users where username = 'admin'`)
  assert.equal(await hasher.verify(user!.password_hash, shown[0]!), true)
})

test('an unknown user, a wrong password and a disabled user are told the same, after one slow hash each', async () => {
  const id = await newUser('gone', 'a long password')
  await database.transaction(tx => deleteUser(tx, id))
  const said = new Set<string>()
  hashes = 0
  for (const [name, password] of [
    ['nobody', 'x'],
    ['admin', 'wrong'],
    ['gone', 'a long password'],
  ] as const)
    said.add((await refusal(basic(name, password, { from: '10.0.0.2' }))).message)
  assert.equal(said.size, 1)
  assert.equal(hashes, 3)
  assert.equal(
    (await refusal(authenticate({ headers: {}, remoteAddress: null, host: 'sluice', method: 'GET', signsIn: false })))
      .status,
    401,
  )
})

test('a name is the same in any case of A to Z and any form of Unicode; of other letters the case counts', async () => {
  const [upper, lower] = [
    await newUser('\u00c9mile', 'a long password of one'),
    await newUser('\u00e9mile', 'a long password of two'),
  ]
  for (const name of ['\u00c9mile', '\u00c9MILE', 'E\u0301mile'])
    assert.equal((await basic(name, 'a long password of one')).userId, upper, name)
  assert.equal((await basic('\u00e9MILE', 'a long password of two')).userId, lower)
  await refusal(basic('\u00e9mile', 'a long password of one'))
})

test('a request costs no slow hash within a minute of the last, and a hundred at once cost one', async () => {
  await newUser('busy', 'a long password')
  hashes = 0
  await Promise.all(Array.from({ length: 100 }, () => basic('busy', 'a long password')))
  await basic('busy', 'a long password')
  assert.equal(hashes, 1)
})

test('a changed password, a disabled user and a changed right hold with the next request', async () => {
  const id = await newUser('eve', 'the old password')
  await basic('eve', 'the old password')
  const to = { displayName: null, emailAddress: null, disabled: false }
  const passwordHash = await hasher.hash('the new password')
  await database.transaction(tx => updateUser(tx, id, { ...to, passwordHash }))
  assert.equal((await refusal(basic('eve', 'the old password'))).status, 401)
  assert.equal((await basic('eve', 'the new password')).rights.superuser, false)
  await database.count(sql`
    insert into policy_assignments (policy_id, assignee_id, created_by)
    select id, ${id}, 'test' from authorisation_policies where system = 'superuser'`)
  assert.equal((await basic('eve', 'the new password')).rights.superuser, true)
  await database.transaction(tx => updateUser(tx, id, { ...to, disabled: true, passwordHash: undefined }))
  assert.equal((await refusal(basic('eve', 'the new password'))).status, 401)
})

test('ten wrong passwords in a minute and the eleventh is 429, in every process, for that user from that address', async () => {
  await newUser('victim', 'a long password')
  await newUser('other', 'a long password')
  const second = await anotherProcess()
  const guesses = Array.from({ length: 15 }, (_, i) =>
    basic('victim', `guess ${i}`, { by: i % 2 ? second : authenticate }),
  )
  const statuses = (await Promise.all(guesses.map(refusal))).map(error => error.status)
  assert.deepEqual(statuses.filter(status => status === 401).length, 10)
  assert.deepEqual(statuses.filter(status => status === 429).length, 5)
  const limited = await refusal(basic('VICTIM', 'a long password', { by: second }))
  assert.equal(limited.status, 429)
  assert.ok(Number(limited.headers['retry-after']) > 50)
  await basic('victim', 'a long password', { from: '10.0.0.9' })
  await basic('other', 'a long password')
  await moveClock(own, '61 seconds')
  await basic('victim', 'a long password')
})

test('a clock that is set back locks nobody out until it comes there again', async () => {
  const attempt = async () => (await refusal(basic(admin.username, 'wrong password', { from: '10.9.9.9' }))).status
  for (let time = 0; time < 11; time++) await attempt()
  assert.equal(await attempt(), 429)
  await moveClock(own, '-1 hour')
  assert.equal(await attempt(), 401)
  await moveClock(own, '1 hour')
})

test('signing in rightly many times is no failed sign-in', async () => {
  await newUser('often', 'a long password')
  for (let i = 0; i < 12; i++) await basic('often', 'a long password', { by: await anotherProcess() })
})

test('a refused sign-in is recorded, once a minute, without what was typed', async () => {
  const before = await denials()
  for (let i = 0; i < 3; i++) await refusal(basic('my secret in the wrong field', `guess ${i}`, { from: '10.0.0.3' }))
  assert.equal(await denials(), before + 1)
  for (const name of ['one', 'another', 'a third'])
    await refusal(basic(`made up: ${name}`, 'a guess', { from: '10.0.0.4' }))
  assert.equal(await denials(), before + 2)
  const all = await database.rows(sql<{ body: string }>`select convert_from(body, 'UTF8') as body from events`)
  assert.doesNotMatch(JSON.stringify(all), /my secret|guess/)
})

test('a personal token acts for its user until it ends or is revoked', async () => {
  const userId = await newUser('tim', 'a long password')
  const expiresAt = (await database.one(sql<{ at: string }>`select sluice_now() + interval '1 hour' as at`))!.at
  const made = await database.transaction(tx =>
    insertPersonalToken(tx, { userId, username: 'tim', description: 'x', expiresAt }),
  )
  const actor = await bearer(made.token)
  assert.equal(actor.username, 'tim')
  assert.equal(actor.via, 'personal')
  assert.equal((await refusal(bearer(`${made.token}x`))).status, 401)
  await database.count(sql`update tokens set kind = 'session' where id = ${made.id}`)
  assert.equal((await refusal(bearer(made.token))).status, 401)
  await database.count(sql`update tokens set kind = 'personal' where id = ${made.id}`)
  await moveClock(own, '61 minutes')
  assert.equal((await refusal(bearer(made.token))).status, 401)
})

test('the token of a step has the rights of the change’s creator in its project alone, while its attempt is the newest', async () => {
  const { id: userId } = (await database.one(sql<{ id: string }>`select id from users where username = 'admin'`))!
  const project = (await database.one(sql<{ id: string }>`
    with made as (select sluice_uuid7() as id)
    insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
    select id, 'project', 'bank', 'Bank', 'Enterprise', id, '/projects/bank', 'test' from made returning id`))!
  const [another, stepId] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
  const token = attemptToken(await openKeyring({ database, rootKey }), { userId, stepId, fence, minutes: 240 })
  const { rights, via } = await bearer(token)
  assert.equal(via, 'attempt')
  assert.equal(rights.superuser, false)
  const may = (path: string) => rights.may('update', path)
  assert.equal(may('/projects/bank/environments/live'), true)
  assert.equal(may('/projects/bank/assets/web/properties/secrets'), true)
  for (const path of [
    '/',
    '/projects/banking',
    '/admin/users',
    '/system_configuration',
    '/projects/bank/authorisation_policies',
    '/projects/bank/secrets',
    '/projects/bank/assets/web2/secrets',
  ])
    assert.equal(may(path), false, path)
  const seen = (projectId: string, path = '/projects/bank') =>
    database.one(sql`select where ${rights.visible({ projectId: sql`${projectId}::uuid`, path: sql`${path}::text` })}`)
  assert.ok(await seen(project.id))
  assert.equal(await seen(another), undefined)
  assert.equal(await seen(project.id, '/projects/bank/environments/live/authorisation_policies'), undefined)
  assert.equal((await refusal(bearer(token.slice(0, -2)))).status, 401)
  await database.count(sql`update users set disabled = true where id = ${userId}`)
  assert.equal((await refusal(bearer(token))).status, 401)
  await database.count(sql`update users set disabled = false where id = ${userId}`)
  await bearer(token)
  fence += 1
  assert.equal((await refusal(bearer(token))).status, 401)
})
