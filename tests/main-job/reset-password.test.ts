import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect } from '../../client/sluice.ts'
import { runProgram } from '../cli/command-line.ts'
import { type Installation, newInstallation, type ServiceProcess } from './service-process.ts'

let installation: Installation
let service: ServiceProcess

before(async () => {
  installation = await newInstallation()
  service = await installation.start()
})
after(() => installation.remove())

async function reset(...user: string[]) {
  const { command, env } = installation.foreground()
  const [program = '', ...args] = command.split(' ')
  return runProgram(program, [...args, '--reset-password', ...user], {
    cwd: installation.folder,
    env: env as Record<string, string>,
  })
}

const passwordIn = (text: string) => /^ {2}(\S{20,}) {3}\(shown only now\)$/m.exec(text)?.[1] ?? ''

test('a lost password is reset on the host while the service runs, and the audit trail says so', async () => {
  const old = installation.asAdmin()
  const { status, stdout } = await reset()
  assert.equal(status, 0, stdout)
  await assert.rejects(old.show('/api/me'), /credentials are wrong/)
  const admin = connect(service.url, { user: 'admin', password: passwordIn(stdout) })
  assert.equal((await admin.show<{ username: string }>('/api/me')).attributes.username, 'admin')
  const query = { 'filter[type_eq]': 'audit:users:password_reset' }
  const [event] = await admin.list<Record<string, string>>('/api/events', query)
  assert.equal(event?.attributes['name'], 'admin')
  assert.ok(event?.attributes['host'] && event.attributes['system_user'])
})

test('it is reset of any local user, also where the service is stopped; of one that does not exist it says so', async () => {
  const first = await reset()
  const admin = connect(service.url, { user: 'admin', password: passwordIn(first.stdout) })
  await admin.create('/api/users', { username: 'ann', password: 'the first password of ann' })
  await service.stop()
  const { status, stdout } = await reset('ann')
  assert.equal(status, 0, stdout)
  const unknown = await reset('nobody-here')
  assert.deepEqual([unknown.status, passwordIn(unknown.stdout)], [1, ''])
  assert.match(unknown.stderr, /^There is no user nobody-here/)
  service = await installation.start()
  const ann = connect(service.url, { user: 'ann', password: passwordIn(stdout) })
  assert.equal((await ann.show<{ username: string }>('/api/me')).attributes.username, 'ann')
})
