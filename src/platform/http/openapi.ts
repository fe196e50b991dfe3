import type { AnyCommand } from '../commands/command.ts'
import { failureCodes } from '../failure.ts'
import { filterLimits } from '../jsonapi/filters.ts'
import type { Parameters } from '../jsonapi/parameters.ts'
import { predicates } from '../jsonapi/predicates.ts'
import type { Resource } from '../jsonapi/resource.ts'
import type { AnyLive } from '../live/live.ts'
import { eventStream, jsonApi } from './accept.ts'
import { answerHeaders, requestHeaders, withHeaders } from './documented-headers.ts'
import type { Route } from './routes.ts'
import { attributesOfBody } from './routes.ts'
import {
  errorsDocument,
  identifier,
  listDocument,
  object,
  oneDocument,
  ref,
  resourceSchema,
  type Schema,
} from './schemas.ts'

/** The interface as OpenAPI 3.1, made from the same values that answer requests: it cannot say something else. */
export function openApiDocument(routes: readonly Route[], resources: readonly Resource[], version: string): object {
  const paths: Record<string, Record<string, Schema>> = { '/api/openapi.json': { get: thisDocument } }
  for (const route of routes) {
    const path = route.path.replace(/:([A-Za-z_]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, resources) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sluice', version, description: description() },
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      schemas: {
        identifier,
        errors: errorsDocument(Object.keys(failureCodes)),
        ...Object.fromEntries(resources.map(resource => [resource.type, resourceSchema(resource)])),
      },
      headers: answerHeaders,
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
  }
}

const thisDocument: Schema = {
  operationId: 'openapi.show',
  summary: 'This document.',
  parameters: [],
  responses: { '200': { description: 'OpenAPI 3.1', content: { 'application/json': { schema: { type: 'object' } } } } },
  security: [],
}

function operation(route: Route, resources: readonly Resource[]): Schema {
  const attributes = attributesOfBody(route)
  const answers = route.kind === 'command' ? route.command.answers : undefined
  const answered = resources.find(({ type }) => type === answers)
  return {
    operationId: route.operationId,
    summary: summaryOf(route),
    parameters: [...pathParameters(route.path), ...queryParameters(route, answered), ...requestHeaders(route)],
    ...(attributes && { requestBody: requestBody(route, attributes as Schema) }),
    responses: { ...answersOf(route), default: refusal },
    ...(route.kind === 'view' && route.view.public && { security: [] }),
    ...(route.kind === 'command' && route.command.signsIn && { security: [{ basic: [] }] }),
  }
}

function summaryOf(route: Route): string {
  if (route.kind === 'command') return route.command.summary
  if (route.kind === 'view') return route.view.summary
  if (route.kind === 'live') return route.live.summary
  return route.kind === 'list' ? `List: ${route.resource.describe}` : route.resource.describe
}

const content = (schema: Schema) => ({ [jsonApi]: { schema } })

const refusal: Schema = {
  description: 'What is wrong',
  ...withHeaders('retry-after', 'allow', 'www-authenticate'),
  content: content(ref('errors')),
}

function answersOf(route: Route): Schema {
  switch (route.kind) {
    case 'list': {
      const whole = content(listDocument(route.resource.type))
      const csv = { 'text/csv': { schema: { type: 'string' } } }
      const cut = 'A page: the limit cut the list'
      return {
        '200': { description: 'All records', content: { ...whole, ...csv } },
        '206': { description: cut, content: { ...whole, ...csv } },
      }
    }
    case 'show': {
      const { describe, type } = route.resource
      return {
        '200': { description: describe, ...withHeaders('etag'), content: content(oneDocument(type)) },
        '304': { description: 'If-None-Match names it', ...withHeaders('etag') },
      }
    }
    case 'command':
      return answersOfCommand(route.command)
    case 'view': {
      const { summary, answer, mediaType = jsonApi } = route.view
      const shown = { description: summary, content: { [mediaType]: { schema: answer as Schema } } }
      const statuses = [200, ...(route.view.statuses ?? [])]
      return {
        ...Object.fromEntries(statuses.map(status => [String(status), shown])),
        ...(route.method === 'GET' && { '304': { description: 'If-None-Match names it' } }),
      }
    }
    case 'live':
      return answersOfLive(route.live)
  }
}

function answersOfLive({ messages }: AnyLive): Schema {
  const kinds = Object.entries({ ...messages, end: 'Nothing more will come: close, and do not dial again.' })
  const description = [
    'Server-sent events. Each message has `event` (its kind) and `data` (JSON); behind one with an `id` the stream can be taken up again.',
    ...kinds.map(([kind, what]) => `* \`${kind}\`: ${what}`),
  ].join('\n')
  return {
    '200': { description, content: { [eventStream]: { schema: { type: 'string' } } } },
    '204': { description: 'Last-Event-ID is that of the end: there is nothing more' },
  }
}

/** A command may find that nothing was to be done, or only tell what it would do (a plan): then 200, or 204 without a record. */
function answersOfCommand({ answers, answer, tells, status, method }: AnyCommand): Schema {
  if (answer) return { [String(status)]: { description: 'Done', content: content(answer as Schema) } }
  const nothing = { description: 'Done, without a body' }
  const told = { description: 'Told, not done', content: content((tells as Schema | undefined) ?? { type: 'object' }) }
  if (!answers)
    return status === 204
      ? { '204': nothing }
      : { '200': told, [String(status)]: status === 200 ? told : nothing, '204': nothing }
  const record = { description: 'Done', ...withHeaders('etag'), content: content(oneDocument(answers)) }
  const made = { ...record, ...withHeaders('etag', 'location') }
  if (method === 'PUT') return { '200': record, '201': made }
  return status === 200 ? { '200': record } : { '200': told, [String(status)]: status === 204 ? nothing : made }
}

const pathParameters = (path: string): Schema[] =>
  [...path.matchAll(/:([A-Za-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'string', format: 'uuid' } : { type: 'string' },
  }))

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
        ...ofList(route.resource).filter(({ name }) => !(route.list.plain && name === 'filter')),
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
    query('download', { type: 'string' }, 'The list as CSV under this file name, oldest first'),
  ]
}

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
    'application/json-patch+json': { schema: { type: 'array' } },
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
