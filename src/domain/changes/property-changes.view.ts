import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { findNodeById, isOfExistingNode, type Node } from '../nodes/index.ts'
import { findChange, type StoredChange } from './change.store.ts'
import { layersOfChange } from './change-context.tx.ts'
import { noCommit } from './no-commit.ts'
import type { ChangeParts } from './parts.port.ts'
import { lastSuccessBefore } from './property-changes.store.ts'
import { propertyDifferences } from './property-differences.ts'

/** Maximum number of differences in the answer. */
const most = 1_000

const value = (description: string) => Type.Optional(Type.Unknown({ description }))

const answer = Type.Object({
  data: Type.Object({
    id: Type.String({ format: 'uuid', description: 'Id of the change.' }),
    type: Type.Literal('property_changes'),
    attributes: Type.Object({
      compared_with: Type.Union(
        [
          Type.Null(),
          Type.Object({ id: Type.String({ format: 'uuid' }), finished_at: Type.String({ format: 'date-time' }) }),
        ],
        {
          description:
            'The newest change of the same action on the same node that succeeded before it; null if there is none.',
        },
      ),
      differences: Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON pointer of a property: /web/port.' }),
          before: value('Its value at the end of the other change; absent if it had none.'),
          after: value('Its value for this change; absent if it has none.'),
        }),
        {
          description: `Properties that differ, at most ${most}; empty if there is nothing to compare with. Lists are compared as a whole.`,
        },
      ),
      difference_count: Type.Integer({ description: 'Number of all that differ.' }),
    }),
    links: Type.Object({ self: Type.String(), compared_with: Type.Optional(Type.String()) }),
  }),
})

interface Found extends Target {
  readonly readPath: string
  readonly change: StoredChange
  readonly node: Node
  /** End of the change; null while it is in progress. */
  readonly finishedAt: string | null
}

type Parts = Pick<ChangeParts, 'keyring' | 'convergeReading'>

/** GET /api/changes/{id}/property_changes: how its properties differ from those of the last such change that succeeded. */
export const propertyChangesView = ({ keyring, convergeReading }: Parts): AnyView =>
  view<Found>({
    name: 'changes.property_changes',
    summary: 'Properties that differ from those of the last successful change of the same action on the node.',
    describe:
      'For approvers: the properties of a change in progress as its next step would see them, and of an ended one at its end, compared with those at the end of the other change. References to secrets are compared as they are written.',
    method: 'GET',
    paths: ['/api/changes/:id/property_changes'],
    answer,
    find: async ({ database, params }) => {
      const found = await database.one(sql<{ id: string; finished_at: string | null }>`
        select a.id, a.finished_at
          from activities a
         where a.id = ${params['id'] ?? ''}::uuid and a.kind = 'change' and ${isOfExistingNode(sql`a.node_id`)}`)
      const change = found && (await findChange(database, found.id))
      const node = change && (await findNodeById(database, change.node_id))
      return node && { readPath: change!.path, change: change!, node, finishedAt: found!.finished_at }
    },
    needs: ({ readPath, node }) => [
      { right: 'read', path: readPath },
      { right: 'read', path: `${node.path}/properties` },
    ],
    run: async ({ change, node, finishedAt }, { database }) => {
      if (change.commit_sha === null) throw noCommit(change)
      const propertiesOf = async (queries: Queries, one: StoredChange, at: string | null): Promise<JsonObject> => {
        const options = { ...(at !== null && { at }), change: layersOfChange(keyring, one) }
        return (await convergeReading(queries, node, options)).data
      }
      const compared = await lastSuccessBefore(database, change.id)
      const other = compared && (await findChange(database, compared.id))
      const differences = other
        ? propertyDifferences(
            await propertiesOf(database, other, compared!.finished_at),
            await propertiesOf(database, change, finishedAt),
          )
        : []
      const self = `/api/changes/${change.id}/property_changes`
      return {
        body: {
          data: {
            id: change.id,
            type: 'property_changes',
            attributes: {
              compared_with: other ? compared : null,
              differences: differences.slice(0, most),
              difference_count: differences.length,
            },
            links: { self, ...(other && { compared_with: `/api/changes/${other.id}` }) },
          },
        },
      }
    },
  })
