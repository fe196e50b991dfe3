import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Packages of hundreds of small files, which Node resolves, reads and links one by one: a third of the processor time that
 * a test file takes to load. Tests load each as one file. `bin/test` has these made and every process of a test load this
 * module first; a test that is run without it loads the packages as they are.
 */
const packages = ['typebox', 'kysely']
const folder = join(import.meta.dirname, '../../.local/bundled-packages')
const bundleOf = (name: string): string => {
  const about = join(import.meta.dirname, '../../node_modules', name, 'package.json')
  return join(folder, `${name}-${JSON.parse(readFileSync(about, 'utf8')).version}.mjs`)
}

const bundles = new Map(packages.map(name => [name, bundleOf(name)]))

/** Makes those that are not there. */
export async function bundlePackages(): Promise<void> {
  for (const [name, file] of bundles) {
    if (existsSync(file)) continue
    const { build } = await import('esbuild')
    mkdirSync(folder, { recursive: true })
    const aside = `${file}.${process.pid}`
    const entryPoints = [fileURLToPath(import.meta.resolve(name))]
    await build({ entryPoints, outfile: aside, bundle: true, format: 'esm', platform: 'node', logLevel: 'warning' })
    renameSync(aside, file)
  }
}

registerHooks({
  resolve: (name, context, next) => {
    const file = bundles.get(name)
    if (!file || !existsSync(file)) return next(name, context)
    return { url: pathToFileURL(file).href, format: 'module', shortCircuit: true }
  },
})
