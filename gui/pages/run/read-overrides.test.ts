import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overridesText, readOverrides } from './overrides.ts'

test('overrides are YAML or JSON', async () => {
  assert.deepEqual(await readOverrides('web:\n  port: 443\n'), { data: { web: { port: 443 } } })
  assert.deepEqual(await readOverrides('{ "web": { "port": 443 } }'), { data: { web: { port: 443 } } })
  assert.deepEqual(await readOverrides('  \n'), { data: {} })
  assert.deepEqual(await readOverrides('# nothing\n'), { data: {} })
})

test('what is wrong is told with its line', async () => {
  const wrong = await readOverrides('web:\n  port: [1\n')
  assert.ok('line' in wrong && wrong.line >= 2)
  assert.deepEqual(await readOverrides('- a\n'), {
    line: 1,
    message: 'Overrides are an object, such as "web: { port: 8080 }".',
  })
})

test('overrides of an original are read back as they were', async () => {
  const data = { web: { port: 443 }, names: ['a'] }
  assert.deepEqual(await readOverrides(overridesText(data)), { data })
  assert.equal(overridesText({}), '')
})
