import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { failure } from '#platform/failure.ts'
import { capabilitiesOf, findNode, type Node } from '../nodes/index.ts'
import { checkProperties } from '../properties/index.ts'
import { type CheckParts, checkWorkflow } from './check-workflow.tx.ts'
import { shownSteps } from './shown-steps.ts'
import { bodyLimit, type ReadSource, sourceSchema, toReadProperties } from './workflow-source.ts'

/** POST …/workflows/validate: the steps that a run would have now, or all faults, for an editor. */
export const validateWorkflow = (parts: CheckParts & { readonly readSource: ReadSource }): AnyView =>
  view<Target & { readonly node: Node }>({
    name: 'workflows.validate',
    summary: 'Steps of a source with its properties filled in, or every error with line and column.',
    method: 'POST',
    paths: ['/api/projects/:project_code/workflows/validate'],
    attributes: Type.Object(
      {
        source_yaml: sourceSchema,
        property_overrides: Type.Optional(
          Type.Object({}, { additionalProperties: true, description: 'As a run would have them.' }),
        ),
      },
      { additionalProperties: false },
    ),
    bodyLimit,
    answer: Type.Object({ data: Type.Object({}, { additionalProperties: true }) }, { additionalProperties: true }),
    find: async ({ database, params }) => {
      const node = await findNode(database, params)
      return node && { node, readPath: node.path }
    },
    needs: ({ node }, { attributes }) => [
      { right: 'read', path: `${node.path}/workflows` },
      ...toReadProperties(node, attributes['source_yaml']),
    ],
    run: async ({ node }, { database, actor, attributes }) => {
      if (!capabilitiesOf(node).can_have_workflows)
        throw failure('not-supported-here', `${node.path} cannot hold workflows: it is a ${node.project_type} project.`)
      const { source_yaml, property_overrides = {} } = attributes as {
        source_yaml: string
        property_overrides?: JsonObject
      }
      checkProperties(property_overrides, node.path, '/data/attributes/property_overrides')
      const { parsed } = await parts.readSource(source_yaml, actor)
      const overrides = property_overrides
      const { steps } = await checkWorkflow(parts, database, { project: node, actor, parsed, overrides })
      return {
        body: {
          data: { id: node.id, type: 'workflow_validation', attributes: { steps: shownSteps(steps, node.path) } },
        },
      }
    },
  })
