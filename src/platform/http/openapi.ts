import { failureCodes } from '../failure.ts'
import { countedBy } from '../jsonapi/counts.ts'
import { filterLimits } from '../jsonapi/filters.ts'
import type { Parameters } from '../jsonapi/parameters.ts'
import { predicates } from '../jsonapi/predicates.ts'
import type { Resource } from '../jsonapi/resource.ts'
import { jsonApi } from './accept.ts'
import { answerHeaders, requestHeaders } from './documented-headers.ts'
import { descriptionOf, documentationTag, summaryOf, tagOf, tagsOf } from './documented-operations.ts'
import { answersOf, refusals, refusalsOf, refused } from './openapi-answers.ts'
import { published } from './published.ts'
import type { Route } from './routes.ts'
import { attributesOfBody } from './routes.ts'
import {
  differsInLists,
  errorsDocument,
  identifier,
  nameInLists,
  object,
  ref,
  resourceSchema,
  type Schema,
} from './schemas.ts'

/** The interface as OpenAPI 3.1, generated from the values that answer requests, so that both always agree. */
export function openApiDocument(routes: readonly Route[], resources: readonly Resource[], version: string): object {
  const paths: Record<string, Record<string, Schema>> = { '/api/openapi.json': { get: thisDocument } }
  const inLists = resources.filter(differsInLists)
  for (const route of routes) {
    const path = route.path.replace(/:([A-Za-z_]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, resources) }
  }
  return published({
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: description(),
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      contact: { name: 'The administrators of this installation' },
    },
    servers: [{ url: '/', description: 'The service that answers this document' }],
    tags: tagsOf(routes, resources),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: {
        identifier,
        errors: errorsDocument(Object.keys(failureCodes)),
        ...Object.fromEntries(resources.map(resource => [resource.type, resourceSchema(resource)])),
        ...Object.fromEntries(inLists.map(resource => [nameInLists(resource), resourceSchema(resource, 'in lists')])),
      },
      headers: answerHeaders,
      responses: refusals,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-sluice-session',
          description: 'From POST /api/tokens/session. Requests that write carry its token as X-CSRF-Token as well.',
        },
      },
    },
    security: [{ basic: [] }, { bearer: [] }, { session: [] }],
  })
}

const thisDocument: Schema = {
  operationId: 'openapi.show',
  tags: [documentationTag],
  summary: 'This document.',
  description: 'What this service takes and answers, made from the values that it answers requests by.',
  parameters: [],
  responses: {
    '200': { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } },
    '405': refused('405'),
  },
  security: [],
}

function operation(route: Route, resources: readonly Resource[]): Schema {
  const attributes = attributesOfBody(route)
  const answers = route.kind === 'command' ? route.command.answers : undefined
  const answered = resources.find(({ type }) => type === answers)
  return {
    operationId: route.operationId,
    tags: [tagOf(route)],
    summary: summaryOf(route),
    description: descriptionOf(route),
    parameters: [...pathParameters(route.path), ...queryParameters(route, answered), ...requestHeaders(route)],
    ...(attributes && { requestBody: requestBody(route, attributes as Schema) }),
    responses: { ...answersOf(route), ...refusalsOf(route) },
    ...(route.kind === 'view' && route.view.public && { security: [] }),
    ...(route.kind === 'command' && route.command.signsIn && { security: [{ basic: [] }] }),
  }
}

const pathParameters = (path: string): Schema[] =>
  [...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
    description: describedParameter(name),
  }))

function describedParameter(name: string): string {
  if (name === 'id') return 'Id of the record'
  const [, noun, what] = /^(.+)_(code|id)$/.exec(name) ?? []
  if (noun === undefined) return `The ${name.replaceAll('_', ' ')} that it is called by`
  return what === 'code' ? `Code of the ${noun}, or its id` : `Id of the ${noun}, or its code`
}

function queryParameters(route: Route, answered: Resource | undefined): Schema[] {
  const fields = {
    name: 'fields',
    in: 'query',
    style: 'deepObject',
    explode: true,
    schema: fieldsSchema,
    description: 'Attributes and relationships wanted, by type',
  }
  switch (route.kind) {
    case 'list':
      return [
        ...own(route.list.parameters),
        ...ofList(route.resource).filter(
          ({ name }) => !(route.list.plain && ['filter', 'count_by'].includes(String(name))),
        ),
        includeOf(route.resource),
        fields,
      ]
    case 'show':
      return [...own(route.show.parameters), includeOf(route.resource), fields]
    case 'command':
      return [...own(route.command.parameters), ...(answered ? [includeOf(answered), fields] : [])]
    case 'view':
      return [...own(route.view.parameters), fields]
    case 'live':
      return [...own(route.live.parameters), fields]
  }
}

