import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killAtRandom } from './random-kills.ts'
import { longTimeout } from './world.ts'

test(
  'ten kills of service, supervisor, executor and PostgreSQL at random moments break no promise',
  longTimeout,
  async t => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    t.diagnostic(`bin/chaos 10 ${seed}`)
    const { violations } = await killAtRandom(10, seed)
    assert.deepEqual(violations, [], `seed ${seed}`)
  },
)
