import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { findNode, type Node, pathsOfType } from '../nodes/index.ts'
import { type ModelActions, nodeActions } from './node-template.resource.ts'

/** GET …/assets/{a}/actions: the actions that can run on it, as in its show. */
export const actionsView = (modelActions: ModelActions): AnyView =>
  view<Node & { readonly readPath: string }>({
    name: 'actions.list',
    summary:
      'Actions that can be run on an asset: those of its template version and of its model that have a description.',
    method: 'GET',
    paths: pathsOfType.asset.map(path => `/api${path}/actions`),
    answer: Type.Object(
      { data: Type.Array(Type.Object({}, { additionalProperties: true })) },
      { additionalProperties: true },
    ),
    find: async ({ database, params }) => {
      const node = await findNode(database, params)
      return node && { ...node, readPath: node.path }
    },
    needs: () => [],
    run: async (node, { actor, database }) => {
      const column = nodeActions(modelActions)
      const { actions } = (await database.one(sql<{ actions: string | null }>`
      select ${column.sql} as actions from nodes n where n.id = ${node.id}::uuid`))!
      const shown = await column.read(actions, { actor, database }, { id: node.id, path: node.path })
      return {
        body: {
          data: shown.map(attributes => ({ id: attributes.step_name, type: 'action', attributes })),
          links: { self: `/api${node.path}/actions` },
        },
      }
    },
  })
