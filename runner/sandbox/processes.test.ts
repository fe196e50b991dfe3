import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { fromJson } from '../../json/from-json.ts'
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
    process(20, 1, 20), // another user's
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

/**
 * Result of `look` in a process of root without the capability to inspect other users' processes, as in a container.
 */
async function withoutTracing(look: string, ...before: string[]): Promise<unknown> {
  const module = join(import.meta.dirname, 'processes.ts')
  const program = `const { endAll, findMarked } = await import(${JSON.stringify(module)})
    console.log(JSON.stringify(${look}))`
  const without = '-sys_ptrace,-perfmon,-sys_admin'
  const args = [`--bounding-set=${without}`, `--inh-caps=${without}`, ...before, globalThis.process.execPath]
  const { stdout } = await promisify(execFile)('setpriv', [...args, '--input-type=module', '-e', program])
  return fromJson(stdout)
}

const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }

/** Processes of theirs, the first of which carries the mark. */
async function someOf({ uid, gid }: typeof nobody, mark: string) {
  const large = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`LARGE_${i}`, 'x'.repeat(100_000)]))
  const children = [Object.fromEntries([mark.split('=')]), {}, {}].map(its =>
    spawn('/bin/sleep', ['600'], { env: { ...large, ...its }, uid, gid, detached: true, stdio: 'ignore' }),
  )
  await Promise.all(children.map(child => once(child, 'spawn')))
  return children
}

test('who carries a mark as another user is found, however much their environments hold', async t => {
  if (globalThis.process.getuid?.() !== 0) return t.diagnostic('not root: nothing to withhold')
  const mark = `SLUICE_TEST_MARK=${crypto.randomUUID()}`
  const children = await someOf(nobody, mark)
  const marks = JSON.stringify({ environment: [mark], roots: [] })
  const look = `findMarked(${marks}, ${JSON.stringify(nobody)}).map(({ pid }) => pid)`
  try {
    assert.deepEqual(await withoutTracing(look), [children[0]!.pid])
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
})

test('while another user can be asked nothing, as it has too many processes, those that are known are ended, and then the rest', async t => {
  if (globalThis.process.getuid?.() !== 0) return t.diagnostic('not root: nothing to withhold')
  const mark = `SLUICE_TEST_MARK=${crypto.randomUUID()}`
  const children = await someOf(nobody, mark)
  const ends = children.map(child => once(child, 'exit'))
  const roots = children.slice(1).map(({ pid }) => ({ pid, started: startOf(pid!) }))
  const marks = JSON.stringify({ environment: [mark], roots })
  const look = `await endAll(() => findMarked(${marks}, ${JSON.stringify(nobody)}), 0)`
  try {
    // With two of its processes it may have no third one, which could be asked.
    await withoutTracing(`${look} ?? 'ended'`, 'prlimit', '--nproc=2')
    for (const [, signal] of await Promise.all(ends)) assert.equal(signal, 'SIGKILL')
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
})
