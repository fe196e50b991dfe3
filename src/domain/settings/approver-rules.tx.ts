import type { Context } from '#platform/commands/command.ts'
import type { Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { Failure, type Fault } from '#platform/failure.ts'
import { peopleOf } from './approvers.store.ts'

/** Names in rules of approval. */
export interface ApproverNames {
  readonly user_names: readonly string[]
  readonly ldap_groups: readonly string[]
}

/** Unknown approvers; `unreachable`: why the directory could not be asked about the others. */
export interface KnownApprovers {
  readonly unknown: ApproverNames
  readonly unreachable?: string
  /** Groups that only the directory knows: their members are known here from the next refresh on. */
  readonly uncounted?: readonly string[]
}

export type AskApprovers = (tx: Tx, names: ApproverNames) => Promise<KnownApprovers>

interface Rule extends Partial<ApproverNames> {
  readonly required_approvals?: number
}

const at = '/data/attributes/data/requires_approval_from'
const isReference = (name: string) => name.includes('{{')

/**
 * Refuses rules of approval whose approvers are unknown, or fewer than a rule requires. Names from properties are read
 * when a change is created. While the directory is unavailable names are accepted unchecked, which is recorded once an
 * hour.
 *
 * @throws Failure (422) naming each of them
 */
export async function checkApprovers(
  { tx, actor, record }: Pick<Context, 'tx' | 'actor' | 'record'>,
  ask: AskApprovers | undefined,
  data: JsonObject,
  settingsId: string,
): Promise<void> {
  const rules = (data['requires_approval_from'] ?? []) as unknown as readonly Rule[]
  if (!ask || rules.length === 0) return
  const named = (kind: keyof ApproverNames) => [
    ...new Set(rules.flatMap(rule => (rule[kind] ?? []).filter(name => !isReference(name)))),
  ]
  const names = { user_names: named('user_names'), ldap_groups: named('ldap_groups') }
  const { unknown, unreachable, uncounted = [] } = await ask(tx, names)
  if (unreachable !== undefined) {
    await record({
      type: 'warn:approval_identity_validation_skipped',
      actor,
      source: { type: 'settings', id: settingsId },
      attributes: { ...unknown, error: unreachable },
      throttle: { key: 'approval_identity_validation_skipped', seconds: 3_600 },
    })
    return
  }
  const faults = [...unknownFaults(rules, unknown), ...(await shortFaults(tx, rules, unknown, uncounted))]
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
}

const unknownFaults = (rules: readonly Rule[], unknown: ApproverNames): Fault[] =>
  rules.flatMap((rule, number) =>
    (['user_names', 'ldap_groups'] as const).flatMap(kind =>
      (rule[kind] ?? []).flatMap((name, place): Fault[] =>
        unknown[kind].includes(name)
          ? [
              {
                code: 'invalid',
                detail: `There is no ${kind === 'user_names' ? 'user' : 'group'} ${name}, here or in the directory.`,
                source: { pointer: `${at}/${number}/${kind}/${place}` },
              },
            ]
          : [],
      ),
    ),
  )

/** Rules that require more approvals than there are people who could give them. */
async function shortFaults(
  tx: Tx,
  rules: readonly Rule[],
  unknown: ApproverNames,
  uncounted: readonly string[],
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const [number, rule] of rules.entries()) {
    const { user_names = [], ldap_groups = [], required_approvals = 1 } = rule
    const isOpen =
      [...user_names, ...ldap_groups].some(isReference) || ldap_groups.some(name => uncounted.includes(name))
    const isUnknown =
      user_names.some(name => unknown.user_names.includes(name)) ||
      ldap_groups.some(name => unknown.ldap_groups.includes(name))
    if (isOpen || isUnknown) continue
    const people = await peopleOf(tx, { user_names, ldap_groups }, required_approvals)
    if (people >= required_approvals) continue
    faults.push({
      code: 'invalid',
      detail: `The rule requires ${required_approvals} approvals, and names ${people} who could give one.`,
      source: { pointer: `${at}/${number}/required_approvals` },
    })
  }
  return faults
}
