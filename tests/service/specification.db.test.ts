import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { catalogue } from '../../src/domain/events/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { propertySources } from '../contract/specification/configuration.ts'
import { endpointTables } from '../contract/specification/endpoints.ts'
import { eventTables } from '../contract/specification/events.ts'
import { laterRecords } from '../contract/specification/later.ts'
import { namedFilters } from '../contract/specification/lists.ts'
import { actionObject, stageObject } from '../contract/specification/nodes.ts'
import { isOfKind, resourceTables } from '../contract/specification/rows.ts'
import type { ValueKind } from '../contract/specification/table.ts'
import { states } from '../contract/specification/templates.ts'
import { projectFolder } from '../support/database-server.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { judgeInterface, judgeLimits } from './judge-interface.ts'
import { judgeBodies, judgeGrammar } from './judge-lists.ts'
import { type Judged, judgeRecord } from './judge-record.ts'
import { judgeSettings } from './judge-settings.ts'
import { makeSpecifiedRecords, type Specimen, specimensOf } from './specified-records.ts'

/**
 * Every row of the specification's tables (`tests/contract/specification`) is checked on the assembled service over
 * HTTP: a row without a check fails.
 */

let service: TestService
let specimens: Readonly<Record<string, Specimen>>

before(async () => {
  service = await startTestService()
  await makeSpecifiedRecords(service)
  specimens = await specimensOf(service)
})
after(() => service.stop())

function settle(group: string, judged: Judged, say: (line: string) => void): void {
  const red = [...judged].filter(([, fault]) => fault !== undefined).map(([row, fault]) => `${row}: ${fault}`)
  say(`${group}: ${judged.size} rows, ${red.length} red`)
  assert.deepEqual(red, [], `${group} differs from the specification`)
}

for (const table of resourceTables)
  test(`${table.name} is as its table says`, async t => {
    const specimen = specimens[table.name]
    assert.ok(specimen, `say in specified-records.ts where a ${table.name} is`)
    settle(table.name, await judgeRecord(table, specimen, service.as('admin')), line => t.diagnostic(line))
  })

test('actions of an asset are action objects, and stages hold theirs', async () => {
  const { body } = await service.as('admin').get(specimens['asset']!.show)
  const wrong: string[] = []
  const look = (actions: readonly Record<string, unknown>[]): void => {
    for (const action of actions) {
      const wanted: Record<string, ValueKind> = action['stage_step']
        ? { ...actionObject, ...stageObject }
        : actionObject
      for (const [name, kind] of Object.entries(wanted))
        if (!isOfKind(action[name], kind)) wrong.push(`${action['full_path']}: ${name} is ${action[name]}`)
      const more = Object.keys(action).filter(name => !Object.hasOwn(wanted, name))
      if (more.length > 0) wrong.push(`${action['full_path']} has also ${more.join(', ')}`)
      look((action['children'] ?? []) as Record<string, unknown>[])
    }
  }
  look(body.data.attributes.actions)
  for (const { action, description } of body.data.attributes.actions)
    if (typeof action !== 'string' || typeof description !== 'string') wrong.push(`${action} is not named or described`)
  assert.deepEqual(wrong, [])
  assert.ok(body.data.attributes.actions.length > 1)
})

test('sources of properties have the specified forms, one at each leaf', async () => {
  const { body } = await service.as('admin').get(specimens['converged_properties']!.show)
  const { by_property } = body.data.meta.property_sources
  const forms = propertySources.map(form => new RegExp(`^${form.replace(/[()]/g, '\\$&').replaceAll('…', '.+')}$`))
  const used = new Set<string>()
  const look = (data: unknown, source: unknown, at: string): void => {
    if (typeof data === 'object' && data !== null && Object.keys(data).length > 0) {
      assert.deepEqual(Object.keys(source as object), Object.keys(data), at)
      for (const [key, value] of Object.entries(data))
        look(value, (source as Record<string, unknown>)[key], `${at}/${key}`)
      return
    }
    const form = propertySources[forms.findIndex(each => each.test(String(source)))]
    assert.ok(form, `${at}: ${source}`)
    used.add(form)
  }
  look(body.data.attributes.data, by_property, '')
  assert.deepEqual([...used].toSorted(), propertySources.filter(form => !form.startsWith('Agent')).toSorted())
})

test('the endpoints are those of the specification, and take its attributes and parameters', t => {
  settle('endpoints', judgeInterface(service.openApi), line => t.diagnostic(line))
})

test('every list has the limits of the specification', t => {
  settle('limits', judgeLimits(service.openApi), line => t.diagnostic(line))
})

test('lists take every predicate and refuse what is beyond their limits', async t => {
  settle('grammar', await judgeGrammar(service.as('admin')), line => t.diagnostic(line))
})

test('lists of records that this part completes have their named filters', async () => {
  const change = '00000000-0000-7000-8000-000000000000'
  for (const [path, names] of Object.entries(namedFilters))
    for (const name of names) {
      const values: Record<string, string> = { active_over: 'PT1H', under: '/projects/plain' }
      const value = name.startsWith('for_') ? change : (values[name] ?? 'true')
      const { status } = await service.as('admin').get(`${path}?filter[${name}]=${value}`)
      assert.equal(status, 200, `${path} ${name}`)
    }
})

