import { fillIn, valueAt } from '#json/fill-in.ts'
import type { Tx } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import { unknownHere } from '../directory/index.ts'
import { eventNode, type Node } from '../nodes/index.ts'
import type { ApprovalRule, StepDefinition } from '../steps/index.ts'
import type { ChangeParts } from './parts.port.ts'

/** The properties of the change's node, read when a rule refers to them and not before. */
export type PropertiesOfNode = () => Promise<JsonObject>

const kinds = ['user_names', 'ldap_groups'] as const

const isReference = (name: string): boolean => name.includes('{{')

/**
 * The rule with every `{{path}}` among its names replaced by the node's property there: a text, or a list of texts.
 * Once, when the change is made: who may approve it does not move while it waits.
 *
 * @throws Failure `wrong-state` where there is no such property: a rule that nothing can satisfy would be useless
 */
export async function withNames<Rule extends ApprovalRule>(rule: Rule, properties: PropertiesOfNode): Promise<Rule> {
  if (!kinds.some(kind => rule[kind]?.some(isReference))) return rule
  const known = await properties()
  const named = kinds.flatMap(kind => {
    const names = rule[kind]
    return names ? [[kind, [...new Set(names.flatMap(name => namesIn(name, known)))]] as const] : []
  })
  return { ...rule, ...Object.fromEntries(named) }
}

function namesIn(name: string, properties: JsonObject): readonly string[] {
  if (!isReference(name)) return [name]
  const whole = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(name)?.[1]
  const value = whole === undefined ? fillIn(name, '', properties).text : valueAt(properties, whole)
  const names = Array.isArray(value) ? value : [value]
  if (names.length > 0 && names.every(each => typeof each === 'string' && each !== '' && !isReference(each)))
    return names as string[]
  throw failure(
    'wrong-state',
    `An approver is named ${name}, and the properties of the node have no name there, nor a list of names.`,
  )
}

/** Resolves the names of the approvers that steps of the tree name themselves. */
export async function withNamesBeneath(step: StepDefinition, properties: PropertiesOfNode): Promise<StepDefinition> {
  const rules = (step.requires_approval_from ?? []) as readonly ApprovalRule[]
  return {
    ...step,
    ...(rules.length > 0 && {
      requires_approval_from: await Promise.all(rules.map(rule => withNames(rule, properties))),
    }),
    children: await Promise.all(step.children.map(child => withNamesBeneath(child, properties))),
  }
}

export const namesApproversByProperties = ({ requires_approval_from, children }: StepDefinition): boolean =>
  ((requires_approval_from ?? []) as readonly ApprovalRule[]).some(rule =>
    kinds.some(kind => rule[kind]?.some(isReference)),
  ) || children.some(namesApproversByProperties)

/** Tells, once an hour for a node, of approvers of its changes who are no users or groups any more. */
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
