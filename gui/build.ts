import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

/**
 * Builds the web application into `.local/gui` and compresses its files. The finished build replaces the old one as a
 * whole: a service that starts meanwhile reads one or the other.
 */

const project = join(import.meta.dirname, '..')
const folder = join(project, '.local/gui')
const fresh = `${folder}.new`

/** Types that shrink; fonts and images are compressed already. */
const compressible = new Set(['.css', '.html', '.js', '.json', '.svg'])

rmSync(fresh, { recursive: true, force: true })
await build({ root: import.meta.dirname, configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
// Which file loads which is no business of browsers.
renameSync(join(fresh, 'manifest.json'), join(project, '.local/gui-manifest.json'))
for (const entry of readdirSync(fresh, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (!entry.isFile() || !compressible.has(extname(file))) continue
  const content = readFileSync(file)
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
}
rmSync(folder, { recursive: true, force: true })
renameSync(fresh, folder)
