import { lstatSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * State of a working copy's npm dependencies: none needed, installed, or to be installed by npm or taken from the
 * cache.
 */
export type Dependencies = 'none' | 'there' | 'wanted'

const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json']
const modules = 'node_modules'

/** Whether the repository has a package.json and a lock file, and does not itself contain their packages. */
export function dependenciesOf(copy: string): Dependencies {
  if (!isFile(join(copy, 'package.json')) || !lockFiles.some(name => isFile(join(copy, name)))) return 'none'
  return lstatSync(join(copy, modules), { throwIfNoEntry: false }) ? 'there' : 'wanted'
}

/** Folder in which dependencies from the cache are unpacked, until all of them are verified. */
export const stagingFolder = (work: string): string => join(work, 'copy.dependencies')

/** Creates that folder, without content. */
export async function createStagingFolder(work: string): Promise<void> {
  await rm(stagingFolder(work), { recursive: true, force: true })
  await mkdir(stagingFolder(work), { mode: 0o700 })
}

/** Moves what was unpacked there into the working copy; a repository with workspaces may have several folders. */
export async function adoptDependencies(work: string): Promise<void> {
  const beside = stagingFolder(work)
  for (const found of await modulesIn(beside, '')) {
    const to = join(work, 'copy', found)
    await rm(to, { recursive: true, force: true })
    await mkdir(dirname(to), { recursive: true })
    await rename(join(beside, found), to)
  }
  await rm(beside, { recursive: true, force: true })
}

async function modulesIn(root: string, folder: string): Promise<string[]> {
  const below = (await readdir(join(root, folder), { withFileTypes: true })).filter(each => each.isDirectory())
  const found = await Promise.all(
    below.map(({ name }) => (name === modules ? [join(folder, name)] : modulesIn(root, join(folder, name)))),
  )
  return found.flat()
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
