import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { ArchiveCache } from './archive-cache.adapter.ts'

/** Reads through the cache; `reads` counts how often the mirror was asked. */
function through(cache: ArchiveCache) {
  const reads: string[] = []
  const read = async (name: string, bytes: Buffer = Buffer.from(name)) =>
    buffer(
      await cache.of(name, async () => {
        reads.push(name)
        return Readable.from([bytes])
      }),
    )
  return { reads, read }
}

test('an archive is read from the mirror once', async () => {
  const { reads, read } = through(new ArchiveCache())
  assert.equal(String(await read('a')), 'a')
  assert.equal(String(await read('a')), 'a')
  assert.deepEqual(reads, ['a'])
})

test('a large archive is handed on whole and not kept', async () => {
  const { reads, read } = through(new ArchiveCache())
  const large = Buffer.alloc(3_000_000, 1)
  assert.deepEqual(await read('large', large), large)
  assert.deepEqual(await read('large', large), large)
  assert.deepEqual(reads, ['large', 'large'])
})

test('what was not asked for longest makes room', async () => {
  const { reads, read } = through(new ArchiveCache())
  const piece = Buffer.alloc(2_000_000)
  for (const name of ['1', '2', '3', '4', '5', '6', '7', '8', '1', '9']) await read(name, piece)
  reads.length = 0
  await read('1', piece)
  await read('2', piece)
  assert.deepEqual(reads, ['2'])
})

test('an archive that breaks off is not kept, and whoever reads it is told', async () => {
  const cache = new ArchiveCache()
  const broken = async () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('half a ')
        throw new Error('git was stopped')
      })(),
    )
  await assert.rejects(async () => buffer(await cache.of('a', broken)), /git was stopped/)
  assert.equal(String(await through(cache).read('a')), 'a')
})

test('an archive that nobody reads to its end is not kept, and is closed', async () => {
  const cache = new ArchiveCache()
  const source = Readable.from([Buffer.alloc(60_000), Buffer.alloc(60_000), Buffer.alloc(60_000)])
  const archive = await cache.of('a', async () => source)
  const closed = new Promise(resolve => source.once('close', resolve))
  archive.destroy()
  await closed
  assert.equal(String(await through(cache).read('a')), 'a')
})
