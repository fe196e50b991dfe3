/** An error as the service's log writes it. */
interface ToldError {
  readonly type?: string
  readonly message?: string
  readonly stack?: string
  readonly code?: unknown
  readonly syscall?: string
}

/** SQLSTATE classes of what no installation and no moment makes right: a statement that is wrong, or gets what it cannot take. */
const wrongStatements = /^(?:0A|20|21|22|25|26|2F|38|39|42|54)/
const slips = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError'])
/** Node's fetch says so of a server that is away. */
const ofTheNetwork = /^fetch failed/

/**
 * Errors in a service's log of its own making, a line each: a statement that PostgreSQL refuses, a TypeError.
 * What throws each time it runs (a loop, a job, a heartbeat) goes on all the same and is told of there alone, so a test
 * that looks only at answers would not notice.
 *
 * @param log lines of JSON, among others
 * @param provoked what the test does to the service on purpose, found in such a line
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
