import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newAsset, ran, shop } from '../support/changes.ts'
import { directoryPassword, personDn, startTestDirectory, type TestDirectory } from '../support/directory-server.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'
import { published } from '../support/workflows.ts'
import { type CommandLine, newCommandLine, runProgram, seen } from './command-line.ts'
import type { Ran } from './in-process.ts'

const actions = `
actions:
  hello: { description: x, run: echo hello }
  guarded:
    description: x
    steps:
      - { wait: Look at it, approvers: { user_names: [eve, fay] } }
      - hello
  asking:
    description: x
    steps:
      - { input: Say where, arguments: [{ name: where }, { name: how }] }
  keeping: { description: x, run: 'printf "\\\\377\\\\000bytes" >"$SLUICE_ARTEFACTS/a.bin"' }
`
const atLive = '/projects/shop/environments/live'
const front = `${atLive}/assets/front`

let service: TestService
let directory: TestDirectory
let cli: CommandLine

before(async () => {
  directory = await startTestDirectory()
  await directory.addPerson('ann')
  await directory.addGroup('operators', [personDn('ann')])
  const read = [{ path: '/projects/shop', read: true }]
  service = await startTestService({
    config: { authorities: directory.authority },
    users: { eve: read, fay: read },
  })
  await shop(service, { 'web/actions.yaml': actions, 'broken/actions.yaml': 'actions: { a: { description: 7 } }' })
  await newAsset(service.as('admin'), 'back')
  cli = await newCommandLine()
  const signedIn = await cli.run(['login', service.address, '--user', 'admin'], { input: `${passwordOf('admin')}\n` })
  assert.equal(signedIn.status, 0, signedIn.stderr)
})
after(async () => {
  await service.stop()
  await directory.tidy()
  await cli.remove()
})

const sluice = (...args: string[]): Promise<Ran> => cli.run(args)

async function output(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await sluice(...args)
  assert.deepEqual([status, stderr], [0, ''])
  return stdout
}

test('api writes what is not JSON byte for byte: a file, CSV, a live stream', async () => {
  const change = await ran(service.as('admin'), `/api${front}`, 'keeping')
  const [artefact] = (await service.as('admin').get(`/api/changes/${change.id}/artefacts`)).body.data
  const words = [process.execPath, cli.program, 'api', 'GET', `/artefacts/${artefact.id}/content`]
  const file = join(cli.folder, 'a.bin')
  const kept = await runProgram('sh', ['-c', `${words.join(' ')} >${file}`], { env: cli.env, cwd: cli.folder })
  assert.deepEqual([kept.status, kept.stderr], [0, ''])
  assert.deepEqual(await readFile(file), Buffer.from([0xff, 0, ...Buffer.from('bytes')]))

  const csv = await output('api', 'GET', '/projects?download=projects.csv')
  assert.match(csv, /^id,.*\r?\n.*shop/)
  const stream = await output('api', 'GET', `/changes/${change.id}/live`)
  assert.match(stream, /^event: /m)
})

test('bytes are not written to a terminal', async () => {
  const change = await ran(service.as('admin'), `/api${front}`, 'keeping')
  const [artefact] = (await service.as('admin').get(`/api/changes/${change.id}/artefacts`)).body.data
  const { status, stdout } = await cli.run(['api', 'GET', `/artefacts/${artefact.id}/content`], { terminal: true })
  assert.equal(status, 2)
  assert.match(stdout, /not text\. Redirect it to a file/)
})

test('a nickname of cron is a value and no file', async () => {
  const made = await output('create', 'scheduled_change', front, 'action=hello', 'cron_schedule=@daily')
  assert.match(made, /^cron_schedule +@daily$/m)
  const { status, stderr } = await sluice('create', 'project', 'code=x', 'name=@dailies')
  assert.equal(status, 2)
  assert.match(stderr, /Cannot read dailies.*@@/)
})

test('a template version is waited for: 0 once it is ready, 1 and the reason when it is broken', async () => {
  const ready = await output('create', 'template_version', 'shop', 'web', '2.0', 'git_rev=main', '--wait')
  assert.match(ready, /^state +ready$/m)
  const template = ['code=broken', 'name=Broken', 'template_type=asset', 'git_remote_name=code']
  await output('create', 'template', 'shop', ...template)
  const broken = await sluice('create', 'template_version', 'shop', 'broken', '1', 'git_rev=main', '--wait')
  assert.equal(broken.status, 1)
  assert.match(broken.stdout, /^state +broken$/m)
  assert.match(broken.stderr, /The template version is broken: broken\/actions\.yaml:1:\d+/)
})

