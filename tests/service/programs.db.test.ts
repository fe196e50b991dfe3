import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import {
  created,
  ended,
  eventTypes,
  fetchedVersion,
  linesOf,
  often,
  ran,
  readyVersion,
  type Shop,
  type Shown,
  shop,
  stepAt,
} from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** Actions of programs, through the whole service: derived in a runner, run in a runner, never in the service. */

const program = (body: string) => `import { action, input, stage, wait } from '@sluice/actions'\n${body}\n`

const files = {
  'web/defaults.yaml': 'port: 80\nhosts: [a]\n',
  'web/actions.yaml': 'actions:\n  announce: { run: echo announced, needs: [check] }\n',
  'web/actions.ts': program(`
console.log('asked by', process.env['USER'], 'with', process.env['SLUICE_API_TOKEN'] || 'no token')
const check = action('check', {}, step => step.log.info('checked'))
const write = action('write', {}, step => {
  step.propertiesOf('asset')['port'] = Number(step.properties['port']) + 1
})
const read = action('read', {}, step => step.log.info(\`port \${step.properties['port']} of \${process.env['USER']}\`))
action('deploy', { description: 'Roll the release out', needs: [check], steps: [
  write, stage('Both', { runAs: 'parallel', steps: ['announce', read] }),
] }, step => step.exec('echo', ['$(not) a shell']))
action('fail', {}, () => { throw new Error('no disk left') })
action('keep', {}, async step => {
  await step.exec('sh', ['-c', 'echo fine > report.txt'])
  step.artefact('report.txt', { kind: 'report', 'of.part': 'web' })
  step.artefact('report.txt', {}, 'copy.txt')
  throw new Error('and then it fails')
})
`),
}

let service: TestService
let admin: Client
let made: Shop

before(async () => {
  service = await startTestService()
  admin = service.as('admin')
  made = await shop(service, files)
})
after(() => service.stop())

const versions = '/api/projects/shop/templates/web/versions'
const tasks = () =>
  service.database.rows(sql<{ id: string; status_code: string; attempt: number; error_message: string | null }>`
    select id, status_code, attempt, error_message from node_background_tasks order by request_number`)

test('a version is ready once a runner has asked its program what it declares', async () => {
  const [task, ...others] = await tasks()
  assert.deepEqual([task?.status_code, task?.attempt, task?.error_message, others], ['success', 1, null, []])
  const { body: log } = await admin.get(`/api/node_background_task_log_lines?node_background_task_id=${task!.id}`)
  assert.deepEqual(
    log.data.map(({ attributes }: Shown) => [attributes.category, attributes.message]),
    [
      ['stdout', `asked by ${process.getuid?.() === 0 ? 'sluice-run' : process.env['USER']} with no token`],
      ['runner', 'It has 7 actions.'],
    ],
  )
  const claims = await service.database.rows(sql`select from slot_claims where holder_kind = 'task'`)
  assert.deepEqual(claims, [])
  const { body } = await admin.get(`${made.asset}?fields[asset]=actions`)
  assert.deepEqual(
    body.data.attributes.actions.map((each: { action: string; pre_reqs: string[] }) => [each.action, each.pre_reqs]),
    [['deploy', ['check']]],
  )
})

test('a change runs its bodies in the runner, beside those of the actions.yaml', async () => {
  const change = await ran(admin, made.asset, 'deploy')
  assert.deepEqual([change.attributes.status_code, change.attributes.error_message], ['success', null])
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => [
    attributes.category,
    attributes.message,
  ])
  const user = process.getuid?.() === 0 ? 'sluice-run' : process.env['USER']
  for (const line of [
    ['action', 'checked'],
    ['stdout', '$(not) a shell'],
    ['stdout', 'announced'],
    ['action', `port 81 of ${user}`],
  ])
    assert.ok(
      lines.some(each => each.join() === line.join()),
      `${line} is not among ${JSON.stringify(lines)}`,
    )
})

