import { inThread, ThreadFailure, type ThreadLimits } from './in-thread.adapter.ts'

/** What the thread is sent. */
export interface Call {
  readonly module: string
  readonly name: string
  readonly given: readonly unknown[]
}

/** Bytes of text that may be read where everybody waits: some 40 ms. A MiB of YAML takes a second or ten. */
export const readAtOnce = 65_536

const program = new URL('./call-thread.ts', import.meta.url)
const limits: ThreadLimits = { seconds: 120, mebibytes: 1_024 }

/**
 * Calls a pure function in a thread of its own (half a second more, mostly for its imports), for what takes long and would hold everybody
 * else up. What goes in and comes out is copied: plain values only.
 *
 * @param module where it is exported by this name
 * @returns `too-much` when it takes more than two minutes or 1 GiB
 */
export async function callApart<Pure extends (...given: never[]) => unknown>(
  module: URL,
  name: string,
  ...given: Parameters<Pure>
): Promise<ReturnType<Pure> | 'too-much'> {
  try {
    return await inThread(program, { module: module.href, name, given } satisfies Call, limits)
  } catch (error) {
    if (!(error instanceof ThreadFailure) || error.why === 'ended') throw error
    return 'too-much'
  }
}
