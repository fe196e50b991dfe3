import { lstatSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { removeTreeNow } from '../executor/remove-tree.ts'
import { cut, hasNothingMore, makeFolder, places, writeInPlace } from './step-folder.ts'

/**
 * Idle time after which the content of the last step is removed from its file: longer than the pause between steps
 * where fifty changes share two cores, of which each would wake up for that.
 */
const forgetAfterMilliseconds = 500
/** Time in milliseconds, longer than the clock tick with which a file system records when a folder was changed. */
const tickMilliseconds = 20n

/**
 * Times at which something was last made or removed in the step's folder and in that of its artefacts, in nanoseconds.
 */
type Changed = readonly [own: bigint, artefacts: bigint]

interface Kept {
  readonly step: string
  readonly changed: Changed
}

/**
 * The step folders of a process that runs one body after the other, which makes no other process wait for them. Here
 * nothing is kept from a step that this process does not run itself: both see the same and may do the same.
 */
export class OwnFolder {
  readonly #work: string
  /** Folder of the last step, with nothing more in it than was laid out. */
  #kept: Kept | undefined
  /** State of the folder when the present step received it. */
  #given: { changed: Changed; at: bigint } | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(work: string) {
    this.#work = work
  }

  /** Lays out what a step will find. The folder of the last one gets the name of this one, as long as it is fit for that. */
  lay(step: string, context: string): void {
    const work = this.#work
    for (const needed of [places.home(work), places.temporary(work)])
      if (!statSync(needed, { throwIfNoEntry: false })) makeFolder(work, needed)
    const kept = this.#kept
    this.#kept = undefined
    this.#given = undefined
    if (kept !== undefined && this.#take(kept, step, context)) return
    removeTreeNow(places.step(work, step))
    mkdirSync(places.artefacts(work, step), { recursive: true, mode: 0o700 })
    writeInPlace(places.context(work, step), context)
  }

  /** Whether the step, which is over, has left nothing in its folder: then that is kept for the next. */
  keeps(step: string): boolean {
    try {
      const changed = this.#changed(step)
      if (!this.#isAsGiven(changed) && !hasNothingMore(places.step(this.#work, step))) return false
      this.#kept = { step, changed }
      this.#forgetSoon()
      return true
    } catch {
      // It is no longer where it was. The collection of what steps leave reports the problem.
      return false
    }
  }

  /**
   * Whether both folders are unchanged since they were given to the step, by two calls of stat instead of reading them.
   * Trusted only if they were last changed a while before: two changes within one clock tick look like one.
   */
  #isAsGiven([own, artefacts]: Changed): boolean {
    if (!this.#given) return false
    const { changed, at } = this.#given
    const least = at - tickMilliseconds * 1_000_000n
    return own === changed[0] && artefacts === changed[1] && own < least && artefacts < least
  }

  #changed(step: string): Changed {
    const own = lstatSync(places.step(this.#work, step), { bigint: true })
    const artefacts = lstatSync(places.artefacts(this.#work, step), { bigint: true })
    for (const { mode } of [own, artefacts])
      if ((mode & 0o177777n) !== 0o40700n) throw new Error('no folder of the step any more')
    return [own.mtimeNs, artefacts.mtimeNs]
  }

  #take({ step: last, changed }: Kept, step: string, context: string): boolean {
    const folder = places.step(this.#work, last)
    try {
      renameSync(folder, places.step(this.#work, step))
      writeInPlace(places.context(this.#work, step), context)
      this.#given = { changed, at: BigInt(Date.now()) * 1_000_000n }
      return true
    } catch {
      // Something of the last step has been at it. A new one is made, or says what is wrong.
      removeTreeNow(folder)
      return false
    }
  }

  /** Restarts the one timer of all steps, which for a light step is over a hundred times as fast as a new timer. */
  #forgetSoon(): void {
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(() => this.#forget(), forgetAfterMilliseconds).unref()
  }

  #forget(): void {
    if (this.#kept === undefined) return
    try {
      cut(places.context(this.#work, this.#kept.step))
    } catch {
      // Something of the step is still running after all. Then the next has a folder of its own.
      this.#kept = undefined
    }
  }
}
