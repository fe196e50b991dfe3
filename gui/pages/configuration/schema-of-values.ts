import { isSecret } from '../../api/secret-reference.ts'
import type { JsonSchema } from '../../components/editor/json-schema.ts'

/** Elements of a list whose keys are offered; longer ones have elements of the same form as a rule. */
const most = 20

/**
 * Schema that offers the keys of a document, and the value that each has: for the text of another document that is
 * merged with it. It allows any other key and value. The text of a secret is never offered.
 */
export function schemaOfValues(value: unknown): JsonSchema {
  if (Array.isArray(value)) return { type: 'array', items: { anyOf: value.slice(0, most).map(schemaOfValues) } }
  if (typeof value !== 'object' || value === null) return schemaOfLeaf(value)
  const properties = Object.entries(value).map(([key, each]) => [key, schemaOfValues(each)])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

const schemaOfLeaf = (value: unknown): JsonSchema => ({
  type: value === null ? 'null' : typeof value,
  ...(value !== null && !isSecret(value) && { default: value, description: String(value) }),
})
