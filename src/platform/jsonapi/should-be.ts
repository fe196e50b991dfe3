import type { TSchema } from 'typebox'

/** The keywords of JSON Schema that our own schemas use, as one loose shape. */
export interface AnySchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly AnySchema[]
  readonly items?: AnySchema
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | AnySchema
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  /** Our own keyword: words that follow "should be", if the schema alone would read badly. */
  readonly shouldBe?: string
}

const simple: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  null: 'null',
  object: 'an object',
  array: 'an array',
}

/** Description of a valid value that follows "should be". */
export function shouldBe(schema: TSchema | AnySchema): string {
  const rule = schema as AnySchema
  if (rule.shouldBe) return rule.shouldBe
  if (rule.enum) return `one of ${rule.enum.map(each => JSON.stringify(each)).join(', ')}`
  if (rule.const !== undefined) return JSON.stringify(rule.const)
  if (rule.anyOf) return alternatives(rule.anyOf)
  if (Array.isArray(rule.type)) return rule.type.map(type => shouldBe({ ...rule, type })).join(' or ')
  if (rule.type === 'string') return text(rule)
  if (rule.type === 'integer') return `an integer${range(rule.minimum, rule.maximum, '')}`
  if (rule.type === 'number') return `a number${range(rule.minimum, rule.maximum, '')}`
  if (rule.type === 'array') {
    const items = rule.items && Object.keys(rule.items).length ? `, each ${shouldBe(rule.items)}` : ''
    return `an array${range(rule.minItems, rule.maxItems, ' items')}${items}`
  }
  return simple[rule.type as string] ?? 'something else'
}

function alternatives(rules: readonly AnySchema[]): string {
  const constants = rules.filter(rule => rule.const !== undefined)
  if (constants.length === rules.length) return `one of ${constants.map(rule => JSON.stringify(rule.const)).join(', ')}`
  return rules.map(shouldBe).join(' or ')
}

function text(rule: AnySchema): string {
  const length = range(rule.minLength, rule.maxLength, ' characters')
  if (rule.format === 'date-time') return 'an ISO 8601 time with Z or an offset, such as 2026-11-21T02:00:00Z'
  if (rule.format) return `a text of the form ${rule.format}`
  if (rule.pattern) return `a text${length} that matches ${rule.pattern}`
  return `a text${length}`
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return ` ${unit ? 'of' : 'from'} ${least} to ${most}${unit}`
  if (least !== undefined) return ` of at least ${least}${unit}`
  return most === undefined ? '' : ` of at most ${most}${unit}`
}
