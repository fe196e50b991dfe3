import Type from 'typebox'
import { workflowSchema } from '#authoring/workflows/workflow-schema.ts'
import { type AnyView, view } from '#platform/domain.ts'

/** GET /api/workflow_schema: the keys and values of workflow documents, for editors and for checks without the service. */
export const workflowSchemaView: AnyView = view({
  name: 'workflows.schema',
  summary: 'JSON Schema (2020-12) of workflow documents.',
  method: 'GET',
  paths: ['/api/workflow_schema'],
  answer: Type.Object({}, { additionalProperties: true }),
  mediaType: 'application/schema+json',
  find: async () => ({}),
  needs: () => [],
  run: async () => ({ body: workflowSchema() }),
})
