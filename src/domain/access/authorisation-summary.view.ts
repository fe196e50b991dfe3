import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { isSameName, onlyPeople } from '../users/index.ts'
import { checkedUser } from './authorisation-check.view.ts'
import { allRights, compileRules, decide } from './decide.ts'
import { type GrantedToUser, grantedRules } from './granted-rules.store.ts'
import { policiesPath } from './rule.ts'

interface Asked extends Target {
  readonly username: string
  readonly self: boolean
}

const flag = Type.Boolean()

/** GET /api/authorisation_summary: what a user may do, as the paths at which their rights change. */
export const authorisationSummary: AnyView = view<Asked>({
  name: 'authorisation_summary.show',
  summary: 'What a user may do: each path that rules in force name, with the rights there.',
  method: 'GET',
  paths: ['/api/authorisation_summary'],
  parameters: {
    username: {
      schema: checkedUser,
      describe: 'User; default the caller. Summaries of others require read on /authorisation_policies.',
    },
  },
  answer: Type.Object({
    data: Type.Object({
      id: Type.String(),
      type: Type.Literal('authorisation_summary'),
      attributes: Type.Object({
        username: Type.String(),
        disabled: Type.Boolean({ description: 'Whether the user is disabled, and so has no rights.' }),
        blocked: Type.Boolean({ description: 'Whether the policy blocked takes every right.' }),
        superuser: Type.Boolean({ description: 'Whether the policy superuser gives every right.' }),
        complete: Type.Boolean({
          description: 'Whether the caller may read all rules; otherwise paths may be missing.',
        }),
        paths: Type.Array(
          Type.Object({
            path: Type.String({ description: 'Path of a rule, which covers everything below it; `*` is any segment.' }),
            read: flag,
            update: flag,
            execute: flag,
            delete: flag,
            authorisation_policies: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
              description: 'Policies of the rules of this path.',
            }),
          }),
          { description: 'Paths of rules, in their order. Elsewhere the rights are those of the nearest path above.' },
        ),
      }),
    }),
  }),
  find: async ({ query, actor }) => {
    const username = (query['username'] as string | undefined) ?? actor.username
    return { username, self: isSameName(username, actor.username) }
  },
  needs: ({ self }, { actor }) => [
    ...onlyPeople(actor),
    ...(self ? [] : [{ right: 'read' as const, path: policiesPath }]),
  ],
  run: async ({ username }, { database, actor }) => {
    const found = await grantedRules(database, username, actor)
    const { disabled, blocked, superuser } = found
    const complete = actor.rights.may('read', policiesPath)
    const attributes = { username: found.username, disabled, blocked, superuser, complete, paths: pathsOf(found) }
    return { body: { data: { id: found.id, type: 'authorisation_summary', attributes } } }
  },
})

/** Paths of the rules that the caller may read, with the rights that all rules together give there. */
function pathsOf({ rules, disabled, blocked, superuser }: GrantedToUser) {
  const compiled = compileRules(rules)
  const byPath = Map.groupBy(
    rules.filter(({ readable }) => readable),
    ({ path }) => path,
  )
  return [...byPath]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, those]) => {
      const may = allRights.map(right => [right, !disabled && !blocked && (superuser || decide(compiled, right, path))])
      const policies = new Map(those.flatMap(rule => rule.policies.map(policy => [policy.id, policy])))
      return { path, ...Object.fromEntries(may), authorisation_policies: [...policies.values()] }
    })
}
