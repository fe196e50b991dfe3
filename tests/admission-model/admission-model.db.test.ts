import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHistories } from './check.ts'

test('in random histories by three processes admission does what its specification says, and everything ends', async t => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  t.diagnostic(`bench/admission-model 6 ${seed}`)
  const { counterexample } = await checkHistories(6, seed, { smaller: false })
  assert.equal(counterexample, undefined, `seed ${seed}: ${JSON.stringify(counterexample, null, 2)}`)
})
