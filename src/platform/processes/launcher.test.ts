import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { until } from '../../../client/sluice.ts'
import { Launcher, LauncherGone } from './launcher.adapter.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-launcher-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const launcher = new Launcher()
const shell = (script: string) => ({ program: '/bin/sh', args: ['-c', script], cwd: folder, env: { TOLD: 'so' } })
const fields = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
const parentOf = (pid: number) => Number(fields(pid)[1])
const sessionOf = (pid: number) => Number(fields(pid)[3])
const isAlive = (pid: number) => {
  try {
    return fields(pid)[0] !== 'Z'
  } catch {
    return false
  }
}

test('a program runs to its end, with its input, in its folder, and with no other environment', async () => {
  const end = await launcher.run({
    ...shell('cat; pwd; env | grep -v ^PWD= | grep -v ^_= | sort; exit 3'),
    input: 'in\n',
  })
  assert.deepEqual(end, { code: 3, output: `in\n${folder}\nTOLD=so` })
})

test('programs run beside each other', async () => {
  const pipe = join(folder, 'pipe')
  await launcher.run(shell(`mkfifo ${pipe}`))
  const ends = await Promise.all([launcher.run(shell(`cat ${pipe}`)), launcher.run(shell(`echo through > ${pipe}`))])
  assert.deepEqual(
    ends.map(({ output }) => output),
    ['through', ''],
  )
})

test('one that cannot be started is refused with its name', async () => {
  await assert.rejects(launcher.run({ ...shell(''), program: '/not/there' }), /\/not\/there ENOENT/)
  await assert.rejects(launcher.start({ ...shell(''), program: '/not/there' }, join(folder, 'none')), /ENOENT/)
})

test('one that is left to itself writes into its file, in a session of its own', async () => {
  const output = join(folder, 'output')
  writeFileSync(output, 'before\n')
  const pid = await launcher.start({ ...shell('cat; exec sleep 60'), input: 'a secret\n' }, output)
  try {
    assert.equal(sessionOf(pid), pid)
    await until(
      'what it wrote is in the file',
      async () => readFileSync(output, 'utf8'),
      text => text === 'before\na secret\n',
    )
  } finally {
    process.kill(pid, 'SIGKILL')
  }
})

test('when the launcher is killed, what waits is told, what was started lives, and the next one starts', async () => {
  const pid = await launcher.start(shell('exec sleep 60'), join(folder, 'lives'))
  try {
    const waiting = launcher.run(shell('exec sleep 60'))
    process.kill(parentOf(pid), 'SIGKILL')
    await assert.rejects(waiting, LauncherGone)
    assert.ok(isAlive(pid))
    assert.equal((await launcher.run(shell('echo again'))).output, 'again')
  } finally {
    process.kill(pid, 'SIGKILL')
  }
})

/** A separate process in which `Launcher` is defined. */
function otherProcess(text: string) {
  const program = join(mkdtempSync(join(folder, 'other-')), 'program.ts')
  const adapter = pathToFileURL(join(import.meta.dirname, 'launcher.adapter.ts')).href
  writeFileSync(program, `import { Launcher } from ${JSON.stringify(adapter)}\n${text}`)
  return spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
}

test('when its service is killed the launcher ends, and what it has started lives', async () => {
  const service = otherProcess(
    `const what = { program: '/bin/sh', args: ['-c', 'exec sleep 60'], cwd: '/', env: {} }
     console.log(await new Launcher().start(what, ${JSON.stringify(join(folder, 'orphan'))}))
     setInterval(() => {}, 1000)`,
  )
  const [line] = await once(createInterface({ input: service.stdout }), 'line')
  const pid = Number(line)
  try {
    const launcherPid = parentOf(pid)
    service.kill('SIGKILL')
    await until(
      'the launcher has ended',
      async () => isAlive(launcherPid),
      lives => !lives,
    )
    assert.ok(isAlive(pid))
  } finally {
    process.kill(pid, 'SIGKILL')
  }
})

test('it does not keep its process from ending', async () => {
  const brief = otherProcess(
    `console.log((await new Launcher().run({ program: '/bin/echo', args: ['done'], cwd: '/', env: {} })).output)`,
  )
  const [code] = await once(brief, 'close')
  assert.equal(code, 0)
})
