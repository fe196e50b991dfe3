import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { personDn, startTestDirectory, type TestDirectory } from '../support/directory-server.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { startTestVault, type TestVault } from '../support/vault-server.ts'
import { type CommandLine, newCommandLine } from './command-line.ts'
import { followGuide, pathWithSluice } from './follow-guide.ts'

const guides = join(import.meta.dirname, '../../docs/guides')
let service: TestService
let directory: TestDirectory
let vault: TestVault
let cli: CommandLine
let path: string

before(async () => {
  directory = await startTestDirectory()
  for (const name of ['ann', 'bob']) await directory.addPerson(name)
  await directory.addGroup('operators', [personDn('ann')])
  await directory.addGroup('auditors', [personDn('bob')])
  service = await startTestService({ config: { authorities: directory.authority } })
  vault = await startTestVault()
  cli = await newCommandLine()
  path = await pathWithSluice(cli)
})
after(async () => {
  await service.stop()
  await directory.tidy()
  await vault.stop()
  await cli.remove()
})

test('every command of the guide to the first automation does what the guide says', () => follow('first-automation.md'))

test('every command of the guide to the command line does what the guide says', () => follow('cli.md'))

test('every command of the guide to schedules does what the guide says', () => follow('schedules.md'))

test('every command of the guide to maintenance does what the guide says', () => follow('maintenance.md'))

test('every command of the guide to removing what is old does what the guide says', () => follow('data-cleaning.md'))

test('every command of the guide to the audit trail does what the guide says', () => follow('audit-trail.md'))

test('every command of the guide to configuration does what the guide says', () => follow('configuration.md'))

test('every command of the guide to templates and versions does what the guide says', () =>
  follow('templates-and-versions.md'))

test('every command of the guide to workflows does what the guide says', () => follow('workflows.md'))

test('every command of the guide to models does what the guide says', () => follow('models.md'))

test('every command of the guide to rights does what the guide says', () => follow('rights.md'))

test('every command of the guide to directories does what the guide says', () => {
  const { 'ldap.port': port, 'ldap.password': password } = directory.settings('starttls')
  return follow('ldap.md', { LDAP_PORT: String(port), LDAP_PASSWORD: String(password) })
})

test('every command of the guide to secrets does what the guide says', () =>
  follow('secrets.md', { VAULT_ADDRESS: vault.address, VAULT_TOKEN: vault.token }))

test('every command of the guide to waits and approvals does what the guide says', () =>
  follow('waits-and-approvals.md'))

const follow = (guide: string, env: Readonly<Record<string, string>> = {}) =>
  followGuide(cli, join(guides, guide), { ...env, PATH: path, SLUICE: service.address })
