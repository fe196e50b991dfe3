import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { namedLists } from '../../bench/seeded/named-lists.ts'
import { homeOf, shapesOfRights } from '../../bench/seeded/people.ts'
import { rightsOf } from '../../src/domain/access/index.ts'
import { readInstallation } from '../../src/domain/maintenance/index.ts'
import { passwords } from '../../src/domain/users/index.ts'
import { assemble } from '../../src/main/domains.ts'
import type { Rights } from '../../src/platform/actor.ts'
import { openKeyring } from '../../src/platform/crypto/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { extendResources } from '../../src/platform/jsonapi/extend.ts'
import { registry } from '../../src/platform/jsonapi/registry.ts'
import { aMillionAssets, growingTables } from '../support/a-million-assets.ts'
import { explaining, type ListPlan, plansOfList } from '../support/list-plans.ts'
import { superuserRights } from '../support/rights.ts'

/** Plans of PostgreSQL for lists of a million assets; `bench/named-lists` measures their duration. */
const million = await aMillionAssets()
const database = openDatabase({ url: million.appUrl, name: 'plans', size: 3 })
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-plans-'))
after(async () => {
  await database.end()
  await rm(dataDir, { recursive: true })
  await million.drop()
})
const { domains } = await assemble({
  config: {
    dataDir,
    gitProtocols: ['file'],
    authorities: undefined,
    privateAddresses: [],
    settingOverrides: {},
    passedOn: {},
    role: 'api',
  },
  database,
  keyring: await openKeyring({ database, rootKey: randomBytes(32) }),
  passwords: passwords(),
  apiUrl: () => '',
  log: { info: () => {}, warn: () => {}, error: console.error },
})
const resources = registry(extendResources(domains))
const growing: ReadonlySet<string> = new Set(growingTables)

async function readsNothingWhole(url: string, userId: string, rights: Rights): Promise<string | undefined> {
  const { plans, next } = await plansOfList(url, { database, registry: resources, userId, rights })
  readNothingWhole(url, plans)
  return next
}

function readNothingWhole(what: string, plans: readonly ListPlan[]): void {
  assert.ok(plans.length > 0)
  for (const { nodes, text } of plans) {
    const whole = nodes.filter(node => /Seq Scan/.test(node['Node Type']) && growing.has(node['Relation Name'] ?? ''))
    assert.deepEqual(
      whole.map(node => node['Relation Name']),
      [],
      `${what} reads a whole table:\n${text}`,
    )
  }
}

async function userNamed(username: string): Promise<{ id: string; rights: Rights }> {
  const { id } = (await database.one(sql<{ id: string }>`select id from users where username = ${username}`))!
  return { id, rights: await rightsOf(database, id) }
}

const urlsOf = (username: string): string[] =>
  Object.values(namedLists).map(({ path }) =>
    path(5, { projects: million.projects, home: homeOf(username, million.projects) }),
  )

test('no list that operators ask for all day reads a whole table for a superuser', async () => {
  const { id } = await userNamed('operator-001')
  for (const url of urlsOf('admin')) await readsNothingWhole(url, id, superuserRights)
})

for (const username of Object.keys(shapesOfRights(million.projects)))
  test(`nor for somebody whose rights have the shape "${username}"`, async () => {
    const { id, rights } = await userNamed(username)
    for (const url of urlsOf(username)) await readsNothingWhole(url, id, rights)
  })

/** The first statement of the list, which selects the records of a page, and the indexes that it reads nodes from. */
async function whichRecords(username: string, list: string) {
  const { id, rights } = await userNamed(username)
  const url = namedLists[list]!.path(5, { projects: million.projects, home: homeOf(username, million.projects) })
  const { plans } = await plansOfList(url, { database, registry: resources, userId: id, rights })
  const { nodes, text } = plans[0]!
  const reads = nodes.filter(({ Alias: alias }) => alias === 'n')
  return { reads: reads.map(each => `${each['Node Type']} of ${each['Index Name']}`), text }
}

const toldByTheIndex = {
  nodes_by_beginning: {
    lists: ['name-begins'],
    people: ['all-but-one', 'within-within', 'stars', 'thousands-of-rules'],
  },
  nodes_by_name: { lists: ['by-name'], people: ['all-but-one', 'stars', 'thousands-of-rules'] },
  nodes_by_change: { lists: ['changed-last'], people: ['all-but-one', 'stars', 'thousands-of-rules'] },
  nodes_by_template: { lists: ['of-template'], people: ['all-but-one', 'stars', 'thousands-of-rules'] },
  nodes_by_project: { lists: ['by-name', 'changed-last', 'archived', 'mine'], people: ['one-project', 'old-projects'] },
} as const

for (const [index, { lists, people }] of Object.entries(toldByTheIndex))
  test(`${index} tells who may read what of ${lists.join(', ')}, and no record is looked at for it`, async () => {
    for (const username of people)
      for (const list of lists) {
        const { reads, text } = await whichRecords(username, list)
        assert.deepEqual(reads, [`Index Only Scan of ${index}`], `${list} of ${username}:\n${text}`)
      }
  })

test('the next page of an order that has an index is read from there', async () => {
  const { id } = await userNamed('operator-001')
  for (const sort of ['name', 'name desc', 'code', 'created_at', 'updated_at desc', 'id desc']) {
    const first = `/api/assets?filter[sorts]=${encodeURIComponent(sort)}`
    const next = await readsNothingWhole(first, id, superuserRights)
    await readsNothingWhole(next!, id, superuserRights)
  }
})

test('the lists of one project and of one environment read no other', async () => {
  const { id } = await userNamed('operator-001')
  const project = `/api${homeOf('admin', million.projects).replace(/\/environments.*/, '')}`
  for (const path of ['assets', 'environments', 'templates', 'git_remotes', 'bookmarks'])
    await readsNothingWhole(`${project}/${path}?total=true`, id, superuserRights)
  await readsNothingWhole('/api/bookmarks', id, superuserRights)
})

test('metrics, which are read every few seconds, read no table whole that grows', async () => {
  const plans: ListPlan[] = []
  const { trail } = await readInstallation(explaining({ database }, plans))
  assert.ok(trail.seq >= 0)
  readNothingWhole('the statement of metrics', plans)
})
