import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedReading } from './shared-reading.ts'

/** A reading under control of the test: each one ends when the test ends it. */
function readByHand() {
  const readings: PromiseWithResolvers<string>[] = []
  const failures: unknown[] = []
  const read = () => {
    const reading = Promise.withResolvers<string>()
    readings.push(reading)
    return reading.promise
  }
  return { readings, failures, read, failed: (error: unknown) => void failures.push(error) }
}

const long = 3_600_000
/** Resolves once all consequences of what has happened so far are done. */
const settled = () => new Promise(resolve => setImmediate(resolve))

test('all who ask at once and within a while share one reading', async () => {
  const { readings, read, failed } = readByHand()
  const shared = new SharedReading(read, failed, { fresh: long, maxWait: long, lost: long })
  const asked = Array.from({ length: 300 }, () => shared.now())
  readings[0]!.resolve('the first')
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['the first']))
  assert.equal(await shared.now(), 'the first')
  assert.equal(readings.length, 1)
})

test('what is no longer fresh is read again, once', async () => {
  const { readings, read, failed } = readByHand()
  const shared = new SharedReading(read, failed, { fresh: 0, maxWait: long, lost: long })
  for (const value of ['one', 'two']) {
    const asked = [shared.now(), shared.now()]
    readings.at(-1)!.resolve(value)
    assert.deepEqual(await Promise.all(asked), [value, value])
  }
  assert.equal(readings.length, 2)
})

test('a reading that takes too long is waited for by nobody, begun by nobody else, and told once it is there', async () => {
  const { readings, read, failed } = readByHand()
  const shared = new SharedReading(read, failed, { fresh: long, maxWait: 20, lost: long })
  assert.equal(await shared.now(), undefined)
  assert.equal(await shared.now(), undefined)
  assert.equal(readings.length, 1)
  readings[0]!.resolve('late')
  await settled()
  assert.equal(await shared.now(), 'late')
})

test('a reading of which nothing is heard any more is begun anew, and what comes of it after all changes nothing', async () => {
  const { readings, read, failed } = readByHand()
  const shared = new SharedReading(read, failed, { fresh: long, maxWait: 1, lost: 1 })
  assert.equal(await shared.now(), undefined)
  while (readings.length < 2) await shared.now()
  readings[1]!.resolve('the second')
  await settled()
  readings[0]!.resolve('the first')
  await settled()
  assert.equal(await shared.now(), 'the second')
})

test('what fails is nothing for a while, and told of once until it goes well again', async () => {
  const { readings, failures, read, failed } = readByHand()
  const shared = new SharedReading(read, failed, { fresh: 0, maxWait: long, lost: long })
  const next = async (end: (reading: PromiseWithResolvers<string>) => void) => {
    const asked = shared.now()
    end(readings.at(-1)!)
    return asked
  }
  const [one, two] = [new Error('one'), new Error('two')]
  assert.equal(await next(reading => reading.reject(one)), undefined)
  assert.equal(await next(reading => reading.reject(two)), undefined)
  assert.equal(await next(reading => reading.resolve('well')), 'well')
  assert.equal(await next(reading => reading.reject(two)), undefined)
  assert.deepEqual(failures, [one, two])
})

test('a reading that was taken for lost and fails after all is told of by nobody, once a later one went well', async () => {
  const { readings, failures, read, failed } = readByHand()
  const shared = new SharedReading(read, failed, { fresh: 0, maxWait: 1, lost: 1 })
  assert.equal(await shared.now(), undefined)
  while (readings.length < 2) await shared.now()
  readings[1]!.resolve('the second')
  await settled()
  readings[0]!.reject(new Error('lost'))
  await settled()
  assert.deepEqual(failures, [])
  const third = shared.now()
  const now = new Error('now')
  readings[2]!.reject(now)
  assert.equal(await third, undefined)
  assert.deepEqual(failures, [now])
})
