import { Refused, Unreachable } from './refused.ts'

/**
 * What became of a request that failed: `unsent`, nobody was there to take it; `broken`, it may have been done; `put off`,
 * a service that stops did not take it (it says 503 and nothing else); `later`, whoever answered says nothing of what became
 * of an earlier try: a service that starts, a proxy before it, or one that is still at it; `decided`, anything else.
 */
export type Fate = 'unsent' | 'broken' | 'put off' | 'later' | 'decided'

export interface Known {
  /** Sent twice it is done once. */
  readonly isHarmless: boolean
  /** Somebody has answered at this address before: it is not mistyped. */
  readonly hasAnswered: boolean
  /** The connection broke under this very request. */
  readonly hasBroken: boolean
}

export function isSentAgain(fate: Fate, { isHarmless, hasAnswered, hasBroken }: Known): boolean {
  const again: Record<Fate, boolean> = {
    unsent: hasAnswered || hasBroken,
    broken: isHarmless,
    'put off': isHarmless,
    later: isHarmless && hasBroken,
    decided: false,
  }
  return again[fate]
}

export function fateOf(error: unknown): Fate {
  if (error instanceof Refused) return fateOfRefused(error)
  return error instanceof Unreachable ? fateOfConnection(error.cause) : 'decided'
}

const laterStatuses = new Set([429, 502, 503, 504])

function fateOfRefused({ status, faults }: Refused): Fate {
  if (faults.some(({ code }) => code === 'key-in-flight')) return 'later'
  if (status === 503 && faults.every(({ code }) => code === undefined)) return 'put off'
  return laterStatuses.has(status) ? 'later' : 'decided'
}

const connecting = new Set(['connect', 'getaddrinfo'])
const breaks = new Set([
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

/** Of what fetch throws. A certificate that is not believed, say, will not be a moment later either. */
export function fateOfConnection(error: unknown): Fate {
  const { code = '', syscall = '' } = failureOf(error)
  if (connecting.has(syscall) || code === 'UND_ERR_CONNECT_TIMEOUT') return 'unsent'
  return breaks.has(code) ? 'broken' : 'decided'
}

interface ConnectionFailure {
  readonly code?: string
  readonly syscall?: string
  readonly message: string
}

/** fetch says "fetch failed"; what failed stands in its cause, or in that for each address of the name. */
export function failureOf(error: unknown): ConnectionFailure {
  const { cause } = error as { cause?: ConnectionFailure & { errors?: ConnectionFailure[] } }
  return cause?.errors?.[0] ?? cause ?? (error as Error)
}
