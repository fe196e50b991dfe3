import assert from 'node:assert/strict'
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { ensureSystemUsers } from '#platform/db/embedded/system-users.ts'
import { projectFolder } from '../../../../../tests/support/database-server.ts'
import { RunnerService } from '../../../../../tests/support/runner-service.ts'
import { type RunnerPrograms, removeOldPrograms, runnerPrograms, startsFrom } from './runner-programs.adapter.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-copy-'))
const service = new RunnerService({
  'actions.ts': "import { action } from '@sluice/actions'\naction('whoami', {}, step => step.exec('id', ['-un']))\n",
})
after(async () => {
  await service.tidy()
  rmSync(folder, { recursive: true, force: true })
})
const log = { info: () => {}, warn: () => {}, error: () => {} }

/** The programs below a folder that only this user can enter, as in a clone below /root. */
function closedClone(): string {
  const closed = join(folder, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  for (const part of ['runner', 'actions', 'json', 'protocol/runner-protocol.ts'])
    cpSync(join(projectFolder, part), join(closed, part), { recursive: true })
  symlinkSync(join(projectFolder, 'node_modules'), join(closed, 'node_modules'))
  return join(closed, 'runner')
}

test('the programs of the runners are laid out as JavaScript where the user of the steps reaches them, with all that they need', async () => {
  chmodSync(folder, 0o711)
  const users = await ensureSystemUsers()
  const runners = join(folder, 'runners')
  mkdirSync(runners, { mode: 0o711 })
  const clone = closedClone()
  // Root can run steps as another user; the closed clone is closed to that one only.
  const layOut = () => runnerPrograms(clone, runners, users?.runner, log)
  const [first, second] = (await Promise.all([layOut(), layOut()])) as [RunnerPrograms, RunnerPrograms]
  assert.deepEqual(first, second)
  assert.deepEqual(
    readdirSync(first.folder).filter(name => !/\.(js|pl)$/.test(name)),
    [],
  )
  await service.listen()
  service.spawn({ program: first, ...(users && { runAs: users.runner }) })
  const name = users?.runner.name ?? userInfo().username
  const { text } = await service.finish({ run: 'id -un; ls' })
  assert.deepEqual(text, [name, 'README.md', 'actions.ts'])
  const program = await service.finish({ bodies: [{ action: 'whoami', module: 'actions.ts' }] })
  assert.deepEqual(program.text, [name])
})

test('programs of another release go a week after the last runner started from them, and none of theirs is left', () => {
  const runners = join(folder, 'releases')
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  const made = (release: string, days: number) => {
    const programs: RunnerPrograms = { node: process.execPath, folder: join(runners, release, 'runner') }
    mkdirSync(programs.folder, { recursive: true })
    utimesSync(join(runners, release), daysAgo(days), daysAgo(days))
    return programs
  }
  const [old, running, recent, unfinished] = ['0', '1', '2', '3.417'].map(name => `programs-${'0'.repeat(15)}${name}`)
  made(old!, 8)
  made(recent!, 6)
  made(unfinished!, 8)
  const runner = join(runners, '01900000-0000-7000-8000-000000000000')
  mkdirSync(runner)
  startsFrom(made(running!, 30), runner)
  utimesSync(join(runners, running!), daysAgo(30), daysAgo(30))
  const programs = () => readdirSync(runners).filter(name => name.startsWith('programs-'))
  removeOldPrograms(runners)
  assert.deepEqual(programs(), [running, recent])
  rmSync(runner, { recursive: true })
  removeOldPrograms(runners)
  assert.deepEqual(programs(), [recent])
})

test('a sandbox that hides the data of the service shows the programs in it with what they import, and the folder of the steps', async () => {
  for (const behindLink of [false, true])
    await inHiddenData(behindLink, async ({ service, data, seen }) => {
      const { text } = await service.finish({ run: `ls ${data}; cat README.md` })
      assert.deepEqual(text.toSorted(), ['an example', ...seen].toSorted())
      const program = await service.finish({ bodies: [{ action: 'look', module: 'actions.ts' }] })
      assert.deepEqual([program.result.errorMessage, program.text.toSorted()], [null, seen.toSorted()])
    })
})

test('where steps are sandboxed as the service itself, the executor sees no more of its data than they do', async () => {
  await inHiddenData(false, async ({ service, data, seen }) => {
    const { result } = await service.finish({ run: 'echo kept > "$SLUICE_ARTEFACTS/kept"' })
    assert.deepEqual(
      result.artefacts.map(({ name }) => name),
      ['kept'],
    )
    const executors = service.processes().filter(({ pid }) => isExecutor(pid))
    assert.ok(executors.length > 0)
    for (const { pid } of executors) assert.deepEqual(readdirSync(`/proc/${pid}/root${data}`).sort(), seen.toSorted())
  })
})

test('a sandbox that hides the data of the service shows the Node that lies in it', async () => {
  await inHiddenData(
    false,
    async ({ service }) => {
      const { result, text } = await service.finish({ run: 'node --version; cat README.md' })
      assert.deepEqual([result.errorMessage, text], [null, [process.version, 'an example']])
    },
    data => {
      const node = join(data, 'app/bin/node')
      mkdirSync(dirname(node), { recursive: true })
      copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE)
      return node
    },
  )
})

function isExecutor(pid: number): boolean {
  const [program = '', file = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  return basename(program) === 'node' && basename(file) === 'executor.js'
}

type Hidden = { service: RunnerService; data: string; seen: string[] }

/** A runner as an ordinary user's service starts it: of the service's data its steps see what is `seen`. */
async function inHiddenData(
  behindLink: boolean,
  use: (hidden: Hidden) => Promise<void>,
  nodeIn: (data: string) => string = () => process.execPath,
): Promise<void> {
  const real = join(folder, `data-${behindLink}`)
  mkdirSync(real)
  writeFileSync(join(real, 'secret'), 'not for steps')
  const data = behindLink ? join(folder, 'link-to-data') : real
  if (behindLink) symlinkSync(real, data)
  const { folder: programs } = await runnerPrograms(join(projectFolder, 'runner'), data, undefined, log)
  const program = { node: nodeIn(data), folder: programs }
  const look = `import { action } from '@sluice/actions'\naction('look', {}, step => step.exec('ls', ['${data}']))\n`
  const service = new RunnerService({ 'actions.ts': look }, data)
  await service.listen()
  const runner = service.supervise({}, { sandbox: true, hide: [data], program })
  try {
    await use({ service, data, seen: [basename(dirname(programs)), basename(service.folder)] })
  } finally {
    runner.stop('the test is over')
    await runner.ended
    await service.tidy()
    rmSync(real, { recursive: true })
  }
}
