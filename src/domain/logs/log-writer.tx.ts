import { isDatabaseAway } from '#platform/db/connection-errors.ts'
import type { Database } from '#platform/db/database.ts'
import { type ChunkOf, insertChunks } from './log-chunks.store.ts'
import { TextsMemory } from './log-columns.ts'

type Waiting = { chunks: readonly ChunkOf[]; resolve: () => void; reject: (error: unknown) => void }

const mostChunks = 64
/** Maximum number of characters of one statement, for chunks of long lines. */
const mostText = 4 * 1_048_576

/**
 * Writer that stores the chunks that arrive during a statement with the next one: with many runners, one insert stores
 * the chunks of all. One statement at a time, so that load makes the statements larger, not more. Chunks of one runner
 * that cannot be stored do not delay the others.
 */
export class LogWriter {
  readonly #database: Database
  #waiting: Waiting[] = []
  #writing = false
  readonly #memory = new TextsMemory()

  constructor(database: Database) {
    this.#database = database
  }

  /** Resolves when they are committed. */
  add(chunks: readonly ChunkOf[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ chunks, resolve, reject })
      if (!this.#writing) void this.#write()
    })
  }

  async #write(): Promise<void> {
    this.#writing = true
    while (this.#waiting.length > 0) {
      const batch = this.#take()
      try {
        await this.#insert(batch)
      } catch (error) {
        if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error)
        else for (const each of batch) await this.#insert([each]).catch(each.reject)
      }
    }
    this.#writing = false
  }

  async #insert(batch: readonly Waiting[]): Promise<void> {
    await insertChunks(
      this.#database,
      batch.flatMap(({ chunks }) => chunks),
      this.#memory,
    )
    for (const { resolve } of batch) resolve()
    // Notifies this process only: log streams in other processes poll four times a second anyway.
    this.#database.hints.emit('log_lines')
  }

  #take(): Waiting[] {
    const batch: Waiting[] = []
    let [size, text] = [0, 0]
    while (this.#waiting.length > 0 && size < mostChunks && text < mostText) {
      const next = this.#waiting.shift()!
      batch.push(next)
      size += next.chunks.length
      text += next.chunks.reduce((sum, { chunk }) => sum + chunk.text.length, 0)
    }
    return batch
  }
}
