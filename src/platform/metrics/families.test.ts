import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counter, gauge, only, registryOf } from './families.ts'

test('of what nothing is known nothing is told, and 0 where there is none', async () => {
  const registry = registryOf([
    gauge('unknown', 'x', []),
    gauge('none', 'x', only(0)),
    counter('never_total', 'x', only(0)),
  ])
  assert.deepEqual(
    (await registry.metrics()).split('\n').filter(line => line !== '' && !line.startsWith('# HELP')),
    ['# TYPE unknown gauge', '# TYPE none gauge', 'none 0', '# TYPE never_total counter', 'never_total 0'],
  )
})

test('labels hold whatever a text can', async () => {
  const registry = registryOf([gauge('x', 'x', [{ labels: { of: 'a "b" \\ c\nd', to: '' }, value: 0.5 }])])
  assert.match(await registry.metrics(), /^x\{of="a \\"b\\" \\\\ c\\nd",to=""\} 0\.5$/m)
})
