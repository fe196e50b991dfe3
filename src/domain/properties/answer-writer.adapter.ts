import { Worker } from 'node:worker_threads'
import { threadEnvironment } from '#platform/threads/thread-environment.ts'
import { type Unwritten, written } from './written-answer.ts'

export type WriteAnswer = (answer: Unwritten) => Promise<Uint8Array>

/** Message to the thread. */
export interface AnswerOrder extends Unwritten {
  readonly number: number
}

/** Bytes of all layers up to which a response is written directly: about a millisecond. */
const small = 128 * 1_024

/**
 * Writes large answers in a thread of their own, one after the other, so that they delay no other request (a megabyte
 * takes 10 ms, and documents may have eight each). The thread is started by the first of them.
 */
export function answerWriter(): WriteAnswer {
  let thread: Thread | undefined
  return async answer => {
    if (answer.layers.reduce((sum, { text }) => sum + text.size, 0) <= small) return written(answer)
    thread ??= startThread(() => {
      thread = undefined
    })
    return thread.write(answer)
  }
}

interface Thread {
  write(answer: Unwritten): Promise<Uint8Array>
}

/**
 * @param ended called once it has ended, which only happens after a failure; everything that it was writing fails with
 *   it
 */
function startThread(ended: () => void): Thread {
  const worker = new Worker(new URL('./answer-thread.adapter.ts', import.meta.url), {
    env: threadEnvironment(),
    argv: [],
    execArgv: [],
  })
  const waiting = new Map<number, PromiseWithResolvers<Uint8Array>>()
  let last = 0
  let failed = new Error('the thread that writes answers ended')
  worker.on('message', ({ number, bytes }: { number: number; bytes: Uint8Array }) => {
    waiting.get(number)!.resolve(bytes)
    waiting.delete(number)
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', (error: Error) => {
    failed = error
  })
  worker.on('exit', () => {
    ended()
    for (const { reject } of waiting.values()) reject(failed)
  })
  worker.unref()
  return {
    write: ({ pieces, layers }) => {
      const number = ++last
      const answer = Promise.withResolvers<Uint8Array>()
      waiting.set(number, answer)
      worker.ref()
      const order: AnswerOrder = { number, pieces, layers: inOneMemory(layers) }
      worker.postMessage(order, [order.layers[0]!.text.bytes.buffer as ArrayBuffer])
      return answer.promise
    },
  }
}

/**
 * Layers copied into memory of their own, since small buffers share memory with others that must not be transferred.
 */
function inOneMemory(layers: Unwritten['layers']): Unwritten['layers'] {
  const memory = new Uint8Array(layers.reduce((sum, { text }) => sum + text.bytes.length, 0))
  let at = 0
  return layers.map(({ source, text }) => {
    memory.set(text.bytes, at)
    const bytes = memory.subarray(at, at + text.bytes.length)
    at += bytes.length
    return { source, text: { ...text, bytes } }
  })
}
