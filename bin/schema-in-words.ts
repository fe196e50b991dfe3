/** Description of the values that a JSON Schema allows, in words, for the pages generated from schemas. */
export function schemaInWords(schema: object): string {
  const described = schema as Described
  const { type, const: only, enum: values, minimum, maximum, shouldBe, items, properties, anyOf } = described
  if (values) return values.map(code).join(', ')
  if (only !== undefined) return code(only)
  if (anyOf) return [...new Set(anyOf.map(schemaInWords))].join(' or ')
  if (type === 'integer') return minimum === undefined ? 'integer' : `${minimum} to ${maximum ?? '∞'}`
  if (items) return `array of: ${schemaInWords(items)}`
  if (properties && Object.keys(properties).length > 0) return `object: ${Object.keys(properties).map(code).join(', ')}`
  const [ofValues] = Object.values(described.patternProperties ?? {})
  if (type === 'object') return ofValues ? `object of ${schemaInWords(ofValues)}` : 'object'
  if (type === 'boolean') return '`true`, `false`'
  if (type === 'null') return '`null`'
  return shouldBe ?? 'text'
}

export const code = (text: unknown): string => `\`${text}\``

/** A row of a table. */
export const rowOf = (cells: readonly string[]): string =>
  `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`

interface Described {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly shouldBe?: string
  readonly items?: object
  readonly properties?: Readonly<Record<string, object>>
  readonly patternProperties?: Readonly<Record<string, object>>
  readonly anyOf?: readonly object[]
}
