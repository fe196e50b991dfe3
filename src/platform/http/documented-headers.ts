import type { Route } from './routes.ts'
import type { Schema } from './schemas.ts'

/** Headers beside credentials and media types, as the OpenAPI document tells of them. */

const inRequest = (name: string, description: string): Schema => ({
  name,
  in: 'header',
  schema: { type: 'string' },
  description,
})

const ifNoneMatch = inRequest('If-None-Match', 'ETags of answers that the caller has: 304 when the answer is still one')

const ifMatch = inRequest(
  'If-Match',
  'ETag of the record as the caller saw it: 412 when it was changed since. Only the version of the record counts',
)

const ifNothingThere = inRequest(
  'If-None-Match',
  '* for a request that only creates: 412 when there is such a record already',
)

const idempotencyKey = inRequest(
  'Idempotency-Key',
  '1 to 255 visible ASCII characters: within 24 hours the same request with it is done once, and answered alike; 422 with another body, 409 while the first is under way',
)

const lastEventId = inRequest('Last-Event-ID', 'The id of the last message that arrived: the stream resumes behind it')

/** Headers that requests of a route may carry. */
export function requestHeaders(route: Route): Schema[] {
  switch (route.kind) {
    case 'list':
    case 'show':
      return [ifNoneMatch]
    case 'view':
      return route.method === 'GET' ? [ifNoneMatch] : []
    case 'live':
      return [lastEventId]
    case 'command':
      return [
        ...(isAboutRecord(route) ? [ifMatch] : []),
        ...(route.method === 'PUT' ? [ifNothingThere] : []),
        ...(storesResponse(route) ? [idempotencyKey] : []),
      ]
  }
}

/** Whether its response is stored for repetitions of the request. */
const storesResponse = ({ method, command }: Route & { kind: 'command' }): boolean =>
  method === 'POST' && !command.secret

/** Whether it is about an existing record, not one that it creates. */
const isAboutRecord = ({ method, path, command }: Route & { kind: 'command' }): boolean =>
  method !== 'POST' || (path.includes(':') && command.status === 200 && command.answers !== undefined)

/** Under `components/headers`: what answers carry. */
export const answerHeaders = {
  etag: { description: 'For If-None-Match and, of records, If-Match', schema: { type: 'string' } },
  location: { description: 'The path of what was made', schema: { type: 'string' } },
  'retry-after': { description: 'Of 429 and 503: seconds after which to retry', schema: { type: 'integer' } },
  'content-range': { description: 'The part of the whole that the answer has', schema: { type: 'string' } },
  allow: { description: 'Of 405: the methods that the path takes', schema: { type: 'string' } },
  'www-authenticate': { description: 'Of 401: how to sign in', schema: { type: 'string' } },
} as const satisfies Record<string, Schema>

/** Headers of a response by their names. */
export const withHeaders = (...names: (keyof typeof answerHeaders)[]): Schema => ({
  headers: Object.fromEntries(names.map(name => [written[name], { $ref: `#/components/headers/${name}` }])),
})

const written: Readonly<Record<keyof typeof answerHeaders, string>> = {
  etag: 'ETag',
  location: 'Location',
  'retry-after': 'Retry-After',
  'content-range': 'Content-Range',
  allow: 'Allow',
  'www-authenticate': 'WWW-Authenticate',
}
