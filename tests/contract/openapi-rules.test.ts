import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentInterface, currentRoutes } from '../../bin/current-interface.ts'
import { inLists } from '../../src/platform/http/schemas.ts'

/** Requirements of OpenAPI linters (Redocly's and Spectral's recommended rules), and of client generators. */

type Node = Record<string, unknown>
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: Node; description?: string }[]
  readonly responses: Readonly<
    Record<string, { $ref?: string; description?: string; headers?: Node; content?: Record<string, unknown> }>
  >
}
interface Document {
  readonly info: Readonly<Record<string, Node | string>>
  readonly servers: readonly { url: string }[]
  readonly tags: readonly { name: string; description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Node>>>>
}

const document = JSON.parse(JSON.stringify(await currentInterface())) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, path, method, ...operation })),
)
assert.ok(operations.length > 250)

const isRanged = (responses: Operation['responses']) => responses['206']?.headers?.['Content-Range'] !== undefined

/** Keywords of JSON Schema 2020-12 and OpenAPI 3.1 that our schemas may use. */
const keywords = new Set(
  `$ref type enum const anyOf oneOf allOf not if then else items prefixItems contains properties patternProperties
   additionalProperties propertyNames required format pattern description title default deprecated readOnly writeOnly
   examples minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems
   minProperties maxProperties contentMediaType contentEncoding`.split(/\s+/),
)

/** Every schema of the document, with its place. */
function* schemas(value: unknown, at: string, isSchema: boolean): Generator<[string, Node]> {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) yield* schemas(each, `${at}/${index}`, isSchema)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const node = value as Node
  if (isSchema) yield [at, node]
  for (const [name, each] of Object.entries(node)) {
    const below = `${at}/${name}`
    if (!isSchema) {
      const holdsSchemas = name === 'schemas' && at.endsWith('/components')
      if (holdsSchemas)
        for (const [key, one] of Object.entries(each as Node)) yield* schemas(one, `${below}/${key}`, true)
      else yield* schemas(each, below, name === 'schema')
    } else if (['properties', 'patternProperties'].includes(name)) {
      for (const [key, one] of Object.entries(each as Node)) yield* schemas(one, `${below}/${key}`, true)
    } else if (!['enum', 'const', 'default', 'examples', 'required', 'type'].includes(name))
      yield* schemas(each, below, true)
  }
}
const all = [...schemas(document, '', false)]
assert.ok(all.length > 3_000, `${all.length} schemas`)

const wrong = (faulty: (at: string, schema: Node) => boolean | string): string[] =>
  all.flatMap(([at, schema]) => {
    const fault = faulty(at, schema)
    return fault ? [`${at}${fault === true ? '' : `: ${fault}`}`] : []
  })

test('the document says who answers, under which licence, and what its groups are', () => {
  assert.ok(document.servers.length > 0 && document.servers.every(({ url }) => url === '/' || !url.endsWith('/')))
  const { license, contact, description, title, version } = document.info
  assert.deepEqual(license, { name: 'Apache License 2.0', identifier: 'Apache-2.0' })
  for (const each of [contact, description, title]) assert.ok(each)
  assert.equal(typeof version, 'string')
  assert.ok(document.tags.every(({ name, description: about }) => name && about))
  assert.equal(new Set(document.tags.map(({ name }) => name)).size, document.tags.length)
})

test('every operation has a name of its own, known tags, a summary, a description, and answers of 2xx and 4xx', () => {
  const tags = new Set(document.tags.map(({ name }) => name))
  assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  const faulty = operations.filter(({ tags: own, summary, description, responses, operationId }) => {
    const statuses = Object.keys(responses)
    const groups = own.length > 0 && own.every(tag => tags.has(tag))
    const answers = statuses.some(each => each.startsWith('2')) && statuses.some(each => each.startsWith('4'))
    return !groups || !summary || !description || !answers || encodeURIComponent(operationId) !== operationId
  })
  assert.deepEqual(
    faulty.map(({ at }) => at),
    [],
  )
})

