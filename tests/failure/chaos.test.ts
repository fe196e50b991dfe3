import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chaos } from './chaos.ts'
import { longTimeout } from './world.ts'

/**
 * `bench/chaos` checks the promised times against their limits; here they are only printed, because test machines are
 * busy.
 */
test(
  'each fault of bench/chaos once, under changes and runs of every kind, breaks no promise',
  longTimeout,
  async t => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    t.diagnostic(`SLUICE_CHAOS_FAULTS=once bench/chaos ${seed}`)
    const said: string[] = []
    const wish = { changes: 33, minutes: 1, seed, eachFaultOnce: true }
    const { violations, tooLong, faults, looks } = await chaos(wish, line => said.push(line))
    for (const each of tooLong) t.diagnostic(each)
    assert.deepEqual(violations, [], `seed ${seed}:\n${said.join('\n')}`)
    assert.deepEqual(Object.values(faults), Array(9).fill(1))
    assert.ok(looks! > 0)
  },
)