test('a body that throws fails its step with what it threw, and where', async () => {
  const change = await ran(admin, made.asset, 'fail')
  assert.equal(change.attributes.status_code, 'error')
  const { attributes } = await stepAt(admin, change.id, 'fail')
  assert.match(attributes.error_message, /^web\/actions\.ts:\d+:\d+: no disk left$/)
  assert.ok((await eventTypes(admin, change.id)).includes('error:step:action'))
})

test('a body labels the files that it keeps, and lists are filtered by that; also when it fails later', async () => {
  const { id } = await ran(admin, made.asset, 'keep')
  const list = async (filters = '') =>
    (await admin.get(`/api/changes/${id}/artefacts?filter[sorts]=name${filters}`)).body.data.map(
      ({ attributes }: Shown) => attributes,
    )
  const labels = { kind: 'report', 'of.part': 'web' }
  assert.deepEqual(
    (await list()).map((each: { name: string; labels: object }) => [each.name, each.labels]),
    [
      ['copy.txt', {}],
      ['report.txt', labels],
    ],
  )
  for (const [filters, names] of [
    ['&filter[labels.kind_eq]=report&filter[labels.of.part_eq]=web', ['report.txt']],
    ['&filter[labels.kind_eq]=log', []],
    ['&filter[labels.kind_null]=1', ['copy.txt']],
    [`&filter[labels_eq]=${encodeURIComponent(JSON.stringify(labels))}`, ['report.txt']],
  ] as const)
    assert.deepEqual(
      (await list(filters)).map((each: { name: string }) => each.name),
      names,
      filters,
    )
})

test('a program may be written in JavaScript, under either name', async () => {
  for (const name of ['mjs', 'js']) {
    const body = `action('greet', { description: 'x' }, step => step.log.info('hello from ${name}'))`
    made.repository.commit({ [`web/actions.${name}`]: program(body) }, { branch: name })
    await readyVersion(admin, `${versions}/${name}`, name)
    const { id, attributes } = await ran(admin, made.asset, 'greet', { template_version: name })
    assert.deepEqual([attributes.status_code, attributes.error_message], ['success', null])
    const said = (await linesOf(admin, `/api/changes/${id}`)).map(line => line.attributes.message)
    assert.ok(said.includes(`hello from ${name}`), said.join('\n'))
  }
})

