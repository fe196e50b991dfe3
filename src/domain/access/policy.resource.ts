import type { Actor } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { createdByCaller } from '#platform/jsonapi/created-by-caller.ts'
import type { Column, Resource } from '#platform/jsonapi/resource.ts'
import { onlyVersion } from './policy.store.ts'
import { policiesPath } from './rule.ts'

const created = (alias: string): Record<'created_by' | 'created_at', Column> => ({
  created_by: { kind: 'text', sql: sql`${sql.ref(`${alias}.created_by`)}`, describe: 'User who created it.' },
  created_at: { kind: 'time', sql: sql`${sql.ref(`${alias}.created_at`)}`, describe: 'When it was created.' },
})
const updated = (alias: string): Record<'updated_at', Column> => ({
  updated_at: { kind: 'time', sql: sql`${sql.ref(`${alias}.updated_at`)}`, describe: 'When it was last updated.' },
})
const flag = (column: Sql, describe: string): Column => ({
  kind: 'boolean',
  sql: column,
  nullable: true,
  describe: `${describe}: true allows, false denies, null says nothing.`,
})

/** Path of the policies of a rule's path, and its project. */
export const placeOfRule = (alias: string) => {
  const path = sql.ref(`${alias}.path`)
  return {
    path: sql`(case when ${path} = '/' then ${policiesPath} else ${path} || ${policiesPath} end) collate "C"`,
    projectId: sql`(select p.id from nodes p where p.path = '/projects/' || split_part(${path}, '/', 3) and p.destroyed_at is null)`,
  }
}

/** Condition like `mayReadPolicy`, for the policy of this id. */
export function policyIsReadable(policyId: Sql) {
  return ({ rights }: Actor): Sql<boolean> => {
    if (rights.may('read', policiesPath)) return sql<boolean>`true`
    const rules = sql`from policy_rules seen join authorisation_rules seen_rule on seen_rule.id = seen.rule_id
                     where seen.policy_id = ${policyId}`
    const hidden = sql`(${rights.visible(placeOfRule('seen_rule'))}) is not true`
    return sql<boolean>`(exists (select ${rules}) and not exists (select ${rules} and ${hidden}))`
  }
}

/** Whether the caller may read both sides of a tie; otherwise they do not learn that the two are tied. */
const tieIsReadable = (actor: Actor): Sql<boolean> =>
  sql<boolean>`(${policyIsReadable(sql`pr.policy_id`)(actor)} and ${actor.rights.visible(placeOfRule('r'))})`

const listRightsPath = () => policiesPath

export const ruleResource: Resource = {
  type: 'authorisation_rule',
  describe: 'Rights allowed or denied on a path and everything below it.',
  from: sql`authorisation_rules r`,
  id: sql`r.id`,
  lists: [{ path: '/api/authorisation_rules' }],
  shows: [{ path: '/api/authorisation_rules/:id', find: ({ id }) => sql<boolean>`r.id = ${id}::uuid` }],
  columns: {
    path: { kind: 'text', sql: sql`r.path`, describe: 'Path; * matches one segment.' },
    name: { kind: 'text', sql: sql`r.name`, nullable: true, describe: 'Display name.' },
    read: flag(sql`r.read`, 'Reading'),
    update: flag(sql`r.update`, 'Changing'),
    execute: flag(sql`r.execute`, 'Running'),
    delete: flag(sql`r.delete`, 'Deleting'),
    ...created('r'),
    ...updated('r'),
  },
  relationships: {
    authorisation_policies: {
      kind: 'many',
      type: 'authorisation_policy',
      sql: sql`array(select pr.policy_id from policy_rules pr where pr.rule_id = r.id order by pr.policy_id)`,
      describe: 'The policies that hold it.',
    },
  },
  links: ({ id }) => ({ self: `/api/authorisation_rules/${id}` }),
  named: createdByCaller(sql`r.user_id`),
  rights: placeOfRule('r'),
  listRightsPath,
  rowVersion: sql<number>`r.row_version`,
}

