import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify, stripVTControlCharacters } from 'node:util'
import { waitForChange } from '../../client/sluice.ts'
import { webIn } from '../../examples/demo/organisation.ts'
import { processesNaming } from './process-table.ts'
import { type Installation, newInstallation } from './service-process.ts'

const demoProgram = join(import.meta.dirname, '../../examples/demo.ts')
let installation: Installation
/** Folder of the demo's releases of the shop; outside of the installation, set by properties. */
let home: string | undefined

before(async () => {
  installation = await newInstallation()
  await installation.start()
})
after(async () => {
  await installation.remove()
  if (home) rmSync(home, { recursive: true, force: true })
})

test('the demo loads its organisation, runs a change that succeeds and one that fails, and stops what it started', async () => {
  const output = await demo()
  assert.match(output, /✔ release {2}success, \d+\.\d s/)
  assert.match(output, /health-check \| Replica 1: GET http:\S+\/health answers 200 .*"release":1/)
  assert.match(output, /It answers: Work in progress: mind the gap/)
  assert.match(output, /✘ ask-for-a-missing-page {2}error, .*exit code 7/)
  assert.match(output, /■ announce {2}aborted/)
  assert.match(output, /api:changes:create +admin\n[\s\S]*api:changes:error /)
  assert.match(output, /Stopped process \d+/)
  home = /goes to (\S+)\/development\/releases/.exec(output)?.[1]
  assert.ok(home)
  assert.deepEqual(processesNaming(home), [])
})

test('the demo works a second time on the same data, and draws its tree in place on a terminal', async () => {
  const output = await demo({ terminal: true })
  assert.match(output, /answers 200 .*"release":2/)
  const [tree = ''] = output.slice(output.lastIndexOf('\x1b[J')).split('The change ended')
  assert.match(stripVTControlCharacters(tree), /^✔ stop {2}success, \d\.\d s\r\n/m)
})

test('the lines that the demo ends with work as they are printed', async () => {
  const output = await demo()
  assert.ok(!output.includes(installation.password))
  const lines = output.split('\n').filter(line => line.startsWith('  bin/sluice '))
  assert.equal(lines.length, 6)
  for (const line of lines) {
    const answer = execFileSync('bash', ['-euo', 'pipefail', '-c', line], {
      encoding: 'utf8',
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env['PATH'], HOME: installation.folder },
      input: `${installation.password}\n`,
    })
    assert.ok(answer !== '' || line.includes('login'), line)
  }
  const sluice = installation.asAdmin()
  const [released] = await sluice.list(`${webIn('staging')}/changes`)
  assert.equal((await waitForChange(sluice, String(released?.id))).attributes.status_code, 'success')
  const { id } = await sluice.create(`${webIn('staging')}/changes`, { action: 'stop' })
  assert.equal((await waitForChange(sluice, id)).attributes.status_code, 'success')
})

async function demo({ terminal = false } = {}): Promise<string> {
  const program = [process.execPath, demoProgram]
  // `script` gives a program a terminal of its own.
  const [command = '', ...args] = terminal ? ['script', '-qec', program.join(' '), '/dev/null'] : program
  const { stdout } = await promisify(execFile)(command, args, {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: installation.folder,
      SHELL: '/bin/sh',
      SLUICE_URL: installation.asAdmin().url,
      SLUICE_USER: 'admin',
      SLUICE_PASSWORD: installation.password,
      SLUICE_DEMO_FOLDER: join(installation.folder, 'demo'),
    },
  })
  return stdout
}
