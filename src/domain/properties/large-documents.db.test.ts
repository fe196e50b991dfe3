import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '#platform/db/sql.ts'
import { type JsonObject, textOf } from '#platform/documents/document.ts'
import type { Domain } from '#platform/domain.ts'
import { type Answer, startTestApi } from '../../../tests/support/api.ts'
import { rightsTo, superuserRights } from '../../../tests/support/rights.ts'
import { nodesDomain } from '../nodes/index.ts'
import { settingsDomain } from '../settings/index.ts'
import { propertiesDomain } from './index.ts'
import { mergeLayers } from './merge.ts'

/** Domain without its extensions of templates, which do not exist in this test. */
const withoutTemplates = (domain: Domain): Domain => {
  const { template: _, template_version: __, ...ofNodes } = domain.extends ?? {}
  return { ...domain, extends: ofNodes }
}

const api = await startTestApi({
  domains: async parts => {
    const settings = settingsDomain({ keyring: parts.keyring, overrides: {} })
    await settings.start(parts)
    const properties = propertiesDomain({ keyring: parts.keyring, record: parts.record, settings: settings.reader })
    const others = [withoutTemplates(settings.domain), withoutTemplates(properties.domain)]
    return [nodesDomain({ others }), ...others]
  },
  users: { admin: superuserRights, operator: rightsTo({ '/projects/bank/assets/web': ['read'] }) },
})
after(() => api.stop())
const admin = api.as('admin')

/** Half a megabyte, of which every other value is the layer's own. */
const large = (layer: string): JsonObject => ({
  only: { [layer]: '"quoted" \\ and ü' },
  hosts: Object.fromEntries(
    Array.from({ length: 5_000 }, (_, i) => [`host ${i % 2 ? layer : 'all'} ${i}`, { layer, text: `${i}`.padEnd(50) }]),
  ),
})

test('large documents converge to what small ones would, whole, narrowed, for who may read less, and in the past', async () => {
  await admin.post('/api/projects', { code: 'bank', name: 'Bank' })
  await admin.post('/api/projects/bank/assets', { code: 'web', name: 'Web' })
  const write = async (path: string, data: JsonObject) => {
    const { body } = await admin.get(path)
    const answer = await admin.patch(body.data.relationships.properties.links.related, { data })
    assert.equal(answer.status, 200, answer.text)
  }
  const web = '/api/projects/bank/assets/web'
  const [ofProject, ofAsset] = [large('project'), large('asset')]
  await write('/api/projects/bank', ofProject)
  await write(web, ofAsset)
  const path = `${web}/converged_properties`
  const expected = mergeLayers([{ data: ofProject }, { data: ofAsset }])

  const whole = await admin.get(path)
  assert.ok(whole.text.length > 1_000_000)
  assert.equal(textOf(whole.body.data.attributes.data), textOf(expected))
  const { by_property } = whole.body.data.meta.property_sources
  assert.deepEqual(by_property.only, { project: 'Project: Bank (bank)', asset: 'Asset: Web (web)' })
  assert.deepEqual(by_property.hosts['host all 0'], { layer: 'Asset: Web (web)', text: 'Asset: Web (web)' })
  assert.equal(by_property.hosts['host project 1'].text, 'Project: Bank (bank)')
  const included = whole.body.included.map((each: { attributes: { data: JsonObject } }) => textOf(each.attributes.data))
  assert.deepEqual(included, [textOf(ofProject), textOf(ofAsset)])
  const etag = whole.headers.get('etag')!
  const known = await admin.get(path, { 'if-none-match': etag })
  assert.deepEqual([known.status, known.text], [304, ''])
  // A response is taken back, and the next one is complete again.
  assert.equal((await admin.get(path)).text, whole.text)

  const narrow = await admin.get(`${path}?fields[converged_properties]=properties`)
  assert.deepEqual(narrow.body.data.attributes, {})
  assert.deepEqual(narrow.body.data.meta, whole.body.data.meta)
  assert.equal(narrow.body.data.relationships.properties.data.length, 2)
  const operator = await api.as('operator').get(path)
  assert.equal(textOf(operator.body.data.attributes.data), textOf(expected))
  assert.equal(operator.body.included.length, 1)

  const { at } = (await api.database.one(sql<{ at: string }>`select sluice_now() as at`))!
  await write(web, { only: {} })
  assert.deepEqual((await admin.get(path)).body.data.attributes.data.only, { project: '"quoted" \\ and ü' })
  const then = await admin.get(`${path}?converge_date=${encodeURIComponent(at)}`)
  assert.equal(textOf(then.body.data.attributes.data), textOf(expected))
})

test('many versions of a large document are pages by what they come to unpacked, and are not included all at once', async () => {
  await admin.post('/api/projects', { code: 'often', name: 'Often' })
  const { related } = (await admin.get('/api/projects/often')).body.data.relationships.properties.links
  // Four mebibytes each, which are stored as a few kilobytes.
  const text = 'x'.repeat(4 * 1024 * 1024)
  for (let number = 2; number <= 13; number++)
    assert.equal((await admin.patch(related, { data: { text, number } })).status, 200)
  const numbers: number[] = []
  let pages = 0
  for (let path: string | undefined = `${related}/versions`; path; pages++) {
    const { status, body, text: whole }: Answer = await admin.get(path)
    assert.ok(whole.length < 40 * 1024 * 1024, `a page of ${whole.length} bytes`)
    assert.equal(status, body.links.next ? 206 : 200)
    numbers.push(...body.data.map(({ attributes }: { attributes: { version: number } }) => attributes.version))
    path = body.links.next
  }
  assert.equal(pages, 2)
  assert.deepEqual(
    numbers,
    Array.from({ length: 13 }, (_, index) => 13 - index),
  )
  const included = await admin.get(`${related}?include=versions`)
  assert.deepEqual([included.status, included.body.errors[0].code], [400, 'too-many'])
  assert.deepEqual(included.body.errors[0].source, { parameter: 'include' })
  const plain = await admin.get(`${related}?include=versions&fields[properties_version]=version`)
  assert.deepEqual([plain.status, plain.body.included.length], [200, 13])
})

test('properties name a thousand of their versions, and tell that there are more', async () => {
  await admin.post('/api/projects', { code: 'stepwise', name: 'Stepwise' })
  const { related } = (await admin.get('/api/projects/stepwise')).body.data.relationships.properties.links
  const id = related.split('/').at(-1)
  await api.database.count(sql`
    insert into properties_versions (properties_id, version, data, data_sha, created_by, active_from, active_to)
    select properties_id, version + n, data, data_sha, created_by, active_from - n * interval '1 hour',
           active_from - n * interval '1 hour' + interval '1 minute'
      from properties_versions, generate_series(1, 1_200) n
     where properties_id = ${id}::uuid`)
  const { data, meta } = (await admin.get(related)).body.data.relationships.versions
  assert.deepEqual([data.length, meta], [1_000, { partial_response: true }])
})