test('10 001 bookmarks are answered as 100 by default, as 10 000 at most, and say that there are more', async () => {
  const { database } = service
  const extra = sql`insert into bookmarks (node_id, project_id, path, description, created_by)
                    select id, project_id, path, 'one of many', 'admin' from nodes, generate_series(1, 10001)
                     where path = '/projects/plain'`
  await database.count(extra)
  for (const [query, count] of [
    ['', 100],
    ['?limit=7', 7],
    ['?limit=99999', 10_000],
  ] as const) {
    const { status, body } = await service.as('admin').get(`/api/projects/plain/bookmarks${query}`)
    assert.deepEqual([status, body.data.length, body.meta.partial_response], [206, count, true])
  }
  await database.count(sql`delete from bookmarks where description = 'one of many'`)
})

test('bodies beyond the limits are refused', async t => {
  const documents = ['properties', 'settings'].map(name => specimens[name]!.show)
  settle('bodies', await judgeBodies(service.as('admin'), documents), line => t.diagnostic(line))
})

test('columns of states hold exactly the specified ones', async t => {
  const judged: Judged = new Map()
  for (const [place, values] of Object.entries(states)) {
    const [table = '', column = ''] = place.split('.')
    const checks = await service.database.rows(sql<{ says: string; of_its_type: boolean }>`
      select pg_get_constraintdef(c.oid) as says, c.contypid <> 0 as of_its_type
        from pg_constraint c
        left join pg_attribute a on a.atttypid = c.contypid and a.attrelid = ${table}::regclass and a.attname = ${column}
       where c.contype = 'c' and (c.conrelid = ${table}::regclass or a.attnum is not null)`)
    const ours = checks.filter(
      ({ says, of_its_type }) => of_its_type || new RegExp(`\\(\\(?"?${column}"?\\)?(::text)? = (any|ANY)`).test(says),
    )
    const stored = ours.flatMap(({ says }) => [...says.matchAll(/'([^']+)'/g)].map(([, value]) => value!))
    const fine = JSON.stringify([...new Set(stored)].toSorted()) === JSON.stringify([...values].toSorted())
    judged.set(place, fine ? undefined : `holds ${stored.join(', ') || 'anything'}`)
  }
  settle('states', judged, line => t.diagnostic(line))
})

test('the settings are those of the catalogue, each where it may stand', async t => {
  const admin = service.as('admin')
  const owners = {
    project: 'project',
    environment: 'environment',
    asset: 'asset',
    agent: 'agent',
    template: 'template',
    template_version: 'template_version',
    global: 'system_configuration',
  }
  const records: Record<string, string> = {}
  for (const [level, name] of Object.entries(owners)) {
    const { body } = await admin.get(specimens[name]!.show)
    records[level] = body.data.relationships.settings.links.related
  }
  settle('settings', await judgeSettings(admin, records), line => t.diagnostic(line))
})

test('the catalogue of events holds what the tables promise, throttled as they say, and nothing else', () => {
  const promised = eventTables.flatMap(({ types, throttled = {} }) =>
    types.map((type): [string, string | undefined] => [type, throttled[type]]),
  )
  const known = Object.entries(catalogue).map(([type, { throttle }]) => [type, throttle])
  assert.deepEqual(known.toSorted(), promised.toSorted())
})

test('every type of event is recorded in a test', async t => {
  const { body } = await service.as('admin').get('/api/events?limit=1000')
  const seen = new Set<string>(body.data.map((each: { attributes: { type: string } }) => each.attributes.type))
  const tests = globSync('{src,tests,cli}/**/*.test.ts', { cwd: projectFolder })
    .filter(file => !file.endsWith('specification.db.test.ts'))
    .map(file => ({ file, text: readFileSync(join(projectFolder, file), 'utf8') }))
  const judged: Judged = new Map()
  for (const { types, later, never = {} } of eventTables)
    for (const type of later ? [] : types) {
      const decision = never[type]
      if (decision !== undefined) {
        assert.ok(readFileSync(join(projectFolder, decision), 'utf8').includes(type), `${decision} does not say why`)
        continue
      }
      const where = seen.has(type) || tests.some(({ text }) => text.includes(type))
      judged.set(type, where ? undefined : 'no test has it recorded')
    }
  settle('events', judged, line => t.diagnostic(line))
})

test('rows that other parts of the product bring are counted', t => {
  const counts: Record<string, number> = {}
  const count = (part: string | undefined, rows: number) => {
    if (part) counts[part] = (counts[part] ?? 0) + rows
  }
  for (const { later, endpoints } of endpointTables) count(later, endpoints.length)
  for (const { later, types } of eventTables) count(later, types.length)
  for (const { later = {} } of resourceTables) for (const part of Object.values(later)) count(part, 1)
  for (const { part, attributes, relationships } of Object.values(laterRecords))
    count(part, `${attributes} ${relationships}`.trim().split(' ').length)
  t.diagnostic(`later: ${JSON.stringify(counts)}`)
  assert.ok(Object.keys(counts).length > 0)
})
