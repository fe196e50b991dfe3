import { Readable, Transform } from 'node:stream'
import { WeightedCache } from '#platform/weighted-cache.ts'

/** Bytes of one archive, and of all together. Larger archives are read from the mirror each time. */
const most = { one: 2_097_152, all: 16_777_216 }

/**
 * Archives of commits that were read a moment ago, in memory: change after change works on the same commit, and starting
 * git for each costs more than the rest of handing a small tree to a runner. A commit's tree never changes, so nothing in
 * here grows old; what was not asked for longest makes room.
 */
export class ArchiveCache {
  readonly #archives = new WeightedCache<Buffer>({ entries: Number.POSITIVE_INFINITY, weight: most.all })

  /** The archive of that name, or what `read` hands over, kept for the next when it is small. */
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
      // Only what came to its end is the whole tree.
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
