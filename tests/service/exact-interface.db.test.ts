import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCsv } from '../contract/csv.ts'
import type { Client } from '../support/api.ts'
import { startTestService, type TestRule, type TestService } from '../support/service.ts'
import { makeSpecifiedRecords, type Specimen, specimensOf } from './specified-records.ts'

/** Details of the interface, each from a client's side. */

let service: TestService
let admin: Client
let specimens: Readonly<Record<string, Specimen>>

const bank = '/api/projects/bank'
const front = `${bank}/environments/live/assets/front`

before(async () => {
  const robot = '/projects/bank/agents/helper'
  const guard = [
    { path: robot, read: true },
    { path: `${robot}/properties`, read: false },
  ]
  service = await startTestService({ users: { guard, tester: [{ path: '/projects/bank', read: true }] } })
  admin = service.as('admin')
  await makeSpecifiedRecords(service)
  specimens = await specimensOf(service)
})
after(() => service.stop())

interface Found {
  readonly id: string
  readonly type: string
  readonly attributes: Record<string, unknown>
  readonly links?: Record<string, string>
  readonly relationships?: Record<string, { links?: Record<string, string> }>
}

const found = async (path: string): Promise<Found[]> => {
  const { status, body, text } = await admin.get(path)
  assert.ok(status === 200 || status === 206, `${path}: ${text}`)
  return [body.data].flat()
}

const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id)

/** Links in responses at these paths that lead nowhere. */
async function astray(client: Client, paths: readonly string[], least: number): Promise<string[]> {
  const asked = new Map<string, string>()
  const lead = (from: string, links: Record<string, string> | undefined) => {
    for (const [name, link] of Object.entries(links ?? {}))
      if (link.startsWith('/')) asked.set(link, `${name} at ${from}`)
  }
  for (const path of paths) {
    const { body, status } = await client.get(path)
    if (status >= 400) continue
    for (const record of [...[body.data].flat(), ...(body.included ?? [])] as Found[]) {
      lead(path, record.links)
      for (const each of Object.values(record.relationships ?? {})) lead(path, each.links)
    }
  }
  assert.ok(asked.size >= least, `${asked.size} links`)
  const lost: string[] = []
  for (const [link, from] of asked) {
    const { status } = await client.get(link)
    if (status !== 200 && status !== 206) lost.push(`${from}: ${link} is ${status}`)
  }
  return lost
}

const everywhere = () =>
  Object.values(specimens).flatMap(({ show, list }) =>
    list ? [show, `${list}${list.includes('?') ? '&' : '?'}limit=20`] : [show],
  )

test('every link of every kind of record leads somewhere', async () => {
  assert.deepEqual(await astray(admin, [...new Set(everywhere())], 100), [])
})

test('whoever may read an agent alone gets no link that is closed to them', async () => {
  const robot = `${bank}/agents/helper`
  const at = ['', '/bookmarks', '/status', '/node_background_tasks', '/version_history'].map(each => robot + each)
  assert.deepEqual(await astray(service.as('guard'), [...at, '/api/agents', '/api/events?limit=100'], 5), [])
  const { links } = (await service.as('guard').get(robot)).body.data
  assert.deepEqual(Object.keys(links), ['self', 'bookmarks', 'node_background_tasks', 'version_history'])
})

test('converge_date without an offset is UTC, as in filters', async () => {
  const { body } = await admin.get(front)
  const after = new Date(Date.parse(body.data.attributes.created_at) + 1_000)
  while (Date.now() < after.getTime() + 50) await admin.get('/api/me')
  const zoned = await admin.get(`${front}/converged_properties?converge_date=${after.toISOString()}`)
  const unzoned = await admin.get(`${front}/converged_properties?converge_date=${after.toISOString().slice(0, -1)}`)
  assert.deepEqual([zoned.status, unzoned.status], [200, 200], unzoned.text)
  assert.deepEqual(unzoned.body.data.attributes, zoned.body.data.attributes)
  const early = await admin.get(`${front}/converged_settings?converge_date=2020-01-01T00:00:00`)
  assert.match(early.body.errors[0].detail, /before that there is nothing to converge/)
})

