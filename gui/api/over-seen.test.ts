import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refused } from '#client/sluice.ts'
import { overSeen } from './over-seen.ts'

/**
 * Record with states like `a1`: a letter, which the page shows, and a number, which it does not.
 *
 * @param there its state at each attempt to write
 */
function record(...there: string[]) {
  const requests: string[] = []
  let writes = 0
  return {
    requests,
    read: async () => {
      requests.push('read')
      return there[writes - 1]!
    },
    isSame: (now: string, before: string) => now[0] === before[0],
    send: async (over: string) => {
      requests.push(`write over ${over}`)
      const now = there[writes]
      writes += 1
      if (over !== now) throw new Refused('PATCH', '/api/record', 412, [])
      return 'written'
    },
  }
}

test('a record that is as it was shown is written without being read', async () => {
  const unchanged = record('a1')
  assert.deepEqual(await overSeen({ seen: 'a1', ...unchanged }), { answer: 'written' })
  assert.deepEqual(unchanged.requests, ['write over a1'])
})

test('a record that has changed in what is not shown is written all the same', async () => {
  const changed = record('a2', 'a3', 'a3')
  assert.deepEqual(await overSeen({ seen: 'a1', ...changed }), { answer: 'written' })
  assert.deepEqual(changed.requests, ['write over a1', 'read', 'write over a2', 'read', 'write over a3'])
})

test('a record that looks different is read once, and not written', async () => {
  const changed = record('b2')
  assert.deepEqual(await overSeen({ seen: 'a1', ...changed }), { now: 'b2' })
  assert.deepEqual(changed.requests, ['write over a1', 'read'])
})

test('a record is compared with what was shown, not with what was read meanwhile', async () => {
  const { isSame, ...changed } = record('a2', 'b3')
  const compared: string[] = []
  const compare = (now: string, before: string) => {
    compared.push(`${now} with ${before}`)
    return isSame(now, before)
  }
  assert.deepEqual(await overSeen({ seen: 'a1', ...changed, isSame: compare }), { now: 'b3' })
  assert.deepEqual(compared, ['a2 with a1', 'b3 with a1'])
})

test('a record that changes all the time is given up at the third attempt', async () => {
  const restless = record('a2', 'a3', 'a4')
  await assert.rejects(overSeen({ seen: 'a1', ...restless }), { status: 412 })
  assert.deepEqual(restless.requests, ['write over a1', 'read', 'write over a2', 'read', 'write over a3'])
})

test('another refusal is no reason to read', async () => {
  const forbidden = record()
  const refuse = () => Promise.reject(new Refused('PATCH', '/api/record', 403, []))
  await assert.rejects(overSeen({ seen: 'a1', ...forbidden, send: refuse }), { status: 403 })
  assert.deepEqual(forbidden.requests, [])
})
