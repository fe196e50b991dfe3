import Type, { type TSchema } from 'typebox'

const orNull = (schema: TSchema, description: string) => Type.Union([schema, Type.Null()], { description })
const anything = (description: string) => Type.Object({}, { additionalProperties: true, description })

/** Attributes of the plan of a retry. */
export const retryAttributes = {
  kept_steps: Type.Optional(
    Type.Array(Type.String(), { description: 'Of a retry: full paths of the steps that it takes over as they ended.' }),
  ),
  approved_steps: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Of a retry: full paths of the steps to run whose earlier approvals are enough.',
    }),
  ),
}

/** Attributes of a plan that tell when its activity would begin and end. */
export const outlookAttributes = (descriptions: { readonly predecessors: string; readonly slots: string }) => ({
  same_name_predecessors: Type.Array(Type.String({ format: 'uuid' }), { description: descriptions.predecessors }),
  slots: Type.Object(
    { pool: Type.String(), configured_limit: Type.Integer(), claimed_count: Type.Integer() },
    { description: descriptions.slots },
  ),
  estimated_seconds: orNull(Type.Number(), 'The median of the last 20 that went well; null: there were none.'),
})

/** A plan as returned instead of the change that was not created. */
export const planDocument = Type.Object({
  data: Type.Object({
    type: Type.Literal('plan'),
    id: Type.String({ description: 'The same as sha256.' }),
    attributes: Type.Object({
      sha256: Type.String({ description: 'Hash of everything that decides what runs.' }),
      plan_sha: Type.String({
        description:
          'The same with short hashes of its parts, to bind a change to this plan: a refusal names the part that has changed.',
      }),
      action: Type.String(),
      parent_path: Type.String({ description: 'Path of the node.' }),
      git_remote_name: orNull(Type.String(), 'Where its actions come from.'),
      commit_sha: Type.String(),
      template_version: orNull(Type.String(), 'Of an asset.'),
      steps: anything('The root of its tree; its descendants are in `children`.'),
      ...retryAttributes,
      requires_approval_from: Type.Array(anything('A rule'), {
        description: 'Rules of approval in its tree, root first.',
      }),
      converged_properties: orNull(anything('Properties'), 'Null for callers who may not read those of the node.'),
      converged_settings: orNull(
        anything('Settings, secrets hidden'),
        'Null for callers who may not read those of the node.',
      ),
      ...outlookAttributes({
        predecessors: 'Changes of its name that it would queue behind, oldest first, 100 at most.',
        slots: 'The pool that it would take one of.',
      }),
    }),
  }),
})
