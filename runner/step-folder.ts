import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { chmod, mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import type { FileToWrite } from '../src/platform/runner-protocol.ts'
import type { BodyToRun, StepPlace } from './executor-protocol.ts'

/** Where things lie below the folder that a runner's steps work in. */
export const places = {
  copy: (work: string, folder: string) => join(work, 'copy', folder),
  home: (work: string) => join(work, 'home'),
  temporary: (work: string) => join(work, 'tmp'),
  /** Of the processes that hold together what steps start. */
  pipes: (work: string) => join(work, 'pipes'),
  step: (work: string, step: string) => join(work, 'steps', step),
  context: (work: string, step: string) => join(work, 'steps', step, 'step_context.json'),
  script: (work: string, step: string, index: number) => join(work, 'steps', step, scriptName(index)),
  result: (work: string, step: string) => join(work, 'steps', step, 'step_result.json'),
  artefacts: (work: string, step: string) => join(work, 'steps', step, artefactsName),
} as const

/**
 * The folders of steps. One is made anew for a step only where none is left of a step before: making a file takes ext4
 * ten times as long as writing into one that there is, and three of them took a fifth of a script's step.
 */
export class StepFolders {
  readonly #work: string
  /** Names of those that can be had, in each no file but the context and scripts, cut to a byte. */
  readonly #free: string[] = []
  /** Steps of whose folder somebody may still know. */
  readonly #spoilt = new Set<string>()

  constructor(work: string) {
    this.#work = work
  }

  /** Lays out what the step will find. */
  async lay({ step, folder }: StepPlace, { context, scripts, files }: Laid): Promise<void> {
    const work = this.#work
    const copy = places.copy(work, '')
    refuseLinks(work, copy)
    for (const needed of [join(work, 'steps'), places.home(work), places.temporary(work)]) {
      refuseLinks(work, needed)
      mkdirSync(needed, { recursive: true, mode: 0o700 })
    }
    if (!isFolder(places.copy(work, folder))) throw new Error(`the repository has no folder ${folder}`)
    const free = this.#free.pop()
    if (!free || !(await this.#use(free, step))) {
      refuseLinks(work, places.artefacts(work, step))
      mkdirSync(places.artefacts(work, step), { recursive: true, mode: 0o700 })
    }
    for (const [name, text] of contents(context, scripts)) writeInPlace(join(places.step(work, step), name), text)
    for (const file of files) await writeInto(copy, file)
  }

  /** What the step started may go on, or it failed: nobody else gets its folder. */
  spoil(step: string): void {
    this.#spoilt.add(step)
  }

  over(step: string): void {
    const folder = places.step(this.#work, step)
    if (!this.#spoilt.delete(step) && cleared(folder)) this.#free.push(step)
    // A step that was never laid out has none; what cannot be removed goes with the runner's folder.
    else rm(folder, { recursive: true, force: true }).catch(error => console.error(`${folder} stays: ${error.message}`))
  }

  /** Under its new name: whoever remembers the old one finds nothing there. */
  async #use(free: string, step: string): Promise<boolean> {
    const [from, to] = [places.step(this.#work, free), places.step(this.#work, step)]
    try {
      renameSync(from, to)
      if (isAsLeft(to)) return true
    } catch {
      // Something of another step has been at it. A new one is made, or says what is wrong.
    }
    for (const path of [from, to]) await rm(path, { recursive: true, force: true })
    return false
  }
}

type Laid = NonNullable<BodyToRun['lay']>

const contents = (context: string, scripts: string[]): [name: string, text: string][] => [
  [contextName, context],
  ...scripts.map((script, i): [string, string] => [scriptName(i), script]),
]

const contextName = 'step_context.json'
export const scriptName = (index: number): string => `script-${index + 1}`
const artefactsName = 'artefacts'

/** Whether the folder can be another step's: nothing in it but what was laid out, of which no more than a byte stays. */
function cleared(folder: string): boolean {
  try {
    if (!isAsLeft(folder)) return false
    for (const name of readdirSync(folder)) if (name !== artefactsName) cut(join(folder, name))
    return true
  } catch {
    // Then it goes.
    return false
  }
}

/** Whether nothing is in it but what was laid out. */
export function isAsLeft(folder: string): boolean {
  if (!lstatSync(folder).isDirectory()) return false
  const names = readdirSync(folder)
  const asLeft = names.every(name => {
    const path = join(folder, name)
    const about = lstatSync(path)
    if (name === artefactsName) return about.isDirectory() && readdirSync(path).length === 0
    const isLaid = name === contextName || name.startsWith('script-')
    return isLaid && about.isFile() && about.nlink === 1 && (about.mode & 0o777) === modeOf(path)
  })
  return asLeft && names.includes(artefactsName)
}

const modeOf = (path: string) => (path.endsWith(contextName) ? 0o600 : 0o700)
const onlyItself = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

function writeInPlace(path: string, text: string): void {
  const file = openSync(path, onlyItself | constants.O_CREAT, modeOf(path))
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    ftruncateSync(file, bytes.length)
  } finally {
    closeSync(file)
  }
}

/** To one byte: a file that is cut to nothing is brought to the disk when it is closed after the next writing. */
function cut(path: string): void {
  const file = openSync(path, onlyItself)
  try {
    ftruncateSync(file, Math.min(1, fstatSync(file).size))
  } finally {
    closeSync(file)
  }
}

/**
 * The executor sees more than a sandboxed step does. Where a step has put a link in the place of one of these folders, it
 * would read or write elsewhere for it.
 */
export function refuseLinks(work: string, path: string): void {
  let at = work
  for (const name of relative(work, path).split(sep)) {
    at = join(at, name)
    const found = lstatSync(at, { throwIfNoEntry: false })
    if (!found) return
    if (!found.isDirectory()) throw new Error(`${relative(work, at)} in the runner's folder is no folder any more`)
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

async function writeInto(copy: string, { path, mode, content }: FileToWrite): Promise<void> {
  const target = join(copy, path)
  if (posix.isAbsolute(path) || relative(copy, target).startsWith('..')) throw outside(path)
  await mkdir(dirname(target), { recursive: true })
  // The repository may hold a link to a folder elsewhere.
  const folder = await realpath(dirname(target))
  if (relative(await realpath(copy), folder).startsWith('..')) throw outside(path)
  await rm(target, { force: true })
  await writeFile(target, Buffer.from(content, 'base64'), { mode: 0o600 })
  await chmod(target, Number.parseInt(mode ?? '0644', 8))
}

const outside = (path: string) => new Error(`sluice.files: ${path} lies outside of the working copy`)

/** All that steps have left. The folder itself belongs to the runner. */
export async function clear(work: string): Promise<void> {
  for (const name of await readdir(work)) await rm(join(work, name), { recursive: true, force: true })
}
