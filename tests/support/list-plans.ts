import type { Rights } from '../../src/platform/actor.ts'
import type { Database, Queries, Tx } from '../../src/platform/db/database.ts'
import { type Sql, sql } from '../../src/platform/db/sql.ts'
import { parseQueryString } from '../../src/platform/jsonapi/query-string.ts'
import { readList } from '../../src/platform/jsonapi/read.ts'
import type { Registry } from '../../src/platform/jsonapi/registry.ts'
import type { ListRoute, Resource } from '../../src/platform/jsonapi/resource.ts'

/** A node of a plan, as returned by EXPLAIN. */
export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  /** Alias of that table in the statement. */
  readonly Alias?: string
  readonly 'Index Name'?: string
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanNode[]
}

/** Plan of PostgreSQL for one statement of a list. */
export interface ListPlan {
  readonly nodes: readonly PlanNode[]
  /** Plan as text, for messages of failed tests. */
  readonly text: string
}

export interface Reading {
  readonly database: Database
  readonly registry: Registry
  readonly userId: string
  readonly rights: Rights
}

/**
 * The plans of every statement of a list, in order, exactly as the service sends them; and the link to its next page,
 * if it was cut.
 *
 * @param url such as `/api/assets?filter[name_eq]=x`
 */
export async function plansOfList(
  url: string,
  reading: Reading,
): Promise<{ plans: readonly ListPlan[]; next: string | undefined }> {
  const plans: ListPlan[] = []
  const answer = await readListAt(url, { ...reading, database: explaining(reading, plans) })
  return { plans, next: 'bytes' in answer ? answer.next : undefined }
}

/** Reads the list at a URL as the service would. */
export function readListAt(url: string, reading: Reading): ReturnType<typeof readList> {
  const { pathname, search } = new URL(url, 'http://test')
  const { resource, route, params } = routeTo(pathname, reading.registry)
  return readList(resource, route, {
    registry: reading.registry,
    keyring: { mac: () => Buffer.alloc(32) },
    database: reading.database,
    actor: { userId: reading.userId, username: 'reader', rights: reading.rights, via: 'basic', remoteAddress: null },
    params,
    path: pathname,
    query: parseQueryString(search.slice(1)),
  })
}

function routeTo(path: string, registry: Registry) {
  for (const resource of registry.values()) {
    for (const route of resource.lists) {
      const params = paramsOf(route, path)
      if (params) return { resource, route, params } satisfies { resource: Resource; route: ListRoute; params: object }
    }
  }
  throw new Error(`no list is found at ${path}`)
}

function paramsOf(route: ListRoute, path: string): Record<string, string> | undefined {
  const [wanted, given] = [route.path.split('/'), path.split('/')]
  if (wanted.length !== given.length || !wanted.every((each, at) => each.startsWith(':') || each === given[at])) return
  return Object.fromEntries(wanted.flatMap((each, at) => (each.startsWith(':') ? [[each.slice(1), given[at]!]] : [])))
}

/** The database, with each statement explained before it is run. */
export function explaining({ database }: Pick<Reading, 'database'>, plans: ListPlan[]): Database {
  const explain = async (tx: Queries, query: Sql) => {
    const explained = sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`explain (format json) ${query}`
    const [told] = (await tx.one(explained, { plannedAnew: true }))!['QUERY PLAN']
    plans.push({ nodes: nodesOf(told.Plan), text: JSON.stringify(told.Plan, null, 1) })
  }
  const rows =
    (tx: Tx) =>
    async <Row>(query: Sql<Row>) => {
      await explain(tx, query)
      return tx.rows(query)
    }
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(
        tx => work({ ...tx, rows: rows(tx), one: async query => (await rows(tx)(query))[0] }),
        options,
      ),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
