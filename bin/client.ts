import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeApiDocs } from './api-docs.ts'
import { clientText, idempotentPostsText } from './client-text.ts'
import { currentInterface } from './current-interface.ts'

/** Program of `bin/client`: generates the client and the pages of docs/api from the interface as it is now. */
const generated = join(import.meta.dirname, '../client/generated')
const current = await currentInterface()
const texts = { 'api.ts': clientText(current), 'idempotent-posts.ts': idempotentPostsText(current) }
const isCheck = process.argv.includes('--check')
for (const [name, text] of Object.entries(texts)) {
  const file = join(generated, name)
  if (!isCheck) writeFileSync(file, text)
  else if (text !== readFileSync(file, 'utf8')) {
    console.error(`client/generated/${name} is outdated. Generate it with: bin/client`)
    process.exitCode = 1
  }
}
if (!isCheck) await writeApiDocs()
