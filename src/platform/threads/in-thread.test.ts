import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inThread, ThreadFailure } from './in-thread.adapter.ts'

const program = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads';${code}`)}`,
  )
const limits = { seconds: 60, mebibytes: 64 }
const why = (code: string, over: object = {}) =>
  inThread(program(code), 7, { ...limits, ...over }).then(
    () => assert.fail('it answered'),
    (error: unknown) => (error instanceof ThreadFailure ? error.why : error),
  )

test('a thread answers what comes of what it is given', async () => {
  assert.equal(await inThread(program('parentPort.postMessage(workerData + 1)'), 7, limits), 8)
})

test('a thread sees nothing of the environment but where compiled code is kept', async () => {
  process.env['SLUICE_ROOT_KEY'] = 'a secret'
  try {
    const names = await inThread<string[]>(program('parentPort.postMessage(Object.keys(process.env))'), 7, limits)
    assert.deepEqual(
      names.filter(name => name !== 'NODE_COMPILE_CACHE'),
      [],
    )
  } finally {
    delete process.env['SLUICE_ROOT_KEY']
  }
})

test('what has no end, takes too much memory, fails or says nothing ends, and says which of them it was', async () => {
  assert.equal(await why('for (;;);', { seconds: 1 }), 'time')
  assert.equal(await why('const all = []; for (;;) all.push({ all: [] })'), 'memory')
  assert.equal(await why('throw new Error("no")'), 'ended')
  assert.equal(await why(''), 'ended')
})

test('a thread is ended when nobody wants its answer any more', async () => {
  const leaving = new AbortController()
  const left = why('for (;;);', { signal: leaving.signal })
  leaving.abort('left')
  assert.equal(await left, 'left')
  assert.equal(await why('for (;;);', { signal: leaving.signal }), 'left')
})
