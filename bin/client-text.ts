import type { Field, FieldKind, Operation, RecordType } from '../client/operation.ts'
import type { Schema } from './typescript-of-schema.ts'
import { typeName, typeOf } from './typescript-of-schema.ts'

/**
 * The client's types and tables as TypeScript, generated from the OpenAPI document: an interface for the attributes of
 * each type of record and of each body, the arguments and result of every operation, and the same as values, for
 * programs that work with any type of record.
 */
export function clientText(document: object): string {
  const { paths, components } = document as Document
  const records = Object.entries(components.schemas).filter(
    ([name, { properties }]) => properties?.['attributes'] && !inLists.test(name),
  )
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => read(method, path, described)),
  )
  const bodies = namedBodies(operations)
  return `/* Made by bin/client from the interface's own description. Change that, and run it again. */
import type { Operation, RecordType } from '../operation.ts'

${records.map(([type, schema]) => `/** ${schema.description} */\nexport type ${typeName(type)} = ${typeOf(attributesOf(schema), 'record')}\n`).join('\n')}
/** The attributes of each type of record, as one shown alone has them; lists leave some out. */
export interface Records {
${records.map(([type]) => `  ${type}: ${typeName(type)}`).join('\n')}
}

${[...bodies].map(([text, name]) => `export type ${name} = ${text}\n`).join('\n')}
/** Parameters and responses of every method on every path. */
export interface Operations {
${operations.map(operation => `  '${operation.method} ${operation.path}': ${signature(operation, bodies)}`).join('\n')}
}

export const recordTypes: Readonly<Record<string, RecordType>> = {
${records.map(([type, schema]) => `  ${type}: ${JSON.stringify(recordType(schema))},`).join('\n')}
}

export const operations: readonly Operation[] = [
${operations.map(operation => `  ${JSON.stringify(value(operation))},`).join('\n')}
]
`
}

/** Table of the POST operations that accept an Idempotency-Key: all that the client's own code needs at run time. */
export function idempotentPostsText(document: object): string {
  const paths = Object.entries((document as Document).paths).filter(
    ([path, { post }]) => post && read('post', path, post).once,
  )
  return `/* Made by bin/client from the interface's own description. Change that, and run it again. */

/** Path templates whose POST accepts an Idempotency-Key. */
export const idempotentPosts: readonly string[] = [
${paths.map(([path]) => `  '${path}',`).join('\n')}
]
`
}

interface Described {
  operationId: string
  summary: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
interface Document {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** An operation with the schema of its body, which becomes a type and a table of fields. */
type Read = Omit<Operation, 'attributes'> & { body?: Schema }

/** Schemas of records in lists, which have fewer attributes. */
const inLists = /_in_lists$/

const jsonApi = 'application/vnd.api+json'
/** Query parameters of every list and show, which the client sends itself. */
const common = new Set(['filter', 'limit', 'page[after]', 'total', 'count_by', 'download', 'include', 'fields'])

function read(method: string, path: string, described: Described): Read {
  const { operationId, summary, parameters = [], requestBody } = described
  const answer = answeredBy(described)
  const body = requestBody?.content[jsonApi]?.schema.properties?.['data']?.properties?.['attributes']
  const own = parameters.filter(parameter => parameter.in === 'query' && !common.has(parameter.name))
  const takesKey = parameters.some(parameter => parameter.in === 'header' && parameter.name === 'Idempotency-Key')
  const named = parameters.find(({ name }) => name === 'filter')?.schema.properties ?? {}
  return {
    id: operationId,
    method: method.toUpperCase() as Operation['method'],
    path,
    about: summary,
    ...answer,
    ...(body && { body }),
    ...(takesKey && { once: true }),
    ...(requestBody?.content['application/merge-patch+json'] && { patches: true }),
    ...(own.length > 0 && { query: Object.fromEntries(own.map(each => [each.name, parameterField(each)])) }),
    ...(Object.keys(named).length > 0 && { named: mapValues(named, ({ description = '' }) => description) }),
  }
}

function answeredBy({ responses }: Described): { answers?: string; lists?: true } {
  for (const status of ['200', '201']) {
    const data = responses[status]?.content?.[jsonApi]?.schema.properties?.['data']
    const one = data?.$ref ?? data?.items?.$ref
    if (one) return { answers: one.split('/').at(-1)!.replace(inLists, ''), ...(data?.items && { lists: true }) }
  }
  return {}
}

const attributesOf = (schema: Schema): Schema => schema.properties!['attributes']!

const recordType = (schema: Schema): RecordType => ({
  about: schema.description ?? '',
  attributes: fields(attributesOf(schema)),
})

const fields = ({ properties = {}, required = [] }: Schema): Record<string, Field> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, field(schema, required.includes(name))]))

const parameterField = (parameter: { schema: Schema; required?: boolean; description?: string }): Field =>
  field(
    { ...parameter.schema, ...(parameter.description && { description: parameter.description }) },
    parameter.required,
  )

function field(schema: Schema, required = false): Field {
  const choices = schema.anyOf ?? [schema]
  const isNull = ({ type }: Schema) => type === 'null' || (Array.isArray(type) && type.includes('null'))
  const kinds = new Set(choices.filter(({ type }) => type !== 'null').map(kindOf))
  const about = schema.description ?? choices.find(({ description }) => description)?.description
  return {
    kind: kinds.size === 1 ? [...kinds][0]! : 'any',
    ...(required && { required }),
    ...(choices.some(isNull) && { nullable: true }),
    ...(about && { about }),
  }
}

const kindOfType: Record<string, FieldKind> = { string: 'text', array: 'list' }

function kindOf({ type, format, enum: values, const: only }: Schema): FieldKind {
  const [name, ...more] = [type ?? typeof (values?.[0] ?? only)].flat().filter(each => each !== 'null')
  if (name === undefined || name === 'undefined' || more.length > 0) return 'any'
  if (name === 'string' && format === 'date-time') return 'time'
  return kindOfType[name] ?? (name as FieldKind)
}

/**
 * Names of request bodies: one for each distinct body, after the first operation that takes it, since many take the
 * same.
 */
function namedBodies(operations: readonly Read[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const { id, body } of operations) {
    if (!body || names.has(typeOf(body, 'body'))) continue
    const name = `To${typeName(id.replace(/_\d+$/, ''))}`
    const taken = [...names.values()].filter(each => each.replace(/\d+$/, '') === name).length
    names.set(typeOf(body, 'body'), taken === 0 ? name : `${name}${taken + 1}`)
  }
  return names
}

function signature({ answers, lists, body }: Read, bodies: ReadonlyMap<string, string>): string {
  const parts = [
    answers && `answers: '${answers}'`,
    lists && 'lists: true',
    body && `attributes: ${bodies.get(typeOf(body, 'body'))}`,
  ]
  const stated = parts.filter(Boolean).join('; ')
  return stated === '' ? '{}' : `{ ${stated} }`
}

const value = ({ body, ...operation }: Read): Operation => ({ ...operation, ...(body && { attributes: fields(body) }) })

const mapValues = <A, B>(values: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(values).map(([name, each]) => [name, map(each)]))
