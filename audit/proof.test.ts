import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { beginning, chainHash, digestOf, type Link } from './chain.ts'
import { prove, type Read } from './proof.ts'

/** A trail of these bodies, as it is sealed. */
function sealed(bodies: readonly string[]): Read[] {
  let link: Link = beginning
  return bodies.map(body => {
    const seq = link.seq + 1
    const event_id = `01900000-0000-7000-8000-${String(seq).padStart(12, '0')}`
    const event = { created_at: `2026-11-20T08:00:00.${String(seq).padStart(6, '0')}Z`, body }
    const digest = digestOf({ id: event_id, ...event })
    const hash = chainHash(link.hash, seq, digest)
    link = { seq, hash }
    return { seq, event_id, digest, hash, event }
  })
}

async function* each<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values
}

const proofOf = (seals: readonly Read[], noted: readonly Link[] = [], from?: Link) => prove(each(seals), noted, from)
const faultsIn = async (...given: Parameters<typeof proofOf>) =>
  (await proofOf(...given)).faults.map(({ what }) => what)
const flipped = (bytes: Buffer, at: number) =>
  Buffer.from(bytes.map((byte, i) => (i === at % bytes.length ? byte ^ 1 : byte)))

/** What somebody may do to a seal among others, whose place is given. */
const tampering: Record<string, (seals: Read[], place: number) => Read[]> = {
  'another body': (seals, i) =>
    seals.with(i, { ...seals[i]!, event: { ...seals[i]!.event!, body: `${seals[i]!.event!.body} ` } }),
  'another time': (seals, i) =>
    seals.with(i, { ...seals[i]!, event: { ...seals[i]!.event!, created_at: '2026-11-20' } }),
  'another id': (seals, i) => seals.with(i, { ...seals[i]!, event_id: '01900000-0000-7000-8000-ffffffffffff' }),
  'another digest': (seals, i) => seals.with(i, { ...seals[i]!, digest: flipped(seals[i]!.digest, i) }),
  'another hash': (seals, i) => seals.with(i, { ...seals[i]!, hash: flipped(seals[i]!.hash, i) }),
  'another number': (seals, i) => seals.with(i, { ...seals[i]!, seq: seals[i]!.seq + 1 }),
  'one left out': (seals, i) => (i === seals.length - 1 ? seals.toSpliced(0, 1) : seals.toSpliced(i, 1)),
  'one twice': (seals, i) => seals.toSpliced(i, 0, seals[i]!),
  'two exchanged': (seals, i) => {
    const other = i === 0 ? 1 : i - 1
    return seals.with(i, seals[other]!).with(other, seals[i]!)
  },
}

const trails = fc
  .array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 20 })
  .chain(bodies => fc.record({ seals: fc.constant(sealed(bodies)), place: fc.nat(bodies.length - 1) }))

test('a trail as it was sealed holds, from wherever it is read on', async () => {
  await fc.assert(
    fc.asyncProperty(trails, async ({ seals, place }) => {
      const { sealed, removed, head, faults } = await proofOf(seals)
      assert.deepEqual({ sealed, removed, faults }, { sealed: seals.length, removed: 0, faults: [] })
      assert.deepEqual(head, { seq: seals.length, hash: seals.at(-1)!.hash })
      const { seq, hash } = seals[place]!
      assert.deepEqual(await faultsIn(seals.slice(place + 1), [{ seq, hash }], { seq, hash }), [])
    }),
  )
})

for (const [what, tamper] of Object.entries(tampering))
  test(`${what} is found out`, async () => {
    await fc.assert(
      fc.asyncProperty(trails, async ({ seals, place }) => {
        assert.notDeepEqual(await faultsIn(tamper(seals, place)), [])
      }),
    )
  })

test('an event that was removed as old still chains, and is counted', async () => {
  const seals = sealed(['a', 'b', 'c'])
  const { removed, faults } = await proofOf(seals.with(1, { ...seals[1]!, event: null }))
  assert.deepEqual({ removed, faults }, { removed: 1, faults: [] })
})

test('whoever seals everything anew, or cuts off the end, is found out by what was noted', async () => {
  const seals = sealed(['a', 'b', 'c', 'd'])
  const noted = [seals[1]!, seals[3]!]
  assert.deepEqual(await faultsIn(seals, noted), [])
  const anew = sealed(['a', 'B', 'c', 'd'])
  assert.deepEqual(await faultsIn(anew), [])
  assert.deepEqual(await faultsIn(anew, noted), [
    'the hash is not the one that was noted',
    'the hash is not the one that was noted',
  ])
  assert.deepEqual(await faultsIn(seals.slice(0, 3), noted), ['the seal was noted, and is not there'])
})

test('of a trail that is wrong throughout the first hundred faults are told', async () => {
  const seals = sealed(Array.from({ length: 300 }, () => 'x')).map(seal => ({
    ...seal,
    event: { created_at: '', body: '' },
  }))
  const { sealed: read, faults } = await proofOf(seals)
  assert.deepEqual([read, faults.length, faults.at(-1)?.seq], [100, 100, 100])
})
