import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { CannotStart } from './cannot-start.ts'
import { giveTo } from './data-folder.ts'
import { type RunAs, runProgram } from './run-program.ts'

/** Settings of the server, name to value, as postgresql.conf knows them. */
export type ServerSettings = Record<string, string>

const settings: ServerSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',
  max_connections: '100',
  shared_buffers: sharedBuffers(Math.min(process.constrainedMemory() || Infinity, totalmem())),
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_wal_size: '1GB',
  // Queries here are short: compiling one costs more than running it.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %u@%d ',
  // A week of logs, each day's file written over a week later: the folder does not grow.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
}

/**
 * An eighth of the available memory, in bytes; a container may have less than its machine. The service and its runners
 * share the machine with this server. The data of a list of a million assets are scattered over gigabytes, and reading
 * a page from here takes a tenth of the time that the system takes to copy it.
 */
function sharedBuffers(memory: number): string {
  const eighth = Math.floor(memory / 8 / 2 ** 20)
  return `${Math.min(Math.max(eighth, 128), 2_048)}MB`
}

export function clusterExists(cluster: string): boolean {
  return existsSync(cluster) && readdirSync(cluster).length > 0
}

/**
 * Refuses a cluster that these binaries cannot or must not open, with an explanation. Nothing is ever deleted: the
 * folder may contain the only copy of someone's data.
 */
export function checkCluster(cluster: string, binaries: Binaries, as: RunAs | undefined): void {
  const rightOwner = as?.uid ?? process.getuid?.()
  const owner = statSync(cluster).uid
  if (owner !== rightOwner) {
    throw new CannotStart(
      `${cluster} belongs to the user with uid ${owner}, and this start would run PostgreSQL as uid ${rightOwner}. Start Sluice as the user who started it before.`,
    )
  }
  const versionFile = join(cluster, 'PG_VERSION')
  const version = existsSync(versionFile) ? Number(readFileSync(versionFile, 'utf8')) : undefined
  if (version === undefined || !existsSync(join(cluster, 'global', 'pg_control'))) {
    throw new CannotStart(
      `${cluster} is not empty and contains no complete PostgreSQL cluster. Restore it from a backup, or move it away to start with an empty one. Nothing was changed.`,
    )
  }
  if (version !== binaries.major) {
    throw new CannotStart(
      `${cluster} was made by PostgreSQL ${version}, and this Sluice brings PostgreSQL ${binaries.major}. ` +
        `Run the Sluice that brings ${version}, or restore a backup into a new data folder. Nothing was changed.`,
    )
  }
}

/**
 * Creates the cluster under another name and renames it, so that an incomplete one is never used after a crash. Text
 * compares by code point, the same on every machine; pages have checksums.
 */
export async function makeCluster(
  cluster: string,
  binaries: Binaries,
  as: RunAs | undefined,
  password: string,
): Promise<void> {
  const aside = `${cluster}.new`
  const passwordFile = `${cluster}.password`
  // A folder under this name was never completed, so it contains no data.
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { mode: 0o700 })
  giveTo(aside, as)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  giveTo(passwordFile, as)
  try {
    await initdb(binaries, aside, passwordFile, as)
    writeFileSync(join(aside, 'pg_hba.conf'), 'local all all scram-sha-256\n')
  } finally {
    rmSync(passwordFile)
  }
  renameSync(aside, cluster)
}

async function initdb(binaries: Binaries, folder: string, passwordFile: string, as: RunAs | undefined): Promise<void> {
  const locale =
    binaries.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'] : ['--locale=C']
  const { code, output } = await runProgram(
    join(binaries.folder, 'initdb'),
    [
      ...['--pgdata', folder, '--username', 'postgres', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      ...['--encoding', 'UTF8', '--data-checksums', ...locale],
    ],
    as,
  )
  if (code !== 0)
    throw new CannotStart(
      `The database could not be made in ${folder}:\n  ${output.split('\n').slice(-6).join('\n  ')}`,
    )
}

/**
 * Writes the server's settings at each start, so that the settings of a newer Sluice reach a cluster created by an
 * older one.
 */
export function writeSettings(cluster: string, as: RunAs | undefined, others: ServerSettings = {}): void {
  const file = join(cluster, 'sluice.conf')
  const lines = Object.entries({ ...settings, ...others }).map(([name, value]) => `${name} = '${value}'`)
  writeFileSync(file, `# Written by Sluice at each start.\n${lines.join('\n')}\n`, { mode: 0o600 })
  giveTo(file, as)
  const main = join(cluster, 'postgresql.conf')
  const existing = readFileSync(main, 'utf8')
  const include = `include 'sluice.conf'\n`
  if (!existing.endsWith(include)) writeFileSync(main, `${existing}\n${include}`)
}
