import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { complain } from '../complain.ts'

/** A process as /proc tells of it. With its start, its number names it for good. */
export type Process = { pid: number; parent: number; session: number; name: string; started: number }

/** Criteria that tell the wanted processes from all others. */
export type Marks = {
  /** Variables (`NAME=value`) all of which are in the environment of the process; they survive a call of setsid. */
  environment: readonly string[]
  /** Ancestors: processes that descend from one of these, or are in its session, match too. */
  roots: readonly { pid: number; started: number }[]
  /** Start time as in /proc before which none of them started: the environment of an older process need not be read. */
  since?: number | undefined
  /** False: it is spared although it has the marks. */
  wanted?: (environment: string) => boolean
}

export type User = { name: string; uid: number; gid: number }

/**
 * Finds every process that has the marks, and all that descend from those or are in their sessions.
 *
 * @throws if there may be more, and none is known
 */
export function findMarked(marks: Marks, asUser?: User): Process[] {
  const alive = othersSince(marks.since)
  const { pids, unasked } = markedPids(alive, marks, asUser)
  const marked = new Set(pids)
  for (const { pid, started } of marks.roots) {
    const now = alive.find(each => each.pid === pid)
    if (now?.started === started) marked.add(pid)
  }
  // A session outlives the process that created it, and its number is not reused meanwhile.
  const gone = marks.roots.filter(({ pid }) => !alive.some(each => each.pid === pid)).map(({ pid }) => pid)
  return unlessUnknown(family(alive, marked, gone), unasked)
}

/**
 * Finds only the processes that have the marks themselves.
 *
 * @throws as `findMarked` does
 */
export function findBearers(marks: Omit<Marks, 'roots'>, asUser?: User): Process[] {
  const alive = othersSince(marks.since)
  const { pids, unasked } = markedPids(alive, marks, asUser)
  const marked = new Set(pids)
  return unlessUnknown(
    alive.filter(({ pid }) => marked.has(pid)),
    unasked,
  )
}

/**
 * Returns the known processes; fails only if none is known, since a user whose processes cannot be read may have as
 * many as its limit allows.
 */
function unlessUnknown(found: Process[], unasked: Error | undefined): Process[] {
  if (unasked && found.length === 0) throw unasked
  return found
}

/** Grows the set by children and by all processes in a session of its members, until it no longer changes (pure). */
export function family(alive: readonly Process[], found: ReadonlySet<number>, sessions: readonly number[]): Process[] {
  const all = new Set(found)
  const led = new Set(sessions)
  for (let size = -1; size !== all.size; ) {
    size = all.size
    for (const { pid, parent, session } of alive) {
      if (all.has(parent) || led.has(session)) all.add(pid)
      // 0: the session of the kernel, or one that began outside of this container.
      if (all.has(pid) && session !== 0) led.add(session)
    }
  }
  return alive.filter(({ pid }) => all.has(pid))
}

/**
 * Ends all processes: SIGTERM once to those that the first search finds, and after `graceMilliseconds` SIGKILL to all
 * that are left; with 0, SIGKILL at once. Processes started after the first search are clean-ups, and are left alone
 * until then. Searches again until none is left. A failed search is repeated: they must not be considered dead.
 */
export async function endAll(find: () => Process[], graceMilliseconds: number): Promise<void> {
  let asked = graceMilliseconds === 0
  const started = performance.now()
  const look = lookingAgain(find)
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    const left = look()
    if (left?.length === 0) return
    if (left === undefined) {
      await wait(100)
      continue
    }
    const others = left.filter(({ name }) => !holders.has(name))
    if (performance.now() - started >= graceMilliseconds) {
      for (const { pid } of others.length > 0 ? others : left) signal(pid, 'SIGKILL')
    } else if (!asked) {
      for (const { pid } of others) signal(pid, 'SIGTERM')
      asked = true
    }
    await wait(pause)
  }
}

/** Search that returns undefined if it fails, which is reported once. */
function lookingAgain(find: () => Process[]): () => Process[] | undefined {
  let told = false
  return () => {
    try {
      return find()
    } catch (error) {
      if (!told) complain(`looking for processes that are left failed; retrying: ${error}`)
      told = true
      return undefined
    }
  }
}

/**
 * Names of processes that end by themselves when nothing is left of what they supervise. If they were ended first,
 * bubblewrap would leave no time to clean up, and the supervisor would lose track of forked processes.
 */
