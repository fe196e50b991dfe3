import { Readable, Transform } from 'node:stream'
import { WeightedCache } from '#platform/weighted-cache.ts'

/** Maximum number of bytes of one archive, and of all together. Larger archives are read from the mirror each time. */
const most = { one: 2_097_152, all: 16_777_216 }

/**
 * Memory cache of recently read archives of commits: many changes use the same commit, and starting git for each costs
 * more than everything else about passing a small tree to a runner. A commit's tree never changes, so entries never
 * become stale; the least recently used are evicted.
 */
export class ArchiveCache {
  readonly #archives = new WeightedCache<Buffer>({ entries: Number.POSITIVE_INFINITY, weight: most.all })

  /** The archive of that name, or the result of `read`, which is cached if it is small. */
  async of(name: string, read: () => Promise<Readable>): Promise<Readable> {
    const kept = this.#archives.get(name)
    if (!kept) return this.#caching(name, await read())
    this.#archives.set(name, kept, kept.length)
    return Readable.from([kept])
  }

  #caching(name: string, archive: Readable): Readable {
    let pieces: Buffer[] | undefined = []
    let size = 0
    const passing = new Transform({
      transform: (piece: Buffer, _encoding, done) => {
        size += piece.length
        if (size > most.one) pieces = undefined
        pieces?.push(piece)
        done(null, piece)
      },
      // Only a stream that has ended contains the whole tree.
      flush: done => {
        if (pieces) this.#keep(name, Buffer.concat(pieces))
        done()
      },
    })
    archive.once('error', error => passing.destroy(error))
    passing.once('close', () => archive.destroy())
    return archive.pipe(passing)
  }

  #keep(name: string, bytes: Buffer): void {
    if (!this.#archives.get(name)) this.#archives.set(name, bytes, bytes.length)
  }
}
