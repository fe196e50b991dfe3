import { type ChildProcess, spawn } from 'node:child_process'
import { PassThrough, type Readable } from 'node:stream'
import { storable } from '#platform/stored-text.ts'
import type { AnswersFor } from './credentials.adapter.ts'
import { GitFailure } from './git-failure.ts'

/** Call of git. Arguments are a vector: nothing of ours passes through a shell. */
export interface GitCall {
  readonly args: readonly string[]
  readonly input?: string
  /** Default 60,000. */
  readonly timeoutMilliseconds?: number
  /** Maximum time until the first progress output, for calls that report progress. */
  readonly silenceMilliseconds?: number
  readonly signal?: AbortSignal
  /**
   * Options for calls that contact a remote: how git gets its credentials, and which texts must be hidden in its
   * output.
   */
  readonly answers?: AnswersFor
  /** Callback for git's stderr, as it comes, credentials hidden. */
  readonly onProgress?: (text: string) => void
  /** Callback for the process id of git, as soon as it runs. */
  readonly onStart?: (pid: number) => void
}

export interface GitProgram {
  /** Runs git to its end. @throws GitFailure */
  run(call: GitCall): Promise<Buffer>
  /** Runs git and passes its output on while it runs; the stream fails when git does. */
  stream(call: GitCall): Readable
}

/**
 * The git program in an environment of its own: no configuration of the machine or of a user, no prompt, no hook, no
 * submodule, only the allowed protocols. Git runs in a session of its own, so that all of its processes end with it.
 *
 * @param environment variables inherited from the service: PATH, and proxies where there are any
 */
export function gitProgram(options: {
  home: string
  protocols: readonly string[]
  environment: Readonly<Record<string, string>>
}): GitProgram {
  const env = {
    ...options.environment,
    HOME: options.home,
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOW_PROTOCOL: options.protocols.join(':'),
  }
  return {
    run: call => finish(start(call, env), call),
    stream: call => streaming(start(call, env), call),
  }
}

/**
 * Configuration of git, with the precedence of the command line, so that no configuration of a repository overrides it.
 */
const configuration = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.fsync': 'objects,derived-metadata,reference',
  'fetch.recurseSubmodules': 'false',
  'fetch.writeCommitGraph': 'false',
  // Fetched objects become visible all at once, as one pack: a few loose objects would be written one by one, a commit
  // before its trees.
  'fetch.unpackLimit': '1',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'http.lowSpeedLimit': '100',
  'http.lowSpeedTime': '60',
  'tar.umask': '0022',
}

function start(call: GitCall, env: Record<string, string>): ChildProcess {
  const settings = { ...configuration, ...call.answers?.configuration }
  const args = [...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]), ...call.args]
  const child = spawn('git', args, {
    cwd: '/',
    env: { ...env, ...call.answers?.environment },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  // Git may end before it has read its input, or without ever asking for a password; its exit code is what counts.
  for (const channel of [child.stdin!, child.stdio[3] as NodeJS.WritableStream]) channel.on('error', () => {})
  child.stdin!.end(call.input ?? '')
  ;(child.stdio[3] as NodeJS.WritableStream).end(call.answers?.lines ?? '')
  if (child.pid) call.onStart?.(child.pid)
  return child
}

/** Failure in one sentence, once git has ended; undefined after a success. */
function watch(child: ChildProcess, call: GitCall, tooMuch?: AbortSignal): Promise<GitFailure | undefined> {
  const { promise, resolve } = Promise.withResolvers<GitFailure | undefined>()
  const hide = call.answers?.hide ?? (text => text)
  let said = ''
  let stopped: string | undefined
  const stop = (why: string) => {
    stopped ??= why
    killGroup(child)
  }
  const timeout = call.timeoutMilliseconds ?? 60_000
  const timer = setTimeout(() => stop(`git did not end within ${Math.round(timeout / 1_000)} s`), timeout)
  const silence = call.silenceMilliseconds
  const silent =
    silence !== undefined &&
    setTimeout(() => stop(`the remote said nothing for ${Math.round(silence / 1_000)} s`), silence)
  const abort = () => stop('git was stopped')
  call.signal?.addEventListener('abort', abort, { once: true })
  if (call.signal?.aborted) abort()
  tooMuch?.addEventListener('abort', () => stop(`git wrote more than ${mostOutput / 1_048_576} MiB`), { once: true })
  child.stderr!.setEncoding('utf8').on('data', (bare: string) => {
    if (silent) clearTimeout(silent)
    // Text of a server, which can be anything.
    const text = storable(bare)
    said = (said + text).slice(-65_536)
    call.onProgress?.(hide(text))
  })
  const end = (failed: GitFailure | undefined) => {
    clearTimeout(timer)
    if (silent) clearTimeout(silent)
    call.signal?.removeEventListener('abort', abort)
    resolve(failed)
  }
  child.once('error', error => end(new GitFailure(`git cannot be run: ${error.message}`, '', null)))
  child.once('close', (code, signal) => {
    if (code === 0 && !stopped) return end(undefined)
    const output = hide(said.trim())
    end(new GitFailure(stopped ?? (complaintIn(output) || `git ended with ${signal ?? code}`), output, code))
  })
  return promise
}

/**
 * Maximum output of one run in bytes: four hundred thousand paths, or the contents of all files that are read at once.
 */
const mostOutput = 67_108_864

/** A few small trees that contain each other many times have an endless listing: past the limit git is ended. */
async function finish(child: ChildProcess, call: GitCall): Promise<Buffer> {
  const chunks: Buffer[] = []
  const tooMuch = new AbortController()
  let size = 0
  child.stdout!.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= mostOutput) chunks.push(chunk)
    else tooMuch.abort()
  })
  const failed = await watch(child, call, tooMuch.signal)
  if (failed) throw failed
  return Buffer.concat(chunks)
}

/** The stream ends only once git has ended well: half a tree must not look like a whole one. */
function streaming(child: ChildProcess, call: GitCall): Readable {
  const out = new PassThrough()
  child.stdout!.pipe(out, { end: false })
  // A reader that stops (a disconnected runner) ends git too.
  out.once('close', () => killGroup(child))
  void watch(child, call).then(failed => (failed ? out.destroy(failed) : out.end()))
  return out
}

function killGroup(child: ChildProcess): void {
  if (!child.pid || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The last thing that git called fatal or an error; else its last line. */
function complaintIn(output: string): string {
  // The cause is before the general advice that git ends with.
  const [story = '', advice] = output.split(/^fatal: Could not read from remote repository\.$/m)
  const lines = (story.trim() === '' || advice === undefined ? output : story)
    .split(/[\r\n]+/)
    .filter(line => line.trim())
  const complaint = lines.findLast(line => /^(?:fatal|error|remote): /.test(line)) ?? lines.at(-1) ?? ''
  return complaint.replace(/^(?:fatal|error): /, '')
}
