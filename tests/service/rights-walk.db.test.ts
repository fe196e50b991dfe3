import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Answer, Client } from '../support/api.ts'
import { created } from '../support/changes.ts'
import { type Operation as Documented, startTestService, type TestService } from '../support/service.ts'
import { buildSide, codes, idsOf, type Side } from './two-sides.ts'

/**
 * Every route of the OpenAPI document × callers × their own, another's and a missing record. Commands have an If-Match
 * that never matches: callers with the rights get 412 before anything changes (404, 403, 412, 409, 422).
 */

interface Operation {
  readonly method: string
  readonly path: string
  readonly open: boolean
  /** Required query parameters of the route. */
  readonly required: readonly string[]
  /** A stream ends when its client has enough: requested by HEAD, which opens none. */
  readonly streams: boolean
}

let service: TestService
let operations: readonly Operation[]
let ids: Record<Side, Record<string, string>>

before(async () => {
  service = await startTestService({
    users: {
      'the keeper of the orchard': [
        { path: '/projects/orchard', read: true, update: true, execute: true, delete: true },
      ],
      'the keeper of the quarry': [{ path: '/projects/quarry', read: true, update: true, execute: true, delete: true }],
      nobody: [],
      blocked: [{ path: '/', read: true, update: true, execute: true, delete: true }],
    },
  })
  const admin = service.as('admin')
  await created(admin.post('/api/policy_assignments', { username: 'blocked', ...(await systemPolicy('blocked')) }))
  for (const side of ['orchard', 'quarry'] as const) {
    const expires_at = '2099-01-01T00:00:00Z'
    await created(service.as(`the keeper of the ${side}`).post('/api/tokens', { description: side, expires_at }))
  }
  await Promise.all([buildSide(service, 'orchard'), buildSide(service, 'quarry')])
  await created(service.as('admin').post('/api/admin/key_rotations', {}))
  ids = { orchard: await idsOf(service, 'orchard'), quarry: await idsOf(service, 'quarry') }
  operations = Object.entries(service.openApi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
  )
  assert.ok(operations.length > 150)
})
after(() => service.stop())

async function systemPolicy(name: string) {
  const { body } = await service.as('admin').get(`/api/authorisation_policies?filter[name_eq]=${name}`)
  return { authorisation_policy_id: body.data[0].id }
}

function operationOf(method: string, path: string, { security, parameters = [], responses }: Documented): Operation {
  const required = parameters.filter(each => each.in === 'query' && each.required).map(({ name }) => name)
  // A search needs one of several parameters.
  if (path.endsWith('/log/matches')) required.push('errors')
  const streams = responses['200']?.content?.['text/event-stream'] !== undefined
  return { method: method.toUpperCase(), path, open: security?.length === 0, required, streams }
}

const isAboutARecord = ({ path, required }: Operation) =>
  path.includes('{') || required.some(name => name.endsWith('_id'))

/** The path of a record of one side; undefined if there is none of that kind. */
async function urlOf(operation: Operation, side: Side): Promise<string | undefined> {
  let url = ''
  for (const part of operation.path.split('/').slice(1)) {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    const value = name === undefined ? part : name === 'id' ? await idIn(url, side) : codes[name]?.(side, url)
    if (value === undefined) {
      assert.equal(name, 'id', `say in two-sides.ts what stands for {${name}} of ${operation.path}`)
      return undefined
    }
    url += `/${encodeURIComponent(value)}`
  }
  return url + queryOf(operation, name => idOf(name.replace(/_id$/, ''), side))
}

async function idIn(collection: string, side: Side): Promise<string | undefined> {
  const name = collection.split('/').at(-1)!
  // A session belongs to one user, as a token does.
  if (/^\/api(\/tokens)?\/\w+$/.test(collection)) return idOf(name, side)
  return (await service.as('admin').get(collection)).body.data[0]?.id
}

function idOf(collection: string, side: Side): string {
  const id = ids[side][collection]
  assert.ok(id, `say in two-sides.ts which of the ${collection} belongs to whom`)
  return id
}

const nothing = '01900000-0000-7000-8000-00000000dead'

/** Path with a missing record in place of the one that determines its side. */
const urlOfNothing = (operation: Operation): string =>
  operation.path
    .replace('{project_code}', 'nowhere')
    .replace('{id}', nothing)
    .replace('{username}', 'no one')
    .replace(/\{(.+?)\}/g, (_, name) => codes[name]!('quarry', '')) + queryOf(operation)

