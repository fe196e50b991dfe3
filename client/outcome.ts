import { Refused, Unreachable } from './refused.ts'

/**
 * Outcome of a failed request, as far as the client can tell:
 *
 * * `not-sent`: no connection was made, so nothing was processed
 * * `connection-lost`: the request may have been processed
 * * `shutting-down`: the service rejected it during shutdown (a bare 503), so nothing was processed
 * * `retry-later`: the response says nothing about an earlier attempt: a service that starts, a proxy, a request in flight
 * * `final`: anything else; a retry would not help
 */
export type Outcome = 'not-sent' | 'connection-lost' | 'shutting-down' | 'retry-later' | 'final'

export interface RequestState {
  /** Sending it twice has the effect of sending it once. */
  readonly isIdempotent: boolean
  /** Whether this address has responded before, so that it cannot be mistyped. */
  readonly hasResponded: boolean
  /** An earlier attempt of this request lost its connection. */
  readonly hasLostConnection: boolean
}

export function isRetried(outcome: Outcome, { isIdempotent, hasResponded, hasLostConnection }: RequestState): boolean {
  const retried: Record<Outcome, boolean> = {
    'not-sent': hasResponded || hasLostConnection,
    'connection-lost': isIdempotent,
    'shutting-down': isIdempotent,
    'retry-later': isIdempotent && hasLostConnection,
    final: false,
  }
  return retried[outcome]
}

export function outcomeOf(error: unknown): Outcome {
  if (error instanceof Refused) return outcomeOfRefusal(error)
  return error instanceof Unreachable ? outcomeOfConnection(error.cause) : 'final'
}

const transientStatuses = new Set([429, 502, 503, 504])

function outcomeOfRefusal({ status, faults }: Refused): Outcome {
  if (faults.some(({ code }) => code === 'key-in-flight')) return 'retry-later'
  if (status === 503 && faults.every(({ code }) => code === undefined)) return 'shutting-down'
  return transientStatuses.has(status) ? 'retry-later' : 'final'
}

const connecting = new Set(['connect', 'getaddrinfo'])
const lostConnections = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
])

/** Outcome by the error that fetch threw. Certificate errors, for example, are final. */
export function outcomeOfConnection(error: unknown): Outcome {
  const { code = '', syscall = '' } = failureOf(error)
  if (connecting.has(syscall) || code === 'UND_ERR_CONNECT_TIMEOUT') return 'not-sent'
  return lostConnections.has(code) || isBrowserNetworkError(error) ? 'connection-lost' : 'final'
}

/**
 * Messages of browsers for a connection that failed before or during a response. Their errors carry no code, and the
 * same class is thrown for invalid arguments, so the message decides. Whether the request was sent is unknown.
 */
const browserNetworkErrors =
  /^(Failed to fetch|network error|NetworkError when attempting to fetch|Error in (input|body) stream|Load failed|Could not connect to the server|(The )?(network connection was lost|Internet connection appears to be offline))/i

/**
 * Whether an error is one that fetch throws in a browser when the network fails. Checked by name, because an error of
 * another realm (a frame, a worker) is no instance of this realm's TypeError.
 */
function isBrowserNetworkError(error: unknown): boolean {
  const { name, message, cause } = error as Partial<Error>
  return name === 'TypeError' && cause === undefined && browserNetworkErrors.test(message ?? '')
}

interface ConnectionFailure {
  readonly code?: string
  readonly syscall?: string
  readonly message: string
}

/** The underlying error: Node's fetch keeps it in the cause, with one error per address if the name has several. */
export function failureOf(error: unknown): ConnectionFailure {
  const { cause } = error as { cause?: ConnectionFailure & { errors?: ConnectionFailure[] } }
  return cause?.errors?.[0] ?? cause ?? (error as Error)
}
