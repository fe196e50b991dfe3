import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { personDn, startTestDirectory, type TestDirectory } from '../support/directory-server.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'
import { startTestVault, type TestVault } from '../support/vault-server.ts'
import { type CommandLine, newCommandLine, runProgram } from './command-line.ts'

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
  // Git of the service reads what the guide commits there.
  await chmod(cli.folder, 0o755)
  await mkdir(join(cli.folder, 'programs'))
  const program = join(cli.folder, 'programs/sluice')
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${cli.program}' "$@"\n`, { mode: 0o755 })
  path = `${join(cli.folder, 'programs')}:${process.env['PATH']}`
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

interface Step {
  readonly command: string
  /** As the guide shows it; … stands for anything. */
  readonly output: string
}

/** Runs the commands of a guide in one shell, one after the other, and compares what each shows. */
async function follow(guide: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const steps = stepsOf(await readFile(join(guides, guide), 'utf8'))
  assert.ok(steps.length >= 10)
  const script = steps.map(({ command }) => `${command}\nprintf '${mark}%d\n' "$?"`).join('\n')
  // A guide that waits for what does not come is ended before the test is, so that the command is told which did.
  const { stdout, stderr } = await runProgram('timeout', ['240', 'bash', '-uc', script], {
    cwd: cli.folder,
    env: { ...cli.env, ...env, PATH: path, SLUICE: service.address },
    input: `${passwordOf('admin')}\n`,
  })
  const shown = [...stdout.matchAll(new RegExp(`([^${mark}]*)${mark}(\\d+)\n`, 'g'))]
  for (const [i, { command, output }] of steps.entries()) {
    const [, text = '', status] = shown[i] ?? []
    assert.equal(status, '0', `$ ${command}\n${text}\nWhat was said besides:\n${stderr}`)
    assert.match(text, patternOf(output), `$ ${command}`)
  }
}

const mark = '\x1e'

/** Commands stand in blocks of the language console, behind `$ `; what is not a command is output of the one before. */
function stepsOf(guide: string): Step[] {
  const steps: { command: string; output: string }[] = []
  for (const [, block = ''] of guide.matchAll(/^```console\n(.*?)^```$/gms)) {
    let document: string | undefined
    for (const line of block.trimEnd().split('\n')) {
      const last = steps.at(-1)
      if (document !== undefined) {
        last!.command += `\n${line}`
        if (line === document) document = undefined
      } else if (line.startsWith('$ ')) {
        steps.push({ command: line.slice(2), output: '' })
        document = /<<'?(\w+)/.exec(line)?.[1]
      } else last!.output += `${line}\n`
    }
  }
  return steps
}

/**
 * `…` alone on a line is any lines or none, within a line any text. The gap between the columns of a table is as wide as
 * the longest record that the guide does not show.
 */
const patternOf = (output: string): RegExp =>
  new RegExp(
    `^${output
      .split('\n')
      .slice(0, -1)
      .map(line => (line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literal).join('.*')}\\n`))
      .join('')}$`,
  )

const literal = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/ {2,}/g, ' {2,}')
