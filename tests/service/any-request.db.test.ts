import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type AnyRequest, type DocumentedOperation, requestOf } from '../support/any-request.ts'
import type { Answer, Client } from '../support/api.ts'
import { created } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { buildSide, codes, idsOf } from './two-sides.ts'

/**
 * Random requests to random operations, by several callers at once, succeed or are refused with a reason: none is a
 * bug, every response conforms to its document, and nothing is left half-done (`stop` checks the counters).
 * SLUICE_TEST_SEED selects other requests, SLUICE_TEST_REQUESTS more of them.
 */

const seed = Number(process.env['SLUICE_TEST_SEED'] ?? 20_261_122)
const count = Number(process.env['SLUICE_TEST_REQUESTS'] ?? 400)
const atOnce = 8

let service: TestService
let operations: readonly DocumentedOperation[]
let anyRequest: fc.Arbitrary<AnyRequest>
let ids: Record<string, string>
/** Ids of records of the nodes' own collections, by the collection's path. */
const ofNodes = new Map<string, string>()

before(async () => {
  const all = { read: true, update: true, execute: true, delete: true }
  const users = { 'the keeper of the orchard': [{ path: '/projects/orchard', ...all }] }
  service = await startTestService({ users })
  const expires_at = '2099-01-01T00:00:00Z'
  await created(service.as('the keeper of the orchard').post('/api/tokens', { description: 'x', expires_at }))
  await buildSide(service, 'orchard')
  ids = await idsOf(service, 'orchard')
  const { body } = await service.as('admin').get('/api/system_configuration')
  const system = body.data.relationships.settings.data.id
  assert.notEqual(ids['settings'], system)
  operations = Object.entries(service.openApi.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    )
    .filter(operation => isAsked(operation))
  for (const { path } of operations) await findRecord(path)
  const given = { document: service.openApi, known }
  const asked = operations.map(operation => ({ arbitrary: requestOf(operation, given), weight: weightOf(operation) }))
  anyRequest = fc.oneof(...asked)
})
after(() => service.stop())

/**
 * Streams do not end; and without the project, or with another key and password, all other requests would only get one
 * response.
 */
function isAsked(operation: DocumentedOperation & TestService['openApi']['paths'][string][string]): boolean {
  const { method, path, responses } = operation
  if (responses['200']?.content?.['text/event-stream']) return false
  if (method === 'DELETE') return !['/api/projects/{project_code}', '/api/users/{username}'].includes(path)
  return method === 'GET' || !/^\/api\/(users|tokens\/session|admin\/key_rotations)/.test(path)
}

/** Operations with a body have most possible faults; destroying ones leave fewer targets. */
const weightOf = ({ method, requestBody }: DocumentedOperation) => (requestBody ? 6 : method === 'DELETE' ? 1 : 2)

async function findRecord(path: string): Promise<void> {
  const collection = /^(.*\{.*)\/\{id\}/.exec(path)?.[1]
  if (collection === undefined || ofNodes.has(collection)) return
  const url = collection.replace(/\{(.+?)\}/g, (_, name) => encodeURIComponent(codes[name]!('orchard', '')))
  const [first] = (await service.as('admin').get(url)).body.data
  if (first) ofNodes.set(collection, first.id)
}

/** A request that probably succeeds. */
const attributes: Readonly<Record<string, string>> = {
  action: 'work',
  node_path: '/projects/orchard/environments/live/assets/front',
  parent_path: '/projects/orchard/environments/live/assets/front',
  template_code: 'tree',
  template_version: '1',
  git_remote_name: 'code',
  git_rev: 'main',
  cron_schedule: '@daily',
  time_zone: 'Europe/Berlin',
  workflow_code: 'routine',
  source_yaml: 'steps: [{ target: environments/live/assets/front, action: work }]',
}

function known(name: string, path: string): string | undefined {
  if (path === '') return Object.hasOwn(attributes, name) ? attributes[name] : undefined
  if (name !== 'id') return codes[name]?.('orchard', '')
  const collection = path.slice(0, path.indexOf('/{id}'))
  return ofNodes.get(collection) ?? ids[collection.split('/').at(-1)!]
}

async function wrongIn(client: Client, { method, url, headers, raw }: AnyRequest): Promise<string | undefined> {
  const told = `${method} ${url.slice(0, 400)} ${raw?.slice(0, 800) ?? ''}`
  try {
    const answer = await client.send(method, url, { headers, ...(raw !== undefined && { raw }) })
    return isClear(answer) ? undefined : `${told}\n  ${answer.status} ${answer.text.slice(0, 600)}`
  } catch (error) {
    return `${told}\n  ${error instanceof Error ? error.message.slice(0, 1_200) : error}`
  }
}

function isClear({ status, body }: Answer): boolean {
  if (status < 400) return true
  const errors: readonly { detail?: string }[] = body?.errors ?? []
  return status < 500 && errors.length > 0 && errors.every(({ detail = '' }) => detail.includes(' '))
}

for (const [at, who] of ['admin', 'the keeper of the orchard'].entries())
  test(`whatever ${who} asks is done or clearly refused`, async () => {
    const requests = fc.sample(anyRequest, { seed: seed + at, numRuns: count })
    const wrong: string[] = []
    const client = service.as(who)
    const asking = async () => {
      for (let next = requests.shift(); next; next = requests.shift()) {
        const found = await wrongIn(client, next)
        if (found !== undefined) wrong.push(found)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, asking))
    assert.deepEqual(wrong, [])
    const bugs = await service.as('admin').get('/api/events?filter[type_eq]=error:api:controller:unhandled')
    assert.deepEqual(bugs.body.data, [])
  })
