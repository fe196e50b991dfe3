import type { Tx } from '#platform/db/database.ts'
import { unknownHere } from '../directory/index.ts'
import { eventNode, type Node } from '../nodes/index.ts'
import type { ApprovalRule } from '../steps/for-changes.ts'
import type { StepDefinition } from '../steps/index.ts'
import type { kinds } from './approver-names.ts'
import type { ChangeParts } from './parts.port.ts'

/** Records, once an hour per node, approvers of its changes who are no longer users or groups. */
export async function recordUnresolvedApproversEvent(
  parts: Pick<ChangeParts, 'record'>,
  tx: Tx,
  change: { readonly id: string; readonly node: Node; readonly createdBy: { userId: string | null; username: string } },
  root: StepDefinition,
): Promise<void> {
  const rules = rulesOf(root)
  if (rules.length === 0) return
  const named = (kind: (typeof kinds)[number]) => [...new Set(rules.flatMap(rule => rule[kind] ?? []))]
  const gone = await unknownHere(tx, { user_names: named('user_names'), ldap_groups: named('ldap_groups') })
  if (gone.user_names.length + gone.ldap_groups.length === 0) return
  await parts.record(tx, {
    type: 'warn:approval_identity_unresolved',
    actor: change.createdBy,
    source: { type: 'change', id: change.id },
    node: eventNode(change.node),
    activityId: change.id,
    attributes: { ...gone },
    throttle: { key: `approval_identity_unresolved:${change.node.id}`, seconds: 3_600 },
  })
}

const rulesOf = ({ requires_approval_from, children }: StepDefinition): ApprovalRule[] => [
  ...((requires_approval_from ?? []) as readonly ApprovalRule[]),
  ...children.flatMap(rulesOf),
]