/** @param idFor value of a parameter that names a record */
const queryOf = ({ required }: Operation, idFor: (name: string) => string = () => nothing) =>
  required.length === 0 ? '' : `?${required.map(name => `${name}=${plain[name] ?? idFor(name)}`).join('&')}`

/** Required parameters that name no record. */
const plain: Readonly<Record<string, string>> = {
  path: '/',
  node_path: '/projects/none',
  since: '1',
  right: 'read',
  pointer: '/repo_folder',
  git_remote_name: 'code',
  git_rev: 'main',
  action: 'work',
  query: 'work',
  errors: 'true',
}

function ask(client: Client, { method, streams }: Operation, url: string): Promise<Answer> {
  const never = { 'if-match': '"0"' }
  const bodiless = method === 'GET' || method === 'DELETE'
  return client.send(streams ? 'HEAD' : method, encodeURI(decodeURIComponent(url)), {
    ...(!bodiless && { attributes: {} }),
    ...(method !== 'GET' && { headers: never }),
  })
}

/** The refusal of a stream is a response like any other, with a body. */
async function refusal(client: Client, operation: Operation, url: string): Promise<Answer> {
  const answer = await ask(client, operation, url)
  const isRefused = operation.streams && answer.status === 404
  return isRefused ? ask(client, { ...operation, streams: false }, url) : answer
}

/** A response without its variable parts: the error's id, and the requested path. */
const saying = ({ status, text }: Answer) =>
  `${status} ${text.replaceAll(/"id":"[^"]*"/g, '"id":"…"').replaceAll(/_id=[-0-9a-f]{36}/g, '_id=…')}`

/** A list with the parent in a parameter is empty; with the parent in its path it does not exist. */
const isNothing = (operation: Operation, { status, body }: Answer) => {
  if (isFixed(operation)) return status === 403
  return status === 404 || (!operation.path.includes('{') && status === 200 && body.data.length === 0)
}

