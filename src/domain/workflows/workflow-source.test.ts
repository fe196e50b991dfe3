import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { parseWorkflow } from '#authoring/workflows/read-workflow.ts'
import { readAtOnce } from '#platform/threads/read-apart.adapter.ts'
import { sourceReader } from './workflow-source.ts'

const read = sourceReader(2)
const ann = { username: 'ann' }

const steps = (count: number, step: (at: number) => string) =>
  `steps:\n${Array.from({ length: count }, (_, at) => `  - ${step(at)}\n`).join('')}`

test('a large source is read as a small one is, and others have their turns meanwhile', async () => {
  const right = steps(2_000, at => `{ target: environments/live/assets/front-${at}, action: work }`)
  const wrong = steps(2_000, at => `{ targt: environments/live/assets/front-${at}, action: work }`)
  for (const source of [right, wrong]) {
    assert.ok(source.length > readAtOnce)
    let found: Awaited<ReturnType<typeof read>> | undefined
    const reading = read(source, ann).then(each => {
      found = each
    })
    let turns = 0
    while (!found) {
      await turn()
      turns += 1
    }
    await reading
    assert.deepEqual(found, { source, parsed: parseWorkflow(source) })
    assert.ok(turns > 100, `${turns} turns`)
  }
})

test('a source of very many tokens is refused before it is read, whatever they are', () => {
  const most = 1_048_576
  const filled = (head: string, piece: string, tail = '') =>
    head + piece.repeat(Math.floor((most - head.length - tail.length) / piece.length)) + tail
  for (const source of [
    filled('steps:\n', '-\n'),
    filled('steps: [', 'a,', ']'),
    filled('steps: ', '['),
    filled('steps:\n', '- @\n'),
    filled('steps:\n', '\t- a\n'),
    filled('', '- '),
    filled('steps: []\n', '---\n'),
    filled('steps:\n', '- *a\n'),
  ]) {
    const outcome = parseWorkflow(source)
    assert.ok('errors' in outcome)
    assert.match(outcome.errors[0]!.message, /more than 400000 tokens/)
  }
  // As people write it, a MiB is read.
  const usual = steps(
    10_000,
    at => `{ target: environments/live/assets/front-${at}, action: work, name: no. ${at}, run_as: parallel }`,
  )
  assert.ok(usual.length > 900_000 && usual.length <= most, `${usual.length}`)
  assert.ok('steps' in parseWorkflow(usual), JSON.stringify(parseWorkflow(usual)).slice(0, 300))
})
