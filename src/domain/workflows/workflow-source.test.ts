import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { readAtOnce } from '#platform/threads/read-apart.adapter.ts'
import { parseWorkflow } from './read-workflow.ts'
import { readSource } from './workflow-source.ts'

const steps = (count: number, step: (at: number) => string) =>
  `steps:\n${Array.from({ length: count }, (_, at) => `  - ${step(at)}\n`).join('')}`

test('a large source is read as a small one is, and others have their turns meanwhile', async () => {
  const right = steps(2_000, at => `{ target: environments/live/assets/front-${at}, action: work }`)
  const wrong = steps(2_000, at => `{ targt: environments/live/assets/front-${at}, action: work }`)
  for (const source of [right, wrong]) {
    assert.ok(source.length > readAtOnce)
    let read: Awaited<ReturnType<typeof readSource>> | undefined
    const reading = readSource(source).then(each => {
      read = each
    })
    let turns = 0
    while (!read) {
      await turn()
      turns += 1
    }
    await reading
    assert.deepEqual(read, { source, parsed: parseWorkflow(source) })
    assert.ok(turns > 100, `${turns} turns`)
  }
})
