import type { Actor } from '#platform/actor.ts'
import type { Queries, Tx } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { foldedName } from '#platform/folded-name.ts'
import { isCalled } from '../users/index.ts'
import type { Rule } from './decide.ts'

export interface StoredRule extends Rule {
  id: string
  name: string | null
  row_version: number
}

export interface Policy {
  id: string
  name: string
  description: string | null
  system: 'superuser' | 'blocked' | null
  row_version: number
  /** Rules of the policy, all of them. */
  rules: StoredRule[]
}

const ruleColumns = sql`r.id, r.path, r.name, r.read, r.update, r.execute, r.delete, r.row_version`

/** Locks a policy with its rules: decisions about it hold until the transaction ends. */
export async function lockPolicy(tx: Tx, id: string): Promise<Policy | undefined> {
  const policy = await tx.one(sql<Omit<Policy, 'rules'>>`
    select id, name, description, system, row_version from authorisation_policies where id = ${id}::uuid for update`)
  return policy && { ...policy, rules: await rulesOf(tx, id) }
}

/** Whether another policy than this one has the name. */
export const isNameTaken = async (tx: Tx, name: string, id?: string): Promise<boolean> =>
  (await tx.one(sql`
    select from authorisation_policies where ${isCalled(sql`name`, name)} and id is distinct from ${id ?? null}::uuid`)) !==
  undefined

const rulesOf = (tx: Tx, policyId: string): Promise<StoredRule[]> =>
  tx.rows(sql<StoredRule>`
    select ${ruleColumns}
      from policy_rules pr
      join authorisation_rules r on r.id = pr.rule_id
     where pr.policy_id = ${policyId}::uuid
     order by r.id
       for share of r`)

/** Locks the policies of a rule, before the rule itself: writers of a policy lock that first, and then its rules. */
export const lockPoliciesOf = (tx: Tx, ruleId: string): Promise<unknown> =>
  tx.rows(sql`
    select from authorisation_policies
     where id in (select policy_id from policy_rules where rule_id = ${ruleId}::uuid)
     order by id
       for update`)

export const lockRule = (tx: Tx, id: string): Promise<StoredRule | undefined> =>
  tx.one(sql<StoredRule>`select ${ruleColumns} from authorisation_rules r where r.id = ${id}::uuid for update`)

export type NewRule = Rule & { name: string | null }

export async function insertRule(tx: Tx, rule: NewRule, by: Actor): Promise<string> {
  const { id } = (await tx.one(sql<{ id: string }>`
    insert into authorisation_rules (path, name, read, update, execute, delete, created_by, user_id)
    values (${rule.path}, ${rule.name}, ${rule.read}, ${rule.update}, ${rule.execute}, ${rule.delete}, ${by.username},
            ${by.userId})
    returning id`))!
  return id
}

export const updateRule = (tx: Tx, id: string, rule: NewRule): Promise<number> =>
  tx.count(sql`
    update authorisation_rules
       set path = ${rule.path}, name = ${rule.name}, read = ${rule.read}, update = ${rule.update},
           execute = ${rule.execute}, delete = ${rule.delete}, row_version = row_version + 1, updated_at = sluice_now()
     where id = ${id}`)

/** @returns undefined when the name is taken */
export async function insertPolicy(
  tx: Tx,
  policy: { name: string; description: string | null },
  by: Actor,
): Promise<string | undefined> {
  const inserted = await tx.one(sql<{ id: string }>`
    insert into authorisation_policies (name, description, created_by, user_id)
    values (${policy.name}, ${policy.description}, ${by.username}, ${by.userId})
    on conflict (lower(name)) do nothing
    returning id`)
  return inserted?.id
}

/** @returns undefined when the policy has the rule */
export async function insertPolicyRule(
  tx: Tx,
  policyId: string,
  ruleId: string,
  by: Actor,
): Promise<string | undefined> {
  const inserted = await tx.one(sql<{ id: string }>`
    insert into policy_rules (policy_id, rule_id, created_by, user_id)
    values (${policyId}, ${ruleId}, ${by.username}, ${by.userId})
    on conflict do nothing
    returning id`)
  return inserted?.id
}

export const deletePolicyRule = (tx: Tx, policyId: string, ruleId: string): Promise<{ id: string } | undefined> =>
  tx.one(sql<{ id: string }>`
    delete from policy_rules where policy_id = ${policyId} and rule_id = ${ruleId} returning id`)

/** A rule in a policy. */
/**
 * Version of a rule in a policy and of an assignment: they are created and removed, and never changed, so a client that
 * has seen one has seen the newest.
 */
export const onlyVersion = 1

export interface PolicyRule {
  id: string
  policyId: string
  ruleId: string
}

const tieColumns = sql`id, policy_id as "policyId", rule_id as "ruleId"`

export const deleteTiesOfRules = (tx: Tx, ruleIds: readonly string[]): Promise<PolicyRule[]> =>
  tx.rows(
    sql<PolicyRule>`delete from policy_rules where rule_id = any(${[...ruleIds]}::uuid[]) returning ${tieColumns}`,
  )

