import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { User } from './processes.ts'

/** Where and as whom a program of the system runs for a runner. */
export interface ProgramPlace {
  readonly work: string
  readonly runAs?: User
  readonly env: Record<string, string>
  /** The beginning of a command that runs its arguments in bubblewrap; empty without. */
  readonly sandbox: readonly string[]
}

export interface PlacedProgram {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves when it has ended well. @throws with what it complained of */
  readonly ended: Promise<void>
}

/** Starts a program there; it is killed when `signal` aborts. */
export function startIn(place: ProgramPlace, argv: readonly string[], signal?: AbortSignal): PlacedProgram {
  const { work, runAs, env, sandbox } = place
  const [program, ...args] = [...sandbox, ...argv]
  const child = spawn(program!, args, {
    ...(runAs && { uid: runAs.uid, gid: runAs.gid }),
    cwd: work,
    env,
    // A session counts as a runner's with everybody in it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(signal && { signal, killSignal: 'SIGKILL' as const }),
  })
  let complaints = ''
  child.stderr.on('data', (bytes: Buffer) => {
    if (complaints.length < 2_000) complaints += bytes.toString('utf8')
  })
  // Pipes break when it ends, and its end is told below.
  for (const pipe of [child.stdin, child.stdout]) pipe.on('error', () => {})
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signalled) =>
      code === 0
        ? resolve()
        : reject(new Error(`${argv[0]} ended with ${signalled ?? `exit code ${code}`}: ${complaints.trim()}`)),
    )
  })
  // Whoever waits for it hears of it; until then it is no error of nobody.
  ended.catch(() => {})
  return { stdin: child.stdin, stdout: child.stdout, ended }
}

/** Runs it to its end. */
export async function runIn(place: ProgramPlace, argv: readonly string[], signal?: AbortSignal): Promise<void> {
  const { stdin, stdout, ended } = startIn(place, argv, signal)
  stdin.end()
  stdout.resume()
  await ended
}

export const tar = '/bin/tar'

/** Unpacks as if by hand: whoever unpacks owns it, and modes follow the umask. */
export const unpackingInto = (folder: string): string[] => [
  ...[tar, '-x', '-f', '-', '--no-same-owner', '--no-same-permissions', '-C', folder],
]
