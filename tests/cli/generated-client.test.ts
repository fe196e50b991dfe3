import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clientText, idempotentPostsText } from '../../bin/client-text.ts'
import { currentInterface } from '../../bin/current-interface.ts'
import { operations } from '../../client/generated/api.ts'
import { idempotentPosts } from '../../client/generated/idempotent-posts.ts'

const generated = (name: string) => readFileSync(join(import.meta.dirname, '../../client/generated', name), 'utf8')

test('the client is made from the interface as it is now', async () => {
  const current = await currentInterface()
  const outdated = 'client/generated is outdated. Generate it with: bin/client'
  assert.ok(clientText(current) === generated('api.ts'), outdated)
  assert.ok(idempotentPostsText(current) === generated('idempotent-posts.ts'), outdated)
})

test('what is done once however often it is sent is known: what makes something, and nothing that answers a secret', () => {
  const once = new Set(operations.filter(operation => operation.once).map(({ method, path }) => `${method} ${path}`))
  assert.ok(once.has('POST /api/changes') && once.has('POST /api/projects'))
  const answersSecret = ['/api/tokens', '/api/tokens/session', '/api/secrets/encrypt', '/api/secrets/resolve']
  for (const path of [...answersSecret, '/api/steps/{id}/secret']) assert.equal(once.has(`POST ${path}`), false, path)
  assert.deepEqual(
    [...once].filter(name => !name.startsWith('POST ')),
    [],
  )
  assert.deepEqual(
    idempotentPosts.map(path => `POST ${path}`),
    [...once],
  )
})

test('a method on a path stands once among the operations', () => {
  const names = operations.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(names, [...new Set(names)])
  assert.ok(names.includes('POST /api/projects/{project_code}/assets'))
})
