import { chmodSync, closeSync, constants, openSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes a file or folder whatever modes are left in it. Go's module cache, for one, is read-only, and a folder of which
 * its owner may not write cannot be emptied by anyone but root.
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

/** The same at once, for a process that works for one step only. */
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
 * Gives the owner every right on a folder and on those beneath it. By handles and not by names, in whose place something of
 * a step may put a link meanwhile.
 */
function openUp(path: string): void {
  let handle: number
  try {
    handle = openSync(path, onlyFolder)
  } catch (error) {
    // It is gone, or is no folder.
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
