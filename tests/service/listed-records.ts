import assert from 'node:assert/strict'
import pg from 'pg'
import { until } from '../../client/sluice.ts'
import { compile, sql } from '../../src/platform/db/sql.ts'
import type { ListRoute, Resource } from '../../src/platform/jsonapi/resource.ts'
import { type Copies, copiesOf } from '../contract/copies.ts'
import { asked } from '../contract/list-grammar.ts'
import { linesIn } from '../contract/log-lines.ts'
import type { Owner } from '../contract/table-columns.ts'
import { answersOf, type CheckAnswer } from '../support/answers.ts'
import { basicOf, type Client, clientOf } from '../support/api.ts'
import { created, often } from '../support/changes.ts'
import { declaredResources } from '../support/declared-resources.ts'
import { passwordOf, startTestService } from '../support/service.ts'
import { buildSide, codes, idsOf } from './two-sides.ts'

/** A list of the product, and how its records are copied. */
export interface ProductList {
  readonly resource: Resource
  readonly route: ListRoute
  /** Path with its parameters, for `quarry`. */
  readonly path: string
}

export interface ListedRecords {
  readonly resources: readonly Resource[]
  /** Every list of every resource. */
  readonly lists: readonly ProductList[]
  /** List with most records of each listed resource, and its copies. */
  readonly widest: readonly (ProductList & { copies: Copies })[]
  /** Client whose responses are not checked against the OpenAPI document: thousands of them have one form. */
  as(username: string): Client
  /** Every response is checked against the document. */
  checked(username: string): Client
  stop(): Promise<void>
}

export const keeper = 'the keeper of the quarry'

/**
 * The assembled service with hundreds of records of every kind in two projects, without background work: only an API
 * process is left, so that copies stay unchanged.
 *
 * @param count copies of one record of each type
 */
export async function listedRecords(count: number): Promise<ListedRecords> {
  const rule = { path: '/projects/quarry', read: true, update: true, execute: true, delete: true }
  const service = await startTestService({ spares: 0, users: { [keeper]: [rule], 'the keeper of the orchard': [] } })
  for (const name of ['admin', keeper]) {
    const token = { description: 'a token', expires_at: '2099-01-01T00:00:00Z' }
    await created(service.as(name).post('/api/tokens', token))
    await created(service.as(name).post('/api/tokens/session'))
    const view = { name: 'a view', list: 'activities', query: 'filter[active]=true', shared_with: 'everyone' }
    await created(service.as(name).post('/api/saved_views', view))
  }
  const rotation = await created(service.as('admin').post('/api/admin/key_rotations', {}))
  await Promise.all([buildSide(service, 'quarry'), buildSide(service, 'orchard')])
  await until(
    'the keys are replaced',
    () => service.as('admin').get(`/api/admin/key_rotations/${rotation.id}`),
    ({ body }) => body.data.attributes.status === 'success',
    often,
  )
  const ids = await idsOf(service, 'quarry')
  const api = await service.beside('api')
  await service.halt({ keepRunners: false })
  const resources = await declaredResources(service)
  const as = (username: string, check: CheckAnswer = () => {}) =>
    clientOf(api.address, check, basicOf(username, passwordOf(username)))
  const check = answersOf(service.openApi)

  const lists: ProductList[] = []
  for (const resource of resources) {
    for (const route of resource.lists) {
      const path = pathOf(route, ids)
      if ((await as('admin').get(path)).status !== 404) lists.push({ resource, route, path })
    }
  }
  const connection = new pg.Client({ connectionString: service.testDatabase.ownerUrl })
  await connection.connect()
  const owner = oneAfterAnother(connection)
  const widest: (ProductList & { copies: Copies })[] = []
  // A list about other records has none of its own to copy.
  const own = resources.filter(({ types }) => !types?.borrowed)
  for (const resource of own.toSorted((a, b) => joins(a) - joins(b))) {
    if (ofOtherLists.has(resource.type)) continue
    const own = lists.filter(each => each.resource === resource)
    const list = own.find(({ route }) => !route.parent) ?? own[0]
    if (!list) continue
    const copies = await copiesFor(owner, list, as('admin'), ids)
    await copies.add(count)
    widest.push({ ...list, copies })
  }
  await owner.query(
    `insert into node_background_tasks (task_type, node_id, project_id, path, status_code, pool, created_by)
     select 'GenerateActionsRequest', id, project_id, path, 'running', 'a test', 'test' from nodes
      where node_type in ('asset', 'agent') and number % 3 = 0`,
  )
  return {
    resources,
    lists,
    widest,
    as: username => as(username),
    checked: username => as(username, check),
    stop: async () => {
      await owner.query(`delete from node_background_tasks where pool = 'a test'`)
      for (const { copies } of widest.toReversed()) await copies.undo()
      await connection.end()
      await api.stop({ keepRunners: false })
      await service.stop()
    },
  }
}

