import { spawn } from 'node:child_process'

export interface ExecOptions {
  /** Working directory; default: the step's folder of the repository. */
  readonly cwd?: string
  /** Environment variables, added to the step's own. */
  readonly env?: Readonly<Record<string, string>>
  /** Content of its standard input; default: none. */
  readonly input?: string | Uint8Array
  /** Whether a non-zero exit code is returned instead of thrown. */
  readonly mayFail?: boolean
}

export interface ExecResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** A program that could not be started, was stopped, or ended with an exit code other than 0. */
export class ExecFailed extends Error {
  readonly exitCode: number | null
  readonly stderr: string

  constructor(message: string, exitCode: number | null, stderr = '') {
    super(message)
    this.name = 'ExecFailed'
    this.exitCode = exitCode
    this.stderr = stderr
  }
}

const mostKept = 1_048_576

/**
 * Runs a command in a session of its own. When the step is stopped the runner sends SIGTERM to all processes of the
 * step once, including this one: a second SIGTERM from here would make many programs exit without cleaning up. A
 * command started after that is a clean-up, and gets its time.
 */
export function exec(command: string, args: readonly string[], options: ExecOptions): Promise<ExecResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      detached: true,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
    })
    const stdout = passedOn(child.stdout!, process.stdout)
    const stderr = passedOn(child.stderr!, process.stderr)
    // A program need not read its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.input)
    child.once('error', error => {
      reject(new ExecFailed(`${command} could not be started: ${whyNot(error)}`, null))
    })
    child.once('close', (code, by) => {
      if (code === null) reject(new ExecFailed(`${command} was killed by ${by}`, null, stderr()))
      else if (code !== 0 && !options.mayFail) reject(new ExecFailed(`${command}: exit code ${code}`, code, stderr()))
      else resolve({ exitCode: code, stdout: stdout(), stderr: stderr() })
    })
  })
}

const whyNot = (error: NodeJS.ErrnoException): string =>
  error.code === 'E2BIG'
    ? 'an argument or a value of its environment is longer than 128 KiB, or all together are too long (E2BIG)'
    : error.message

/** Copies a stream to the step's log, and keeps its beginning. */
function passedOn(from: NodeJS.ReadableStream, to: NodeJS.WritableStream): () => string {
  const kept: Buffer[] = []
  let bytes = 0
  from.on('data', (piece: Buffer) => {
    if (!to.write(piece)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
    if (bytes >= mostKept) return
    kept.push(piece.subarray(0, mostKept - bytes))
    bytes += piece.length
  })
  return () => Buffer.concat(kept).toString('utf8')
}
