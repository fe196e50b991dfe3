import { createHash } from 'node:crypto'
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { canExecute, type RunAs, runProgram } from '#platform/db/embedded/run-program.ts'
import type { Log } from '#platform/domain.ts'

/**
 * Node and the programs that run as the user of the steps, where that user can reach them: where they are, or, in a
 * clone below a closed folder (/root is 0700), as a copy beside the runners. The supervisor needs none: it runs as the
 * service does.
 */
export async function programWithinReach(
  programs: string,
  runners: string,
  as: RunAs,
  log: Log,
): Promise<{ node: string; folder: string } | undefined> {
  const library = join(packageFolder('tar', programs), 'package.json')
  const reachable = [join(programs, 'executor.ts'), library].map(file => runProgram('/usr/bin/test', ['-r', file], as))
  const all = (await Promise.all(reachable)).every(({ code }) => code === 0)
  if (all && (await canExecute(process.execPath, as))) return undefined
  const copy = join(runners, `program-${fingerprint(programs)}`)
  if (!existsSync(copy)) {
    log.info(
      { from: programs, to: copy },
      'the programs of the runners are copied to where the user of the steps can reach them',
    )
    makeCopy(programs, copy)
  }
  return { node: join(copy, 'node'), folder: join(copy, 'runner') }
}

const isProgram = (name: string) => /\.(ts|pl)$/.test(name) && !name.endsWith('.test.ts')

/** The runner's own and, beside them, what `@sluice/actions` is; as paths from the runner's folder. */
const programFiles = (programs: string): string[] =>
  ['.', '../actions'].flatMap(folder =>
    readdirSync(join(programs, folder))
      .filter(isProgram)
      .sort()
      .map(name => join(folder, name)),
  )

function fingerprint(programs: string): string {
  const hash = createHash('sha256').update(process.version)
  for (const file of programFiles(programs)) hash.update(file).update(readFileSync(join(programs, file)))
  hash.update(readFileSync(join(packageFolder('tar', programs), 'package.json')))
  return hash.digest('hex').slice(0, 16)
}

/** Made under another name and renamed: it is there whole or not at all, whoever else makes it. */
function makeCopy(programs: string, copy: string): void {
  const making = `${copy}.${process.pid}`
  for (const folder of ['runner', 'actions']) mkdirSync(join(making, folder), { recursive: true, mode: 0o755 })
  copyFileSync(process.execPath, join(making, 'node'), constants.COPYFILE_FICLONE)
  for (const file of programFiles(programs)) copyFileSync(join(programs, file), join(making, 'runner', file))
  writeFileSync(join(making, 'package.json'), '{"type":"module"}')
  copyPackage('tar', programs, join(making, 'node_modules'))
  try {
    renameSync(making, copy)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

/** A package and all that it needs, side by side. */
function copyPackage(name: string, from: string, into: string): void {
  const target = join(into, name)
  if (existsSync(target)) return
  const folder = packageFolder(name, from)
  cpSync(folder, target, { recursive: true })
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: object
  }
  for (const needed of Object.keys(dependencies)) copyPackage(needed, folder, into)
}

/** Packages need not export their package.json, so it is looked for as Node does. */
function packageFolder(name: string, from: string): string {
  const places = createRequire(join(from, 'index.js')).resolve.paths(name) ?? []
  const found = places.map(place => join(place, name)).find(folder => existsSync(join(folder, 'package.json')))
  if (!found) throw new Error(`the package ${name} is not installed; looked from ${dirname(from)}`)
  return found
}
