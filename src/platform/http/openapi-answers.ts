import type { AnyCommand } from '../commands/command.ts'
import type { AnyLive } from '../live/live.ts'
import { eventStream, jsonApi } from './accept.ts'
import { withHeaders } from './documented-headers.ts'
import { attributesOfBody, type Route } from './routes.ts'
import { inLists, listDocument, oneDocument, ref, type Schema } from './schemas.ts'

/** Responses of routes in the OpenAPI document. */

const content = (schema: Schema) => ({ [jsonApi]: { schema } })

/** Descriptions of the refusals, under `components/responses`, since most routes refuse alike. */
const refusedWhen = {
  '400': 'The request is malformed: a parameter, an attribute or a form that there is not',
  '401': 'No credentials, wrong ones, or a token that has expired',
  '403': 'Known and readable, but a right is missing: `meta` says which on which path',
  '404': 'No such record, or one that the caller may not read',
  '405': 'The path does not take this method: `Allow` has those that it does',
  '406': 'Accept takes none of the forms that the answer can have',
  '409': 'The state of the record does not allow it, its code is taken, or a version is stale',
  '412': 'If-Match does not hold, since the record was changed; or If-None-Match, since there is one',
  '413': 'The body is too large',
  '415': 'The media type of the body is none that is taken here',
  '422': 'The values are understood, and not valid: `source.pointer` names each',
  '429': 'Too many requests of this user, or failed sign-ins: `Retry-After` says when to come back',
} as const

type Refused = keyof typeof refusedWhen

const headersOf: Partial<Record<Refused, Schema>> = {
  '401': withHeaders('www-authenticate'),
  '405': withHeaders('allow'),
  '429': withHeaders('retry-after'),
}

export const refusals: Schema = {
  ...Object.fromEntries(
    Object.entries(refusedWhen).map(([status, description]) => [
      status,
      { description, ...headersOf[status as Refused], content: content(ref('errors')) },
    ]),
  ),
  default: {
    description: 'Any other error: a bug (500), or the database cannot be reached (503)',
    ...withHeaders('retry-after'),
    content: content(ref('errors')),
  },
}

export const refused = (status: Refused | 'default'): Schema => ({ $ref: `#/components/responses/${status}` })

/** The refusals that callers of a route may receive. */
export function refusalsOf(route: Route): Schema {
  const open = route.kind === 'view' && route.view.public === true
  const writes = route.kind === 'command'
  const hasBody = attributesOfBody(route) !== undefined
  const statuses: readonly (Refused | false)[] = [
    '400',
    !open && '401',
    !open && '403',
    (writes || route.path.includes(':') || route.kind === 'list') && '404',
    '406',
    (writes || route.kind === 'view') && '409',
    writes && '412',
    hasBody && '413',
    (writes || hasBody) && '415',
    (writes || hasBody || route.kind === 'view') && '422',
    !open && '429',
  ]
  const named = [...statuses.filter(each => each !== false), 'default' as const]
  return Object.fromEntries(named.map(status => [status, refused(status)]))
}

/** Response of a route when it succeeds. */
export function answersOf(route: Route): Schema {
  switch (route.kind) {
    case 'list': {
      // CSV is a separate response (`download`): described beside the document, it would leave clients with types
      // nothing to read.
      const whole = content(listDocument(inLists(route.resource)))
      return {
        '200': { description: 'All records', ...withHeaders('etag'), content: whole },
        '206': { description: 'A page: the limit cut the list', ...withHeaders('etag'), content: whole },
        '304': { description: 'If-None-Match names it', ...withHeaders('etag') },
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
      const { summary, answer, mediaType = jsonApi, mediaTypes = [mediaType], ranged } = route.view
      const schema = answer as Schema
      const forms = Object.fromEntries(mediaTypes.map(type => [type, { schema }]))
      const shown = { description: summary, ...(ranged && withHeaders('content-range')), content: forms }
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

const streamForm =
  'Server-sent events. Each message has `event` (its kind) and `data` (JSON); behind one with an `id` the stream can be taken up again. Browsers hand messages with a kind to listeners of that kind and to no other: `addEventListener(kind, …)` for each of those below, since `onmessage` never hears of them.'

function answersOfLive({ messages }: AnyLive): Schema {
  const kinds = Object.entries({ ...messages, end: 'Nothing more will come: close, and do not dial again.' })
  const description = [streamForm, ...kinds.map(([kind, what]) => `* \`${kind}\`: ${what}`)].join('\n')
  return {
    '200': { description, content: { [eventStream]: { schema: { type: 'string' } } } },
    '204': { description: 'Last-Event-ID is that of the end: there is nothing more' },
  }
}

/** A command may find nothing to do, or only return a plan: then 200, or 204 without a record. */
function answersOfCommand({ answers, answer, dryRunAnswer, status, method }: AnyCommand): Schema {
  if (answer) return { [String(status)]: { description: 'Done', content: content(answer as Schema) } }
  const nothing = { description: 'Done, without a body' }
  const told = {
    description: 'Dry run: what would be done',
    content: content((dryRunAnswer as Schema | undefined) ?? { type: 'object' }),
  }
  if (!answers)
    return status === 204
      ? { '204': nothing }
      : { '200': told, [String(status)]: status === 200 ? told : nothing, '204': nothing }
  const record = { description: 'Done', ...withHeaders('etag'), content: content(oneDocument(answers)) }
  const made = { ...record, ...withHeaders('etag', 'location') }
  if (method === 'PUT') return { '200': record, '201': made }
  return status === 200 ? { '200': record } : { '200': told, [String(status)]: status === 204 ? nothing : made }
}