test('CSV with a limit has the records that the list has with it, oldest first', async () => {
  for (const query of [
    '/api/events?limit=3',
    '/api/events?limit=4&filter[sorts]=type asc',
    '/api/events?limit=5&filter[sorts]=created_at asc',
    '/api/projects?limit=1',
    '/api/assets?limit=1&filter[sorts]=name desc',
    '/api/steps?limit=2',
    '/api/log_lines?limit=2',
  ]) {
    const list = await admin.get(query)
    const file = await admin.get(`${query}&download=it.csv`)
    const [, ...rows] = readCsv(file.text)
    assert.deepEqual(rows.map(([id]) => id).sort(), ids(list.body.data).sort(), query)
    assert.equal(file.status, list.status, query)
    const times = (await found(query)).map(({ attributes }) => attributes['created_at'] as string)
    const [columns = []] = readCsv(file.text)
    const at = columns.indexOf('created_at')
    if (at > 0)
      assert.deepEqual(
        rows.map(row => row[at]),
        times.toSorted(),
        query,
      )
  }
  const page = (await admin.get('/api/events?limit=3')).body
  const next = await admin.get(`${page.links.next}&download=it.csv`)
  const [, ...rows] = readCsv(next.text)
  assert.deepEqual(
    rows.map(([id]) => id),
    ids((await admin.get(page.links.next)).body.data),
  )
})

test('the overview of properties is a list: filtered, sorted, limited, with the meta of a list', async () => {
  const path = `${front}/properties_history`
  const { body } = await admin.get(path)
  assert.deepEqual(body.meta, { authorisations: { update: true, delete: true }, partial_response: false })
  const types = body.data.map(({ type }: Found) => type)
  assert.deepEqual(types, ['project', 'environment', 'template', 'template_version', 'asset'])
  assert.deepEqual(
    body.data.map(({ attributes }: Found) => attributes['level']),
    [0, 1, 2, 3, 4],
  )
  assert.deepEqual(ids(await found(`${path}?filter[code_eq]=live`)), [body.data[1].id])
  assert.deepEqual(ids(await found(`${path}?filter[level_gteq]=3&filter[sorts]=level desc`)), [
    body.data[4].id,
    body.data[3].id,
  ])
  const cut = await admin.get(`${path}?limit=2`)
  assert.deepEqual(
    [cut.status, cut.body.meta.partial_response, ids(cut.body.data)],
    [206, true, ids(body.data.slice(0, 2))],
  )
  assert.deepEqual(ids((await admin.get(cut.body.links.next)).body.data), ids(body.data.slice(2, 4)))
  const narrow = await found(`${path}?fields[asset]=level&filter[code_eq]=front`)
  assert.deepEqual(
    narrow.map(({ attributes }) => attributes),
    [{ level: 4 }],
  )
  assert.equal((await admin.get(`${path}?filter[colour_eq]=red`)).status, 400)
})

test('the overview of properties names no layer that the caller may not read', async () => {
  const of = async (name: string, rules: readonly TestRule[], query = '') => {
    await service.addUser(name, rules)
    const { status, body, text } = await service.as(name).get(`${front}/properties_history${query}`)
    assert.equal(status, 200, text)
    return { types: body.data.map(({ type }: Found) => type), text }
  }
  const own = { path: '/projects/bank/environments/live/assets/front', read: true }
  const narrow = await of('narrow', [own])
  assert.deepEqual(narrow.types, ['asset'])
  assert.doesNotMatch(narrow.text, /"(code|name)":"(bank|live|tree)"/i)
  assert.deepEqual((await of('searching', [own], '?filter[code_eq]=live')).types, [])
  const all = { path: '/projects/bank', read: true }
  const without = (path: string) => ({ path: `/projects/bank${path}`, read: false })
  assert.deepEqual((await of('no-template', [all, without('/templates')])).types, ['project', 'environment', 'asset'])
  assert.deepEqual((await of('no-project', [all, without('/properties')])).types, [
    'environment',
    'template',
    'template_version',
    'asset',
  ])
  assert.deepEqual((await of('no-environment', [all, without('/environments/live/properties')])).types, [
    'project',
    'template',
    'template_version',
    'asset',
  ])
})

test('events are sorted by name, parent_code and parent_node_type', async () => {
  for (const attribute of ['name', 'parent_code', 'parent_node_type'])
    for (const direction of ['asc', 'desc']) {
      const values = (await found(`/api/events?limit=1000&filter[sorts]=${attribute} ${direction}`)).map(
        each => each.attributes[attribute] as string | undefined,
      )
      const there = values.filter(value => value !== undefined)
      assert.ok(new Set(there).size > 1, attribute)
      const sorted = there.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      assert.deepEqual(there, direction === 'asc' ? sorted : sorted.toReversed())
      const absent = values.length - there.length
      const atEnd = direction === 'asc' ? values.slice(there.length) : values.slice(0, absent)
      assert.ok(atEnd.every(value => value === undefined))
      const [first, second] = [2, 2].map(limit => `/api/events?limit=${limit}&filter[sorts]=${attribute} ${direction}`)
      const page = await admin.get(first!)
      const next = await admin.get(page.body.links.next)
      const four = await found(`/api/events?limit=4&filter[sorts]=${attribute} ${direction}`)
      assert.deepEqual([...ids(page.body.data), ...ids(next.body.data)], ids(four), second)
    }
})

