import { randomUUID } from 'node:crypto'
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { readdir, rename, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { complain } from './complain.ts'
import { underLock } from './file-lock.ts'
import { runIn, startIn, unpackingInto } from './placed-program.ts'
import type { User } from './processes.ts'
import { passChecked } from './working-copy.ts'

/** So many trees are kept on a host. */
const mostKept = 5
/** What is so old was left by a runner that was killed over it. */
const abandonedAfterMilliseconds = 3_600_000

export interface TreesPlace {
  /** Only root and the preparer may enter it. */
  readonly folder: string
  readonly preparer: User
  readonly steps: User
  readonly env: Record<string, string>
}

/**
 * Trees of commits, each unpacked once for a host, for the runners to copy (docs/adr/0097). Their files belong to a user
 * that no step runs as, in a folder that no step can enter.
 */
export class SharedTrees {
  readonly #place: TreesPlace

  constructor(place: TreesPlace) {
    this.#place = place
  }

  has(commit: string): boolean {
    return statSync(this.#tree(commit), { throwIfNoEntry: false })?.isDirectory() === true
  }

  /** Unpacks the archive as the commit's tree, unless another runner has done it meanwhile. */
  async make(commit: string, archive: Readable): Promise<void> {
    await underLock(this.#lock(commit), 'exclusive', async () => {
      if (this.has(commit)) archive.destroy()
      else await this.#unpack(commit, archive)
      await this.#used(commit)
    })
    // Nobody waits for it.
    this.#removeOldest().catch(error => complain(`trees of other commits stay: ${error.message}`))
  }

  /**
   * Copies the tree as `target`, for the user of the steps: by sharing blocks where the file system can, never by links.
   *
   * @returns false when it is not there any more
   */
  async copy(commit: string, target: string): Promise<boolean> {
    const copied = await underLock(this.#lock(commit), 'shared', async () => {
      if (!this.has(commit)) return false
      const { steps: runAs, env } = this.#place
      // The folder is closed to the user: it is entered before the process becomes theirs.
      const place = { work: this.#tree(commit), runAs, env, sandbox: [] }
      const copying = `rm -rf "$0" && exec cp -dR --preserve=mode,timestamps,links --reflink=auto . "$0"`
      await runIn(place, ['/bin/sh', '-c', copying, target])
      await this.#used(commit)
      return true
    })
    return copied === true
  }

  /** By the file of its lock, which nobody else writes to. */
  async #used(commit: string): Promise<void> {
    const now = new Date()
    await utimes(this.#lock(commit), now, now)
  }

  async #unpack(commit: string, archive: Readable): Promise<void> {
    const { preparer, env } = this.#place
    const making = join(this.#place.folder, `${randomUUID()}.making`)
    mkdirSync(making, { mode: 0o755 })
    chownSync(making, preparer.uid, preparer.gid)
    try {
      await passChecked(archive, startIn({ work: making, runAs: preparer, env, sandbox: [] }, unpackingInto('.')))
      await rename(making, this.#tree(commit))
    } catch (error) {
      await this.#remove(making)
      throw error
    }
  }

  #tree(commit: string): string {
    return join(this.#place.folder, commit)
  }

  #lock(commit: string): string {
    return join(this.#place.folder, `${commit}.lock`)
  }

  /** Those that nobody copies at this moment. */
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

  /** By a program: fifty thousand files at once are many for this process. */
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
