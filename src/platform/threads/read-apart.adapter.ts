import { inThread, ThreadFailure, type ThreadLimits } from './in-thread.adapter.ts'

/** Message to the thread. */
export interface Call {
  readonly module: string
  readonly name: string
  readonly given: readonly unknown[]
}

/**
 * Maximum size in bytes of a text that is read in this thread: some 40 ms. A MiB of YAML takes between one second and
 * ten.
 */
export const readAtOnce = 65_536

const program = new URL('./call-thread.ts', import.meta.url)
const limits: ThreadLimits = { seconds: 120, mebibytes: 1_024 }

/**
 * Reads bytes by a pure function: large inputs in a separate thread (half a second more, mostly for its imports), where
 * they delay nothing else. Input and output are copied then: plain values only.
 *
 * @param read exported under its own name
 * @param module where it is exported
 * @returns `too-much` if it takes more than two minutes or 1 GiB
 */
export const readApart = <Given extends readonly unknown[], Answer>(
  bytes: number,
  read: (...given: Given) => Answer,
  module: string | URL,
  ...given: Given
): Promise<Answer | 'too-much'> => readWithin(limits, bytes, read, module, ...given)

/** Calls a function in the thread with separate limits, for results that a person waits for. */
export async function readWithin<Given extends readonly unknown[], Answer>(
  within: ThreadLimits,
  bytes: number,
  read: (...given: Given) => Answer,
  module: string | URL,
  ...given: Given
): Promise<Answer | 'too-much'> {
  if (bytes <= readAtOnce) return read(...given)
  try {
    return await inThread(program, { module: String(module), name: read.name, given } satisfies Call, within)
  } catch (error) {
    if (!(error instanceof ThreadFailure) || error.why === 'ended') throw error
    return 'too-much'
  }
}
