import { CannotStart } from '../platform/db/embedded/cannot-start.ts'

interface Wanted {
  readonly host: string
  readonly port: number
}

/** Reasons that keep a process from listening, and the remedy for each. */
const reasons: Record<string, (wanted: Wanted) => string> = {
  EADDRINUSE: ({ host, port }) => `port ${port} of ${host} is taken. Choose another with SLUICE_PORT.`,
  EACCES: ({ port }) => `this user may not listen on port ${port}. Choose one above 1023 with SLUICE_PORT.`,
  EADDRNOTAVAIL: ({ host }) =>
    `${host} is no address of this machine. SLUICE_HOST is one that it has, or 0.0.0.0 for all of them.`,
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
}

function unknownName({ host }: Wanted): string {
  return `the name ${host} has no address. SLUICE_HOST is an address of this machine, or a name of one.`
}

/** The URL at which processes of this host reach a service that listens there. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/**
 * Listens, and explains failures that a person can fix. They are handled here, where they happen: a host name that
 * cannot be resolved would otherwise look like an unavailable database, and be retried.
 */
export async function listening(listen: (wanted: Wanted) => Promise<string>, wanted: Wanted): Promise<string> {
  try {
    return await listen({ host: wanted.host, port: wanted.port })
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']
    throw reason ? new CannotStart(reason(wanted)) : error
  }
}