export const deleteTiesOfPolicy = (tx: Tx, policyId: string): Promise<PolicyRule[]> =>
  tx.rows(sql<PolicyRule>`delete from policy_rules where policy_id = ${policyId} returning ${tieColumns}`)

/** @returns whether it is gone: a rule in another policy remains */
export const deleteUnheldRule = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.count(sql`
    delete from authorisation_rules r
     where r.id = ${id} and not exists (select from policy_rules pr where pr.rule_id = r.id)`)) > 0

/**
 * Increments a policy's version: its content and its assignments belong to it, so that a request with an older If-Match
 * is refused.
 */
export const touchPolicy = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`
    update authorisation_policies set row_version = row_version + 1, updated_at = sluice_now() where id = ${id}`)

/**
 * Increments the versions of all policies that hold one of these rules: the content of a rule is part of its policies.
 */
export const touchPoliciesOf = (tx: Tx, ruleIds: readonly string[]): Promise<number> =>
  tx.count(sql`
    update authorisation_policies
       set row_version = row_version + 1, updated_at = sluice_now()
     where id in (select policy_id from policy_rules where rule_id = any(${[...ruleIds]}::uuid[]))`)

export interface Assignee {
  userId: string | null
  /** Name of the user as stored. */
  username: string | null
  groupname: string | null
}

/** @returns undefined when it is assigned so, with the group's name in any case. The caller has locked the policy */
export async function insertAssignment(tx: Tx, policyId: string, to: Assignee, by: Actor): Promise<string | undefined> {
  const sameUser = to.userId === null ? sql`a.assignee_id is null` : sql`a.assignee_id = ${to.userId}::uuid`
  const sameGroup =
    to.groupname === null ? sql`a.groupname is null` : sql`lower(a.groupname) = ${foldedName(to.groupname)}`
  const inserted = await tx.one(sql<{ id: string }>`
    insert into policy_assignments (policy_id, assignee_id, groupname, created_by, user_id)
    select ${policyId}::uuid, ${to.userId}::uuid, ${to.groupname}, ${by.username}, ${by.userId}::uuid
     where not exists (select from policy_assignments a
                        where a.policy_id = ${policyId}::uuid and ${sameUser} and ${sameGroup})
    returning id`)
  return inserted?.id
}

export interface Assignment extends Assignee {
  id: string
}

export const assignmentsOf = (tx: Tx, policyId: string): Promise<Assignment[]> =>
  tx.rows(sql<Assignment>`
    select a.id, a.assignee_id as "userId", a.groupname, u.username
      from policy_assignments a
      left join users u on u.id = a.assignee_id
     where a.policy_id = ${policyId}
     order by a.id`)

export const deleteAssignment = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from policy_assignments where id = ${id}`)

export const findUser = (queries: Queries, username: string): Promise<{ id: string; username: string } | undefined> =>
  queries.one(sql<{ id: string; username: string }>`
    select id, username from users where ${isCalled(sql`username`, username)} and deleted_at is null`)

/** Rules about nodes and about what is below them, locked. */
export const lockRulesAboutNodes = (tx: Tx, ids: readonly string[]): Promise<StoredRule[]> =>
  tx.rows(sql<StoredRule>`
    select r.id, r.path, r.name, r.read, r.update, r.execute, r.delete, r.row_version
      from authorisation_rules r
      join nodes n on r.path = n.path or (r.path >= n.path || '/' and r.path < n.path || '0')
     where n.id = any(${[...ids]}::uuid[])
       for update of r`)

export const lockInstallation = (tx: Tx): Promise<unknown> => tx.rows(sql`select from installation for update`)

export const makeSuperuser = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`
    insert into policy_assignments (policy_id, assignee_id, created_by)
    select id, ${id}, 'system' from authorisation_policies where system = 'superuser'`)

export const findPolicyRule = (
  tx: Tx,
  id: string | undefined,
): Promise<{ id: string; policy_id: string; rule_id: string } | undefined> =>
  tx.one(sql<{ id: string; policy_id: string; rule_id: string }>`
    select id, policy_id, rule_id from policy_rules where id = ${id}::uuid`)

export const findAssignment = (
  tx: Tx,
  id: string | undefined,
): Promise<{ id: string; policy_id: string; username: string | null; groupname: string | null } | undefined> =>
  tx.one(sql<{ id: string; policy_id: string; username: string | null; groupname: string | null }>`
    select a.id, a.policy_id, u.username, a.groupname
      from policy_assignments a
      left join users u on u.id = a.assignee_id
     where a.id = ${id}::uuid`)

export const updatePolicy = (
  tx: Tx,
  id: string,
  after: { name: string; description: string | null },
): Promise<number> =>
  tx.count(sql`
    update authorisation_policies
       set name = ${after.name}, description = ${after.description}, row_version = row_version + 1,
           updated_at = sluice_now()
     where id = ${id}`)

export const deletePolicy = (tx: Tx, id: string): Promise<number> =>
  tx.count(sql`delete from authorisation_policies where id = ${id}`)

/** Deletes rules that no policy contains any more. */
export const deleteUntiedRules = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.count(sql`delete from authorisation_rules where id = any(${[...ids]}::uuid[])`)