test('create never replaces a template version, and update never creates one', async () => {
  const version = ['template_version', 'shop', 'web', '3.0', 'git_rev=main']
  const missing = await sluice('update', ...version)
  assert.deepEqual([missing.status, missing.stderr.includes('There is no such record yet')], [1, true])
  await output('create', ...version, 'locked=true', '--wait')
  const again = await sluice('create', ...version, 'locked=false')
  assert.deepEqual([again.status, again.stderr.includes('There is such a record already')], [1, true])
  assert.match(await output('show', 'template_version', 'shop', 'web', '3.0'), /^locked +true$/m)
  assert.match(await output('update', ...version, 'locked=false'), /^locked +false$/m)
})

test('a background task is waited for, however it was asked for', async () => {
  const task = await output('create', 'node_background_task', front, '--wait')
  assert.match(task, /^status_code +success$/m)
  const asked = await output('api', 'POST', `${front}/node_background_tasks`, '--wait', '-o', 'json')
  assert.equal(JSON.parse(asked).attributes.status_code, 'success')
  const { status, stderr } = await sluice('create', 'project', 'code=other', 'name=Other', '--wait')
  assert.deepEqual(
    [status, stderr],
    [2, '--wait cannot be used here: a project is complete as soon as it is written.\n'],
  )
  assert.equal((await sluice('show', 'project', 'other')).status, 1)
})

test('a refresh of the directory is waited for: 0 when it succeeded, 1 and the reason when it failed', async () => {
  const admin = service.as('admin')
  const settings = (await admin.get('/api/system_configuration')).body.data.relationships.settings.links.related
  assert.equal((await admin.patch(settings, { data: directory.settings('starttls') })).status, 200)
  assert.equal(await output('ldap', 'refresh', '--wait'), 'The refresh ended: success\n')
  const wrong = { ...directory.settings('starttls'), 'ldap.bind_dn': personDn('ann') }
  assert.equal((await admin.patch(settings, { data: wrong })).status, 200)
  assert.notEqual(directoryPassword('ann'), '')
  const failed = await sluice('ldap', 'refresh', '--wait')
  assert.equal(failed.status, 1)
  assert.match(failed.stdout, /^The refresh ended: error, ./)
})

test('a list of a project or an environment includes what lies beneath it, unless it is asked for --here', async () => {
  const assets = await output('list', 'assets', '/projects/shop', '--sort', 'code', '--columns', 'path')
  assert.deepEqual(assets.trim().split('\n').slice(1), [`${atLive}/assets/back`, front])
  const here = await sluice('list', 'assets', '/projects/shop', '--here')
  assert.equal(here.stdout, '')
  await ran(service.as('admin'), `/api${front}`, 'hello')
  for (const node of ['/projects/shop', atLive, front])
    assert.match(await output('changes', 'list', node, '--filter', 'action_eq=hello'), /hello/, node)
  const { status, stderr } = await sluice('list', 'assets', '/projects/shop', '--any', '--filter', 'code_eq=back')
  assert.equal(status, 2)
  assert.match(stderr, /--here/)
})

test('who waits for a change is told who has to approve which step, and by which command', async () => {
  let id = ''
  const { status, stdout } = await cli.run(['changes', 'create', front, 'guarded', '--wait'], {
    terminal: true,
    meanwhile: async running => {
      await seen(running, 'sluice steps approve')
      id = /sluice steps approve ([\w-]+)/.exec(running.shown())?.[1] ?? ''
      assert.equal((await service.as('eve').post(`/api/steps/${id}/approve`)).status, 200)
    },
  })
  assert.equal(status, 0, stdout)
  assert.match(
    stdout,
    /Waiting: guarded\/Look at it needs an approval by eve or fay\. Approve it: sluice steps approve [\w-]+/,
  )
})

test('who waits for a change is told which values a step asks for', async () => {
  const { status, stdout } = await cli.run(['changes', 'create', front, 'asking', '--wait'], {
    terminal: true,
    meanwhile: async running => {
      await seen(running, 'sluice steps continue')
      const step = /sluice steps continue ([\w-]+)/.exec(running.shown())?.[1] ?? ''
      const input_arguments = { where: 'here', how: 'so' }
      assert.equal((await service.as('admin').post(`/api/steps/${step}/continue`, { input_arguments })).status, 200)
    },
  })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /needs where, how\. Continue it: sluice steps continue [\w-]+ where=… how=…/)
})

test('who waits for a workflow run is told what waits beneath it', async () => {
  const admin = service.as('admin')
  await published(
    admin,
    'release',
    `steps:\n  - { target: environments/live/assets/front, action: guarded, name: it }\n`,
  )
  const { status, stdout } = await cli.run(['workflow-runs', 'create', 'shop', 'release', '--wait'], {
    terminal: true,
    meanwhile: async running => {
      await seen(running, 'sluice steps approve')
      const step = /sluice steps approve ([\w-]+)/.exec(running.shown())?.[1] ?? ''
      assert.equal((await service.as('fay').post(`/api/steps/${step}/approve`)).status, 200)
    },
  })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /Waiting: guarded\/Look at it needs an approval by eve or fay/)
})
