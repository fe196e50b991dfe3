import { Worker } from 'node:worker_threads'
import { threadEnvironment } from '#platform/threads/thread-environment.ts'

/** Request to hash a password, or to compare it with a hash. */
export interface HashingTask {
  readonly id: number
  readonly known?: string
  readonly password: string
}

type HashReply = { readonly id: number } & ({ readonly result: string | boolean } | { readonly error: string })

/**
 * The slow hash in a thread of its own. It starts with the first password and does not keep a process alive. Its
 * priority is normal: the system places threads that wake up beside one with a low priority, and makes them wait there
 * for its next tick.
 */
export class HashingThread {
  #worker: Worker | undefined
  #asked = new Map<number, { resolve(result: string | boolean): void; reject(error: Error): void }>()
  #next = 0

  hash(password: string): Promise<string> {
    return this.#ask({ password }) as Promise<string>
  }

  verify(known: string, password: string): Promise<boolean> {
    return this.#ask({ known, password }) as Promise<boolean>
  }

  #ask(task: Omit<HashingTask, 'id'>): Promise<string | boolean> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = ++this.#next
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, ...task } satisfies HashingTask)
    })
  }

  #start(): Worker {
    const worker = new Worker(new URL('./hashing-thread.adapter.ts', import.meta.url), {
      env: threadEnvironment(),
      argv: [],
      execArgv: [],
    })
    worker.unref()
    worker.on('message', (reply: HashReply) => {
      const asked = this.#asked.get(reply.id)!
      this.#asked.delete(reply.id)
      if (this.#asked.size === 0) worker.unref()
      if ('error' in reply) asked.reject(new Error(reply.error))
      else asked.resolve(reply.result)
    })
    const over = (error: Error) => {
      this.#worker = undefined
      for (const { reject } of this.#asked.values()) reject(error)
      this.#asked.clear()
    }
    worker.on('error', over)
    worker.on('exit', code => over(new Error(`the thread that hashes passwords has ended with ${code}`)))
    return worker
  }
}
