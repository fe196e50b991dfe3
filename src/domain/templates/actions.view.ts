import Type from 'typebox'
import { sql } from '#platform/db/sql.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { findNode, type Node, pathsOfType } from '../nodes/index.ts'
import { nodeActions, templateNow } from './node-template.ts'

/** GET …/assets/{a}/actions: what can be run on it, as its show says. */
export const actionsView: AnyView = view<Node & { readonly readPath: string }>({
  name: 'actions.list',
  summary: 'What can be run on an asset: the actions of its template version that have a description.',
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
  run: async (node, { database }) => {
    const { actions } = (await database.one(sql<{ actions: string | null }>`
      select ${nodeActions.sql} as actions from nodes n ${templateNow} where n.id = ${node.id}::uuid`))!
    return {
      body: {
        data: nodeActions.read(actions).map(attributes => ({ id: attributes.step_name, type: 'action', attributes })),
        links: { self: `/api${node.path}/actions` },
      },
    }
  },
})
