import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentRoutes } from '../../bin/current-interface.ts'
import { attributesOfBody } from '../../src/platform/http/routes.ts'

test('whatever must match a pattern says in words what it should be', async () => {
  const { routes } = await currentRoutes()
  const patterns = routes.flatMap(route => patternsIn(attributesOfBody(route), route.operationId))
  assert.ok(patterns.length > 10)
  assert.deepEqual(
    patterns.filter(({ inWords }) => inWords === undefined),
    [],
  )
})

function patternsIn(schema: unknown, at: string): { at: string; pattern: string; inWords: unknown }[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { pattern, shouldBe } = schema as Record<string, unknown>
  return [
    ...(typeof pattern === 'string' ? [{ at, pattern, inWords: shouldBe }] : []),
    ...Object.entries(schema).flatMap(([key, each]) => patternsIn(each, `${at}/${key}`)),
  ]
}
