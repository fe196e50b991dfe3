import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { bareEnvironment } from '../db/embedded/run-program.ts'
import { threadEnvironment } from '../threads/thread-environment.ts'
import type { LauncherReply, Order, ProgramEnd, ToLaunch } from './launcher-protocol.ts'

/** The launcher ended meanwhile: the request may have been begun. */
export class LauncherGone extends Error {}

interface Waiting {
  readonly resolve: (reply: LauncherReply) => void
  readonly reject: (error: Error) => void
}

/**
 * Starts programs by a small separate process. Starting one from here would block everything else in this process for
 * 10 to 40 ms, while the kernel copies the tables of its memory (docs/adr/0071). The launcher is started at first use,
 * and again after it has ended; it ends with this process.
 */
export class Launcher {
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | undefined
  #last = 0

  /**
   * Starts a program that survives this process, in its own session. Returns its process id.
   *
   * @param output a file that all its output is appended to
   * @throws LauncherGone, or the reason why it could not be started
   */
  async start(what: ToLaunch, output: string): Promise<number> {
    const reply = await this.#ask({ ...what, output })
    return 'pid' in reply ? reply.pid : impossible(reply)
  }

  /** Runs it to its end. @throws as `start` does */
  async run(what: ToLaunch): Promise<ProgramEnd> {
    const reply = await this.#ask(what)
    return 'end' in reply ? reply.end : impossible(reply)
  }

  async #ask(what: Order['what']): Promise<LauncherReply> {
    const child = this.#launcher()
    const number = ++this.#last
    const reply = await new Promise<LauncherReply>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      this.#holdOn(child)
      // A message that cannot be sent to a launcher that has just ended is answered by its end.
      child.send({ number, what } satisfies Order, () => {})
    }).finally(() => {
      this.#waiting.delete(number)
      this.#holdOn(child)
    })
    if ('failed' in reply) throw new Error(reply.failed)
    return reply
  }

  #launcher(): ChildProcess {
    if (this.#child) return this.#child
    const child = fork(join(import.meta.dirname, 'launcher.ts'), [], {
      cwd: '/',
      // Node's compile cache for this process saves a third of the launcher's start.
      env: { ...bareEnvironment, ...threadEnvironment() },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const over = (how: string) => {
      if (this.#child !== child) return
      this.#child = undefined
      for (const { reject } of this.#waiting.values()) reject(new LauncherGone(`the process that starts others ${how}`))
    }
    child.on('message', reply => this.#waiting.get((reply as LauncherReply).number)?.resolve(reply as LauncherReply))
    child.once('error', error => over(`could not be started: ${error.message}`))
    child.once('exit', (code, signal) => over(`ended (${signal ?? `exit code ${code}`})`))
    child.unref()
    this.#child = child
    return child
  }

  /** Keeps this process alive only while an answer of the launcher is awaited. */
  #holdOn(child: ChildProcess): void {
    if (this.#waiting.size > 0) child.channel?.ref()
    else child.channel?.unref()
  }
}

function impossible(reply: LauncherReply): never {
  throw new Error(`the process that starts others said ${JSON.stringify(reply)}`)
}
