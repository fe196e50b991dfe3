import { isMap, isScalar, isSeq, type Scalar } from 'yaml'
import { isObject, type JsonObject } from '#platform/documents/document.ts'
import { foldedName } from '#platform/folded-name.ts'
import { type Field, type Fields, jsonOf, type Reading } from '../files/fields.ts'
import { holdsPlaceholder, isPlaceholder, placeholderFault } from './placeholders.ts'
import { type RuledText, textRules } from './text-rules.ts'
import { workflowLimits } from './workflow-limits.ts'
import type { WrittenPlace } from './workflow-tree.ts'

/** Source that is being read, and the places of its nodes. */
export interface WorkflowReading extends Reading {
  readonly place: (node: unknown) => WrittenPlace
}

/** One step that is being read; `places` fills meanwhile. */
export interface StepReading {
  readonly reading: WorkflowReading
  readonly fields: Fields
  readonly node: unknown
  readonly places: Record<string, WrittenPlace>
  readonly depth: number
}

/** A text; without a placeholder it is checked here, with one once it is resolved. */
export function readText(step: StepReading, key: string, rule: RuledText): string | undefined {
  const value = step.fields.text(key, { notEmpty: true })
  const field = step.fields.takeNode(key)
  if (value === undefined || !field) return undefined
  return judge(step, value, field.node, rule, rule) ? value : undefined
}

function judge(step: StepReading, value: string, node: unknown, rule: RuledText, name: string): boolean {
  const fault = placeholderFault(value) ?? (holdsPlaceholder(value) ? undefined : textRules[rule](value))
  if (fault !== undefined) step.fields.fault(node, fault)
  step.places[name] = step.reading.place(node)
  return fault === undefined
}

/** One value under one key, or several under another; never both. */
export function readOneOrMore(step: StepReading, one: string, more: 'targets' | 'template_versions'): string[] {
  const { fields } = step
  if (fields.peek(one) && fields.peek(more))
    fields.fault(fields.takeNode(more)!.node, `"${one}" or "${more}", not both.`)
  if (!fields.peek(more)) {
    const value = fields.text(one, { notEmpty: true })
    const field = fields.takeNode(one)
    return value !== undefined && judge(step, value, field!.node, more, `${more}/0`) ? [value] : []
  }
  fields.takeNode(one)
  return readTexts(step, fields, more, more)
}

/** A list of texts, or a placeholder of a list. */
export function readTexts(step: StepReading, fields: Fields, key: string, rule: RuledText): string[] {
  const field = fields.takeNode(key)
  if (!field) return []
  const alone = step.reading.yaml.resolve(field.node)
  const nodes =
    isScalar(alone) && isPlaceholder(alone.value) ? [field.node] : (fields.list(key) ?? []).map(({ node }) => node)
  if (isSeq(alone) && nodes.length === 0) fields.fault(field.node, `"${key}" names at least one.`)
  if (nodes.length > workflowLimits.times) fields.fault(field.node, `"${key}" names more than ${workflowLimits.times}.`)
  const seen = new Set<string>()
  return nodes.flatMap((node, i) => {
    const value = jsonOf(step.reading, node)
    if (typeof value !== 'string') {
      fields.fault(node, `"${key}" is a list of texts${typeof value === 'number' ? ': put quotes around it' : ''}.`)
      return []
    }
    if (!judge(step, value, node, rule, `${key}/${i}`)) return []
    const same = isOfPeople(rule) ? foldedName(value) : value
    if (key !== 'template_versions' && seen.has(same)) fields.fault(node, `"${value}" occurs twice in "${key}".`)
    seen.add(same)
    return [value]
  })
}

const isOfPeople = (rule: RuledText): boolean => rule === 'user_names' || rule === 'ldap_groups'

/** A whole number from 1 on, or a placeholder of one. */
export function readNumber(step: StepReading, key: string, most: number): number | string | undefined {
  const field = step.fields.take(key)
  if (!field) return undefined
  step.places[key] = step.reading.place(field.node)
  if (!isPlaceholder(field.value)) return step.fields.integer(key, 1, most)
  const fault = placeholderFault(field.value)
  if (fault === undefined) return field.value
  step.fields.fault(field.node, fault)
  return undefined
}

/** Property overrides: an object or several, or placeholders for them; none if there is no such key. */
export function documents({ fields }: StepReading, field: Field | undefined): (JsonObject | string)[] {
  if (!field || field.value === undefined) return []
  const isOne = (value: unknown) => isObject(value) || isPlaceholder(value)
  if (isOne(field.value)) return [field.value as JsonObject | string]
  const list = field.value
  if (!Array.isArray(list) || !list.every(isOne)) {
    fields.fault(field.node, '"property_overrides" is an object, or of a workflow a list of objects.')
    return []
  }
  if (list.length === 0) fields.fault(field.node, '"property_overrides" as a list holds at least one object.')
  if (list.length > workflowLimits.times)
    fields.fault(field.node, `"property_overrides" holds more than ${workflowLimits.times} objects.`)
  return list as (JsonObject | string)[]
}

/** The documents of a node: the items of a list, or the node itself. */
export function itemsOf({ reading }: StepReading, node: unknown): unknown[] {
  const list = reading.yaml.resolve(node)
  return isSeq(list) ? list.items : node === undefined ? [] : [node]
}

/** Records the places of texts with placeholders, at all depths, and the faults of their syntax. */
export function notePlaces(step: StepReading, name: string, node: unknown): void {
  const at = step.reading.yaml.resolve(node)
  if (isSeq(at)) for (const [i, item] of at.items.entries()) notePlaces(step, `${name}/${i}`, item)
  if (isMap(at)) for (const { key, value } of at.items) notePlaces(step, `${name}/${(key as Scalar).value}`, value)
  if (!isScalar(at) || typeof at.value !== 'string' || !holdsPlaceholder(at.value)) return
  step.places[name] = step.reading.place(node)
  const fault = placeholderFault(at.value)
  if (fault !== undefined) step.fields.fault(node, fault)
}
