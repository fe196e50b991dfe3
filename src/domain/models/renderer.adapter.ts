import { Worker } from 'node:worker_threads'
import { type Rendered, type Rendering, renderLimits } from './rendering.ts'

/** What is wrong is an answer; rejects only with the signal's reason. */
export type Render = (rendering: Rendering, signal: AbortSignal) => Promise<Rendered>

/** A regular expression or a sort inside the interpreter may not be interrupted by it: then the thread is ended. */
const graceMilliseconds = 1_000

/**
 * Renders in a thread of its own, which is ended when it takes too long: an endless loop holds nothing but itself. The
 * thread has no environment, no arguments and no input, and what it prints goes nowhere.
 */
export const renderInThread: Render = (rendering, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const thread = new Worker(new URL('./render-thread.ts', import.meta.url), {
      workerData: rendering,
      env: {},
      argv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    const settle = (done: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      void thread.terminate()
      done()
    }
    const failed = (error: string) => settle(() => resolve({ error, logs: [] }))
    const aborted = () => settle(() => reject(signal.reason))
    const timer = setTimeout(
      () => failed(`The model was not rendered within ${rendering.seconds} s.`),
      rendering.seconds * 1_000 + graceMilliseconds,
    )
    signal.addEventListener('abort', aborted, { once: true })
    thread.once('message', (rendered: Rendered) => settle(() => resolve(rendered)))
    thread.once('error', (error: Error & { code?: string }) =>
      failed(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' || error.name === 'RuntimeError'
          ? `The model needs more than ${renderLimits.memory / 1_048_576} MiB of memory, or a deeper stack than there is.`
          : `The model could not be rendered: ${error.message}`,
      ),
    )
    thread.once('exit', () => failed('The thread that rendered the model ended.'))
  })
