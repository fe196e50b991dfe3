/** An error in the service's log. */
interface ToldError {
  readonly type?: string
  readonly message?: string
  readonly stack?: string
  readonly code?: unknown
  readonly syscall?: string
}

/**
 * SQLSTATE classes of errors that no state of an installation excuses: an invalid statement, or invalid values for it.
 */
const wrongStatements = /^(?:0A|20|21|22|25|26|2F|38|39|42|54)/
const slips = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError'])
/** Error of Node's fetch for an unavailable server. */
const ofTheNetwork = /^fetch failed/

/**
 * Unexpected errors in a service's log, one line each: a statement that PostgreSQL refuses, a TypeError. A loop, job or
 * heartbeat that throws each time continues and is only visible there, so a test that only checks responses would miss
 * it.
 *
 * @param log lines of JSON, among others
 * @param provoked errors that the test provokes on purpose, found in such a line
 */
export function unexpectedErrors(log: readonly string[], provoked: readonly RegExp[] = []): string[] {
  return log.flatMap(line => {
    const told = parsed(line)
    const error = told?.err
    if (!error || !isOurs(error) || provoked.some(one => one.test(line))) return []
    const { msg, loop, job } = told
    const whose = loop ?? (typeof job === 'string' ? job : undefined)
    return [`${[msg, whose].filter(Boolean).join(', ')}: ${error.code ?? ''} ${error.stack ?? error.message}`]
  })
}

interface Told {
  readonly level: string
  readonly msg: string
  readonly err?: ToldError
  readonly loop?: string
  readonly job?: unknown
}

function parsed(line: string): Told | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Told
  } catch (error) {
    // Killed in the middle of it.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const isOurs = ({ type = '', code, message = '' }: ToldError): boolean =>
  (typeof code === 'string' && code.length === 5 && wrongStatements.test(code)) ||
  (slips.has(type) && !ofTheNetwork.test(message))