const fieldsSchema = { type: 'object', additionalProperties: { type: 'string' } }

const own = (parameters: Parameters | Readonly<Record<string, { schema: unknown; describe: string }>> = {}): Schema[] =>
  Object.entries(parameters).map(([name, { schema, describe, ...rest }]) => ({
    name,
    in: 'query',
    required: 'required' in rest,
    schema: schema as Schema,
    description: describe,
  }))

function includeOf(resource: Resource): Schema {
  const names = Object.keys(resource.relationships ?? {}).join(', ')
  const description = `Relationships to include, with commas, one level deeper with a dot: ${names || 'it has none'}`
  return { name: 'include', in: 'query', schema: { type: 'string' }, description }
}

function ofList(resource: Resource): Schema[] {
  const { default: usual, maximum } = resource.limit ?? { default: 100, maximum: 10_000 }
  const counted = countedBy(resource)
  const named = Object.entries(resource.named ?? {}).map(([name, { describe }]) => `${name} (${describe})`)
  const also = named.length ? ` Named filters: ${named.join(', ')}` : ''
  const namedSchemas = Object.entries(resource.named ?? {}).map(([name, { describe }]) => [
    name,
    { description: describe },
  ])
  const query = (name: string, schema: Schema, description: string): Schema => ({
    name,
    in: 'query',
    schema,
    description,
  })
  return [
    {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      explode: true,
      schema: { type: 'object', properties: Object.fromEntries(namedSchemas), additionalProperties: true },
      description: `filter[<attribute>_<predicate>], filter[sorts], filter[m].${also}`,
    },
    query('limit', { type: 'integer', minimum: 1, default: usual }, `At most ${maximum}; above it is capped`),
    query('page[after]', { type: 'string' }, 'From links.next'),
    query('total', { type: 'boolean' }, 'Count the records, up to 10,000'),
    ...(counted.length
      ? [
          query(
            'count_by',
            { enum: [...counted] },
            'Count the records by this attribute in `meta.counts`, up to 10,000',
          ),
        ]
      : []),
    query(
      'download',
      { type: 'string' },
      `The list as CSV (\`text/csv\`)${resource.plainText ? ', or as plain text (`text/plain`) where the name ends in `.log` or `.txt`,' : ''} under this file name, oldest first, with the records that it has under this limit; without one with all`,
    ),
  ]
}

const patchOperation = object(
  { op: { type: 'string' }, path: { type: 'string' }, from: { type: 'string' }, value: {} },
  { required: ['op', 'path'], description: 'An operation of JSON Patch (RFC 6902)' },
)

function requestBody(route: Route, attributes: Schema): Schema {
  const command = route.kind === 'command' ? route.command : undefined
  const relationship = object({ data: ref('identifier') }, { required: ['data'] })
  const relationships = Object.fromEntries((command?.relationships ?? []).map(name => [name, relationship]))
  const data = object(
    {
      type: { type: 'string' },
      id: { type: 'string' },
      attributes,
      ...(command?.relationships && { relationships: object(relationships) }),
      ...(command?.meta && { meta: command.meta }),
    },
    { required: ['attributes'] },
  )
  const envelope = { schema: object({ data, meta: { type: 'object' } }, { required: ['data'] }) }
  const patches = command?.patches && {
    'application/merge-patch+json': { schema: {} },
    'application/json-patch+json': { schema: { type: 'array', items: patchOperation } },
  }
  return {
    required: Boolean((attributes['required'] as unknown[] | undefined)?.length),
    content: { [jsonApi]: envelope, 'application/json': envelope, ...patches },
  }
}

function description(): string {
  const rows = Object.entries(predicates).map(([name, { why }]) => `* \`${name}\`: ${why}`)
  const codes = Object.entries(failureCodes).map(([code, { why }]) => `* \`${code}\`: ${why}`)
  return [
    'Requests and answers are JSON:API. Enumerations may gain values: clients ignore what they do not know.',
    `Lists: filter[<attribute>_<predicate>]=value, at most ${filterLimits.filters} filters, joined by and (filter[m]=or). Predicates:`,
    rows.join('\n'),
    'filter[sorts]=<attribute> asc|desc, several as filter[sorts][]=. A list cut by its limit answers 206 and links.next.',
    'Codes of errors:',
    codes.join('\n'),
  ].join('\n\n')
}
