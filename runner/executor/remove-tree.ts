import { spawn } from 'node:child_process'
import { chmodSync, closeSync, constants, openSync, readdirSync, rmSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes a file or folder whatever its modes. For example Go's module cache is read-only, and only root can empty a
 * folder that its owner may not write.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!isForbidden(error)) throw error
    openUp(path)
    await rm(path, { recursive: true, force: true })
  }
}

/**
 * Empties a folder and keeps it. The folder is opened without following links and emptied through that handle, so a
 * link that a step has put in its place is never followed.
 *
 * `find` removes entries by handle as well, and 50,000 files with a fraction of the processor time that Node needs.
 *
 * @throws ENOTDIR when the path is a link
 */
export async function emptyFolder(path: string): Promise<void> {
  const handle = await open(path, onlyFolder)
  try {
    const folder = `/proc/self/fd/${handle.fd}`
    await deleteByFind(folder)
    // For read-only folders, and if there is no `find`.
    for (const name of await readdir(folder)) await removeTree(join(folder, name))
  } finally {
    await handle.close()
  }
}

/** Deletes the content of a folder by `find`. Resolves whether it succeeds or fails: the caller checks the rest. */
function deleteByFind(folder: string): Promise<void> {
  return new Promise(resolve => {
    const child = spawn('/usr/bin/find', ['.', '-mindepth', '1', '-delete'], { cwd: folder, stdio: 'ignore' })
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
}

/** Removes a tree synchronously, for a process that works for one step only. */
export function removeTreeNow(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch (error) {
    if (!isForbidden(error)) throw error
    openUp(path)
    rmSync(path, { recursive: true, force: true })
  }
}

const isForbidden = (error: unknown) =>
  ['EACCES', 'EPERM', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')

/** `O_PATH` of Linux: a handle on a folder that need not be readable. */
const onlyPlace = 0o10000000
const onlyFolder = onlyPlace | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Gives the owner every right on a folder and on those below it. By handles and not by names, which a process of a step
 * may replace by links meanwhile.
 */
function openUp(path: string): void {
  let handle: number
  try {
    handle = openSync(path, onlyFolder)
  } catch (error) {
    // It is gone, or is not a folder.
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return
    throw error
  }
  try {
    const place = `/proc/self/fd/${handle}`
    chmodSync(place, 0o700)
    for (const entry of readdirSync(place, { withFileTypes: true }))
      if (entry.isDirectory()) openUp(join(place, entry.name))
  } finally {
    closeSync(handle)
  }
}
