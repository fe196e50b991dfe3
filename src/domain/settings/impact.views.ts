import Type from 'typebox'
import type { Actor } from '#platform/actor.ts'
import type { Queries } from '#platform/db/database.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import {
  documentLimit,
  expectedVersion,
  type FoundDocument,
  staleVersion,
} from '#platform/documents/document.commands.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { Operation } from '#platform/documents/json-patch.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { Failure } from '#platform/failure.ts'
import type { ViewContext } from '#platform/view-context.ts'
import { findNodes, type Node } from '../nodes/index.ts'

/** Kind of documents (properties, settings) for which the impact is computed. */
export interface ImpactOf {
  readonly name: 'properties' | 'settings'
  /** The document as it would be stored; throws Failure if a write would be refused. */
  readonly proposed: (context: ViewContext, found: FoundDocument, given: JsonObject) => Promise<JsonObject>
  /** Condition over nodes `n` that converge the owner's document; undefined if none does. */
  readonly bearsOn: (found: FoundDocument) => Sql<boolean> | undefined
  /**
   * Changes of the converged document of each node, by the node's id; a Failure if it does not converge. Common parts of
   * the nodes are read once.
   */
  readonly changes: (
    queries: Queries,
    nodes: readonly Node[],
    instead: { readonly ownerId: string; readonly data: JsonObject },
  ) => Promise<ReadonlyMap<string, readonly Operation[] | Failure>>
}

const most = 500
const usual = 100

/**
 * POST …/impact: which nodes would converge to something else with this document, and how. Writes and records nothing.
 * Examines `limit` readable nodes in the order of their paths; `links.next` continues behind them.
 */
export const impactView = (of: ImpactOf): AnyView =>
  view<FoundDocument>({
    name: `${of.name}.impact`,
    summary: `Which nodes’ converged ${of.name} would change, and how, if the document were this. Writes nothing.`,
    method: 'POST',
    paths: [`/api/${of.name}/:id/impact`],
    bodyLimit: documentLimit,
    attributes: Type.Object(
      {
        data: Type.Object({}, { additionalProperties: true, description: 'The whole new document.' }),
        version: expectedVersion,
      },
      { additionalProperties: false },
    ),
    parameters: {
      limit: {
        schema: Type.Integer({ minimum: 1, maximum: most, default: usual }),
        describe: `Nodes that are looked at: 1 to ${most}, usually ${usual}.`,
      },
      after: { schema: Type.String(), describe: 'Continues after the node with this path; taken from `links.next`.' },
    },
    answer: Type.Object(
      { data: Type.Array(Type.Object({}, { additionalProperties: true })) },
      { additionalProperties: true },
    ),
    find: ({ database, params }) => findRecord(database, of.name, params['id']!),
    needs: ({ path }) => [{ right: 'read', path }],
    run: async (found, context) => {
      const { database, actor, query, attributes } = context
      const data = await of.proposed(context, found, attributes['data'] as JsonObject)
      const limit = Number(query['limit'] ?? usual)
      const bearing = of.bearsOn(found)
      const nodes = bearing
        ? await findNodes(database, sql<boolean>`${bearing} and ${readable(actor, of.name)}`, {
            after: String(query['after'] ?? ''),
            limit: limit + 1,
          })
        : []
      const examined = nodes.slice(0, limit)
      const changesOf = await of.changes(database, examined, { ownerId: found.owner_id, data })
      await refuseStale(database, of.name, found.id, attributes['version'] as number | undefined)
      const affected: object[] = []
      const unknown: object[] = []
      for (const node of examined) {
        const changes = changesOf.get(node.id)!
        if (changes instanceof Failure) unknown.push({ node_path: node.path, reason: changes.message })
        else if (changes.length > 0) affected.push(affectedNode(node, changes))
      }
      const self = `/api/${of.name}/${found.id}/impact`
      const more = nodes.length > limit
      const next = `${self}?limit=${limit}&after=${encodeURIComponent(examined.at(-1)?.path ?? '')}`
      return {
        body: {
          data: affected,
          links: { self, ...(more && { next }) },
          meta: { nodes_examined: examined.length, not_converging: unknown, partial_response: more },
        },
      }
    },
  })

const affectedNode = ({ id, path, node_type }: Node, changes: readonly Operation[]): object => ({
  id,
  type: 'affected_node',
  attributes: { node_path: path, node_type, changes },
  links: { node: `/api${path}` },
})

const findRecord = (queries: Queries, name: string, id: string): Promise<FoundDocument | undefined> =>
  queries.one(sql<FoundDocument>`
    select id, owner_type, owner_id, project_id, path, path as "readPath"
      from ${sql.table(name)}
     where id = ${id}::uuid and destroyed_at is null`)

/** Refuses a document that would replace another version than the caller expects; to be called once all is read. */
async function refuseStale(queries: Queries, name: string, id: string, expected: number | undefined): Promise<void> {
  const now = await queries.one(sql<{ version: number }>`select version from ${sql.table(name)} where id = ${id}::uuid`)
  const stale = now && staleVersion(now, expected)
  if (stale) throw stale
}

const readable = ({ rights }: Actor, name: string): Sql<boolean> =>
  rights.visible({ projectId: sql`n.project_id`, path: sql`(n.path || ${`/${name}`})` })

/**
 * Condition on the nodes at and below an owner that is a node, or the installation; undefined for templates and their
 * versions.
 */
export function nodesBelow({ owner_type, owner_id }: FoundDocument): Sql<boolean> | undefined {
  const conditions: Readonly<Record<string, Sql<boolean>>> = {
    Global: sql<boolean>`true`,
    Project: sql<boolean>`n.project_id = ${owner_id}::uuid`,
    Environment: sql<boolean>`n.environment_id = ${owner_id}::uuid`,
    Asset: sql<boolean>`n.id = ${owner_id}::uuid`,
    Agent: sql<boolean>`n.id = ${owner_id}::uuid`,
  }
  return conditions[owner_type]
}
