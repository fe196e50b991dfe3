import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { shapesOfRights } from '../../bench/seeded/people.ts'
import { oldProjects } from '../../bench/seeded/tree.ts'
import { rightsOf } from '../../src/domain/access/index.ts'
import { passwords } from '../../src/domain/users/index.ts'
import { assemble } from '../../src/main/domains.ts'
import type { Rights } from '../../src/platform/actor.ts'
import { openKeyring } from '../../src/platform/crypto/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { extendResources } from '../../src/platform/jsonapi/extend.ts'
import { registry } from '../../src/platform/jsonapi/registry.ts'
import { measuring, type StatementCost } from '../support/list-costs.ts'
import { readListAt } from '../support/list-plans.ts'
import { superuserRights } from '../support/rights.ts'
import { skewedInstallation } from '../support/skewed-installation.ts'

/**
 * The cost of a page depends on the page only: before and after the statistics of skewed tables are gathered, with
 * custom and generic plans. Cost is counted in pages of PostgreSQL, which do not depend on the load of the machine.
 */
const skewed = await skewedInstallation()
const database = openDatabase({ url: skewed.appUrl, name: 'skewed', size: 3 })
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-skewed-'))
after(async () => {
  await database.end()
  await rm(dataDir, { recursive: true })
  await skewed.drop()
})
const keyring = await openKeyring({ database, rootKey: randomBytes(32) })
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
  // The seeded rows contain no ciphertext.
  keyring: { ...keyring, openText: () => '{}' },
  passwords: passwords(),
  apiUrl: () => '',
  log: { info: () => {}, warn: () => {}, error: console.error },
})
const resources = registry(extendResources(domains))

const project = skewed.crowded.replace(/\/environments.*/, '')
const [settingsId, propertiesId] = await documentIds()
const named: Readonly<Record<string, string>> = {
  '/api/changes/:id': `/api/changes/${skewed.wideChange}`,
  '/api/steps/:id': `/api/steps/${skewed.loggingStep}`,
  '/api/workflow_runs/:id': `/api/workflow_runs/${skewed.wideRun}`,
  '/api/workflow_steps/:id': `/api/workflow_steps/${skewed.wideRunStep}`,
  '/api/settings/:id': `/api/settings/${settingsId}`,
  '/api/properties/:id': `/api/properties/${propertiesId}`,
  ':project_code': project.split('/')[2]!,
  ':environment_code': 'dev',
  ':asset_code': 'crowd-5',
  ':agent_code': 'none',
  ':workflow_code': 'roll-out-2000',
  ':template_id': 'mainframe',
}
const needed: Readonly<Record<string, string>> = {
  '/api/settings_versions': `settings_id=${settingsId}`,
  '/api/properties_versions': `properties_id=${propertiesId}`,
  '/api/node_background_task_log_lines': `node_background_task_id=${skewed.crowdedTask}`,
}
/** Every list of the product. */
const urls = [...resources.values()].flatMap(({ lists }) =>
  lists.map(({ path }) => {
    const url = Object.entries(named).reduce((text, [from, to]) => text.replace(from, to), path)
    return `${url}?${needed[path] ? `${needed[path]}&` : ''}`
  }),
)

interface Person {
  readonly username: string
  readonly id: string
  readonly rights: Rights
  /** The records of this number of projects are merged for each page. */
  readonly merged: number
  /** Pages for unreadable records that the order of a list passes. */
  readonly passedBy: number
}

const shapes = Object.keys(shapesOfRights(skewed.projects))
const people: Person[] = [await personOf('superuser'), ...(await Promise.all(shapes.map(personOf)))]

async function personOf(username: string): Promise<Person> {
  const isSuperuser = username === 'superuser'
  const wanted = isSuperuser ? 'operator-001' : username
  const { id } = (await database.one(sql<{ id: string }>`select id from users where username = ${wanted}`))!
  const rights = isSuperuser ? superuserRights : await rightsOf(database, id)
  return {
    username,
    id,
    rights,
    merged: username === 'old-projects' ? oldProjects : 1,
    passedBy: username === 'stars' ? 4_000 : 0,
  }
}

async function documentIds(): Promise<[string, string]> {
  const { settings_id, properties_id } = (await database.one(
    sql<{ settings_id: string; properties_id: string }>`
      select settings_id, properties_id from nodes where path = ${project}`,
  ))!
  return [settings_id, properties_id]
}

/** Pages that a list may read in any case: rights, its parent, the root of each index. */
const pagesOfAny = 600
/** Pages for each shown record or id: its row, and its lookups. */
const pagesOfEach = 14

/**
 * Further pages that lists of log lines may read: a few hundred records of chunks. For a run they also find the changes
 * that it made, thousands here. All logs together are read in time order for a window of 4,000 chunks, and then those that
 * the reader may see.
 */
function besidesOfLogs(url: string, seesAll: boolean): number {
  if (/^\/api\/workflow_\w+\/[^/]+\/log_lines/.test(url)) return 60_000
  if (url.startsWith('/api/log_lines') && !seesAll) return 20_000
  return /log_lines\?/.test(url) ? 3_000 : 0
}

async function isPaidByWhatItShows(url: string, { id, rights, merged, passedBy, username }: Person) {
  const costs: StatementCost[] = []
  const reading = { database: measuring(database, costs), registry: resources, userId: id, rights }
  let answer: Awaited<ReturnType<typeof readListAt>>
  try {
    answer = await readListAt(url, reading)
  } catch (error) {
    if (['missing', 'forbidden'].includes((error as { faults?: { code: string }[] }).faults?.[0]?.code ?? ''))
      return false
    throw error
  }
  assert.ok('bytes' in answer)
  const shown = Buffer.from(answer.bytes).toString().split('"id":').length
  const others = besidesOfLogs(url, username === 'superuser')
  const most = pagesOfAny * Math.ceil(merged / 4) + passedBy + others + pagesOfEach * shown * merged
  for (const mode of ['custom', 'generic'] as const) {
    const ofMode = costs.filter(each => each.mode === mode)
    const pages = ofMode.reduce((sum, each) => sum + each.pages, 0)
    const dearest = ofMode.toSorted((a, b) => b.pages - a.pages)[0]!
    assert.ok(
      pages <= most,
      `${url} of ${username}, ${mode} plans: ${pages} pages for ${shown} ids, of which ${dearest.pages} by
${dearest.text}
${JSON.stringify(dearest.plan, null, 1)}`,
    )
  }
  return true
}

const states = { 'while statistics are those of small changes': false, 'once they are gathered': true }
for (const [state, analyzed] of Object.entries(states)) {
  test(`every list costs what it shows, ${state}`, async t => {
    if (analyzed) await skewed.analyze()
    for (const person of people)
      await t.test(person.username, async () => {
        let answered = 0
        for (const url of urls)
          for (const limit of [50, 1_000]) if (await isPaidByWhatItShows(`${url}limit=${limit}`, person)) answered++
        assert.ok(answered > 25, `only ${answered} lists were answered`)
      })
  })
}

test('for people with few projects, all logs oldest first cost what these may read as well', async () => {
  const limited = people.filter(({ rights }) => rights.anywhere === false)
  assert.deepEqual(
    limited.map(({ username }) => username),
    ['one-project', 'thousands-of-rules', 'old-projects'],
  )
  for (const person of limited)
    assert.ok(await isPaidByWhatItShows('/api/log_lines?filter[sorts]=logged_at&limit=50', person))
})
