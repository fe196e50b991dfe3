import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileGraph, filesReaching } from './file-graph.ts'

const files: Readonly<Record<string, string>> = {
  'package.json': '{"imports": {"#json/*": "./json/*"}}',
  'json/read.ts': 'export const read = 1',
  'src/platform/rule.ts': `import { read } from '#json/read.ts'`,
  'src/platform/rule.test.ts': `import { rule } from './rule.ts'`,
  'src/main/start.ts': `const { rule } = await import('../platform/rule.ts')`,
  'tests/service/start.db.test.ts': `start(join(projectFolder, 'src/main/start.ts'))`,
  'tests/support/template.ts': "globSync('db/migrations/**/*.sql')",
  'tests/service/tables.db.test.ts': `import { template } from '../support/template.ts'`,
  'tests/service/dots.test.ts': `join(folder, '..', 'src')`,
  'db/migrations/0001.sql': 'select 1',
}

/** Files that reach it, with their distance. */
function reaching(target: string): Record<string, number> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-file-graph-'))
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    return Object.fromEntries(filesReaching(fileGraph(folder, Object.keys(files)), [target]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a file is reached by those that import it, and by those that start a program that does', () => {
  assert.deepEqual(reaching('json/read.ts'), {
    'json/read.ts': 0,
    'src/platform/rule.ts': 1,
    'src/platform/rule.test.ts': 2,
    'src/main/start.ts': 2,
    'tests/service/start.db.test.ts': 3,
  })
})

test('a file of a folder is reached by those that read the folder', () => {
  assert.deepEqual(reaching('db/migrations/0001.sql'), {
    'db/migrations/0001.sql': 0,
    'tests/support/template.ts': 1,
    'tests/service/tables.db.test.ts': 2,
  })
})
