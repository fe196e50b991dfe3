import { randomUUID } from 'node:crypto'
import { chownSync, closeSync, constants, createWriteStream, mkdirSync, openSync, statSync } from 'node:fs'
import { copyFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { complain } from '../complain.ts'
import type { User } from '../sandbox/processes.ts'
import { underLock } from './file-lock.ts'
import { runIn, startIn, unpackingInto } from './placed-program.ts'
import { passChecked, writeChecked } from './working-copy.ts'

/** Maximum number of trees stored on a host. */
const mostKept = 5
/** Age after which a tree was left behind by a runner that was killed while making it. */
const abandonedAfterMilliseconds = 3_600_000

export interface TreesPlace {
  /** Folder of the trees, which only root and the preparer may enter. */
  readonly folder: string
  readonly preparer: User
  readonly steps: User
  readonly env: Record<string, string>
}

/**
 * Trees of large commits, each stored once per host (docs/adr/0097). Runners make their working copies from them. A
 * folder that no step can enter holds them: as unpacked trees to be copied where the file system shares blocks between
 * files, otherwise as archives, because unpacking an archive takes about a third of what copying its tree takes.
 */
export class SharedTrees {
  readonly #place: TreesPlace
  readonly #sharesBlocks: () => Promise<boolean>

  /** @param sharesBlocks whether the file system of the folder can copy a file by sharing its blocks */
  constructor(place: TreesPlace, sharesBlocks = () => canShareBlocks(place.folder)) {
    this.#place = place
    this.#sharesBlocks = sharesBlocks
  }

  has(commit: string): boolean {
    return this.#kindOf(commit) !== undefined
  }

  /** Stores the commit's tree, unless another runner has done it meanwhile. */
  async make(commit: string, archive: Readable): Promise<void> {
    await underLock(this.#lock(commit), 'exclusive', async () => {
      if (this.has(commit)) archive.destroy()
      else await this.#keep(commit, archive)
      await this.#used(commit)
    })
    // Not awaited.
    this.#removeOldest().catch(error => complain(`trees of other commits stay: ${error.message}`))
  }

  /**
   * Makes a working copy as `target`, for the user of the steps. It shares no file with the stored tree.
   *
   * @returns false when the tree is no longer stored
   */
  async copy(commit: string, target: string): Promise<boolean> {
    const copied = await underLock(this.#lock(commit), 'shared', async () => {
      const kind = this.#kindOf(commit)
      if (kind === undefined) return false
      await (kind === 'folder' ? this.#copyFolder(commit, target) : this.#unpackArchive(commit, target))
      await this.#used(commit)
      return true
    })
    return copied === true
  }

  async #copyFolder(commit: string, target: string): Promise<void> {
    const { steps: runAs, env } = this.#place
    // The folder is closed to the user: it is entered before the process changes its user.
    const place = { work: this.#tree(commit), runAs, env, sandbox: [] }
    const copying = `rm -rf "$0" && exec cp -dR --preserve=mode,timestamps,links --reflink=auto . "$0"`
    await runIn(place, ['/bin/sh', '-c', copying, target])
  }

  async #unpackArchive(commit: string, target: string): Promise<void> {
    const { steps: runAs, env } = this.#place
    // The archive is closed to the user, whose process gets it open for reading as its standard input.
    const input = openSync(this.#tree(commit), 'r')
    try {
      const place = { work: dirname(target), runAs, env, sandbox: [] }
      const unpacking = `rm -rf "$0" && mkdir "$0" && exec "$@"`
      await runIn(place, ['/bin/sh', '-c', unpacking, target, ...unpackingInto(target)], { input })
    } finally {
      closeSync(input)
    }
  }

  /** Time of last use: that of its lock file, which no other program writes. */
  async #used(commit: string): Promise<void> {
    const now = new Date()
    await utimes(this.#lock(commit), now, now)
  }

  /**
   * Stores a tree, which gets its name only once it is on the disk: after a power failure a stored tree is complete or
   * missing.
   */
  async #keep(commit: string, archive: Readable): Promise<void> {
    const making = join(this.#place.folder, `${randomUUID()}.making`)
    try {
      if (await this.#sharesBlocks()) await this.#keepFolder(making, archive)
      else await writeChecked(archive, createWriteStream(making, { flags: 'wx', mode: 0o600, flush: true }))
      await rename(making, this.#tree(commit))
    } catch (error) {
      await this.#remove(making)
      throw error
    }
  }

  async #keepFolder(making: string, archive: Readable): Promise<void> {
    const { preparer, env } = this.#place
    mkdirSync(making, { mode: 0o755 })
    chownSync(making, preparer.uid, preparer.gid)
    const place = { work: making, runAs: preparer, env, sandbox: [] }
    await passChecked(archive, startIn(place, unpackingInto('.')))
    await runIn(place, ['/bin/sync', '-f', '.'])
  }

  #kindOf(commit: string): 'folder' | 'archive' | undefined {
    const found = statSync(this.#tree(commit), { throwIfNoEntry: false })
    if (found?.isDirectory()) return 'folder'
    return found?.isFile() ? 'archive' : undefined
  }

  #tree(commit: string): string {
    return join(this.#place.folder, commit)
  }

  #lock(commit: string): string {
    return join(this.#place.folder, `${commit}.lock`)
  }

  /** Removes the oldest trees that no runner is copying. */
  async #removeOldest(): Promise<void> {
    const { folder } = this.#place
    const names = await readdir(folder)
    const trees = await Promise.all(
      names
        .filter(name => /^[0-9a-f]{40,64}$/.test(name))
        .map(async name => ({ name, at: await changedAt(this.#lock(name)) })),
    )
    for (const { name } of trees.toSorted((a, b) => b.at - a.at).slice(mostKept))
      await underLock(this.#lock(name), 'exclusive, at once', async () => {
        const gone = join(folder, `${randomUUID()}.gone`)
        await rename(join(folder, name), gone)
        await this.#remove(gone)
      })
    for (const name of names.filter(each => /\.(making|gone)$/.test(each)))
      if ((await changedAt(join(folder, name))) < Date.now() - abandonedAfterMilliseconds)
        await this.#remove(join(folder, name))
  }

  /** Removes a tree with `rm`: fifty thousand files at once would keep this process busy. */
  #remove(path: string): Promise<void> {
    const { folder: work, env } = this.#place
    return runIn({ work, env, sandbox: [] }, ['/bin/rm', '-rf', path])
  }
}

const changedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

/**
 * Whether the file system of the folder can share blocks. Tested with a file of one block: no table of file systems
 * knows how a volume was created.
 */
async function canShareBlocks(folder: string): Promise<boolean> {
  const probe = join(folder, `${randomUUID()}.gone`)
  const copy = join(folder, `${randomUUID()}.gone`)
  try {
    await writeFile(probe, Buffer.alloc(4_096, 1))
    await copyFile(probe, copy, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    // Most file systems cannot; if not even the probe can be written, storing the tree reports why.
    return false
  } finally {
    for (const path of [probe, copy]) await rm(path, { force: true })
  }
}
