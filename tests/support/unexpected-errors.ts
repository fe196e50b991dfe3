import { isPassing } from '../../src/platform/db/away.ts'

/** An error as the service's log writes it. */
interface ToldError {
  readonly type?: string
  readonly message?: string
  readonly stack?: string
  readonly code?: unknown
  readonly syscall?: string
}

/**
 * What the world outside does to a service, and what a service does that stops: Git remotes and connections break, and work
 * is given up half-way.
 */
const ofTheWorld = new Set(['GitFailure', 'AbortError', 'LauncherGone', 'DirectoryError'])
/** A job that is given back to the queue says so by throwing. */
const givenBack = /^the service stops$/

/**
 * Errors in a service's log that nobody could have expected, a line each: a statement that PostgreSQL refuses, a TypeError.
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
    if (!error || isExpected(error) || provoked.some(one => one.test(line))) return []
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

const isExpected = (error: ToldError): boolean =>
  isPassing(error) || ofTheWorld.has(error.type ?? '') || givenBack.test(error.message ?? '')
