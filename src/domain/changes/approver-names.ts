import { fillIn, valueAt } from '#json/fill-in.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import { failure } from '#platform/failure.ts'
import type { ApprovalRule } from '../steps/for-changes.ts'
import type { StepDefinition } from '../steps/index.ts'

/** The properties of the change's node, read only when a rule refers to them. */
export type PropertiesOfNode = () => Promise<JsonObject>

export const kinds = ['user_names', 'ldap_groups'] as const

const isReference = (name: string): boolean => name.includes('{{')

/**
 * The rule with every `{{path}}` among its names replaced by the node's property there: a text, or a list of texts.
 * Resolved once, when the change is created: who may approve it does not change while it waits.
 *
 * @throws Failure `wrong-state` if there is no such property: a rule that cannot be satisfied would be useless
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
  const whole = /^\{\{([^{}]*)\}\}$/.exec(name)?.[1]?.trim()
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
export async function withNamesBelow(step: StepDefinition, properties: PropertiesOfNode): Promise<StepDefinition> {
  const rules = (step.requires_approval_from ?? []) as readonly ApprovalRule[]
  return {
    ...step,
    ...(rules.length > 0 && {
      requires_approval_from: await Promise.all(rules.map(rule => withNames(rule, properties))),
    }),
    children: await Promise.all(step.children.map(child => withNamesBelow(child, properties))),
  }
}

export const namesApproversByProperties = ({ requires_approval_from, children }: StepDefinition): boolean =>
  ((requires_approval_from ?? []) as readonly ApprovalRule[]).some(rule =>
    kinds.some(kind => rule[kind]?.some(isReference)),
  ) || children.some(namesApproversByProperties)
