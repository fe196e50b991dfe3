export interface Schema {
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  description?: string
  $ref?: string
}

/** `policy_rules.create` is `PolicyRulesCreate`. */
export const typeName = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/**
 * A JSON Schema as a TypeScript type. Parts that the schema leaves open are `unknown`, never `any`.
 *
 * @param is a record has all described members; a body has the required ones, and the others are optional
 */
export function typeOf(schema: Schema, is: 'record' | 'body'): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return [...new Set(schema.anyOf.map(each => typeOf(each, is)))].join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map(type => typeOf({ ...schema, type }, is)).join(' | ')
  if (schema.type === 'array') return schema.items ? `readonly ${bracketed(typeOf(schema.items, is))}[]` : 'unknown[]'
  if (schema.type === 'object') return objectType(schema, is)
  if (schema.type === 'integer') return 'number'
  return schema.type ?? 'unknown'
}

function objectType(schema: Schema, is: 'record' | 'body'): string {
  const { properties = {}, required = [], additionalProperties } = schema
  const lines = Object.entries(properties).map(([name, property]) => {
    const description = property.description ?? property.anyOf?.find(each => each.description)?.description
    const mark = is === 'body' && !required.includes(name) ? '?' : ''
    return `${description ? `  /** ${description} */\n` : ''}  ${key(name)}${mark}: ${typeOf(property, is)}\n`
  })
  const open = additionalProperties === true || typeof additionalProperties === 'object'
  if (lines.length === 0) return open ? 'Record<string, unknown>' : 'Record<string, never>'
  return `{\n${lines.join('')}${open ? '  [name: string]: unknown\n' : ''}}`
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)
const bracketed = (type: string) => (type.includes(' ') ? `(${type})` : type)
