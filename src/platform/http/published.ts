/**
 * Converts one of our schemas for other readers. Our own keyword, which describes a valid value in words, becomes the
 * description where there is none. Members that a condition requires are added to its properties, because tools look
 * for them beside `required`.
 */
export const published = <Document extends object>(document: Document): Document => strip(document, false) as Document

function strip(value: unknown, names: boolean): unknown {
  if (Array.isArray(value)) return value.map(each => strip(each, false))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  const { shouldBe, description } = value as { shouldBe?: unknown; description?: unknown }
  const isOwn = !names && typeof shouldBe === 'string'
  const kept = members
    .filter(([name]) => !(isOwn && name === 'shouldBe'))
    .map(([name, each]) => [name, strip(each, !names && name === 'properties')])
  const schema = Object.fromEntries(isOwn && description === undefined ? [...kept, ['description', shouldBe]] : kept)
  return names ? schema : withRequired(schema)
}

function withRequired(schema: Record<string, unknown>): Record<string, unknown> {
  const { required, properties = {}, additionalProperties } = schema
  if (!Array.isArray(required) || additionalProperties === false) return schema
  const known = properties as Record<string, unknown>
  const missing = required.filter(name => !Object.hasOwn(known, name))
  if (missing.length === 0) return schema
  return { ...schema, properties: { ...known, ...Object.fromEntries(missing.map(name => [name, {}])) } }
}
