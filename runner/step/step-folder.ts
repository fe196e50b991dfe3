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
import { chmod, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import type { FileToWrite } from '../../protocol/runner-protocol.ts'
import { complain } from '../complain.ts'
import { removeTree } from '../executor/remove-tree.ts'
import type { Laid, StepPlace } from '../supervisor/executor-protocol.ts'

/** Paths below the folder that a runner's steps work in. */
export const places = {
  copy: (work: string, folder: string) => join(work, 'copy', folder),
  home: (work: string) => join(work, 'home'),
  temporary: (work: string) => join(work, 'tmp'),
  /** Pipes of the supervisors of steps' processes. */
  pipes: (work: string) => join(work, 'pipes'),
  step: (work: string, step: string) => join(work, 'steps', step),
  context: (work: string, step: string) => join(work, 'steps', step, 'step_context.json'),
  script: (work: string, step: string, index: number) => join(work, 'steps', step, scriptName(index)),
  result: (work: string, step: string) => join(work, 'steps', step, 'step_result.json'),
  artefacts: (work: string, step: string) => join(work, 'steps', step, artefactsName),
  /** Labels that a step gives the files that it leaves: `{<name>: {<label>: <text>}}`. */
  labels: (work: string, step: string) => join(work, 'steps', step, 'artefact_labels.json'),
} as const

/**
 * The folders of steps. A new one is made for a step only where none is left of a step before: making a file takes ext4
 * ten times as long as writing into an existing one, and three of them took a fifth of a script's step.
 */
export class StepFolders {
  readonly #work: string
  /** Names of free folders, each with no file but the context and scripts, truncated to a byte. */
  readonly #free: string[] = []
  #freed = 0
  /** Folders of the repository that have been seen. A program that is started in one that is gone says so itself. */
  readonly #seen = new Set<string>()

  constructor(work: string) {
    this.#work = work
  }

  /** Lays out what the step will find. */
  async lay({ step, folder }: StepPlace, { context, scripts, files }: Laid): Promise<void> {
    const work = this.#work
    for (const needed of [join(work, 'steps'), places.home(work), places.temporary(work)]) makeFolder(work, needed)
    if (!this.#seen.has(folder) && !isFolder(places.copy(work, folder))) throw noFolder(folder)
    this.#seen.add(folder)
    const free = this.#free.pop()
    const laid = contents(context, scripts)
    if (free === undefined || !(await this.#use(free, step, laid))) this.#make(step, laid)
    if (files.length > 0) refuseLinks(work, places.copy(work, ''))
    for (const file of files) await writeInto(places.copy(work, ''), file)
  }

  /**
   * Removes the folder, or gives it a name that no step has known: a process that remembers the old name finds nothing
   * there.
   *
   * @param spoilt something of the step may still be running, or it failed: no other step gets its folder
   */
  async over(step: string, spoilt: boolean): Promise<void> {
    try {
      refuseLinks(this.#work, places.step(this.#work, ''))
    } catch (error) {
      complain(`the folder of a step stays: ${(error as Error).message}`)
      return
    }
    const name = `free-${++this.#freed}`
    const [folder, free] = [step, name].map(each => places.step(this.#work, each)) as [string, string]
    if (!spoilt && isCleared(folder, free)) {
      this.#free.push(name)
      return
    }
    // A step that was never laid out has none; what cannot be removed goes with the runner's folder.
    for (const path of [folder, free])
      await removeTree(path).catch(error => complain(`${path} stays: ${error.message}`))
  }

  async #use(free: string, step: string, laid: Contents): Promise<boolean> {
    const [from, to] = [places.step(this.#work, free), places.step(this.#work, step)]
    try {
      renameSync(from, to)
      for (const [name, text] of laid) writeInPlace(join(to, name), text)
      return true
    } catch {
      // Something of another step has been at it. A new one is made, or says what is wrong.
      for (const path of [from, to]) await removeTree(path)
      return false
    }
  }

  #make(step: string, laid: Contents): void {
    refuseLinks(this.#work, places.artefacts(this.#work, step))
    mkdirSync(places.artefacts(this.#work, step), { recursive: true, mode: 0o700 })
    for (const [name, text] of laid) writeInPlace(join(places.step(this.#work, step), name), text)
  }
}

type Contents = [name: string, text: string][]

const contents = (context: string, scripts: string[]): Contents => [
  [contextName, context],
  ...scripts.map((script, i): Contents[number] => [scriptName(i), script]),
]

const contextName = 'step_context.json'
const scriptName = (index: number): string => `script-${index + 1}`
const artefactsName = 'artefacts'

/** Whether the folder, now named `free`, can be another step's: in it is what was laid out, of which a byte stays. */
function isCleared(folder: string, free: string): boolean {
  try {
    renameSync(folder, free)
    if (!hasNothingMore(free)) return false
    for (const name of readdirSync(free)) if (name !== artefactsName) cut(join(free, name))
    return true
  } catch {
    // Then it goes.
    return false
  }
}

/** Whether a step has left nothing in its folder but what was laid out for it. */
export function hasNothingMore(folder: string): boolean {
  const artefacts = join(folder, artefactsName)
  if (![folder, artefacts].every(isOpenFolder)) return false
  const names = readdirSync(folder)
  const isLaid = (name: string) => name === contextName || name === artefactsName || name.startsWith('script-')
  return names.every(isLaid) && readdirSync(artefacts).length === 0
}

/** Whether a folder is as it was created: a step may have closed it, also to itself. */
function isOpenFolder(path: string): boolean {
  const about = lstatSync(path, { throwIfNoEntry: false })
  return about?.isDirectory() === true && (about.mode & 0o7777) === 0o700
}

const modeOf = (path: string) => (path.endsWith(contextName) ? 0o600 : 0o700)
const onlyItself = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Truncates a file to one byte: its content is gone, and the file still exists to be written again. */
export function cut(path: string): void {
  inPlace(path, (file, size) => ftruncateSync(file, Math.min(1, size)))
}

export function writeInPlace(path: string, text: string): void {
  inPlace(path, (file, size) => {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    // A file that is cut to nothing first is brought to the disk when it is closed.
    if (size > bytes.length) ftruncateSync(file, bytes.length)
  })
}

/** @throws when it is not the file that is laid out there, or one that others can know of */
function inPlace(path: string, change: (file: number, size: number) => void): void {
  const file = openSync(path, onlyItself | constants.O_CREAT, modeOf(path))
  try {
    const about = fstatSync(file)
    if (!about.isFile() || about.nlink !== 1 || (about.mode & 0o777) !== modeOf(path))
      throw new Error(`${path} is no file of the runner's any more`)
    change(file, about.size)
  } finally {
    closeSync(file)
  }
}

/**
 * Refuses links in a path. The executor sees more than a sandboxed step does: if a step has replaced one of these
 * folders by a link, the executor would read or write elsewhere for it. Returns whether the last folder exists.
 */
export function refuseLinks(work: string, path: string): boolean {
  let at = work
  for (const name of ['', ...relative(work, path).split(sep)]) {
    at = join(at, name)
    const found = lstatSync(at, { throwIfNoEntry: false })
    if (!found) return false
    if (!found.isDirectory()) {
      const which = relative(dirname(work), at)
      throw new Error(`${which} in the runner's folder is no folder any more`)
    }
  }
  return true
}

/** Makes a folder below `work` unless there is one. The executor and the processes of bodies may do so at the same time. */
export function makeFolder(work: string, path: string): void {
  while (!refuseLinks(work, path)) {
    try {
      mkdirSync(path, { mode: 0o700 })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

export const noFolder = (folder: string): Error => new Error(`the repository has no folder ${folder}`)

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

const outside = (path: string) => new Error(`sluice.files: ${path} is outside of the working copy`)
