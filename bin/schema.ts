import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../src/platform/db/migrate.ts'
import { projectFolder } from '../tests/support/database-server.ts'
import { databaseUrl, emptyDatabase, roleUrl, withClient } from '../tests/support/template-database.ts'
import { withTestServer } from '../tests/support/test-run.ts'
import { schemaText } from './schema-text.ts'

/** Program of `bin/schema`: applies the migrations to an empty database and writes the resulting schema as text. */
const file = join(projectFolder, 'db/schema.sql')
const text = await withTestServer({}, schemaOfMigrations)
if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
} else if (text !== readText()) {
  console.error('db/schema.sql is out of date. Update it with: bin/schema')
  process.exitCode = 1
}

function readText(): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function schemaOfMigrations(server: string): Promise<string> {
  await emptyDatabase(server, 'schema_of')
  const release = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version
  const ownerUrl = roleUrl(server, 'sluice_owner', 'schema_of')
  await migrate({ ownerUrl, appUrl: roleUrl(server, 'sluice_app', 'schema_of'), release, log: () => {} })
  return withClient(databaseUrl(server, 'schema_of'), schemaText)
}
