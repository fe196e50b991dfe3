import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { holderOfFolder, holdFolder, waitForFolder } from './folder-hold.ts'
import { ensureSystemUsers } from './system-users.ts'

const users = await ensureSystemUsers()
const base = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-hold-')))
chmodSync(base, 0o755)
after(() => rmSync(base, { recursive: true, force: true }))

let made = 0
function dataFolder(): string {
  const folder = join(base, `data-${++made}`)
  mkdirSync(folder)
  // As `prepareDataFolder` makes it.
  chmodSync(folder, users ? 0o711 : 0o700)
  return folder
}

/** A separate process that runs this text, in which `holdFolder` is defined; returns its first line. */
async function otherProcess(text: string): Promise<{ child: ChildProcess; line: string }> {
  const program = join(mkdtempSync(join(base, 'program-')), 'program.ts')
  const module = pathToFileURL(join(import.meta.dirname, 'folder-hold.ts')).href
  writeFileSync(program, `import { holdFolder } from ${JSON.stringify(module)}\n${text}`)
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, line }
}

const holding = (folder: string) =>
  otherProcess(
    `const hold = await holdFolder(${JSON.stringify(folder)}, 'serving')
     console.log(hold ? 'held' : 'refused')
     setInterval(() => {}, 1000)`,
  )

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('a folder is held once, by another purpose too, and free again when it is released', async () => {
  const folder = dataFolder()
  const first = await holdFolder(folder, 'serving')
  assert.ok(first)
  assert.equal(await holdFolder(folder, 'serving'), undefined)
  const other = await holdFolder(folder, 'another purpose')
  assert.ok(other)
  await first.release()
  const next = await holdFolder(folder, 'serving')
  assert.ok(next)
  await next.release()
  await other.release()
})

test('of many starts at once exactly one holds the folder, and a kill -9 frees it though its children live', async () => {
  const folder = dataFolder()
  const all = await Promise.all(Array.from({ length: 6 }, () => holding(folder)))
  try {
    assert.deepEqual(all.map(({ line }) => line).sort(), ['held', ...Array(5).fill('refused')])
    const holder = all.find(({ line }) => line === 'held')!.child
    assert.match(holderOfFolder(folder, 'serving'), new RegExp(`^process ${holder.pid} \\(.*program\\.ts\\)$`))
    await killed(holder)
    const next = await holdFolder(folder, 'serving')
    assert.ok(next, 'the kernel has released it')
    await next.release()
  } finally {
    for (const { child } of all) child.kill('SIGKILL')
  }
})

test('what the holder has started does not hold the folder after its death', async () => {
  const folder = dataFolder()
  const { child, line } = await otherProcess(
    `import { spawn } from 'node:child_process'
     await holdFolder(${JSON.stringify(folder)}, 'serving')
     const left = spawn('/bin/sleep', ['600'], { detached: true, stdio: 'ignore' })
     console.log(left.pid)
     setInterval(() => {}, 1000)`,
  )
  try {
    await killed(child)
    process.kill(Number(line), 0)
    const next = await holdFolder(folder, 'serving')
    assert.ok(next)
    await next.release()
  } finally {
    process.kill(Number(line), 'SIGKILL')
  }
})

test('whoever waits gets the folder when its holder is killed', async () => {
  const folder = dataFolder()
  const { child } = await holding(folder)
  const waiting = waitForFolder(folder, 'serving')
  await killed(child)
  await (await waiting).release()
})

test('a wait that takes too long names the process that holds the lock', async () => {
  const folder = dataFolder()
  const hold = (await holdFolder(folder, 'serving'))!
  await assert.rejects(
    waitForFolder(folder, 'serving', 0.2),
    new RegExp(
      `The lock ${folder}/serving.lock was not released within 0.2 seconds. It is held by process ${process.pid} `,
    ),
  )
  await hold.release()
})

test('a step of another user cannot take the lock, nor keep the service from it', async () => {
  const folder = dataFolder()
  await (await holdFolder(folder, 'serving'))!.release()
  const file = join(folder, 'serving.lock')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  if (users) {
    for (const wish of ['', '--shared']) {
      const { status, stderr } = spawnSync('/usr/bin/flock', [...(wish ? [wish] : []), '-n', file, 'true'], {
        uid: users.runner.uid,
        gid: users.runner.gid,
        encoding: 'utf8',
      })
      assert.notEqual(status, 0)
      assert.match(stderr, /Permission denied/)
    }
  }
  // The former mechanism: the abstract socket named after the folder.
  const name = createHash('sha256').update(`serving:${folder}`).digest('hex').slice(0, 32)
  const squatter = createServer()
  squatter.listen(`\0sluice-${name}`)
  await once(squatter, 'listening')
  const hold = await holdFolder(folder, 'serving')
  assert.ok(hold)
  await hold.release()
  squatter.close()
})

test('in a folder that is open to others, a lock file that another user has put there decides nothing', async t => {
  if (!users) return t.diagnostic('needs a second user: run as root')
  const folder = dataFolder()
  chmodSync(folder, 0o777)
  const file = join(folder, 'serving.lock')
  const theirs = { uid: users.runner.uid, gid: users.runner.gid }
  const ready = 'touch ready; exec sleep 600'
  for (const script of [
    `exec 9> serving.lock; flock -x 9; ${ready}`,
    `mkdir serving.lock; ${ready}`,
    `ln -s /etc/passwd serving.lock; ${ready}`,
  ]) {
    const step = spawn('/bin/sh', ['-c', script], { ...theirs, cwd: folder, stdio: 'ignore' })
    while (!existsSync(join(folder, 'ready'))) await new Promise(resolve => setImmediate(resolve))
    const hold = await holdFolder(folder, 'serving')
    assert.ok(hold, script)
    assert.equal(statSync(file).uid, 0)
    await hold.release()
    await killed(step)
    rmSync(join(folder, 'ready'))
    rmSync(file)
  }
})

test('a lock file that was open to others is closed to them', async () => {
  const folder = dataFolder()
  writeFileSync(join(folder, 'serving.lock'), '', { mode: 0o666 })
  chmodSync(join(folder, 'serving.lock'), 0o666)
  if (users) chownSync(join(folder, 'serving.lock'), 0, 0)
  const hold = await holdFolder(folder, 'serving')
  assert.equal(statSync(join(folder, 'serving.lock')).mode & 0o777, 0o600)
  await hold!.release()
})
