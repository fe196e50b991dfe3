import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { type Facts, types } from './foreseen.ts'
import { ruleInWords } from './rules.ts'
import type { ApprovalWorld } from './world.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses have every shape
type Attributes = any

interface Found {
  readonly id: string
  readonly attributes: Attributes
  readonly meta: { readonly can: readonly string[] }
}

/** @param labels of changes and steps, by their ids */
export async function seenBy(client: Client, labels: ReadonlyMap<string, string>): Promise<Facts> {
  const list = async (path: string): Promise<Found[]> => (await client.get(`/api/${path}`)).body.data
  const named = (records: readonly Found[]): string[] => records.map(({ id }) => labels.get(id) ?? id).toSorted()
  const waiting = types.map(async type => [
    `${type} that wait`,
    named(await list(`${type}?filter[waiting_for_me]=true&limit=1000`)),
  ])
  const all = async (...of: readonly string[]) => (await Promise.all(of.map(type => list(`${type}?limit=1000`)))).flat()
  const [activities, steps] = await Promise.all([all('changes', 'workflow_runs'), all('steps', 'workflow_steps')])
  const facts: Facts = Object.fromEntries(await Promise.all(waiting))
  for (const { id, attributes } of activities) facts[labels.get(id)!] = ofActivity(attributes)
  for (const { id, attributes, meta } of steps) {
    const { status_code: status, approved_by, rejected_by, continued_by, requires_approval_from } = attributes
    facts[labels.get(id)!] = {
      status,
      can: meta.can,
      rules: requires_approval_from.map(ruleOf),
      approved: approved_by.map(({ username, message, rules }: Said) => [username, message ?? null, rules]),
      rejected: rejected_by.map(({ username, message }: Said) => [username, message ?? null]),
      continued: continued_by,
    }
  }
  return facts
}

interface Said {
  readonly username: string
  readonly message?: string | null
  readonly rules: readonly number[]
  readonly step: string
}

const ofActivity = ({
  status_code,
  created_by,
  requires_approval_from,
  approved_by,
  rejected_by,
}: Attributes): object => ({
  status: status_code,
  maker: created_by,
  rules: requires_approval_from.map(ruleOf),
  approved: approved_by.map(({ username, message, step }: Said) => `${step} ${username} ${message ?? null}`).toSorted(),
  rejected: rejected_by.map(({ username, message, step }: Said) => `${step} ${username} ${message ?? null}`),
})

interface RuleFound {
  readonly user_names?: readonly string[]
  readonly ldap_groups?: readonly string[]
  readonly required_approvals?: number
  readonly allow_self_approval?: boolean
}

const ruleOf = ({ user_names, ldap_groups, required_approvals, allow_self_approval }: RuleFound) =>
  ruleInWords({
    users: user_names ?? [],
    groups: ldap_groups ?? [],
    required: required_approvals ?? 1,
    mayApproveOwn: allow_self_approval ?? false,
  })

/** The audit trail of decisions, oldest first, in the judge's notation. */
export async function trailOf({ runs }: ApprovalWorld, labels: ReadonlyMap<string, string>): Promise<string[]> {
  const rows = await runs.service.database.rows(sql<{
    type: string
    username: string
    id: string
    attributes: Attributes
  }>`
    select type, username, source_id as id, attributes from events
     where type ~ '^(audit:(workflow_)?steps:|api:(workflow_)?steps:(approve|reject|continue)$|warn:approval_)'
     order by id`)
  return rows.map(({ type, username, id, attributes }) => {
    const { reason, goes_on, request_body_message: message, user_names, ldap_groups } = attributes
    const names = [user_names, ldap_groups].map(list => list?.toSorted().join())
    const more = type.startsWith('api:') ? [] : [reason ?? goes_on, message, ...names]
    return [type, username, labels.get(id), ...more.filter(each => each !== undefined && each !== null)].join(' ')
  })
}
