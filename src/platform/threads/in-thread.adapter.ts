import { Worker } from 'node:worker_threads'
import { threadEnvironment } from './thread-environment.ts'

export interface ThreadLimits {
  readonly seconds: number
  /** Limit of the thread's heap. */
  readonly mebibytes: number
  readonly signal?: AbortSignal
}

/** Reason why a thread returned nothing. */
export class ThreadFailure extends Error {
  readonly why: 'time' | 'memory' | 'ended'

  constructor(why: ThreadFailure['why'], message: string) {
    super(message)
    this.why = why
  }
}

/**
 * Runs work in a separate thread, which is ended afterwards, or when it takes too long: endless work blocks nothing but
 * its thread. The thread's environment is `threadEnvironment` alone; it has no arguments and no input, and its output
 * is discarded.
 *
 * @param program the thread's program: it finds `given` as its `workerData`, and its first message is the answer
 * @throws ThreadFailure if there is no answer; the signal's reason
 */
export function inThread<Answer>(program: URL, given: unknown, limits: ThreadLimits): Promise<Answer> {
  const { seconds, mebibytes, signal } = limits
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const thread = new Worker(program, {
      workerData: given,
      env: threadEnvironment(),
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: mebibytes,
        maxYoungGenerationSizeMb: 32,
        stackSizeMb: 4,
      },
    })
    const settle = (done: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', aborted)
      void thread.terminate()
      done()
    }
    const failed = (why: ThreadFailure['why'], message: string) => settle(() => reject(new ThreadFailure(why, message)))
    const aborted = () => settle(() => reject(signal!.reason))
    const timer = setTimeout(() => failed('time', `It took more than ${seconds} s.`), seconds * 1_000)
    signal?.addEventListener('abort', aborted, { once: true })
    thread.once('message', (answer: Answer) => settle(() => resolve(answer)))
    thread.once('error', (error: Error & { code?: string }) =>
      failed(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error.name === 'RuntimeError' ? 'memory' : 'ended',
        error.message,
      ),
    )
    thread.once('exit', () => failed('ended', 'The thread ended without an answer.'))
  })
}
