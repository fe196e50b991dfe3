import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { servingDatabase } from '../../src/main/serving-database.ts'
import { variables } from '../../src/main/variables.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type CommandLine, newCommandLine } from '../cli/command-line.ts'
import { followGuide, pathWithSluice } from '../cli/follow-guide.ts'
import { projectFolder, testServerUrl } from '../support/database-server.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'

/** The pages for operators: their commands and files. */

const pages = join(projectFolder, 'docs/operations')
const page = (name: string) => readFileSync(join(pages, name), 'utf8')
const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)

let service: TestService
let cli: CommandLine
let path: string

before(async () => {
  // As in production: neither the file protocol nor private addresses.
  service = await startTestService({ config: { gitProtocols: ['https', 'http', 'ssh', 'git'], privateAddresses: [] } })
  cli = await newCommandLine()
  path = await pathWithSluice(cli)
})
after(async () => {
  await service?.stop()
  await cli?.remove()
})

const follow = (name: string, fewest?: number) =>
  followGuide(cli, join(pages, name), { PATH: path, SLUICE: service.address }, fewest)

test('every command of the page on production does what the page says', () => follow('production.md', 5))

test('every command of the page on upgrades does what the page says', () => follow('upgrade.md', 6))

test('every command of the page on troubleshooting does what the page says', () => follow('troubleshooting.md'))

test('the database of the page on production is one that the service accepts, with a role that cannot touch events', async () => {
  const suffix = randomBytes(4).toString('hex')
  const [statements = ''] = blocks(page('production.md'), 'sql')
  const named = (name: string) => `${name}_${suffix}`
  const [owner, app, name] = [named('sluice_owner'), named('sluice_app'), named('sluice_database')]
  const renamed = statements
    .replaceAll('sluice_owner', owner)
    .replaceAll('sluice_app', app)
    .replace('create database sluice ', `create database ${name} `)
  const server = await testServerUrl()
  const urlOf = (user: string, password: string) => {
    const url = new URL(server)
    Object.assign(url, { username: user, password, pathname: `/${name}` })
    return url.href
  }
  try {
    await withClient(server, async admin => {
      for (const statement of renamed.split(';').filter(each => each.trim() !== '')) await admin.query(statement)
    })
    const [appUrl, ownerUrl] = [urlOf(app, 'app-password'), urlOf(owner, 'owner-password')]
    const config = { dataDir: '/nowhere', databaseUrl: appUrl, databaseDirectUrl: ownerUrl }
    const serving = await servingDatabase(config, undefined, () => {})
    await migrate({ ownerUrl, appUrl, release: '0.1.0', log: () => {} })
    await serving.stop()
    await withClient(appUrl, async client => {
      await assert.rejects(client.query('delete from events'), /permission denied/)
    })
  } finally {
    await withClient(server, async admin => {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.query(`drop role if exists ${owner}, ${app}`)
    })
  }
})

test('the files of the page on production name variables and programs that exist', () => {
  const [environment = '', unit = ''] = blocks(page('production.md'), 'ini')
  const known = new Set<string>(Object.keys(variables))
  const set = [...environment.matchAll(/^(\w+)=/gm), ...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, key]) => key!)
  assert.ok(set.length >= 4)
  assert.deepEqual(
    set.filter(key => !known.has(key)),
    [],
  )
  const [, program = ''] = /^ExecStart=\/opt\/sluice\/(\S+)$/m.exec(unit) ?? []
  assert.ok(existsSync(join(projectFolder, program)), program)
  // With any other mode systemd would kill the runners.
  assert.match(unit, /^KillMode=process$/m)
  if (!spawnSync('systemd-analyze', ['--version']).error) assertSystemdAccepts(unit)
})

function assertSystemdAccepts(unit: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-unit-'))
  try {
    const file = join(folder, 'sluice.service')
    writeFileSync(file, unit.replaceAll('/opt/sluice', projectFolder).replace('User=sluice', 'User=root'))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    const complaints = stderr.split('\n').filter(line => line.includes('sluice.service'))
    assert.deepEqual([status, complaints], [0, []], stderr)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
