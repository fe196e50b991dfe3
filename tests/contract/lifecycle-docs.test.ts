import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { lifecycleDocs, lifecycleFile } from '../../bin/lifecycle-docs.ts'

test('docs/lifecycle.md says what the lifecycle tables say (else: node bin/lifecycle-docs.ts)', () => {
  assert.equal(readFileSync(lifecycleFile, 'utf8'), lifecycleDocs())
})
