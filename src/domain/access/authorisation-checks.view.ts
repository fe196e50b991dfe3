import Type from 'typebox'
import type { Right } from '#platform/actor.ts'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import type { ViewContext } from '#platform/view-context.ts'
import { isSameName, onlyPeople } from '../users/index.ts'
import { checkedPath, checkedRight, checkedUser, explanation, shownExplanation } from './authorisation-check.view.ts'
import { explain } from './explain.ts'
import { grantedRules } from './granted-rules.store.ts'
import { policiesPathOf } from './rule.ts'

interface Check {
  readonly path: string
  readonly right: Right
}

interface Asked extends Target {
  readonly username: string
  readonly self: boolean
}

const mostChecks = 200

/** POST /api/authorisation_checks: several checks of one user in one request, decided as each of them alone. */
export const authorisationChecks: AnyView = view<Asked>({
  name: 'authorisation_checks.check',
  summary: 'Whether a user has several rights, and the rule and policy that decide each.',
  method: 'POST',
  paths: ['/api/authorisation_checks'],
  attributes: Type.Object(
    {
      username: Type.Optional(
        Type.String({
          ...checkedUser,
          description: 'User to check; default the caller. Checking others requires read on the policies of each path.',
        }),
      ),
      checks: Type.Array(Type.Object({ path: checkedPath, right: checkedRight }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: mostChecks,
        description: `Rights and the paths to check them on, at most ${mostChecks}.`,
      }),
    },
    { additionalProperties: false },
  ),
  answer: Type.Object({
    data: Type.Object({
      id: Type.String(),
      type: Type.Literal('authorisation_checks'),
      attributes: Type.Object({
        username: Type.String(),
        checks: Type.Array(Type.Object(explanation), { description: 'The decisions, in the order of the checks.' }),
      }),
    }),
  }),
  find: async ({ attributes, actor }) => {
    const username = (attributes['username'] as string | undefined) ?? actor.username
    return { username, self: isSameName(username, actor.username) }
  },
  needs: ({ self }, context) => [
    ...onlyPeople(context.actor),
    ...(self ? [] : checksIn(context).map(({ path }) => ({ right: 'read' as const, path: policiesPathOf(path) }))),
  ],
  run: async ({ username }, context) => {
    const { database, actor } = context
    const found = await grantedRules(database, username, actor)
    const checks = checksIn(context).map(({ path, right }) => {
      const seesAll = actor.rights.may('read', policiesPathOf(path))
      return { right, path, ...shownExplanation(explain(found, right, path), seesAll) }
    })
    const attributes = { username: found.username, checks }
    return { body: { data: { id: found.id, type: 'authorisation_checks', attributes } } }
  },
})

/** Checks of the request. Rights are checked before values: what is no list has none. */
function checksIn({ attributes }: ViewContext): readonly Check[] {
  const given = attributes['checks']
  return Array.isArray(given) ? given.filter(each => typeof each?.path === 'string') : []
}