export const policyResource: Resource = {
  type: 'authorisation_policy',
  describe: 'A set of rules that is assigned as a whole.',
  from: sql`authorisation_policies p`,
  id: sql`p.id`,
  lists: [{ path: '/api/authorisation_policies' }],
  shows: [{ path: '/api/authorisation_policies/:id', find: ({ id }) => sql<boolean>`p.id = ${id}::uuid` }],
  columns: {
    name: { kind: 'text', sql: sql`p.name`, describe: 'Unique, case-insensitively.' },
    description: { kind: 'text', sql: sql`p.description`, nullable: true, describe: 'Description.' },
    system: {
      kind: 'boolean',
      sql: sql`p.system is not null`,
      describe: 'Whether it is a system policy: superuser, blocked.',
    },
    ...created('p'),
    ...updated('p'),
  },
  relationships: {
    authorisation_rules: {
      kind: 'many',
      type: 'authorisation_rule',
      sql: sql`array(select pr.rule_id from policy_rules pr where pr.policy_id = p.id order by pr.rule_id)`,
      describe: 'Its rules.',
    },
    policy_assignments: {
      kind: 'many',
      type: 'policy_assignment',
      sql: sql`array(select a.id from policy_assignments a where a.policy_id = p.id order by a.id)`,
      describe: 'To whom it is assigned.',
    },
  },
  links: ({ id }) => ({ self: `/api/authorisation_policies/${id}` }),
  named: createdByCaller(sql`p.user_id`),
  rights: { condition: policyIsReadable(sql`p.id`) },
  listRightsPath,
  rowVersion: sql<number>`p.row_version`,
}

export const policyRuleResource: Resource = {
  type: 'policy_rule',
  describe: 'Membership of a rule in a policy.',
  from: sql`policy_rules pr join authorisation_rules r on r.id = pr.rule_id`,
  id: sql`pr.id`,
  rowVersion: sql.lit(onlyVersion),
  lists: [{ path: '/api/policy_rules' }],
  shows: [{ path: '/api/policy_rules/:id', find: ({ id }) => sql<boolean>`pr.id = ${id}::uuid` }],
  columns: {
    authorisation_policy_id: { kind: 'id', sql: sql`pr.policy_id`, describe: 'The policy.' },
    authorisation_rule_id: { kind: 'id', sql: sql`pr.rule_id`, describe: 'The rule.' },
    ...created('pr'),
  },
  relationships: {
    authorisation_policy: {
      kind: 'one',
      type: 'authorisation_policy',
      sql: sql`pr.policy_id`,
      paths: 'own',
      describe: 'The policy.',
      related: row => `/api/authorisation_policies/${row['authorisation_policy_id']}`,
    },
    authorisation_rule: {
      kind: 'one',
      type: 'authorisation_rule',
      sql: sql`pr.rule_id`,
      paths: 'own',
      describe: 'The rule.',
      related: row => `/api/authorisation_rules/${row['authorisation_rule_id']}`,
    },
  },
  links: ({ id }) => ({ self: `/api/policy_rules/${id}` }),
  named: createdByCaller(sql`pr.user_id`),
  rights: { condition: tieIsReadable },
  listRightsPath,
}

export const assignmentResource: Resource = {
  type: 'policy_assignment',
  describe: 'Assignment of a policy to a user, a group, a user while a member of a group, or (with neither) everyone.',
  from: sql`policy_assignments a left join users u on u.id = a.assignee_id`,
  id: sql`a.id`,
  rowVersion: sql.lit(onlyVersion),
  lists: [{ path: '/api/policy_assignments' }],
  shows: [{ path: '/api/policy_assignments/:id', find: ({ id }) => sql<boolean>`a.id = ${id}::uuid` }],
  columns: {
    authorisation_policy_id: { kind: 'id', sql: sql`a.policy_id`, describe: 'The policy.' },
    username: { kind: 'text', sql: sql`u.username`, nullable: true, describe: 'null: any user.' },
    groupname: { kind: 'text', sql: sql`a.groupname`, nullable: true, describe: 'null: whatever the user’s groups.' },
    ...created('a'),
  },
  relationships: {
    authorisation_policy: {
      kind: 'one',
      type: 'authorisation_policy',
      sql: sql`a.policy_id`,
      paths: 'own',
      describe: 'The policy.',
      related: row => `/api/authorisation_policies/${row['authorisation_policy_id']}`,
    },
  },
  links: ({ id }) => ({ self: `/api/policy_assignments/${id}` }),
  named: createdByCaller(sql`a.user_id`),
  rights: { condition: policyIsReadable(sql`a.policy_id`) },
  listRightsPath,
}
