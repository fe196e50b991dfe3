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
            'The root of its tree; its descendants are in `children`. `retries`: whether the step retries the change or run that its original had created. `nested_plan`: of such a change or run, and of a run that is kept with its step, its own `steps`, `kept_steps` and `approved_steps`, at any depth; null for everything else, for what the caller may not read, and beyond 50 retries or 10,000 kept steps. `retry_refusal`: why it could not be retried now, so that the step would fail.',
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
