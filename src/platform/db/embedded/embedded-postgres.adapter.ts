import { realpathSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { type Binaries, embeddedBinaries } from './binaries.ts'
import { CannotStart } from './cannot-start.ts'
import { checkCluster, clusterExists, makeCluster, type ServerSettings, writeSettings } from './cluster.ts'
import { makeSocketFolder, socketFolder } from './data-folder.ts'
import { waitForFolder } from './folder-hold.ts'
import { type DatabaseRole, type Passwords, storePasswords } from './passwords.ts'
import {
  findPostmaster,
  isAlive,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
  waitUntilReady,
} from './postmaster.ts'
import type { RunAs } from './run-program.ts'
import { SupervisedServer } from './supervised-server.ts'

export type EmbeddedDatabase = {
  /** `sluice_owner`: owns the database `sluice`, migrates it, may create trusted extensions. */
  ownerUrl: string
  /** `sluice_app`: reads and writes data; owns nothing, creates nothing. */
  appUrl: string
  /** The bootstrap superuser, on the database `postgres`; for the launcher and the tests. */
  superuserUrl: string
  /** The cluster's folder. */
  cluster: string
  socketDir: string
  /** Whether a running server was found and taken over. */
  adopted: boolean
  /** Restarts the server from now on whenever it ends by itself or is killed. */
  keepRunning(): void
  /** Ends PostgreSQL and waits for it: `fast` rolls open transactions back, `immediate` recovers at the next start. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
}

export type EmbeddedDatabaseOptions = {
  /** An existing folder, absolute: `prepareDataFolder` makes it. The cluster is its folder `postgres`. */
  dataDir: string
  /** The user that PostgreSQL runs as; required if the service is root, as which PostgreSQL refuses to run. */
  runAs?: RunAs | undefined
  log: (line: string) => void
  settings?: ServerSettings
  /** Another PostgreSQL's programs instead of the embedded ones. */
  binaries?: Binaries
}

/**
 * Starts the PostgreSQL that comes with Sluice, or takes over the one that a killed service left running, and creates
 * its roles and its database if they are missing. It listens on a unix socket only. Throws `CannotStart` with advice
 * for the operator.
 */
export async function startEmbeddedDatabase(wish: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  if (process.getuid?.() === 0 && !wish.runAs) throw new Error('PostgreSQL refuses to run as root: name runAs.')
  const dataDir = realpathSync(wish.dataDir)
  const cluster = join(dataDir, 'postgres')
  // Test files start the same server at the same moment: one creates it, the others find it.
  const hold = await waitForFolder(dataDir, 'starting the database')
  try {
    const binaries = wish.binaries ?? (await embeddedBinaries(wish.runAs, wish.log))
    const passwords = storePasswords(dataDir, clusterExists(cluster))
    if (!clusterExists(cluster)) await makeCluster(cluster, binaries, wish.runAs, passwords.postgres)
    checkCluster(cluster, binaries, wish.runAs)
    const { server, adopted } = await runningServer(wish, binaries, dataDir, cluster)
    const kept = new SupervisedServer(server, cluster, wish.log, async () => {
      const again = await waitForFolder(dataDir, 'starting the database')
      try {
        return (await runningServer(wish, binaries, dataDir, cluster)).server
      } finally {
        await again.release()
      }
    })
    const urlOf = (role: DatabaseRole, database: string) => socketUrl(role, passwords, server.socketDir, database)
    await makeRolesAndDatabase(urlOf('postgres', 'postgres'), passwords)
    return {
      ownerUrl: urlOf('sluice_owner', 'sluice'),
      appUrl: urlOf('sluice_app', 'sluice'),
      superuserUrl: urlOf('postgres', 'postgres'),
      cluster,
      socketDir: server.socketDir,
      adopted,
      keepRunning: () => kept.keep(),
      stop: async (how = 'fast') => {
        await stopPostmaster(await kept.letGo(), cluster, wish.log, how === 'fast' ? 30 : 0)
        if (!server.socketDir.startsWith(dataDir)) rmSync(server.socketDir, { recursive: true, force: true })
      },
    }
  } finally {
    await hold.release()
  }
}

/**
 * The address of the running service's server on this data folder, for the service's role; undefined if none runs. Does
 * not start, replace or stop anything.
 */
export function runningDatabase(dataDir: string): string | undefined {
  const cluster = join(realpathSync(dataDir), 'postgres')
  const found = clusterExists(cluster) ? findPostmaster(cluster) : undefined
  return found && socketUrl('sluice_app', storePasswords(realpathSync(dataDir), true), found.socketDir, 'sluice')
}

async function runningServer(
  wish: EmbeddedDatabaseOptions,
  binaries: Binaries,
  dataDir: string,
  cluster: string,
): Promise<{ server: Postmaster; adopted: boolean }> {
  const found = findPostmaster(cluster)
  if (found && (await adopt(found, binaries, cluster, wish.log))) return { server: found, adopted: true }
  const socketDir = socketFolder(dataDir, wish.runAs)
  makeSocketFolder(socketDir, wish.runAs)
  writeSettings(cluster, wish.runAs, wish.settings)
  const place = { cluster, socketDir, startLog: join(dataDir, 'postgres-start.log') }
  return { server: await startPostmaster(binaries, place, wish.runAs, wish.log), adopted: false }
}

/**
 * Takes over a running server, unless it is older than our binaries or its socket is gone (cleaners of temporary
 * folders remove those): then the server is stopped, and the caller starts another.
 */
async function adopt(
  found: Postmaster,
  binaries: Binaries,
  cluster: string,
  log: (line: string) => void,
): Promise<boolean> {
  const outdated = found.program !== realpathSync(join(binaries.folder, 'postgres'))
  if (!outdated && (await answers(found, cluster, log))) {
    log(`PostgreSQL (process ${found.pid}) was still running; carrying on with it.`)
    return true
  }
  log(
    `PostgreSQL (process ${found.pid}) was still running, ${outdated ? 'from other binaries' : 'out of reach'}; restarting it.`,
  )
  await stopPostmaster(found, cluster, log)
  return false
}

async function answers(found: Postmaster, cluster: string, log: (line: string) => void): Promise<boolean> {
  const failed = () => (isAlive(found, cluster) ? undefined : 'it ended while being waited for')
  try {
    await waitUntilReady(cluster, failed, log)
  } catch (error) {
    if (error instanceof CannotStart) return false
    throw error
  }
  return new Promise(resolve => {
    const socket = connect(`${found.socketDir}/.s.PGSQL.5432`, () => resolve(true))
    socket.once('connect', () => socket.destroy())
    socket.once('error', () => resolve(false))
  })
}

/**
 * The host in the query is the socket's folder; `localhost` is only there for URL parsers that require a host. The port
 * is part of the socket's name, and is given so that `PGPORT` of a shell does not apply.
 */
export function socketUrl(role: DatabaseRole, passwords: Passwords, socketDir: string, database: string): string {
  return `postgresql://${role}:${passwords[role]}@localhost:5432/${database}?host=${encodeURIComponent(socketDir)}&sslmode=disable`
}

/**
 * Creates the roles and the database. Each step first checks what exists, so that the next start completes one that was
 * interrupted.
 */
async function makeRolesAndDatabase(superuserUrl: string, passwords: Passwords): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  // The statement in which it fails reports that.
  client.on('error', () => {})
  try {
    await enter(client)
    const existing = await client.query(`
      select (select coalesce(array_agg(rolname::text), '{}') from pg_roles) as roles,
             exists (select from pg_database where datname = 'sluice')       as database
    `)
    const { roles, database } = existing.rows[0] as { roles: string[]; database: boolean }
    for (const role of ['sluice_owner', 'sluice_app'] as const) {
      if (!roles.includes(role)) await client.query(`create role ${role} login password '${passwords[role]}'`)
    }
    if (!database) await client.query(`create database sluice owner sluice_owner`)
    // "public" means everyone here: only our two roles may use this database.
    await client.query(`revoke all on database sluice from public`)
    await client.query(`grant connect on database sluice to sluice_app`)
  } finally {
    await client.end()
  }
}

async function enter(client: pg.Client): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error
    throw new CannotStart(
      'The database refuses the password that database-passwords.json holds: the file and the folder postgres beside it are not of one piece. Put both back from one backup.',
    )
  }
}