test('every answer has a description, and every reference leads to something', () => {
  const lead = (pointer: string) =>
    pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((node, part) => (node as Node | undefined)?.[part.replaceAll('~1', '/')], document)
  const text = JSON.stringify(document)
  const refs = [...new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!))]
  assert.deepEqual(
    refs.filter(ref => !ref.startsWith('#/') || lead(ref) === undefined),
    [],
  )
  const used = new Set(refs)
  for (const kind of ['schemas', 'responses', 'headers'])
    for (const name of Object.keys(document.components[kind]!)) {
      const isAnswered = used.has(`#/components/${kind}/${name}`)
      if (kind !== 'schemas') assert.ok(isAnswered, `${kind} ${name} is used by nothing`)
    }
  for (const { at, responses } of operations)
    for (const [status, { $ref, description }] of Object.entries(responses))
      assert.ok($ref || description, `${at} ${status}`)
})

test('path parameters are those of the path, needed and described', () => {
  for (const { at, path, parameters } of operations) {
    const inPath = parameters.filter(each => each.in === 'path')
    const names = [...path.matchAll(/\{(.+?)\}/g)].map(([, name]) => name)
    assert.deepEqual(
      inPath.map(({ name }) => name),
      names,
      at,
    )
    for (const { required, description } of inPath) assert.ok(required && description, at)
    const keys = parameters.map(({ name, in: where }) => `${where} ${name}`)
    assert.equal(new Set(keys).size, keys.length, at)
  }
})

test('schemas use no keyword of our own, require nothing that they do not have, and say what lists hold', () => {
  assert.deepEqual(
    wrong((_, schema) => Object.keys(schema).find(name => !keywords.has(name)) ?? false),
    [],
  )
  assert.deepEqual(
    wrong((_, { required, properties = {} }) =>
      Array.isArray(required) ? (required.find(name => !Object.hasOwn(properties as Node, name)) ?? false) : false,
    ),
    [],
  )
  assert.deepEqual(
    wrong((_, { type, items }) => type === 'array' && items === undefined),
    [],
  )
  assert.deepEqual(
    wrong(
      (_, { enum: values }) => Array.isArray(values) && (values.length === 0 || new Set(values).size < values.length),
    ),
    [],
  )
})

test('what every record has is required in the schemas of full answers', async () => {
  const { resources } = await currentRoutes()
  interface RecordSchema {
    properties: { attributes: { required?: string[]; properties: Node }; relationships?: { required?: string[] } }
  }
  const schemaOf = (name: string) => (document.components['schemas']![name] as unknown as RecordSchema).properties
  for (const resource of resources) {
    const always = Object.entries(resource.columns).filter(([, { when }]) => !when)
    assert.deepEqual(
      schemaOf(resource.type).attributes.required ?? [],
      always.map(([name]) => name),
      resource.type,
    )
    const listed = schemaOf(inLists(resource)).attributes
    for (const [name, { showOnly }] of Object.entries(resource.columns))
      assert.equal(
        Object.hasOwn(listed.properties, name),
        !(showOnly && resource.lists.length > 0),
        `${resource.type} ${name}`,
      )
  }
  assert.ok(schemaOf('project').attributes.required?.includes('code'))
})

test('a list answers documents and nothing else, so that a client with types can read it', () => {
  const lists = operations.filter(({ responses }) => responses['206'] && !isRanged(responses))
  assert.ok(lists.length > 50)
  for (const { at, responses } of lists)
    for (const status of ['200', '206'])
      assert.deepEqual(Object.keys(responses[status]!.content!), ['application/vnd.api+json'], at)
})

test('a range of a log has two forms, and says which part of the log it is', () => {
  const ranges = operations.filter(({ responses }) => isRanged(responses))
  assert.equal(ranges.length, 4)
  for (const { at, responses } of ranges)
    assert.deepEqual(Object.keys(responses['200']!.content!), ['application/x-ndjson', 'text/plain'], at)
})

test('the answer of a stream says which kinds of message to listen to', () => {
  const streams = operations.filter(({ responses }) => responses['200']?.content?.['text/event-stream'])
  assert.ok(streams.length > 2)
  for (const { at, responses } of streams) {
    const description = responses['200']!.description!
    assert.match(description, /addEventListener/, at)
    assert.match(description, /^\* `end`: /m, at)
  }
})