test('each version of the properties of a template, and of its versions, names the template versions', async () => {
  for (const [owner, names] of [
    [`${bank}/templates/tree`, ['1']],
    [`${bank}/templates/tree/versions/1`, ['1']],
    [front, undefined],
  ] as const) {
    const { relationships } = (await admin.get(owner)).body.data
    const id = relationships.properties.data.id
    const versions = (await admin.get(`/api/properties_versions?properties_id=${id}`)).body.data
    assert.ok(versions.length > 0)
    const own = await admin.get(`/api/properties_versions/${versions[0].id}`)
    for (const { meta } of [...versions, own.body.data]) {
      const told = meta?.template_versions
      assert.deepEqual(told && Object.keys(told), names, owner)
      if (told) assert.equal((await found(`${bank}/templates/tree/versions/1`))[0]?.id, told['1'])
    }
  }
})

test('times with more digits than microseconds are cut and taken, in filters, bodies and dates', async () => {
  const { data } = (await admin.get(bank)).body
  const at = String(data.attributes.created_at).slice(0, -1)
  for (const more of ['9', '999', '000000001']) {
    assert.deepEqual(ids(await found(`/api/projects?filter[created_at_eq]=${at}${more}Z`)), [data.id])
    const description = `token ${more}`
    const token = await admin.post('/api/tokens', { description, expires_at: `2099-12-31T23:59:59.999999${more}Z` })
    assert.equal(token.status, 201, token.text)
    assert.equal(token.body.data.attributes.expires_at, '2099-12-31T23:59:59.999999Z')
    const run_at = `2099-01-01T00:00:00.123456${more}Z`
    const schedule = await admin.post(`${front}/scheduled_activities`, { action: 'work', run_at })
    assert.equal(schedule.body.data?.attributes.run_at, '2099-01-01T00:00:00.123456Z', schedule.text)
    const converged = await admin.get(`${front}/converged_properties?converge_date=2099-01-01T00:00:00.123456${more}Z`)
    assert.equal(converged.status, 200, converged.text)
  }
})

test('a + that was not escaped in a time is named as what is wrong', async () => {
  for (const query of [
    '/api/projects?filter[created_at_gt]=2026-01-01T00:00:00+02:00',
    '/api/events?filter[created_at_lt]=2026-01-01T00:00:00.5+02:00',
    `${front}/converged_settings?converge_date=2026-01-01T00:00:00+02:00`,
  ]) {
    const { status, body } = await admin.get(query)
    assert.ok(status === 400 || status === 422)
    assert.match(body.errors[0].detail, /%2B/, query)
  }
  const other = await admin.get('/api/projects?filter[created_at_gt]=yesterday')
  assert.doesNotMatch(other.body.errors[0].detail, /%2B/)
})

test('links of a list are percent-encoded, and lead on', async () => {
  const query = `/api/events?limit=1&filter[type_in][]=api:projects:create&filter[type_in][]=api:nodes:create&fields[event]=type,name`
  const { body } = await admin.get(query)
  for (const link of [body.links.self, body.links.next]) {
    assert.match(link, /^[\w\-.~!$&'()*+,;=:@/?%]+$/)
    assert.doesNotMatch(link, /%(?![0-9A-F]{2})/)
  }
  assert.equal((await admin.get(body.links.next)).body.data.length, 1)
})

test('PATCH without a body is 400, as with {}', async () => {
  const { relationships } = (await admin.get(bank)).body.data
  for (const path of [bank, front, `/api/settings/${relationships.settings.data.id}`, `${bank}/workflows/release`])
    for (const raw of ['', '{}']) {
      const { status, body } = await admin.send('PATCH', path, { raw })
      assert.equal(status, 400, `${path} ${raw}`)
      assert.equal(body.errors[0].code, 'malformed-envelope')
    }
})

test('a JSON:API envelope sent as merge patch is refused, and a document that only looks a little like one is not', async () => {
  const { relationships } = (await admin.get(front)).body.data
  const path = `/api/properties/${relationships.properties.data.id}`
  const headers = { 'content-type': 'application/merge-patch+json' }
  const before = (await admin.get(path)).body.data
  for (const envelope of [
    { data: { attributes: { colour: 'red' } } },
    { data: { type: 'properties', id: before.id, attributes: { data: { colour: 'red' } } } },
    { data: { type: 'properties' }, meta: {} },
  ]) {
    const { status, body } = await admin.send('PATCH', path, { raw: JSON.stringify(envelope), headers })
    assert.equal(status, 400)
    assert.match(body.errors[0].detail, /envelope/)
  }
  assert.deepEqual((await admin.get(path)).body.data.attributes, before.attributes)
  const patch = { data: { colour: 'red' }, other: null }
  assert.equal((await admin.send('PATCH', path, { raw: JSON.stringify(patch), headers })).status, 200)
})
