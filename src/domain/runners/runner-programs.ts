import { createHash } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, stripTypeScriptTypes } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fromJson } from '#json/from-json.ts'
import { canExecute, type RunAs, runProgram } from '#platform/db/embedded/run-program.ts'
import type { Log } from '#platform/domain.ts'

/** Node, and a folder of programs for it. */
export interface RunnerPrograms {
  readonly node: string
  readonly folder: string
}

/**
 * The runner's programs as JavaScript, beside the runners: a process that reads TypeScript loads its compiler first, which
 * takes as long as all else that it does before the first step, and each runner starts several of them. (The supervisor
 * has a cache of what was compiled, in a folder that steps' user must not write.)
 *
 * Where that user cannot reach Node and the packages (a clone below a closed folder; /root is 0700), these are copied too.
 *
 * @param as the user of the steps; without one it is the service's own
 */
export async function runnerPrograms(
  programs: string,
  runners: string,
  as: RunAs | undefined,
  log: Log,
): Promise<RunnerPrograms> {
  const reached = as === undefined || (await reaches(programs, as))
  const copy = join(runners, `programs-${fingerprint(programs, reached)}`)
  if (!existsSync(copy)) {
    log.info({ from: programs, to: copy }, 'the programs of the runners are laid out for the user of the steps')
    makeCopy(programs, copy, reached)
  }
  return { node: reached ? process.execPath : join(copy, 'node'), folder: join(copy, 'runner') }
}

/** In a runner's folder: the name of the programs that it was started from. */
const nameFile = 'programs'

/** To be told before a runner starts: for as long as it has its folder, and a week, the programs stay. */
export function startsFrom({ folder }: RunnerPrograms, runner: string): void {
  const copy = dirname(folder)
  writeFileSync(join(runner, nameFile), basename(copy))
  utimesSync(copy, new Date(), new Date())
}

/** An older process of the service may still be at work beside this one, and start more of its own. */
const keptFor = 7 * 24 * 3_600_000

/** Removes the programs of other releases that no runner of this host was started from, nor any other within a week. */
export function removeOldPrograms(runners: string): void {
  const names = readdirSync(runners)
  const used = new Set(names.map(name => textOf(join(runners, name, nameFile))))
  for (const name of names.filter(each => /^programs-[0-9a-f]{16}(\.\d+)?$/.test(each))) {
    const copy = join(runners, name)
    if (!used.has(name) && Date.now() - statSync(copy).mtimeMs > keptFor) rmSync(copy, { recursive: true, force: true })
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

async function reaches(programs: string, as: RunAs): Promise<boolean> {
  const library = join(packageFolder('tar', programs), 'package.json')
  const { code } = await runProgram('/usr/bin/test', ['-r', library], as)
  return code === 0 && (await canExecute(process.execPath, as))
}

const isProgram = (name: string) => /\.(ts|pl)$/.test(name) && !name.endsWith('.test.ts')

/** The runner's own and, beside them, what `@sluice/actions` is and how JSON is read; as paths from the runner's folder. */
const programFiles = (programs: string): string[] =>
  ['.', '../actions', '../json'].flatMap(folder =>
    readdirSync(join(programs, folder))
      .filter(isProgram)
      .sort()
      .map(name => join(folder, name)),
  )

function fingerprint(programs: string, reached: boolean): string {
  const hash = createHash('sha256')
    .update(process.version)
    .update(reached ? dirname(packageFolder('tar', programs)) : '')
  for (const file of programFiles(programs)) hash.update(file).update(readFileSync(join(programs, file)))
  hash.update(readFileSync(join(packageFolder('tar', programs), 'package.json')))
  return hash.digest('hex').slice(0, 16)
}

/** Made under another name and renamed: it is there whole or not at all, whoever else makes it. */
function makeCopy(programs: string, copy: string, reached: boolean): void {
  const making = `${copy}.${process.pid}`
  for (const folder of ['', 'runner', 'actions', 'json']) {
    mkdirSync(join(making, folder), { recursive: true })
    chmodSync(join(making, folder), 0o755)
  }
  for (const file of programFiles(programs)) layOut(join(programs, file), join(making, 'runner', file))
  write(join(making, 'package.json'), '{"type":"module"}')
  if (reached) symlinkSync(dirname(packageFolder('tar', programs)), join(making, 'node_modules'))
  else {
    copyFileSync(process.execPath, join(making, 'node'), constants.COPYFILE_FICLONE)
    copyPackage('tar', programs, join(making, 'node_modules'))
  }
  try {
    renameSync(making, copy)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}

const importOfProgram = /(\bfrom '|\bimport '|\bimport\('|\bnew URL\(')(\.{1,2}\/[^']+)\.ts'/g

/** Lines and columns stay what they are: in the place of types stand blanks. */
function layOut(from: string, to: string): void {
  const text = readFileSync(from, 'utf8')
  if (from.endsWith('.ts'))
    write(to.replace(/\.ts$/, '.js'), withoutTypes(text).replaceAll(importOfProgram, "$1$2.js'"))
  else write(to, text)
}

/** Node says of this function alone that it is an experiment, and does the same itself with every file that we have. */
function withoutTypes(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}

/** For everybody to read, whatever a umask says. */
function write(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o644)
}

/** A package and all that it needs, side by side. */
function copyPackage(name: string, from: string, into: string): void {
  const target = join(into, name)
  if (existsSync(target)) return
  const folder = packageFolder(name, from)
  cpSync(folder, target, { recursive: true })
  const { dependencies = {} } = fromJson(readFileSync(join(folder, 'package.json'), 'utf8')) as {
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
