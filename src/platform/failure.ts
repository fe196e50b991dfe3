/** The five kinds of faults of a caller. Any other error is a bug of ours, and responds with 500 and an id. */
export const failureKinds = {
  malformed: { status: 400, title: 'The request is malformed' },
  forbidden: { status: 403, title: 'Not allowed' },
  missing: { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'Not possible in the current state' },
  invalid: { status: 422, title: 'The values are not valid' },
} as const

export type FailureKind = keyof typeof failureKinds

/** Error codes that a response can carry. Stable: clients branch on them. A row may narrow its kind's status. */
export const failureCodes = {
  'malformed-json': { kind: 'malformed', why: 'the body is not JSON, or has a name twice' },
  'malformed-envelope': { kind: 'malformed', why: 'the body is not {data: {attributes: {…}}}' },
  'too-deep': { kind: 'malformed', why: 'the body is nested deeper than 64 levels' },
  'malformed-query': {
    kind: 'malformed',
    why: 'the query string is not percent-encoded UTF-8, or has a name twice',
  },
  'nul-character': { kind: 'malformed', why: 'the request contains U+0000' },
  'unknown-attribute': { kind: 'malformed', why: 'the record has no such attribute, or it is read-only' },
  'unknown-relationship': { kind: 'malformed', why: 'the record has no such relationship' },
  'unknown-parameter': { kind: 'malformed', why: 'the endpoint has no such query parameter' },
  'missing-parameter': { kind: 'malformed', why: 'a query parameter that the endpoint needs is missing' },
  'unknown-filter': { kind: 'malformed', why: 'the list has no such filter' },
  'attribute-not-filterable': { kind: 'malformed', why: 'the attribute is encrypted or shown on single records only' },
  'unknown-sort': { kind: 'malformed', why: 'the list cannot be sorted by that' },
  'unknown-include': { kind: 'malformed', why: 'the record has no such relationship to include' },
  'wrong-kind': { kind: 'malformed', why: 'a value is not of the attribute’s kind' },
  'wrong-cursor': { kind: 'malformed', why: 'the cursor belongs to another query' },
  'wrong-limit': { kind: 'malformed', why: 'limit is not an integer of at least 1' },
  'too-many': {
    kind: 'malformed',
    why: 'more filters, sorts, values, text to look for or included records than allowed',
  },
  'wrong-header': { kind: 'malformed', why: 'a header has an impossible value' },
  unauthenticated: { kind: 'forbidden', status: 401, why: 'no credentials, or wrong ones' },
  forbidden: { kind: 'forbidden', why: 'the right is missing' },
  'wrong-csrf-token': {
    kind: 'forbidden',
    why: 'a request that writes with the cookie of a session lacks the header X-CSRF-Token, or has another session’s',
  },
  'client-id': { kind: 'forbidden', why: 'ids are given by the service' },
  missing: { kind: 'missing', why: 'there is no such record, or the caller may not read it' },
  'no-such-route': { kind: 'missing', why: 'there is no such path' },
  'method-not-allowed': { kind: 'malformed', status: 405, why: 'the path does not take that method' },
  'not-acceptable': { kind: 'malformed', status: 406, why: 'the answer has no such form' },
  'body-too-large': { kind: 'malformed', status: 413, why: 'the body is larger than the endpoint takes' },
  'headers-too-large': { kind: 'malformed', status: 431, why: 'the URL and the headers have more than 128 KiB' },
  'request-too-slow': { kind: 'malformed', status: 408, why: 'the request did not come within 60 s' },
  'malformed-http': { kind: 'malformed', why: 'the bytes are no HTTP request' },
  'unsupported-media-type': {
    kind: 'malformed',
    status: 415,
    why: 'the body has another media type than the endpoint takes',
  },
  'precondition-failed': { kind: 'conflict', status: 412, why: 'If-Match no longer holds, or If-None-Match does not' },
  'wrong-state': { kind: 'conflict', why: 'the record’s state does not allow it' },
  'code-taken': { kind: 'conflict', why: 'the code or name is taken' },
  'stale-version': { kind: 'conflict', why: 'the document was changed meanwhile' },
  archived: { kind: 'conflict', why: 'the record, or one above it, is archived' },
  'in-use': { kind: 'conflict', why: 'something still uses the record' },
  'not-supported-here': { kind: 'conflict', why: 'this type of record does not have that' },
  'wrong-type': { kind: 'conflict', why: 'type or id in the body is not the record’s' },
  'key-in-flight': { kind: 'conflict', why: 'a request with the same Idempotency-Key is under way' },
  'stale-attempt': { kind: 'conflict', why: 'a newer attempt of the step has taken over' },
  required: { kind: 'invalid', why: 'a required attribute is missing' },
  invalid: { kind: 'invalid', why: 'a value is not valid' },
  'key-reused': { kind: 'invalid', why: 'the Idempotency-Key was used with another body' },
  'too-many-requests': { kind: 'conflict', status: 429, why: 'too many requests or failed logins' },
  'query-too-slow': { kind: 'conflict', status: 503, why: 'the query took longer than its limit' },
  busy: {
    kind: 'conflict',
    status: 503,
    why: 'too many requests of this user wait for the database, or this one has waited for 10 s behind others of theirs',
  },
  unavailable: {
    kind: 'conflict',
    status: 503,
    why: 'the database is not reachable, is too busy or has no room left, or the directory or the vault that would have to be asked',
  },
} as const satisfies Record<string, { kind: FailureKind; status?: number; why: string }>

export type FailureCode = keyof typeof failureCodes

/** Place of the fault in the request. */
export interface FailureSource {
  pointer?: string
  parameter?: string
  header?: string
}

/** One fault, with the correction. */
export interface Fault {
  code: FailureCode
  detail: string
  source?: FailureSource
  meta?: Record<string, unknown>
}

/** Thrown to refuse a request, with all of its faults at once. */
export class Failure extends Error {
  readonly faults: readonly [Fault, ...Fault[]]
  /** Response headers for it, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>

  constructor(faults: readonly [Fault, ...Fault[]], headers: Record<string, string> = {}) {
    super(faults.map(fault => fault.detail).join('; '))
    this.name = 'Failure'
    this.faults = faults
    this.headers = headers
  }

  get status(): number {
    return statusOf(this.faults[0].code)
  }
}

export function statusOf(code: FailureCode): number {
  const row: { kind: FailureKind; status?: number } = failureCodes[code]
  return row.status ?? failureKinds[row.kind].status
}

export const failure = (code: FailureCode, detail: string, more: Omit<Fault, 'code' | 'detail'> = {}): Failure =>
  new Failure([{ code, detail, ...more }])

/**
 * Failure for a record that does not exist or may not be read: both with the same text.
 *
 * @param source where the request names it, if that is not its path
 */
export const missing = (source?: FailureSource): Failure =>
  failure('missing', 'There is no such record, or you may not read it.', source && { source })

/** A dependency that is unavailable now, maybe for a short time: there is no fault in the request. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Failure && error.faults.some(({ code }) => code === 'unavailable')

/** Message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
