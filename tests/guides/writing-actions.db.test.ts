import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Client } from '../support/api.ts'
import { created, newAsset, often, ran, readyVersion, shop, taskWhen } from '../support/changes.ts'
import { projectFolder } from '../support/database-server.ts'
import { mailServer, type TestMailServer } from '../support/mail-server.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** The unchanged examples of the guide that send requests to the service, run by the whole service. */

const guide = readFileSync(join(projectFolder, 'docs/guides/writing-actions.md'), 'utf8')
const examples = guide
  .split('```ts\n')
  .slice(1)
  .map(each => each.split('```')[0]!)
const [, secrets = '', otherFiles = '', mail = '', ofProperties = '', ofModel = ''] = examples
const withoutImport = (text: string) => text.replace(/^import .*\n/, '')

/** Functions and programs that the examples call and leave to the reader. */
const actions = `
import { action, catalogue, properties } from '@sluice/actions'
const restart = (step, host) => step.log.info('restarting %s', host)
const plan = (step, name) => step.log.info('planning %s', name)
${secrets}
${otherFiles}
${mail}
${ofProperties}
${withoutImport(ofModel)}
`

let mails: TestMailServer
let service: TestService
let admin: Client
let asset: string

before(async () => {
  mails = await mailServer()
  const config = { smtpServer: mails.server, mailFrom: 'sluice@example.org' }
  service = await startTestService({ config })
  admin = service.as('admin')
  const inventory = await service.repository({ 'hosts.txt': 'web-1\n' })
  await shop(service, {
    'web/actions.yaml': 'actions:\n  deploy: { description: x, run: "true" }\n',
    'guide/actions.ts': actions,
    'guide/defaults.yaml': 'hosts: [web-1]\n',
    'guide/model.json.erb': '{"actions": [{"action": "grow", "description": "Grow it", "run": "true"}]}',
    'guide/bin/create-database': { program: '#!/bin/sh\nwc -c | tr -d " "\n' },
    'guide/bin/report': { program: '#!/bin/sh\necho all is well > "$1"\n' },
    'guide/bin/configure': { program: '#!/bin/sh\ncat "$1"\n' },
  })
  await created(admin.post('/api/projects/shop/git_remotes', { name: 'inventory', url: inventory.url }))
  const template = { code: 'guide', name: 'Guide', template_type: 'asset', git_remote_name: 'code' }
  await created(admin.post('/api/projects/shop/templates', template))
  await readyVersion(admin, '/api/projects/shop/templates/guide/versions/1.0', 'main')
  asset = await newAsset(admin, 'guided', { template_code: 'guide' })
})
after(async () => {
  await mails?.stop()
  await service?.stop()
})

test('the guide has six examples in TypeScript', () => {
  assert.equal(examples.length, 6)
})

test('the examples of actions that depend on the asset and on its model declare these', async () => {
  const { id } = await created(admin.post(`${asset}/models/generate`))
  await taskWhen(admin, `${asset}/node_background_tasks/${id}`, 'success')
  const names = async (): Promise<string[]> =>
    (await admin.get(`${asset}?fields[asset]=actions`)).body.data.attributes.actions.map(
      (each: { action: string }) => each.action,
    )
  const offered = await until('the file was asked again', names, found => found.includes('plan grow'), often)
  assert.deepEqual(offered.toSorted(), ['configure', 'create_database', 'grow', 'plan grow', 'report', 'restart web-1'])
})

test('the examples of bodies do what is said of them', async () => {
  mails.refuse = address => (address === 'ops@example.org' ? 'no such mailbox' : undefined)
  const expected: Readonly<Record<string, readonly (string | RegExp)[]>> = {
    create_database: ['40'],
    configure: [/^inventory at [0-9a-f]{40}$/, 'web-1'],
    report: ['warn: ops@example.org does not get it'],
    'restart web-1': ['restarting web-1'],
    'plan grow': ['planning grow'],
  }
  for (const [action, lines] of Object.entries(expected)) {
    const change = await ran(admin, asset, action)
    assert.deepEqual([change.attributes.status_code, change.attributes.error_message], ['success', null], action)
    const said: string[] = (await admin.get(`/api/changes/${change.id}/log_lines`)).body.data.map(
      (each: { attributes: { message: string } }) => each.attributes.message,
    )
    for (const line of lines)
      assert.ok(
        said.some(each => (typeof line === 'string' ? each === line : line.test(each))),
        `${action}: ${line} is not among ${JSON.stringify(said)}`,
      )
  }
  const [{ recipients, mail: got } = assert.fail('no mail came'), ...more] = mails.received
  assert.deepEqual([recipients, more], [['ann@example.org'], []])
  assert.match(got.subject ?? '', /^Report of [0-9a-f-]{36}$/)
  const [file] = got.attachments
  assert.deepEqual([file?.filename, String(Buffer.from(file!.content as ArrayBuffer))], ['report.txt', 'all is well\n'])
})
