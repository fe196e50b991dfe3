/**
 * SQLSTATE of a read-only server: a replica that a name still leads to, or a server that its operator has closed for
 * writing until it has room again. Its connections remain read-only, and must not be used again.
 */
const readsOnly = '25006'

/**
 * SQLSTATEs with which PostgreSQL reports that it stops, starts, or has no connection left; 25P03: that it has closed a
 * connection because nothing came within a transaction, as when this process or its machine was suspended.
 */
const states = new Set(['57P01', '57P02', '57P03', '53300', '25P03', readsOnly])
const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
const lost = /^(Connection terminated|Client has encountered a connection error)/
/** The pool's message when all of its connections were in use for as long as a caller waits for one. */
const noneFree = 'timeout exceeded when trying to connect'

/**
 * Whether an error means that the database is unavailable: it says nothing about the statement, and passes when the
 * database is back.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code: given, message, syscall } = error as { code?: unknown; message?: string; syscall?: string }
  // An abort by an AbortSignal has a number there.
  const code = typeof given === 'string' ? given : undefined
  if (code && (states.has(code) || code.startsWith('08'))) return true
  // A missing socket; for a file or a program, the error would have another `syscall`.
  if (code === 'ENOENT') return syscall === 'connect'
  return (code !== undefined && unreachable.has(code)) || lost.test(message ?? '') || isBusy(error)
}

/** Whether the connection leads to a server that cannot be written to: the next one may lead to another. */
export const leadsToReader = (error: unknown): boolean => (error as { code?: unknown }).code === readsOnly

/** Whether the statement was not even sent, because no connection became free in time. */
export const isBusy = (error: unknown): boolean => (error as { message?: string }).message === noneFree

/** SQLSTATEs of transient errors: conflicts, exhausted resources, an intervention of an operator, the machine. */
export const isPassing = (error: unknown): boolean =>
  isDatabaseAway(error) || /^(40|53|55|57|58)/.test(String((error as { code?: unknown }).code ?? ''))