test('a program that cannot be loaded makes the version broken, with the place in it', async () => {
  const wrong = {
    syntax: ["action('a', {}, () => {\n  const = 1\n})", /^web\/actions\.ts:3:9: /],
    thrown: ["throw new Error('not today')", /^web\/actions\.ts:2:7: not today$/],
    exit: ['process.exit(0)', /^web\/actions\.ts:1:1: the action's process ended \(exit code 0\)/],
    unknown: [
      "action('a', { steps: ['stpo'] })\naction('stop', {}, () => {})",
      /^web\/actions\.ts:2:1: There is no action "stpo". Did you mean "stop"\?$/,
    ],
    twin: [
      "\naction('Announce', {}, () => {})",
      /^web\/actions\.ts:3:1: There is an action "announce" already at web\/actions\.yaml:2:3; /,
    ],
    none: ['', /^web\/actions\.ts:1:1: The program declares no action\.$/],
  } as const
  for (const [branch, [body]] of Object.entries(wrong)) {
    const announce = 'actions:\n  announce: { run: echo announced }\n'
    made.repository.commit({ 'web/actions.yaml': announce, 'web/actions.ts': program(body) }, { branch })
  }
  const found = await Promise.all(
    Object.keys(wrong).map(branch => fetchedVersion(admin, `${versions}/${branch}`, branch)),
  )
  for (const [i, [branch, [, error]]] of Object.entries(wrong).entries()) {
    assert.equal(found[i]!.attributes.state, 'broken', branch)
    assert.match(found[i]!.attributes.initialization_error, error, branch)
  }
})

test('two changes of an environment at a commit that nobody asked yet run what its program declares', async () => {
  made.repository.commit(
    {
      'actions.ts': program("action('greet', {}, step => step.log.info('from', (step.context['change'] as any).path))"),
    },
    { branch: 'root' },
  )
  const asked = { action: 'greet', git_remote_name: 'code', git_rev: 'root' }
  const path = '/api/projects/shop/environments/live'
  const both = await Promise.all([1, 2].map(() => created(admin.post(`${path}/changes`, asked))))
  for (const { id } of both) {
    const { attributes } = await ended(admin, id)
    assert.deepEqual([attributes.status_code, attributes.error_message], ['success', null])
    const lines = (await linesOf(admin, `/api/changes/${id}`)).map(({ attributes }) => attributes.message)
    assert.ok(lines.includes('from /projects/shop/environments/live'), lines.join('\n'))
  }
  made.repository.commit({ 'actions.ts': program("throw new Error('never')") }, { branch: 'bad' })
  const failed = await ran(admin, path, 'greet', { git_remote_name: 'code', git_rev: 'bad' })
  assert.equal(failed.attributes.status_code, 'error')
  assert.match(failed.attributes.error_message, /^actions\.ts:2:7: never$/)
})

test('what a lock file names is installed once for its commit: for asking the program, and not again for its steps', async () => {
  const dependencies = { greeting: 'file:greeting' }
  const packages = {
    '': { dependencies },
    greeting: { version: '1.0.0' },
    'node_modules/greeting': { resolved: 'greeting', link: true },
  }
  const about = { name: 'greeting', version: '1.0.0', type: 'module', exports: './index.js' }
  const greets = program("action('greet', { description: 'x' }, step => step.log.info(greeting))")
  made.repository.commit(
    {
      'package.json': JSON.stringify({ dependencies }),
      'package-lock.json': JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
      'greeting/package.json': JSON.stringify(about),
      'greeting/index.js': "export const greeting = 'Hello'\n",
      'web/actions.ts': `import { greeting } from 'greeting'\n${greets}`,
    },
    { branch: 'packaged' },
  )
  await readyVersion(admin, `${versions}/packaged`, 'packaged')
  const change = await ran(admin, made.asset, 'greet', { template_version: 'packaged' })
  assert.deepEqual([change.attributes.status_code, change.attributes.error_message], ['success', null])
  const task = (await tasks()).at(-1)!
  const { body } = await admin.get(`/api/node_background_task_log_lines?node_background_task_id=${task.id}`)
  const messages = (lines: readonly Shown[]): string[] => lines.map(({ attributes }) => attributes.message)
  assert.equal(messages(body.data).filter(line => line.startsWith('npm ci:')).length, 1)
  const said = messages(await linesOf(admin, `/api/changes/${change.id}`))
  assert.deepEqual([said.includes('Hello'), said.some(line => line.startsWith('npm ci:'))], [true, false])
})

async function maintenance(mode: string): Promise<void> {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const answer = await admin.patch(`/api/settings/${relationships.settings.data.id}`, {
    data: { maintenance_mode: mode },
  })
  assert.equal(answer.status, 200, answer.text)
}

test('deriving is held by maintenance, and begins when it ends', async () => {
  await maintenance('enabled')
  made.repository.commit({ 'web/actions.ts': program("action('later', {}, () => {})") }, { branch: 'later' })
  await admin.put(`${versions}/later`, { git_rev: 'later' })
  await until(
    'the task stands in line',
    tasks,
    all => all.some(({ status_code }) => status_code === 'initializing'),
    often,
  )
  assert.equal((await admin.get(`${versions}/later`)).body.data.attributes.state, 'initializing')
  await maintenance('disabled')
  assert.equal((await fetchedVersion(admin, `${versions}/later`, 'later')).attributes.state, 'ready')
})
