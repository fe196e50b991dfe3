import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { family, findBearers, type Process, parseStat, startOf } from './processes.ts'

const process = (pid: number, parent: number, session: number): Process => ({
  pid,
  parent,
  session,
  name: 'x',
  started: 1,
})

test('a process is read from its stat, whatever its name is, and a zombie is none', () => {
  const rest = '7 7 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 4711 0'
  assert.deepEqual(parseStat(7, `7 (a) S 1 (b)) S 3 ${rest}`), {
    pid: 7,
    parent: 3,
    session: 7,
    name: 'a) S 1 (b)',
    started: 4711,
  })
  assert.equal(parseStat(7, `7 (a) Z 3 ${rest}`), undefined)
})

test('a family is whoever descends from it and whoever stands in its sessions', () => {
  const alive = [
    process(10, 1, 10), // found
    process(11, 10, 10), // its child
    process(12, 11, 12), // has made a session
    process(13, 1, 12), // whose other members have lost their parents
    process(14, 13, 14),
    process(20, 1, 20), // somebody else
    process(21, 20, 0),
  ]
  const pids = (found: number[], sessions: number[]) => family(alive, new Set(found), sessions).map(({ pid }) => pid)
  assert.deepEqual(pids([10], []), [10, 11, 12, 13, 14])
  assert.deepEqual(pids([], [12]), [12, 13, 14])
  assert.deepEqual(pids([21], []), [21])
})

test('who carries a mark is found among those that started since', async () => {
  const mark = `SLUICE_TEST_MARK=${crypto.randomUUID()}`
  const child = spawn('/bin/sleep', ['60'], { env: Object.fromEntries([mark.split('=')]) })
  await once(child, 'spawn')
  const started = startOf(child.pid!)!
  const found = (since?: number) => findBearers({ environment: [mark], since }).map(({ pid }) => pid)
  try {
    assert.deepEqual(found(), [child.pid])
    assert.deepEqual(found(started), [child.pid])
    assert.deepEqual(found(started + 1), [])
  } finally {
    child.kill('SIGKILL')
  }
})
