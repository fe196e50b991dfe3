import Type from 'typebox'
import { outlookAttributes, retryAttributes } from '../changes/index.ts'

/** A plan as returned instead of the run that was not created. */
export const runPlanDocument = Type.Object({
  data: Type.Object({
    type: Type.Literal('workflow_run_plan'),
    id: Type.String({ description: 'The same as plan_sha.' }),
    attributes: Type.Object({
      plan_sha: Type.String({ description: 'Hash of everything that decides what runs, to bind a run to this plan.' }),
      parent_path: Type.String({ description: 'Path of the project.' }),
      workflow_code: Type.String(),
      version: Type.Integer({ description: 'The version of the workflow.' }),
      name: Type.String({ description: 'Name of the workflow.' }),
      steps: Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'The root of its tree; its descendants are in `children`. `retries`: whether the step retries the change or run that its original had created.',
        },
      ),
      ...retryAttributes,
      ...outlookAttributes({
        predecessors: 'Runs of the workflow that it would queue behind, oldest first, 100 at most.',
        slots: 'The pool of the slots of its changes; the run itself takes none.',
      }),
    }),
  }),
})
