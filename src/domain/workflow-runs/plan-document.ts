import Type, { type TSchema } from 'typebox'

const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
const anything = (description: string) => Type.Object({}, { additionalProperties: true, description })

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
      steps: anything(
        'The root of its tree; its descendants are in `children`. `retries`: whether the step retries the change or run that its original had created.',
      ),
      kept_steps: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Of a retry: full paths of the steps that it takes over as they ended.',
        }),
      ),
      approved_steps: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Of a retry: full paths of the steps to run whose earlier approvals are enough.',
        }),
      ),
      same_name_predecessors: Type.Array(Type.String({ format: 'uuid' }), {
        description: 'Runs of the workflow that it would queue behind, oldest first, 100 at most.',
      }),
      slots: Type.Object(
        { pool: Type.String(), configured_limit: Type.Integer(), claimed_count: Type.Integer() },
        { description: 'The pool of the slots of its changes; the run itself takes none.' },
      ),
      estimated_seconds: orNull(Type.Number(), 'The median of the last 20 that went well; null: there were none.'),
    }),
  }),
})
