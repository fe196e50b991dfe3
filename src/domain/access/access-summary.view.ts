import Type from 'typebox'
import type { Target } from '#platform/commands/command.ts'
import { type AnyView, view } from '#platform/domain.ts'
import { onlyPeople } from '../users/index.ts'
import { mostPeople, mostRules, rulesReaching } from './access-summary.store.ts'
import { rightsAt } from './access-summary.ts'
import { policiesPathOf } from './rule.ts'

interface Asked extends Target {
  readonly path: string
}

const flag = Type.Boolean()
const decision = Type.Union([Type.Boolean(), Type.Null()])
const nullableText = Type.Union([Type.String(), Type.Null()])
const policies = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }))

/** Path of a node: the combinations of its segments with `*` that can cover it are looked up one by one. */
const nodePath = Type.String({
  pattern: '^/projects/[^/*\\u0000-\\u001f\\u007f]{1,255}(?:/[^/*\\u0000-\\u001f\\u007f]{1,255}){0,4}$',
  shouldBe: 'the path of a node, such as /projects/bank/environments/live',
})

/** GET /api/access_summary: who may do what on a node, by which rules. */
export const accessSummary: AnyView = view<Asked>({
  name: 'access_summary.show',
  summary:
    'Who may do what on a node: the rules whose path covers it, to whom they are assigned, and the people they reach.',
  method: 'GET',
  paths: ['/api/access_summary'],
  parameters: {
    node_path: {
      schema: nodePath,
      describe: 'Path of the node, such as /projects/bank/environments/live.',
      required: true,
    },
  },
  answer: Type.Object({
    data: Type.Object({
      id: Type.String({ description: 'The path.' }),
      type: Type.Literal('access_summary'),
      attributes: Type.Object({
        path: Type.String(),
        rules: Type.Array(
          Type.Object({
            id: Type.String(),
            path: Type.String({
              description: 'Path of the rule, which covers everything below it; `*` is any segment.',
            }),
            name: nullableText,
            read: decision,
            update: decision,
            execute: decision,
            delete: decision,
            authorisation_policies: policies,
          }),
          {
            description:
              'Rules whose path covers the node, and those on its actions, the shortest path first. Only those that the caller may read.',
          },
        ),
        assignments: Type.Array(
          Type.Object({
            authorisation_policy_id: Type.String(),
            username: nullableText,
            groupname: nullableText,
          }),
          { description: 'Assignments of the policies of these rules; with neither user nor group, to everyone.' },
        ),
        people: Type.Array(
          Type.Object({
            username: Type.String(),
            superuser: Type.Boolean({ description: 'Whether the policy superuser gives every right.' }),
            blocked: Type.Boolean({ description: 'Whether the policy blocked takes every right.' }),
            read: flag,
            update: flag,
            execute: Type.Boolean({ description: 'At least one action of the node.' }),
            delete: flag,
            authorisation_policies: policies,
          }),
          {
            description: `Users whom these rules or the system policies reach, in the order of their names, with the rights that all of their rules together give. ${mostPeople} at most.`,
          },
        ),
        hidden_rules: Type.Integer({ description: 'Number of other rules that the caller may not read.' }),
        more_rules: Type.Boolean({
          description: `Whether there are more than ${mostRules} rules; rights of people are then not computed.`,
        }),
        more_people: Type.Boolean({ description: `Whether there are more than ${mostPeople} people.` }),
      }),
    }),
  }),
  find: async ({ query }) => ({ path: query['node_path'] as string }),
  // Those who may ask for single decisions of others at this path (authorisation_check).
  needs: ({ path }, { actor }) => [...onlyPeople(actor), { right: 'read', path: policiesPathOf(path) }],
  run: async ({ path }, { database, actor }) => {
    const found = await rulesReaching(database, path, actor)
    const readable = found.rules.filter(rule => rule.readable)
    const attributes = {
      path,
      rules: readable.map(({ readable: _, ...rule }) => rule),
      assignments: found.assignments,
      people: found.people.map(({ rule_ids: ids, ...person }) => {
        const own = found.rules.filter(({ id }) => ids.includes(id))
        return { ...person, ...rightsAt(path, person, own) }
      }),
      hidden_rules: found.rules.length - readable.length,
      more_rules: found.more_rules,
      more_people: found.more_people,
    }
    return { body: { data: { id: path, type: 'access_summary', attributes } } }
  },
})
