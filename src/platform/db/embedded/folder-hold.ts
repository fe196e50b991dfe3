import { spawn } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { CannotStart } from './cannot-start.ts'
import { bareEnvironment } from './run-program.ts'

export type FolderHold = { release(): Promise<void> }

/**
 * Locks a folder for this process; `undefined` while another process holds the lock.
 *
 * The lock is flock(2) on the file `<purpose>.lock` in the folder, which only the service's user may open. It belongs to
 * the descriptor that this process keeps open, so the kernel releases it however the process ends (ADR 95).
 *
 * @param purpose two purposes on one folder do not exclude each other
 */
export function holdFolder(folder: string, purpose: string): Promise<FolderHold | undefined> {
  return lockFile(lockFileOf(folder, purpose), 0)
}

/**
 * Waits until the folder is free; for work of a second or two that several processes want done.
 *
 * @throws CannotStart naming the process that holds the lock, if it is not released in time
 */
export async function waitForFolder(folder: string, purpose: string, seconds = 120): Promise<FolderHold> {
  const file = lockFileOf(folder, purpose)
  const hold = await lockFile(file, seconds * 1_000)
  if (hold) return hold
  throw new CannotStart(
    `The lock ${file} was not released within ${seconds} seconds. It is held by ${describe(holderOf(file))}.`,
  )
}

/** The process that holds the folder's lock, in words for an error message. */
export const holderOfFolder = (folder: string, purpose: string): string =>
  describe(holderOf(lockFileOf(folder, purpose)))

const lockFileOf = (folder: string, purpose: string) =>
  join(realpathSync(folder), `${purpose.replaceAll(' ', '-')}.lock`)

async function lockFile(path: string, milliseconds: number): Promise<FolderHold | undefined> {
  for (;;) {
    const fd = openLockFile(path)
    try {
      if (!(await flock(fd, milliseconds))) {
        closeSync(fd)
        return undefined
      }
    } catch (error) {
      closeSync(fd)
      throw error
    }
    if (isStill(path, fd)) return { release: async () => closeSync(fd) }
    // The file was removed and created again meanwhile; the lock on the old one excludes no process.
    closeSync(fd)
  }
}

/** Opens the lock file for this process alone: children do not inherit the descriptor unless it is passed to them. */
function openLockFile(path: string): number {
  for (let attempt = 1; ; attempt++) {
    let fd: number | undefined
    try {
      fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600)
      const about = fstatSync(fd)
      if (about.isFile() && isTrusted(about.uid, path)) {
        if ((about.mode & 0o077) !== 0) fchmodSync(fd, 0o600)
        return fd
      }
      closeSync(fd)
    } catch (error) {
      if (fd !== undefined) closeSync(fd)
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (!found || (found.isFile() && isTrusted(found.uid, path)))
        throw new CannotStart(
          `The lock file ${path} cannot be opened: ${(error as Error).message}. Start the service as the user that owns the folder, and the same user each time.`,
        )
    }
    // Another user's file, or not a regular file, in a folder that is open to others: it must not decide who may start.
    if (attempt === 10) throw new CannotStart(`The lock file ${path} is replaced by another process again and again.`)
    rmSync(path, { recursive: true, force: true })
  }
}

/** Users whose processes may hold the lock: the service's own, root, and the owner of the folder. */
const isTrusted = (uid: number, path: string): boolean =>
  uid === process.getuid?.() || uid === 0 || uid === statSync(join(path, '..')).uid

function isStill(path: string, fd: number): boolean {
  const [now, ours] = [lstatSync(path, { throwIfNoEntry: false }), fstatSync(fd)]
  return now?.ino === ours.ino && now.dev === ours.dev
}

/** Programs that call flock(2) on an inherited descriptor, because Node has no flock(2). */
const lockers: readonly { program: string; now: readonly string[]; waiting: readonly string[] }[] = [
  ...['/usr/bin/flock', '/bin/flock'].map(program => ({
    program,
    now: ['-x', '-n', '3'],
    waiting: ['-x', '3'],
  })),
  ...['/usr/bin/perl'].map(program => ({
    program,
    now: ['-e', 'open(my $f, "+<&=", 3) or die $!; exit(flock($f, 6) ? 0 : 1)'],
    waiting: ['-e', 'open(my $f, "+<&=", 3) or die $!; exit(flock($f, 2) ? 0 : 1)'],
  })),
]

/**
 * Takes the lock on the open file: the child shares our descriptor and ends, and the lock remains with this process.
 *
 * @param milliseconds maximum wait; 0 to try once
 */
async function flock(fd: number, milliseconds: number): Promise<boolean> {
  const locker = lockers.find(({ program }) => existsSync(program))
  if (!locker)
    throw new CannotStart(
      `The data folder cannot be locked: this needs ${lockers.map(each => each.program).join(' or ')}.`,
    )
  const child = spawn(locker.program, milliseconds === 0 ? locker.now : locker.waiting, {
    cwd: '/',
    env: bareEnvironment,
    stdio: ['ignore', 'ignore', 'pipe', fd],
  })
  const complaints: Buffer[] = []
  child.stderr!.on('data', bytes => complaints.push(bytes))
  const timer = milliseconds === 0 ? undefined : setTimeout(() => child.kill('SIGKILL'), milliseconds)
  try {
    const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal }))
    })
    if (code === 0) return true
    if ((milliseconds === 0 && code === 1) || (milliseconds > 0 && signal === 'SIGKILL')) return false
    const said = Buffer.concat(complaints).toString('utf8').trim()
    throw new CannotStart(`The data folder cannot be locked: ${locker.program} ended with ${signal ?? code}. ${said}`)
  } finally {
    clearTimeout(timer)
  }
}

interface Holder {
  readonly pid: number
  readonly command: string
}

/**
 * Finds the process that holds the lock, by the descriptors of all processes that this user may inspect, which are its
 * own.
 */
function holderOf(path: string): Holder | undefined {
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file) return undefined
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        const its = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false })
        if (its?.ino !== file.ino || its.dev !== file.dev) continue
        if (!/^lock:.* FLOCK /m.test(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))) continue
        return { pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() }
      }
    } catch {
      // It has ended meanwhile, or belongs to another user.
    }
  }
  return undefined
}

const describe = (holder: Holder | undefined): string =>
  holder ? `process ${holder.pid} (${holder.command.slice(0, 200)})` : 'a process of another user or container'
