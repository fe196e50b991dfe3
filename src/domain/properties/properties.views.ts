import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { findNode, type Node, nodePaths } from '../nodes/index.ts'
import { convergeDateParameter, instantOf } from '../settings/index.ts'
import type { Basis } from './basis.store.ts'
import type { PropertyLayers } from './converged.tx.ts'
import type { AnswerConverged } from './converged-answer.tx.ts'

interface Found extends Target {
  readonly node: Node
  /** Basis as of now, unless an instant is requested. */
  readonly basis?: Basis
}

export const convergedPropertiesView = (layered: PropertyLayers, answer: AnswerConverged): AnyView =>
  view<Found>({
    name: 'converged_properties.show',
    summary: 'The properties in force on a node, merged from all their layers, with the source of each value.',
    method: 'GET',
    paths: nodePaths.map(path => `/api${path}/converged_properties`),
    parameters: convergeDateParameter,
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params, query }) => {
      if (query['converge_date'] === undefined) {
        const found = await layered.find(database, params)
        return found && { ...found, readPath: found.node.path }
      }
      const node = await findNode(database, params)
      return node && { node, readPath: node.path }
    },
    needs: ({ node }) => [{ right: 'read', path: `${node.path}/properties` }],
    run: async ({ node, basis }, { database, actor, query }) => {
      const at = await instantOf(database, query['converge_date'], node)
      const options = at === undefined ? {} : { at }
      const self = `/api${node.path}/converged_properties`
      return answer(database, { node, options, id: node.code, self, actor, basis })
    },
  })
