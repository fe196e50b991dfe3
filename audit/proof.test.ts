import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { beginning, chainHash, digestOf, type Link } from './chain.ts'
import { concluded, joined, prove, type Read, readTrail } from './proof.ts'

/** A sealed trail of these bodies. */
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

/** Ways to tamper with one seal among others; `place` is its index. */
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

/** Event of the service that reports a removal. */
const telling = (removed_seals: string) =>
  JSON.stringify({ attributes: { removed_seals }, system: true, type: 'info:data_cleanup:events' })
const without = (seals: readonly Read[], ...numbers: number[]) =>
  seals.map(seal => (numbers.includes(seal.seq) ? { ...seal, event: null } : seal))

test('events that were removed as old still chain, and are counted, where the trail tells of them', async () => {
  const seals = sealed(['a', 'b', 'c', telling('1-2')])
  const { removed, faults } = await proofOf(without(seals, 1, 2))
  assert.deepEqual({ removed, faults }, { removed: 2, faults: [] })
})

test('what is missing and was never told of is a fault, and so is what only a changed event tells of', async () => {
  const seals = sealed(['a', 'b', 'c', 'd', telling('2')])
  const gone = 'is not there, and none that follows tells that it was removed as old'
  assert.deepEqual(await faultsIn(without(seals, 2, 4)), [`the event ${gone}`])
  assert.deepEqual(await faultsIn(without(seals, 1, 2, 3)), [`the event ${gone}`, `the event ${gone}`])
  assert.deepEqual(await faultsIn(without(sealed(['a', 'b', 'c']), 1, 2)), [
    'the events up to seal 2 are not there, and none that follows tells that they were removed as old',
  ])
  // No event before the removal can report it.
  assert.deepEqual(await faultsIn(without(sealed([telling('2'), 'b']), 2)), [`the event ${gone}`])
  const forged = without(seals, 2, 4).with(4, { ...seals[4]!, event: { ...seals[4]!.event!, body: telling('2-4') } })
  assert.deepEqual(await faultsIn(forged), ['the event was changed', `the event ${gone}`, `the event ${gone}`])
})

test('what is missing where one reading ends is told of where the next goes on', async () => {
  const seals = without(sealed(['a', 'b', 'c', telling('1,3')]), 1, 3)
  const before = await readTrail(each(seals.slice(0, 3)))
  assert.equal(concluded(before).faults.length, 2)
  const whole = joined(before, await readTrail(each(seals.slice(3)), [], before.head))
  assert.deepEqual(concluded(whole), await proofOf(seals))
  assert.deepEqual(concluded(whole).faults, [])
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
