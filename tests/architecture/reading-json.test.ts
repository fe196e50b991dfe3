import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectFolder } from '../support/database-server.ts'

/** Files that parse one text at a time, and look up no name in it. */
const allowed = ['json/from-json.ts', 'json/walk-json.ts']

test('JSON is read by fromJson alone, for JSON.parse takes one name for another', () => {
  const files = globSync('{src,runner,json,audit,authoring,protocol,actions,client,cli}/**/*.ts', {
    cwd: projectFolder,
    exclude: ['**/node_modules/**', '**/*.test.ts'],
  })
  // `json()` of a Response or a Blob uses JSON.parse.
  const parsing = files.filter(file => /\bJSON\.parse\b(?=\()|\.json\(\)/.test(read(file)))
  assert.deepEqual(parsing.toSorted(), allowed)
})

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8')
