import { inThread, ThreadFailure } from '#platform/threads/in-thread.adapter.ts'
import { type Rendered, type Rendering, renderLimits } from './rendering.ts'

/** Renders a model. A faulty template is a result; rejects only with the signal's reason. */
export type Render = (rendering: Rendering, signal: AbortSignal) => Promise<Rendered>

/** A regular expression or a sort inside the interpreter may not be interrupted by it: then the thread is ended. */
const graceSeconds = 1

/** Renders in a thread of its own. */
export const renderInThread: Render = (rendering, signal) => {
  const seconds = rendering.seconds + graceSeconds
  const thread = new URL('./render-thread.adapter.ts', import.meta.url)
  return inThread<Rendered>(thread, rendering, { seconds, mebibytes: 256, signal }).catch(error => {
    if (!(error instanceof ThreadFailure)) throw error
    return { error: words[error.why](rendering, error.message), logs: [] }
  })
}

const words: Readonly<Record<ThreadFailure['why'], (rendering: Rendering, message: string) => string>> = {
  time: ({ seconds }) => `The model was not rendered within ${seconds} s.`,
  memory: () =>
    `The model needs more than ${renderLimits.memory / 1_048_576} MiB of memory, or a deeper stack than there is.`,
  ended: (_, message) => `The model could not be rendered: ${message}`,
}
