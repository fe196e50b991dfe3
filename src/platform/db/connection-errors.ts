/**
 * The server only reads: it is the replica, while a name still leads to it, or its operator has closed it for writing
 * until it has room again. Its connections stay so, and are not to be used again.
 */
const readsOnly = '25006'

/**
 * SQLSTATEs with which PostgreSQL says that it stops, starts, or has no connection left; 25P03: that it has closed one
 * because nothing came in the middle of a transaction, as when this process or its machine stood still.
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
/** The pool's words when all of its connections were in use for as long as a caller waits for one. */
const noneFree = 'timeout exceeded when trying to connect'

/** Whether an error says that there is no database to talk to: nothing about the statement, and over when it is back. */
export function isDatabaseAway(error: unknown): boolean {
  const { code: given, message, syscall } = error as { code?: unknown; message?: string; syscall?: string }
  // An abort by an AbortSignal has a number there.
  const code = typeof given === 'string' ? given : undefined
  if (code && (states.has(code) || code.startsWith('08'))) return true
  // No such socket; of a file or a program, it would say something else.
  if (code === 'ENOENT') return syscall === 'connect'
  return (code !== undefined && unreachable.has(code)) || lost.test(message ?? '') || isBusy(error)
}

/** Whether the connection leads to a server that cannot be written to: the next one may lead to another. */
export const leadsToReader = (error: unknown): boolean => (error as { code?: unknown }).code === readsOnly

/** Whether it was not even asked, because no connection to it became free in time. */
export const isBusy = (error: unknown): boolean => (error as { message?: string }).message === noneFree

/**
 * SQLSTATEs of what may go well the next time: conflicts, no more resources, an intervention of an operator, the
 * machine.
 */
export const isPassing = (error: unknown): boolean =>
  isDatabaseAway(error) || /^(40|53|55|57|58)/.test(String((error as { code?: unknown }).code ?? ''))
