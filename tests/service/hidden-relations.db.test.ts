import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/db/sql.ts'
import type { Resource } from '../../src/platform/jsonapi/resource.ts'
import type { Client } from '../support/api.ts'
import { declaredResources } from '../support/declared-resources.ts'
import { mayByRule } from '../support/rights-oracle.ts'
import { startTestService, type TestRule, type TestService } from '../support/service.ts'
import { buildSide } from './two-sides.ts'

/**
 * Records that a caller may not read do not exist for them, wherever they are referred to: for each kind of record a
 * reader may read that one and nothing else.
 */

interface Identifier {
  readonly type: string
  readonly id: string
}
interface Related {
  readonly data: Identifier | Identifier[] | null
  readonly links?: Record<string, string>
}
interface Found extends Identifier {
  readonly relationships?: Record<string, Related>
  readonly links: Record<string, string>
}

let service: TestService
let admin: Client
let resources: Map<string, Resource>
let found: Map<string, Found[]>
/** Path of the right to read a record, by its id. */
let pathsOf: Map<string, string>
let policy: string
/** Types whose records have the ids of other records, and no relationships. */
const sharesIds = ['properties_history', 'settings_history']

before(async () => {
  service = await startTestService({ users: { reader: [{ path: '/projects/nowhere', read: true }] } })
  admin = service.as('admin')
  await buildSide(service, 'quarry')
  const { database } = service
  // None of their schedules was due.
  await database.count(sql`update changes set scheduled_activity_id = (select id from scheduled_activities)`)
  await database.count(sql`update workflow_runs set scheduled_activity_id = (select id from scheduled_activities)`)
  resources = new Map((await declaredResources(service)).map(each => [each.type, each]))
  found = await someOfEach()
  pathsOf = new Map()
  for (const { rights, type, id, from, where } of resources.values()) {
    if (!('path' in rights) || type.endsWith('log_line') || sharesIds.includes(type)) continue
    const rows = await database.rows(sql<{ id: string; path: string }>`
      select ${id} as id, ${rights.path} as path from ${from} where ${where ?? sql<boolean>`true`}`)
    for (const row of rows) pathsOf.set(row.id, row.path)
  }
  const mine = await admin.get('/api/authorisation_policies?filter[name_cont]=reader')
  policy = mine.body.data[0].id
})
after(() => service.stop())

/** Three records of each kind that can be shown, found through the links of earlier ones. */
async function someOfEach(): Promise<Map<string, Found[]>> {
  const some = new Map<string, Found[]>()
  const open = [...resources.values()].flatMap(({ lists }) => lists)
  const waiting = open.filter(
    ({ parent, parameters = {} }) => !parent && !Object.values(parameters).some(each => each.required),
  )
  const paths = waiting.map(({ path }) => path)
  const asked = new Set(paths)
  for (let path = paths.shift(); path; path = paths.shift()) {
    const { headers, text } = await admin.get(path)
    if (!headers.get('content-type')?.startsWith('application/vnd.api+json')) continue
    const { data = [] } = JSON.parse(text)
    for (const record of [data].flat() as Found[]) {
      const known = some.get(record.type) ?? []
      if (known.length === 3 || known.some(({ id }) => id === record.id)) continue
      if (record.links['self'] && resources.has(record.type)) some.set(record.type, [...known, record])
      const more = [record.links, ...Object.values(record.relationships ?? {}).map(({ links }) => links ?? {})]
      for (const link of more.flatMap(links => Object.values(links))) {
        if (asked.has(link)) continue
        asked.add(link)
        paths.push(link)
      }
    }
  }
  return some
}

const readerMay = async (...rules: TestRule[]) => {
  const authorisation_rules = rules.map(rule => ({ name: null, ...rule }))
  const { status, text } = await admin.put(`/api/authorisation_policies/${policy}/rules`, { authorisation_rules })
  assert.equal(status, 200, text)
}

/** The record alone, with and without everything below its path. */
const onlyThis = (path: string): TestRule[][] => [
  [{ path, read: true }],
  [
    { path, read: true },
    { path: `${path}/*`, read: false },
  ],
]

const unset = { update: null, execute: null, delete: null }
const mayRead = (rules: readonly TestRule[], { id }: { id: string }) => {
  const path = pathsOf.get(id)
  return (
    path === undefined ||
    mayByRule(
      rules.map(rule => ({ ...unset, read: rule.read ?? null, path: rule.path })),
      'read',
      path,
    )
  )
}

/** Expected responses for a user with these rules, who gets nothing else. */
function narrowed(whole: Record<string, Related>, rules: readonly TestRule[]): Record<string, Related> {
  const each = ([name, related]: [string, Related]): [string, Related] => {
    const { data } = related
    if (Array.isArray(data)) return [name, { ...related, data: data.filter(one => mayRead(rules, one)) }]
    return [name, !data || mayRead(rules, data) ? related : { data: null }]
  }
  return Object.fromEntries(Object.entries(whole).map(each))
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** `asset.template`: relationships that did not name another user's record to a user without the right. */
const hidden = new Set<string>()

test('whoever may read one record alone is named no other by it, shown or listed', async t => {
  const reader = service.as('reader')
  for (const [type, records] of found) {
    const resource = resources.get(type)!
    // The reader gets new rules each time.
    if (!('path' in resource.rights) || type === 'authorisation_rule' || sharesIds.includes(type)) continue
    await t.test(type, async () => {
      for (const { id, links } of records) {
        const self = links['self']!
        const whole = (await admin.get(self)).body.data.relationships ?? {}
        for (const rules of onlyThis(pathsOf.get(id)!)) {
          await readerMay(...rules)
          const shown = await reader.get(self)
          assert.equal(shown.status, 200, `${self}: ${shown.text}`)
          const wanted = narrowed(whole, rules)
          assert.deepEqual(shown.body.data.relationships ?? {}, wanted, self)
          for (const name of Object.keys(wanted))
            if (wanted[name]!.data === null && whole[name].data) hidden.add(`${type}.${name}`)
          const listed = await Promise.all(listsOfAll(resource).map(path => reader.get(`${path}?limit=100`)))
          for (const { body } of listed) {
            const { relationships = {} } = body.data.find((each: Found) => each.id === id)
            const names = Object.keys(wanted).filter(name => !resource.relationships![name]!.showOnly)
            assert.deepEqual(
              relationships,
              Object.fromEntries(names.map(name => [name, wanted[name]])),
              `list of ${type}`,
            )
          }
          for (const { text } of [shown, ...listed]) {
            const named = [...text.matchAll(uuids)].map(([id]) => ({ id }))
            assert.deepEqual(
              named.filter(each => !mayRead(rules, each)),
              [],
              self,
            )
          }
        }
      }
    })
  }
})

/** Lists without a parent, in which the reader might see nothing. */
const listsOfAll = ({ lists }: Resource) =>
  lists.filter(({ parent, parameters }) => !parent && !parameters).map(({ path }) => path)

test('every relationship to one record that may lie elsewhere was hidden from somebody', () => {
  const others = [...resources.values()].flatMap(({ type, relationships = {}, rights }) =>
    Object.entries(relationships)
      .filter(([, { kind, paths }]) => 'path' in rights && kind === 'one' && paths !== 'own')
      .map(([name]) => `${type}.${name}`),
  )
  assert.deepEqual([...hidden].sort(), others.sort())
})
