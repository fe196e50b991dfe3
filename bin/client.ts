import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeApiDocs } from './api-docs.ts'
import { clientText } from './client-text.ts'
import { currentInterface } from './current-interface.ts'

/** Program of `bin/client`: generates the client and the pages of docs/api from the interface as it is now. */
const file = join(import.meta.dirname, '../client/generated/api.ts')
const text = clientText(await currentInterface())
if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  await writeApiDocs()
} else if (text !== readFileSync(file, 'utf8')) {
  console.error('client/generated/api.ts is outdated. Generate it with: bin/client')
  process.exitCode = 1
}
