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
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { artefactsName, contextName, makeFolder, places, refuseLinks, scriptName } from './step-folder.ts'

/**
 * Idle time after which the content of the last step is removed from its files: longer than the pause between steps
 * where fifty changes share two cores, of which each would wake up for that.
 */
const clearAfterMilliseconds = 500
/** Time in nanoseconds, longer than the clock tick with which a file system records when a folder was changed. */
const tickNanoseconds = 20_000_000n

/** Contents of the files that a step finds. */
export interface StepFiles {
  readonly context: string
  readonly scripts: readonly string[]
}

/**
 * Process that runs the steps. `others`: several processes, which must find nothing of each other. `own`: this process, one
 * step after the other; all of them know and may do the same, so their content may stay a while, and the times of folders
 * are trusted.
 */
type RunBy = 'others' | 'own'

/** A folder that is kept for another step: its name, and its state when nothing more was in it. */
interface Kept {
  readonly name: string
  readonly state: State
}

/**
 * Creates the folders of steps, and reuses those in which a step has left nothing: creating a file takes ext4 ten times as
 * long as writing into an existing one, and three new files took a fifth of a script's step.
 */
export class StepFolders {
  readonly #work: string
  readonly #runBy: RunBy
  readonly #remove: (path: string) => void
  readonly #kept: Kept[] = []
  /** State of the folder that was laid out last. */
  #given: State | undefined
  #discarded = 0
  #timer: NodeJS.Timeout | undefined

  /** @param remove removes a folder that no step may get, at once or in the background */
  constructor(work: string, runBy: RunBy, remove: (path: string) => void) {
    this.#work = work
    this.#runBy = runBy
    this.#remove = remove
  }

  /** Writes the files of a step, into a kept folder if there is one that nothing has been added to. */
  prepare(step: string, files: StepFiles): void {
    const work = this.#work
    for (const needed of [places.step(work, ''), places.home(work), places.temporary(work)]) this.#need(needed)
    const kept = this.#kept.pop()
    const state = (kept && this.#take(kept, step, files)) ?? this.#make(step, files)
    this.#given = state
  }

  /** Keeps the folder of a step that is over for another one, if the step has left nothing in it. Returns whether it does. */
  keep(step: string): boolean {
    const folder = places.step(this.#work, step)
    const given = this.#given
    this.#given = undefined
    try {
      if (this.#runBy === 'others') clear(folder)
      const state = this.#stateIfClean(folder, given)
      if (!state) return false
      this.#kept.push({ name: step, state })
      if (this.#runBy === 'own') this.#clearSoon()
      return true
    } catch {
      // It is no longer what was laid out. The collection of what steps leave reports the problem.
      return false
    }
  }

  #need(folder: string): void {
    if (this.#runBy === 'own' && lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
    makeFolder(this.#work, folder)
  }

  /** Gives a step a kept folder. Returns its state; undefined if the folder cannot be used any more. */
  #take({ name, state: before }: Kept, step: string, files: StepFiles): State | undefined {
    const [from, to] = [places.step(this.#work, name), places.step(this.#work, step)]
    try {
      renameSync(from, to)
      const state = this.#stateIfClean(to, before)
      if (state) {
        writeFiles(to, files)
        return state
      }
    } catch {
      // Something of another step has been at it.
    }
    for (const path of [from, to]) this.#discard(path)
    return undefined
  }

  /** State of a folder, if there is nothing more in it than was laid out. */
  #stateIfClean(folder: string, before: State | undefined): State | undefined {
    const state = stateOf(folder)
    const isTrusted = this.#runBy === 'own' && before !== undefined && isUnchanged(before, state)
    return isTrusted || hasNothingMore(folder) ? state : undefined
  }

  #make(step: string, files: StepFiles): State {
    const folder = places.step(this.#work, step)
    refuseLinks(this.#work, places.step(this.#work, ''))
    // An executor that has ended may have begun it.
    this.#discard(folder)
    for (const path of [folder, places.artefacts(this.#work, step)]) mkdirSync(path, { mode: 0o700 })
    writeFiles(folder, files)
    return stateOf(folder)
  }

  /** Removes a folder. Its name is free at once, however long that takes. */
  #discard(path: string): void {
    const aside = places.step(this.#work, `discarded-${process.pid}-${++this.#discarded}`)
    try {
      renameSync(path, aside)
    } catch {
      // There is none.
      return
    }
    this.#remove(aside)
  }

  /** Restarts the one timer of all steps, which for a light step is over a hundred times as fast as a new timer. */
  #clearSoon(): void {
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(() => this.#clearAll(), clearAfterMilliseconds).unref()
  }

  #clearAll(): void {
    for (const kept of this.#kept.splice(0)) {
      try {
        clear(places.step(this.#work, kept.name))
        this.#kept.push(kept)
      } catch {
        // Something of the step is still running after all. Then the next has a folder of its own.
      }
    }
  }
}

/**
 * State of a step's folder at a moment: when something was last made or removed in it and in that of its artefacts, in
 * nanoseconds.
 */
interface State {
  readonly own: bigint
  readonly artefacts: bigint
  readonly at: bigint
}

/** @throws when one of them is no folder, or not as it was made */
function stateOf(folder: string): State {
  const at = BigInt(Date.now()) * 1_000_000n
  const own = lstatSync(folder, { bigint: true })
  const artefacts = lstatSync(join(folder, artefactsName), { bigint: true })
  for (const { mode } of [own, artefacts])
    if ((mode & 0o177777n) !== 0o40700n) throw new Error('no folder of the step any more')
  return { own: own.mtimeNs, artefacts: artefacts.mtimeNs, at }
}

/**
 * Whether both folders are as they were, by two calls of stat instead of reading them. Trusted only if they were last
 * changed a while before: two changes within one clock tick look like one.
 */
function isUnchanged(before: State, now: State): boolean {
  const least = before.at - tickNanoseconds
  const isSame = now.own === before.own && now.artefacts === before.artefacts
  return isSame && before.own < least && before.artefacts < least
}

/** Whether a step has left nothing in its folder but what was laid out for it. */
export function hasNothingMore(folder: string): boolean {
  const artefacts = join(folder, artefactsName)
  if (![folder, artefacts].every(isOpenFolder)) return false
  const isLaid = (name: string) => name === contextName || name === artefactsName || isScript(name)
  return readdirSync(folder).every(isLaid) && readdirSync(artefacts).length === 0
}

/** Whether a folder is as it was created: a step may have closed it, also to itself. */
function isOpenFolder(path: string): boolean {
  const about = lstatSync(path, { throwIfNoEntry: false })
  return about?.isDirectory() === true && (about.mode & 0o7777) === 0o700
}

function writeFiles(folder: string, { context, scripts }: StepFiles): void {
  writeInPlace(join(folder, contextName), context)
  for (const [i, script] of scripts.entries()) writeInPlace(join(folder, scriptName(i)), script)
}

const isScript = (name: string): boolean => /^script-\d+$/.test(name)

/** Cuts what was laid out for a step to a byte each, and removes the scripts that most steps do not have. */
function clear(folder: string): void {
  for (const name of readdirSync(folder))
    if (name === contextName || name === scriptName(0)) cut(join(folder, name))
    else if (isScript(name)) unlinkSync(join(folder, name))
}

const modeOf = (path: string) => (basename(path) === contextName ? 0o600 : 0o700)
const onlyItself = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Truncates a file to one byte: its content is gone, and the file still exists to be written again. */
const cut = (path: string): void => inPlace(path, (file, size) => ftruncateSync(file, Math.min(1, size)))

function writeInPlace(path: string, text: string): void {
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
