import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { CannotStart } from './cannot-start.ts'
import { bareEnvironment, type RunAs } from './run-program.ts'

/** A running PostgreSQL: its first process, and the folder of its socket. */
export type Postmaster = { pid: number; socketDir: string; program: string }

type PidFile = { pid: number; socketDir: string; status: string }

/** The server that runs on this cluster, if any: left running, for example, by a killed service. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  const noted = readPidFile(cluster)
  if (!noted) return undefined
  const program = programOnCluster(noted.pid, cluster)
  return program ? { pid: noted.pid, socketDir: noted.socketDir, program } : undefined
}

/** The lines that PostgreSQL writes: process, cluster, start, port, socket folder, addresses, shared memory, status. */
function readPidFile(cluster: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * The program of a process if that is a postmaster of this cluster: it works in its cluster's folder. The number alone
 * proves nothing: another program may have it by now.
 */
function programOnCluster(pid: number, cluster: string): string | undefined {
  try {
    if (readlinkSync(`/proc/${pid}/cwd`) !== cluster) return undefined
    return readlinkSync(`/proc/${pid}/exe`)
  } catch (error) {
    // Root without CAP_SYS_PTRACE, as in a container, cannot read the working folder of another user's process. Its
    // command line is readable for everyone; mistaking a live server for a dead one would be the worse error.
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? programStartedOn(pid, cluster) : undefined
  }
}

/** The program by its command line, `postgres -D <cluster> …`: a postmaster does not change its command line. */
function programStartedOn(pid: number, cluster: string): string | undefined {
  try {
    const [program, flag, folder] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return flag === '-D' && folder === cluster ? program : undefined
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}

/**
 * Starts PostgreSQL in its own session, so that Ctrl-C in a terminal reaches the service but not its database, and
 * waits until it accepts connections. It survives this process.
 */
export async function startPostmaster(...given: Parameters<typeof startOnce>): Promise<Postmaster> {
  // A killed server may have left processes that hold its memory: until they have ended, none can start. They end soon.
  const giveUpAt = Date.now() + 15_000
  for (;;) {
    try {
      return await startOnce(...given)
    } catch (error) {
      const held = error instanceof CannotStart && /shared memory block .* is still in use/.test(error.message)
      if (!held || Date.now() > giveUpAt) throw error
      await wait(100)
    }
  }
}

async function startOnce(
  binaries: Binaries,
  place: { cluster: string; socketDir: string; startLog: string },
  as: RunAs | undefined,
  log: (line: string) => void,
): Promise<Postmaster> {
  setStaleLocksAside(place.cluster, place.socketDir)
  const program = join(binaries.folder, 'postgres')
  const output = openSync(place.startLog, 'w', 0o600)
  const child = spawn(program, ['-D', place.cluster, '-k', place.socketDir], {
    ...as,
    cwd: '/',
    detached: true,
    env: bareEnvironment,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let ended: string | undefined
  child.once('error', error => {
    ended = error.message
  })
  child.once('exit', (code, signal) => {
    ended = `it ended with ${signal ?? `code ${code}`}`
  })
  child.unref()
  await waitUntilReady(place.cluster, () => ended && failure(place.startLog, place.cluster, ended), log)
  return { pid: child.pid!, socketDir: place.socketDir, program }
}

/**
 * A `postmaster.pid` whose process is no PostgreSQL of this cluster keeps PostgreSQL from starting if another program
 * has that number by now, or if no process reaps it (in a container without an init). It is renamed, not removed; the
 * shared memory still guards against two servers. The lock of its socket is removed too.
 */
function setStaleLocksAside(cluster: string, socketDir: string): void {
  if (findPostmaster(cluster)) return
  const file = join(cluster, 'postmaster.pid')
  if (existsSync(file)) renameSync(file, `${file}.stale`)
  rmSync(join(socketDir, '.s.PGSQL.5432.lock'), { force: true })
}

/**
 * Waits until `postmaster.pid` says that the server is ready. After a crash the log is replayed first, however long
 * that takes.
 */
export async function waitUntilReady(
  cluster: string,
  failed: () => string | undefined,
  log: (line: string) => void,
): Promise<void> {
  const started = Date.now()
  let told = 0
  for (;;) {
    const why = failed()
    if (why) throw new CannotStart(why)
    if (readPidFile(cluster)?.status === 'ready') return
    const seconds = Math.floor((Date.now() - started) / 10_000) * 10
    if (seconds > told) {
      told = seconds
      log(`PostgreSQL is not ready after ${seconds} seconds; it may be recovering from a crash. Waiting.`)
    }
    await wait(5)
  }
}

function failure(startLog: string, cluster: string, ended: string): string {
  const logs = join(cluster, 'log')
  // Its own log, once that is open, contains more than its first output.
  const newest = existsSync(logs) ? readdirSync(logs).sort().at(-1) : undefined
  const said = [startLog, ...(newest ? [join(logs, newest)] : [])].flatMap(file =>
    existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(-6) : [],
  )
  return `The embedded PostgreSQL did not start on ${cluster}: ${ended}.\n  ${said.join('\n  ')}\n  ${logs} may contain more.`
}

export function isAlive(server: Postmaster, cluster: string): boolean {
  return programOnCluster(server.pid, cluster) !== undefined
}

/**
 * Ends the server and waits until it is gone: first by a fast shutdown (open transactions are rolled back) and, after
 * `graceSeconds` seconds, by an immediate one, from which PostgreSQL recovers at its next start.
 */
export async function stopPostmaster(
  server: Postmaster,
  cluster: string,
  log: (line: string) => void,
  graceSeconds = 30,
): Promise<void> {
  const started = startOf(server.pid)
  if (started === undefined || !isAlive(server, cluster)) return
  let deadline = Date.now() + graceSeconds * 1000
  process.kill(server.pid, graceSeconds > 0 ? 'SIGINT' : 'SIGQUIT')
  // A process that is ending has no program any more, but still holds memory and files: its entry tells when it has
  // ended.
  while (startOf(server.pid) === started) {
    if (Date.now() > deadline && graceSeconds > 0 && isAlive(server, cluster)) {
      log(`PostgreSQL did not stop in ${graceSeconds} seconds; ending it at once. It recovers when it next starts.`)
      process.kill(server.pid, 'SIGQUIT')
      deadline = Number.POSITIVE_INFINITY
    }
    await wait(5)
  }
}

/** Start time of a process, in ticks since the machine started; undefined when it has ended, a zombie included. */
function startOf(pid: number): string | undefined {
  try {
    // The name is in brackets and may itself contain brackets and blanks.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
