import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { differences } from '#platform/documents/json-diff.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { missing } from '#platform/failure.ts'
import type { ViewContext } from '#platform/view-context.ts'
import { findNodeAt, type Node } from '../nodes/index.ts'
import { hideSecrets, type SettingsReader, settingsDifferences } from '../settings/index.ts'
import type { ConvergeProperties } from './converged.tx.ts'

interface Pair extends Target {
  readonly a: Node
  readonly b: Node
}

const areas = ['properties', 'settings'] as const
const nodePath = (which: string) =>
  Type.String({ minLength: 1, maxLength: 2_000, description: `Path of the ${which} node: /projects/bank/assets/web.` })

/** POST /api/compare_nodes: the values in force on each of two nodes, and the patch from the first to the second. */
export const compareNodesView = (converge: ConvergeProperties, settings: SettingsReader): AnyView =>
  view<Pair>({
    name: 'nodes.compare',
    summary: 'Converged properties and settings of two nodes, and their difference as a JSON Patch from a to b.',
    method: 'POST',
    paths: ['/api/compare_nodes'],
    attributes: Type.Object(
      { node_path_a: nodePath('one'), node_path_b: nodePath('other') },
      { additionalProperties: false },
    ),
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async context => {
      const [a, b] = [await readableAt(context, 'node_path_a'), await readableAt(context, 'node_path_b')]
      return a && b && { a, b }
    },
    needs: ({ a, b }) =>
      [a, b].flatMap(({ path }) => areas.map(area => ({ right: 'read' as const, path: `${path}/${area}` }))),
    run: async ({ a, b }, { database }) => {
      const inForce = async (node: Node) => ({
        properties: (await converge(database, node)).data,
        settings: (await settings.ofNode(database, node)).data,
      })
      const [inA, inB] = [await inForce(a), await inForce(b)]
      const properties = {
        a: inA.properties,
        b: inB.properties,
        difference: differences(inA.properties, inB.properties),
      }
      const difference = settingsDifferences(inA.settings, inB.settings)
      return {
        body: {
          data: {
            id: `${a.id}:${b.id}`,
            type: 'node_comparison',
            attributes: {
              node_path_a: a.path,
              node_path_b: b.path,
              properties,
              settings: { a: hideSecrets(inA.settings), b: hideSecrets(inB.settings), difference },
            },
            links: { a: `/api${a.path}`, b: `/api${b.path}` },
          },
        },
      }
    },
  })

/** A node that the caller may not read counts as missing. */
async function readableAt({ database, actor, attributes }: ViewContext, name: string): Promise<Node | undefined> {
  const path = attributes[name]
  if (typeof path !== 'string' || path.includes('\0')) return undefined
  const node = await findNodeAt(database, path.replace(/^\/api\//, '/'))
  if (!node || !actor.rights.may('read', node.path)) throw missing({ pointer: `/data/attributes/${name}` })
  return node
}
