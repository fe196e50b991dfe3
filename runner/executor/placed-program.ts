import { type ChildProcess, spawn } from 'node:child_process'
import { type Readable, Writable } from 'node:stream'
import type { User } from '../sandbox/processes.ts'

/** Folder and user of a system program that runs for a runner. */
export interface ProgramPlace {
  readonly work: string
  readonly runAs?: User
  readonly env: Record<string, string>
  /** The prefix of a command that runs its arguments in bubblewrap; empty without. */
  readonly sandbox: readonly string[]
}

export interface PlacedProgram {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves when it has ended well. @throws with its error output */
  readonly ended: Promise<void>
}

/** Starts a program there; it is killed when `signal` aborts. */
export function startIn(place: ProgramPlace, argv: readonly string[], signal?: AbortSignal): PlacedProgram {
  const child = spawnIn(place, argv, 'pipe', signal)
  return { stdin: inputOf(child.stdin!), stdout: child.stdout!, ended: endOf(child, argv[0]!) }
}

/**
 * Runs it to its end.
 *
 * @param input an open file to read as standard input; default: none
 */
export async function runIn(
  place: ProgramPlace,
  argv: readonly string[],
  { signal, input = 'ignore' }: { signal?: AbortSignal; input?: number | 'ignore' } = {},
): Promise<void> {
  const child = spawnIn(place, argv, input, signal)
  child.stdout!.resume()
  await endOf(child, argv[0]!)
}

function spawnIn(
  { work, runAs, env, sandbox }: ProgramPlace,
  argv: readonly string[],
  input: 'pipe' | 'ignore' | number,
  signal: AbortSignal | undefined,
): ChildProcess {
  const [program, ...args] = [...sandbox, ...argv]
  return spawn(program!, args, {
    ...(runAs && { uid: runAs.uid, gid: runAs.gid }),
    cwd: work,
    env,
    // A runner's processes include everything in its session.
    detached: true,
    stdio: [input, 'pipe', 'pipe'],
    ...(signal && { signal, killSignal: 'SIGKILL' as const }),
  })
}

/**
 * Standard input of a program, finished once everything is handed to the pipe. Node destroys the pipe itself when the
 * program exits, which a program that has read everything may do before Node has seen the end of the input leave: a
 * pipeline would report a premature close, although nothing is missing. The exit code shows whether the program got its
 * input.
 */
const inputOf = (pipe: Writable): Writable =>
  new Writable({
    write: (bytes: Buffer, encoding, done) => void pipe.write(bytes, encoding, done),
    final(done) {
      pipe.end()
      done()
    },
    destroy(error, done) {
      if (!this.writableFinished) pipe.destroy()
      done(error)
    },
  })

/** Resolves when it has ended well. @throws with its error output */
function endOf(child: ChildProcess, name: string): Promise<void> {
  let complaints = ''
  child.stderr!.on('data', (bytes: Buffer) => {
    if (complaints.length < 2_000) complaints += bytes.toString('utf8')
  })
  // Pipes break when it ends, which is reported below.
  for (const pipe of [child.stdin, child.stdout]) pipe?.on('error', () => {})
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signalled) =>
      code === 0
        ? resolve()
        : reject(new Error(`${name} ended with ${signalled ?? `exit code ${code}`}: ${complaints.trim()}`)),
    )
  })
  // The caller may wait for it later; until then a failure is not an unhandled rejection.
  ended.catch(() => {})
  return ended
}

export const tar = '/bin/tar'

/** Unpacks as a user would: the unpacking user owns the files, and modes follow the umask. */
export const unpackingInto = (folder: string): string[] => [
  ...[tar, '-x', '-f', '-', '--no-same-owner', '--no-same-permissions', '-C', folder],
]
