import type { Offer } from './place.ts'

/** Part of JSON Schema that completion reads. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
}

/** Schemas that describe the value at a path: alternatives and parts of `allOf` each count. */
export function schemaAt(root: JsonSchema, path: readonly (string | number)[]): JsonSchema[] {
  let found = partsOf(root, root)
  for (const key of path)
    found = found.flatMap(schema => childrenOf(schema, key)).flatMap(child => partsOf(child, root))
  return found
}

function childrenOf(schema: JsonSchema, key: string | number): JsonSchema[] {
  const own = typeof key === 'number' ? schema.items : ownProperty(schema, key)
  return typeof own === 'object' ? [own] : []
}

const ownProperty = ({ properties = {}, additionalProperties }: JsonSchema, key: string) =>
  Object.hasOwn(properties, key) ? properties[key] : additionalProperties

/** The schemas that know all these keys: of the alternatives for a container, those that it can still become. All if none does. */
export function fitting(schemas: readonly JsonSchema[], keys: readonly string[]): readonly JsonSchema[] {
  const able = schemas.filter(
    ({ properties = {}, additionalProperties }) =>
      additionalProperties !== false || keys.every(key => Object.hasOwn(properties, key)),
  )
  return able.some(({ properties }) => properties) ? able : schemas
}

/** The schema with its references and combinations resolved. */
function partsOf(schema: JsonSchema, root: JsonSchema, seen: readonly string[] = []): JsonSchema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema
  const target = $ref === undefined || seen.includes($ref) ? undefined : referenced($ref, root)
  const more = [...anyOf, ...oneOf, ...allOf]
  return [
    schema,
    ...(target ? partsOf(target, root, [...seen, $ref ?? '']) : []),
    ...more.flatMap(each => partsOf(each, root, seen)),
  ]
}

/** Target of a reference within the same document: `#/$defs/step`. */
function referenced(reference: string, root: JsonSchema): JsonSchema | undefined {
  const keys = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
  let found: unknown = root
  for (const key of keys) {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    found = typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[name] : undefined
  }
  return reference.startsWith('#') && typeof found === 'object' && found !== null ? (found as JsonSchema) : undefined
}

/** Names of properties that the schemas describe. */
export function keysIn(schemas: readonly JsonSchema[], root: JsonSchema = {}): Offer[] {
  const offers = new Map<string, Offer>()
  for (const { properties = {} } of schemas)
    for (const [label, property] of Object.entries(properties)) {
      const [described] = typeof property === 'object' ? partsOf(property, root).filter(hasWords) : []
      offers.set(label, offers.get(label) ?? { label, type: 'property', ...wordsOf(described) })
    }
  return [...offers.values()]
}

const hasWords = ({ type, description }: JsonSchema) => type !== undefined || description !== undefined

const wordsOf = (schema: JsonSchema | undefined) => ({
  ...(schema?.type !== undefined && { detail: [schema.type].flat().join(' | ') }),
  ...(schema?.description !== undefined && { info: schema.description }),
})

/** Values that the schemas allow or suggest. */
export function valuesOf(schemas: readonly JsonSchema[]): Offer[] {
  const values = schemas.flatMap(({ enum: allowed = [], const: only, default: usual, type }) => [
    ...allowed,
    ...(only === undefined ? [] : [only]),
    ...(usual === undefined || typeof usual === 'object' ? [] : [usual]),
    ...(type === 'boolean' ? [true, false] : []),
  ])
  return [...new Set(values)].map(value => ({
    label: String(value),
    type: typeof value === 'string' ? 'text' : 'constant',
  }))
}
