import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runnerSocketPath } from '#protocol/runner-protocol.ts'
import { type Database, openDatabase } from '../platform/db/database.ts'
import { urlOf } from './listening.ts'
import { openStartingServer, type StartingServer } from './starting-server.ts'

/** The service as runners and clients see it before it is ready. */
export interface WhileStarting {
  /** The port that the service is to listen on. */
  readonly port: number
  /** Sets the database in which the leases of runners are renewed from now on. */
  useDatabase(appUrl: string): void
  /** Frees the port and the database connection. May be called twice. */
  close(): Promise<void>
}

/**
 * Answers on the service's port until the service does, and renews the leases of runners in the meantime.
 *
 * Contact with a runner is recorded where the service that gave it work would record it. In a database that other
 * processes also use, the lease is written there; while the embedded database is down, no process exists that could
 * give the runner's steps to another runner.
 */
export async function whileStarting(config: {
  host: string
  port: number
  dataDir: string
  databaseUrl: string | undefined
}): Promise<WhileStarting> {
  const aloneOnDatabase = config.databaseUrl === undefined
  let database: Database | undefined
  let server: StartingServer | undefined
  // Loaded when the first runner asks: it is a large part of the service, and most starts have no runner waiting.
  const runners = () => import('../domain/runners/index.ts')
  const renewLease = async (authorization: string | undefined): Promise<boolean> => {
    if (!database) return aloneOnDatabase
    try {
      return await (await runners()).renewLeaseWhileStarting(database, authorization)
    } catch {
      // The database is away, restarting or not migrated yet.
      return aloneOnDatabase
    }
  }
  server = await openStartingServer({ ...config, runnersAt: runnerSocketPath, renewLease })
  const folder = join(config.dataDir, 'runners')
  if (server && existsSync(folder)) (await runners()).announceService(folder, urlOf(config.host, server.port))
  return {
    port: server?.port ?? config.port,
    useDatabase: url => {
      database ??= openDatabase({ url, size: 1, name: 'sluice start' })
    },
    close: async () => {
      await server?.close()
      server = undefined
      await database?.end()
      database = undefined
    },
  }
}
