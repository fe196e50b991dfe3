import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/*
 * Bundles the command line into one file for Node 20 or later: cli/dist/sluice.cjs. The script is not TypeScript, so that
 * Node 20 can run it too.
 */
const folder = fileURLToPath(new URL('.', import.meta.url))
const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'))

await build({
  entryPoints: [join(folder, 'sluice.ts')],
  outfile: process.argv[2] ?? join(folder, 'dist/sluice.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Some dependencies are CommonJS and require built-in modules at run time.
  format: 'cjs',
  define: { SLUICE_VERSION: JSON.stringify(version), 'import.meta.dirname': 'undefined' },
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'inline',
})