const holders = new Set(['bwrap', 'sluice-reaper'])
export const isHolder = (name: string): boolean => holders.has(name)

/**
 * Program and arguments of a process; undefined once it has ended. They may contain secrets: mask them before cutting
 * them.
 */
export function commandOf(pid: number): string | undefined {
  return readGone(`/proc/${pid}/cmdline`)?.split('\0').join(' ').trim() || undefined
}

function signal(pid: number, which: NodeJS.Signals): void {
  try {
    process.kill(pid, which)
  } catch (error) {
    // It has ended since the search. EPERM: it has another user now (setuid); it is searched for again, and not given
    // up.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** The start of a process, field 22 of its stat: clock ticks since the machine started. */
export const startOf = (pid: number): number | undefined => readProcess(pid)?.started

function othersSince(start = 0): Process[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => readProcess(Number(name)) ?? [])
    .filter(({ pid, started }) => pid > 1 && pid !== process.pid && started >= start)
}

function readProcess(pid: number): Process | undefined {
  const text = readGone(`/proc/${pid}/stat`)
  return text === undefined ? undefined : parseStat(pid, text)
}

/**
 * Parses /proc/<pid>/stat; undefined for a zombie, which has ended. The name is in brackets and may contain brackets
 * itself.
 */
export function parseStat(pid: number, text: string): Process | undefined {
  const [from, to] = [text.indexOf('('), text.lastIndexOf(')')]
  const fields = text.slice(to + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  const [parent, session, started] = [fields[1], fields[3], fields[19]].map(Number) as [number, number, number]
  return { pid, parent, session, started, name: text.slice(from + 1, to) }
}

/** `unasked`: why there may be others, of a user whose processes could not be read. */
function markedPids(
  alive: readonly Process[],
  marks: Omit<Marks, 'roots'>,
  asUser: User | undefined,
): { pids: number[]; unasked?: Error } {
  if (marks.environment.length === 0) return { pids: [] }
  const closed: number[] = []
  const marked = alive.filter(({ pid }) => {
    const environment = environmentOf(pid)
    if (environment === 'closed') closed.push(pid)
    return typeof environment === 'object' && carries(environment.text, marks)
  })
  const pids = marked.map(({ pid }) => pid)
  try {
    return { pids: [...pids, ...askAs(asUser, closed, marks)] }
  } catch (error) {
    return { pids, unasked: error as Error }
  }
}

const carries = (environment: string, { environment: wanted, wanted: isWanted }: Omit<Marks, 'roots'>) =>
  wanted.every(each => environment.includes(`\0${each}\0`)) && (isWanted?.(environment) ?? true)

function environmentOf(pid: number): { text: string } | 'closed' | undefined {
  try {
    return { text: `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}\0` }
  } catch (error) {
    return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'closed' : undefined
  }
}

/**
 * Finds the marked processes of a user by a program that runs as that user: root without the right to trace (as in a
 * container) cannot read another user's environments, but each user can read its own.
 */
function askAs(user: User | undefined, pids: readonly number[], marks: Omit<Marks, 'roots'>): number[] {
  const theirs = user ? pids.filter(pid => ownerOf(pid) === user.uid) : []
  if (!user || theirs.length === 0) return []
  // One program for all of them reports which have the first mark, and only those are read completely.
  const [first] = marks.environment
  const fileOf = (pid: number) => `/proc/${pid}/environ`
  const asked = ['-s', '-l', '-a', '-z', '-x', '-F', '-e', first!, ...theirs.map(fileOf)]
  const named = new Set(outputAs(user, '/bin/grep', asked).toString().split('\n'))
  return theirs.filter(
    pid => named.has(fileOf(pid)) && carries(`\0${outputAs(user, '/bin/cat', [fileOf(pid)])}\0`, marks),
  )
}

/** Output of a program that reads as another user. Processes that have ended meanwhile are left out. */
function outputAs({ uid, gid }: User, program: string, args: string[]): Buffer {
  const asked = spawnSync(program, args, { uid, gid, cwd: '/', env: {}, maxBuffer: Number.POSITIVE_INFINITY })
  if (asked.error) throw asked.error
  if (asked.signal) throw new Error(`${program} was killed by ${asked.signal}`)
  return asked.stdout
}

function ownerOf(pid: number): number | undefined {
  return statSync(join('/proc', String(pid)), { throwIfNoEntry: false })?.uid
}

function readGone(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
