import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/*
 * The command line as one file that any Node of at least 20 runs, on any system: cli/dist/sluice.cjs. Not TypeScript,
 * so that the Node that runs the result can build it, too.
 */
const folder = fileURLToPath(new URL('.', import.meta.url))
const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'))

await build({
  entryPoints: [join(folder, 'sluice.ts')],
  outfile: process.argv[2] ?? join(folder, 'dist/sluice.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  // A part of what it uses is CommonJS, and asks for Node's own modules at run time.
  format: 'cjs',
  define: { SLUICE_VERSION: JSON.stringify(version), 'import.meta.dirname': 'undefined' },
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'inline',
})
