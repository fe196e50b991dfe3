import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import Type from 'typebox'
import { everything, prepareSpecimens, specimenEvents, specimensDomain } from '../../../tests/contract/specimen.ts'
import { startTestApi } from '../../../tests/support/api.ts'
import { withClient } from '../../../tests/support/template-database.ts'
import { theService } from '../actor.ts'
import { sql } from '../db/sql.ts'
import { failure } from '../failure.ts'
import { answered, command, type ExternalOutcome } from './command.ts'
import { type Claim, replaceResponse } from './idempotency.ts'

/** Tests of external actions that happen only once, with a command of their own that calls the function it is given. */

let called = 0
let answers: () => Promise<ExternalOutcome['answer']> = async () => answered({})

const call = command<{ whom: string }>({
  name: 'specimens.call',
  summary: 'Calls somebody.',
  method: 'POST',
  paths: ['/api/specimens/call'],
  status: 200,
  event: null,
  eventBody: [],
  attributes: Type.Object({ whom: Type.String() }),
  answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }),
  find: async () => ({ readPath: '/specimens' }),
  needs: () => [],
  run: async ({ tx }, _, { attributes: { whom } }) => {
    await tx.count(sql`insert into specimens (code) values (${whom})`)
    return {
      outcome: 'outside',
      meanwhile: failure('unavailable', 'It is being called.'),
      work: async () => {
        called += 1
        const answer = await answers()
        return { answer, events: [{ type: 'api:specimens:call', actor: theService }] }
      },
    }
  },
})

const api = await startTestApi({
  domains: [specimensDomain, { name: 'calls', commands: [call] }],
  events: { ...specimenEvents, 'api:specimens:call': { why: 'somebody was called' } },
  users: { admin: everything },
  prepare: prepareSpecimens,
})
after(() => api.stop())
beforeEach(async () => {
  await api.database.count(sql`delete from specimens`)
  await api.database.count(sql`delete from idempotency_keys`)
  called = 0
})

const ask = (key?: string) =>
  api.as('admin').post('/api/specimens/call', { whom: 'ant' }, key === undefined ? {} : { 'idempotency-key': key })
const said = (word: string) => answered({ data: { type: 'call', id: 'ant', attributes: { word } } })
const told = async () => (await api.database.rows(sql`select from events where type = 'api:specimens:call'`)).length
const made = () => api.database.rows(sql`select from specimens where code = 'ant'`)

test('it is done when everything is committed and no transaction is open, and its answer is the answer', async () => {
  answers = async () => {
    assert.equal((await made()).length, 1)
    const open = await api.database.rows(sql`
      select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`)
    assert.deepEqual(open, [])
    return said('hello')
  }
  const { status, body } = await ask()
  assert.deepEqual([status, body.data.attributes, called], [200, { word: 'hello' }, 1])
})

test('who asks again under its key is told to wait while it is done, and is answered the same afterwards', async () => {
  const gate = Promise.withResolvers<ExternalOutcome['answer']>()
  const begun = Promise.withResolvers<void>()
  answers = () => {
    begun.resolve()
    return gate.promise
  }
  const first = ask('k1')
  await begun.promise
  const meanwhile = await ask('k1')
  assert.deepEqual([meanwhile.status, meanwhile.body.errors[0].detail], [503, 'It is being called.'])
  gate.resolve(said('hello'))
  assert.equal((await first).status, 200)
  assert.deepEqual((await ask('k1')).body, (await first).body)
  assert.equal(called, 1)
})

test('what it fails with is kept like an answer', async () => {
  answers = async () => failure('wrong-state', 'Nobody is there.')
  for (const answer of [await ask('k1'), await ask('k1')])
    assert.deepEqual([answer.status, answer.body.errors[0].detail], [409, 'Nobody is there.'])
  assert.equal(called, 1)
  assert.equal((await made()).length, 1, 'what was written before stands')
})

test('what nobody knows the end of is not done again', async () => {
  answers = async () => {
    throw new Error('the process dies here')
  }
  assert.equal((await ask('k1')).status, 500)
  const again = await ask('k1')
  assert.deepEqual([again.status, called], [503, 1])
})

for (const [what, code] of [
  ['the database was away', '57P03'],
  ['its disk was full', '53100'],
] as const)
  test(`its answer and what is told of it are kept together, once, also where ${what} for a moment`, async () => {
    answers = async () => said('hello')
    const before = await told()
    await withClient(api.testDatabase.superuserUrl, client =>
      client.query(`
        create sequence tries;
        create function failing() returns trigger language plpgsql security definer as $$
        begin
          if nextval('tries') < 3 then raise exception 'not now' using errcode = '${code}'; end if;
          return new;
        end $$;
        create trigger failing before update on idempotency_keys for each row
          when (new.status = 200) execute function failing()`),
    )
    const { status, body } = await ask('k1')
    await withClient(api.testDatabase.superuserUrl, client =>
      client.query('drop function failing() cascade; drop sequence tries'),
    )
    assert.deepEqual([status, body.data?.attributes], [200, { word: 'hello' }])
    assert.deepEqual((await ask('k1')).body, body)
    assert.deepEqual([called, await told()], [1, before + 1])
  })

test('of two who keep the answer, as after a connection that was lost at its COMMIT, one does', async () => {
  answers = async () => said('hello')
  const { body } = await ask('k1')
  const claimed = (await api.database.one(sql<Claim>`select user_id as "userId", key, route from idempotency_keys`))!
  const sealing = { seal: (text: string) => Buffer.from(text), open: (sealed: Buffer) => sealed }
  const answer = { status: 200, headers: {}, body: { data: {} } }
  assert.equal(await api.database.transaction(tx => replaceResponse(tx, claimed, answer, sealing, 503)), false)
  assert.deepEqual((await ask('k1')).body, body)
})
