import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { OutputFile } from 'esbuild'
import { fromJson } from '#json/from-json.ts'
import { canExecute, type RunAs } from '#platform/db/embedded/run-program.ts'
import type { Log } from '#platform/domain.ts'

/** Node, and a folder of programs for it. */
export interface RunnerPrograms {
  readonly node: string
  readonly folder: string
}

/**
 * The runner's programs bundled into a few files of JavaScript, beside the runners (docs/adr/0049): a process that
 * reads TypeScript loads its compiler first, one that reads eighty files of packages waits for each, and every runner
 * starts several.
 *
 * If the user of the steps cannot reach Node (a clone below a closed folder; /root is 0700), it is copied too.
 *
 * @param programs the folder `runner` of the project
 * @param as the user of the steps; default: the service's own
 */
export async function runnerPrograms(
  programs: string,
  runners: string,
  as: RunAs | undefined,
  log: Log,
): Promise<RunnerPrograms> {
  const reached = as === undefined || (await canExecute(process.execPath, as))
  const project = dirname(programs)
  const copy = join(runners, `programs-${fingerprint(project, reached)}`)
  if (!existsSync(copy)) {
    log.info({ from: programs, to: copy }, 'runner programs were installed for the user of the steps')
    makeCopy(project, copy, { files: await bundled(project), reached })
  }
  return { node: reached ? process.execPath : join(copy, 'node'), folder: join(copy, 'runner') }
}

/** File in a runner's folder with the name of the programs that it was started from. */
const nameFile = 'programs'

/**
 * Records, before a runner starts, the programs that it starts from: they are kept while its folder exists, and for a
 * week.
 */
export function startsFrom({ folder }: RunnerPrograms, runner: string): void {
  const copy = dirname(folder)
  writeFileSync(join(runner, nameFile), basename(copy))
  utimesSync(copy, new Date(), new Date())
}

/** An older process of the service may still run beside this one, and start more runners of its own. */
const keepForMilliseconds = 7 * 24 * 3_600_000

/** Removes the programs of other releases that no runner of this host was started from, within a week. */
export function removeOldPrograms(runners: string): void {
  const names = readdirSync(runners)
  const used = new Set(names.map(name => textOf(join(runners, name, nameFile))))
  for (const name of names.filter(each => /^programs-[0-9a-f]{16}(\.\d+)?$/.test(each))) {
    const copy = join(runners, name)
    if (!used.has(name) && Date.now() - statSync(copy).mtimeMs > keepForMilliseconds)
      rmSync(copy, { recursive: true, force: true })
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Not a runner's folder, or one that is being removed.
    return undefined
  }
}

/**
 * Entry points: the programs that processes are started from, and the library that repositories import as
 * `@sluice/actions`.
 */
const entries = [
  'runner/supervisor.ts',
  'runner/executor.ts',
  'runner/module-host.ts',
  'runner/reap.ts',
  'actions/index.ts',
]
const subreaper = 'runner/subreaper.pl'
/** Sources that these may import, besides packages. */
const sources = ['runner/**/*.ts', 'actions/*.ts', 'json/*.ts', 'protocol/runner-protocol.ts']
const packages = ['tar', 'ws']

function fingerprint(project: string, reached: boolean): string {
  const hash = createHash('sha256').update(process.version).update(String(reached))
  const files = globSync(sources, { cwd: project }).filter(name => !name.endsWith('.test.ts'))
  for (const file of [...files.sort(), subreaper]) hash.update(file).update(readFileSync(join(project, file)))
  for (const about of ['esbuild', ...packages].flatMap(name => [...withDependencies(name, project)]).sort())
    hash.update(about)
  return hash.digest('hex').slice(0, 16)
}

/** Names and versions of a package and all of its dependencies. */
function withDependencies(name: string, from: string, found = new Set<string>()): Set<string> {
  const folder = packageFolder(name, from)
  const { version, dependencies = {} } = fromJson(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string
    dependencies?: object
  }
  const about = `${name}@${version}`
  if (found.has(about)) return found
  found.add(about)
  for (const needed of Object.keys(dependencies)) withDependencies(needed, folder, found)
  return found
}

/** Folder of a package. Packages need not export their package.json, so it is searched for as Node does. */
function packageFolder(name: string, from: string): string {
  const places = createRequire(join(from, 'index.js')).resolve.paths(name) ?? []
  const found = places.map(place => join(place, name)).find(folder => existsSync(join(folder, 'package.json')))
  if (!found) throw new Error(`the package ${name} is not installed; looked from ${from}`)
  return found
}

let lastBundle: Promise<unknown> = Promise.resolve()

/** Bundles the programs, one call after the other: the bundler's process is stopped after each call. */
function bundled(project: string): Promise<OutputFile[]> {
  const bundle = lastBundle.then(() => bundledNow(project))
  lastBundle = bundle.catch(() => {})
  return bundle
}

/**
 * Bundles each program with its imports, including packages; shared code is in files of its own. Paths begin with `/`.
 */
async function bundledNow(project: string): Promise<OutputFile[]> {
  const { build, stop } = await import('esbuild')
  try {
    const { outputFiles } = await build({
      absWorkingDir: project,
      entryPoints: entries,
      outbase: project,
      outdir: '/',
      write: false,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: `node${process.versions.node}`,
      // Independent of any tsconfig.json: as Node reads our TypeScript.
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: true, verbatimModuleSyntax: true } },
      // CommonJS packages call it.
      banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
      // Optional dependencies of ws.
      external: ['bufferutil', 'utf-8-validate'],
      charset: 'utf8',
      logLevel: 'silent',
    })
    return outputFiles
  } finally {
    await stop()
  }
}

/**
 * Makes the copy under another name and renames it: it exists completely or not at all, even if another process makes
 * it too.
 */
function makeCopy(project: string, copy: string, { files, reached }: { files: OutputFile[]; reached: boolean }): void {
  const making = `${copy}.${process.pid}`
  const write = (path: string, bytes: Uint8Array | string) => {
    const file = join(making, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes)
    // Readable for everybody, whatever the umask.
    for (const [name, mode] of [
      [making, 0o755],
      [dirname(file), 0o755],
      [file, 0o644],
    ] as const)
      chmodSync(name, mode)
  }
  for (const { path, contents } of files) write(path, contents)
  write(subreaper, readFileSync(join(project, subreaper)))
  write('package.json', '{"type":"module"}')
  if (!reached) copyFileSync(process.execPath, join(making, 'node'), constants.COPYFILE_FICLONE)
  try {
    renameSync(making, copy)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}