function oneAfterAnother(connection: pg.Client): Owner {
  let before: Promise<unknown> = Promise.resolve()
  return {
    query: (text, values) => {
      const answer = before.then(() => connection.query(text, values && [...values]))
      before = answer.catch(() => {})
      return answer
    },
  }
}

/**
 * Types whose records are those of other lists, and are copied with them: changes and runs, nodes, steps. The newest attempt of a
 * step is in its row.
 */
const ofOtherLists = new Set(['activity', 'node_summary', 'step_attempt', 'waiting_step'])

/** Columns that a list can be filtered by. */
function sameForAll({ scope, parameters = {} }: ListRoute): string[] {
  const { text } = scope ? compile(scope({ id: '', path: '', project_id: null }, {})) : { text: '' }
  return [...Object.keys(parameters), ...[...text.matchAll(/\.(\w+) = /g)].map(([, name = '']) => name)]
}

/** Number of joined columns: lists whose columns come from other records are copied last, when these exist. */
const joins = ({ columns }: Resource) => Object.values(columns).filter(({ joined }) => joined).length

/** Path of the list with the records of `quarry`. */
function pathOf({ path, parameters = {} }: ListRoute, ids: Record<string, string>): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string, at: number) => {
    const collection = path.slice(0, at).split('/').at(-2) ?? ''
    const value = name === 'id' ? ids[collection] : codes[name]?.('quarry', '')
    assert.ok(value, `say in two-sides.ts what stands for :${name} of ${path}`)
    return value
  })
  const needed = Object.keys(parameters).filter(name => parameters[name]!.required)
  return needed.reduce((each, name) => asked(each, `${name}=${ids[name.replace(/_id$/, '')]}`), filled)
}

/** Conditions for log lines, which are not rows: by log and step. */
const logs: Readonly<Record<string, (client: Client, ids: Record<string, string>) => Promise<[string, string]>>> = {
  log_line: async (_, ids) => [ids['changes']!, ids['steps']!],
  node_background_task_log_line: async (_, ids) => [ids['node_background_task']!, ids['node_background_task']!],
  agent_log_line: async client => {
    const { id } = (await client.get('/api/projects/quarry/agents/helper/status')).body.data
    return [id, id]
  },
}

/**
 * Columns that determine the type of a row, or its readers: most activities are not runs, and their steps not steps of
 * runs; a private view is its owner's, and an expired session is not listed.
 */
const ofItsKind: Readonly<Record<string, readonly string[]>> = {
  step: ['activity_id', 'step_type'],
  workflow_step: ['activity_id', 'step_type'],
  saved_view: ['shared_with'],
  session: ['expires_at'],
}

/** Tables of records that are read from several: successful jobs, besides those of the queue. */
const stored: Readonly<Record<string, { from: Resource['from']; filter: string }>> = {
  job: { from: sql`finished_jobs j`, filter: '?filter[status_eq]=success' },
}

async function copiesFor(
  owner: Owner,
  { resource, route, path }: ProductList,
  client: Client,
  ids: Record<string, string>,
) {
  const log = logs[resource.type]
  if (log) return linesIn(owner, ...(await log(client, ids)))
  const { from, filter } = stored[resource.type] ?? { from: resource.from, filter: '' }
  const [first] = (await client.get(`${path}${filter}`)).body.data
  assert.ok(first, `${path} holds nothing that could be copied`)
  return copiesOf(owner, { ...resource, from }, first.id, [...sameForAll(route), ...(ofItsKind[resource.type] ?? [])])
}