/** Requests all, a few at a time, and reports all faults. */
async function walk(chosen: readonly Operation[], look: (operation: Operation) => Promise<string | undefined>) {
  const waiting = [...chosen]
  const wrong: string[] = []
  const walker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const found = await look(next)
      if (found !== undefined) wrong.push(`${next.method} ${next.path}: ${found}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, walker))
  assert.deepEqual(wrong, [])
}

/**
 * Agents have no changes, so there is no list of them, and these do not run; only a step itself sends mail, for any
 * caller.
 */
const otherwise: Readonly<Record<string, number>> = {
  'GET /api/projects/{project_code}/agents/{agent_code}/changes': 404,
  'GET /api/projects/{project_code}/agents/{agent_code}/scheduled_activities': 404,
  'GET /api/projects/{project_code}/agents/{agent_code}/status/orchestrator_events': 409,
  'POST /api/steps/{id}/email': 403,
}
/** Commands detect that If-Match does not match; a view has none, and reports what is missing. */
const works = ({ status }: Answer, { method, path }: Operation) => {
  const expected = otherwise[`${method} ${path}`]
  return expected === undefined
    ? status < 300 || status === (/\/(impact|validate)$/.test(path) ? 422 : 412)
    : status === expected
}
/** If only the body names the record, an empty one is reported. */
const asksForMore = (operation: Operation, { status }: Answer) => !isAboutARecord(operation) && status === 422

test('the walk has a record of every kind on each side', async () => {
  for (const side of ['orchard', 'quarry'] as const)
    await walk(operations, async operation => ((await urlOf(operation, side)) === undefined ? 'no record' : undefined))
})

test('without credentials every route that is not open answers 401, whatever it is asked for', async () => {
  await walk(operations, async operation => {
    for (const url of [await urlOf(operation, 'orchard'), urlOfNothing(operation)]) {
      if (url === undefined) continue
      const answer = await ask(service.stranger, operation, url)
      if (answer.status !== (operation.open ? 200 : 401)) return `${url} ${saying(answer)}`
    }
    return undefined
  })
})

test('a superuser may do everything to everyone’s records', async () => {
  await walk(operations, async operation => {
    const url = await urlOf(operation, 'quarry')
    if (url === undefined) return undefined
    const answer = await ask(service.as('admin'), operation, url)
    return works(answer, operation) || asksForMore(operation, answer) ? undefined : `${url} ${saying(answer)}`
  })
})

/** Readers of users read groups, whatever their projects; and retention rules belong to the operators. */
const ofNoProject = /^\/api\/(groups|data_cleanup_definitions)\/\{id\}/
/** The existence of a fixed endpoint is no secret: a caller without the right gets 403. */
const isFixed = ({ path }: Operation) => path.startsWith('/api/admin/')

test('whoever has all rights on a project may do everything in it', async () => {
  const keeper = service.as('the keeper of the orchard')
  // Routes for superusers: other users, and assignments of policies.
  const above = new Set(['PATCH /api/users', 'DELETE /api/users/{username}'])
  await walk(operations.filter(isAboutARecord), async operation => {
    const url = await urlOf(operation, 'orchard')
    if (url === undefined) return undefined
    const answer = await ask(keeper, operation, url)
    if (ofNoProject.test(operation.path)) return answer.status === 404 ? undefined : saying(answer)
    if (isFixed(operation)) return answer.status === 403 ? undefined : saying(answer)
    if (above.has(`${operation.method} ${operation.path}`)) return answer.status === 403 ? undefined : saying(answer)
    return works(answer, operation) ? undefined : `${url} ${saying(answer)}`
  })
})

for (const who of ['the keeper of the orchard', 'nobody', 'blocked'])
  test(`to ${who} another’s record and one that never was are the same 404`, async () => {
    const client = service.as(who)
    await walk(operations.filter(isAboutARecord), async operation => {
      const never = await refusal(client, operation, urlOfNothing(operation))
      if (!isNothing(operation, never)) return `of nothing: ${saying(never)}`
      for (const side of who === 'the keeper of the orchard'
        ? (['quarry'] as const)
        : (['orchard', 'quarry'] as const)) {
        const url = await urlOf(operation, side)
        if (url === undefined) continue
        const answer = await refusal(client, operation, url)
        if (saying(answer) !== saying(never)) return `${url} ${saying(answer)}, of nothing ${saying(never)}`
      }
      return undefined
    })
  })

for (const who of ['the keeper of the orchard', 'nobody', 'blocked'])
  test(`what ${who} is answered holds no word of records that they may not read`, async () => {
    const hidden = who === 'the keeper of the orchard' ? ['quarry'] : ['orchard', 'quarry']
    const secret = hidden.flatMap(side => [side, ...Object.values(ids[side as Side])])
    await walk(
      operations.filter(operation => !isAboutARecord(operation)),
      async operation => {
        const answer = await ask(service.as(who), operation, operation.path + queryOf(operation))
        if (isFixed(operation) && answer.status !== 403) return saying(answer)
        const shown = secret.filter(word => answer.text.includes(word))
        if (shown.length > 0) return `shows ${shown.join(', ')}`
        const fine = operation.method === 'GET' ? [200, 206, 403] : [403, 404, 412, 422]
        return fine.includes(answer.status) ? undefined : saying(answer)
      },
    )
  })

test('what a body names, and its sender may not read, is told like what never was', async () => {
  const keeper = service.as('the keeper of the orchard')
  const named = (side: string, id: (collection: string) => string): [string, object][] => [
    ['/api/changes', { action: 'work', parent_path: `/projects/${side}/environments/live/assets/front` }],
    ['/api/secrets/encrypt', { node_path: `/projects/${side}`, path: 'db', key: 'password', value: 'long enough' }],
    ['/api/secrets/resolve', { node_path: `/projects/${side}`, reference: `secret://projects/${side}/db/password` }],
    [
      '/api/policy_rules',
      { authorisation_policy_id: id('authorisation_policies'), authorisation_rule_id: id('authorisation_rules') },
    ],
    ['/api/policy_assignments', { authorisation_policy_id: id('authorisation_policies'), username: 'nobody' }],
    ['/api/events', { type: 'note', node_path: `/projects/${side}` }],
    ['/api/compare_nodes', { node_path_a: `/projects/${side}`, node_path_b: `/projects/${side}` }],
    ['/api/events', { type: 'note', change_id: id('changes') }],
  ]
  const ofNothing = named('nowhere', () => nothing)
  for (const [at, [path, attributes]] of named('quarry', collection => idOf(collection, 'quarry')).entries()) {
    const foreign = await keeper.post(path, attributes)
    const never = await keeper.post(path, ofNothing[at]![1])
    assert.ok([403, 404].includes(foreign.status), `${path} ${foreign.text}`)
    assert.equal(saying(foreign), saying(never), path)
  }
})

test('no answer of the walk was a bug', async () => {
  const { body } = await service.as('admin').get('/api/events?filter[type_eq]=error:api:controller:unhandled')
  assert.deepEqual(body.data, [])
})
