import { complain } from '../complain.ts'
import { places, refuseLinks, requireFolder, writeFilesInto } from '../step/step-folder.ts'
import { StepFolders } from '../step/step-folders.ts'
import type { StepContents, StepPlace } from '../supervisor/executor-protocol.ts'
import { removeTree } from './remove-tree.ts'

/** Lays out the files of steps before other processes run them, and keeps or removes their folders afterwards. */
export class StepLayout {
  readonly #work: string
  readonly #folders: StepFolders

  constructor(work: string) {
    this.#work = work
    this.#folders = new StepFolders(work, 'others', path => void removed(path))
  }

  async prepare({ step, folder }: StepPlace, { files, ...contents }: StepContents): Promise<void> {
    requireFolder(this.#work, folder)
    this.#folders.prepare(step, contents)
    await writeFilesInto(this.#work, files)
  }

  /**
   * Keeps the folder of a step for another, or removes it.
   *
   * @param unusable something of the step may still be running, or it failed: no other step gets its folder
   */
  async stepEnded(step: string, unusable: boolean): Promise<void> {
    try {
      refuseLinks(this.#work, places.step(this.#work, ''))
    } catch (error) {
      complain(`the folder of a step stays: ${(error as Error).message}`)
      return
    }
    if (unusable || !this.#folders.keep(step)) await removed(places.step(this.#work, step))
  }
}

/** Removes a folder, if there is one; if that fails, it is removed with the runner's folder. */
const removed = (path: string): Promise<void> =>
  removeTree(path).catch(error => complain(`${path} stays: ${error.message}`))
