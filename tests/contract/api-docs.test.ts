import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apiDocs, apiDocsFolder } from '../../bin/api-docs.ts'

test('docs/api says what the routes and resources of the code say of themselves (else: bin/client)', async () => {
  const docs = await apiDocs()
  assert.deepEqual(readdirSync(apiDocsFolder).sort(), [...docs.keys()].sort())
  for (const [file, text] of docs) assert.equal(readFileSync(join(apiDocsFolder, file), 'utf8'), text, file)
})
