import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import pg from 'pg'
import { translate } from './translate.ts'

const told = (code: string, message: string) => {
  const failure = translate(Object.assign(new Error(message), { code }), { reads: false, bodyLimit: 1 })
  return failure && [failure.status, failure.faults[0].detail, failure.headers['retry-after']]
}

test('a database whose disk is full is unavailable, and says that somebody has to make room', () => {
  assert.deepEqual(told('53100', 'could not extend file "base/16386/17561": No space left on device'), [
    503,
    'The disk of the database is full: its operator has to free space. Nothing is half-done; try again then.',
    '30',
  ])
})

test('what will go well another time is unavailable, and says why it did not now', () => {
  const again = (why: string) => [503, `${why} Nothing is half-done; ask again.`, '2']
  const words = {
    ECONNREFUSED: 'The database is not reachable.',
    '57P03': 'The database is not reachable.',
    '40P01': 'Others are at work on the same, and went first.',
  }
  for (const [code, why] of Object.entries(words)) assert.deepEqual(told(code, 'whatever it says'), again(why))
})

/** Connects at once, to nothing. */
class Connected extends EventEmitter {
  connect(done: () => void): void {
    done()
  }
}

test('a service whose connections are all in use says that it is busy, and not that its database is away', async () => {
  const Client = Connected as unknown as typeof pg.Client
  const pool = new pg.Pool({ Client, max: 1, connectionTimeoutMillis: 5 } as pg.PoolConfig)
  await pool.connect()
  const error = await pool.connect().then(
    () => assert.fail('there was none to give'),
    (given: Error) => given,
  )
  const failure = translate(error, { reads: true, bodyLimit: 1 })
  assert.match(failure!.faults[0].detail!, /^The service is busy: none of its connections/)
})

test('an error that nobody foresaw is a bug, and is not told', () => {
  assert.equal(told('42703', 'column "nope" does not exist'), undefined)
})
