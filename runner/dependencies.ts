import { randomUUID } from 'node:crypto'
import { createReadStream, lstatSync } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { create } from 'tar'
import { unpack } from './working-copy.ts'

/** What a working copy needs of npm: nothing; it has been had; npm is to be asked. */
export type Dependencies = 'none' | 'there' | 'wanted'

const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json']
const modules = 'node_modules'
/** Of so many commits what they need is kept. */
const mostKept = 20
/** What has not been written to for so long was left by an executor that was killed over it. */
const abandonedAfterMilliseconds = 3_600_000

/**
 * Whether the repository has a package.json and a lock file, and whether what these name is there: brought along by the
 * repository itself, or kept from an earlier runner of the same commit.
 *
 * @param kept the file in which that is kept
 */
export async function dependenciesOf(copy: string, kept: string | undefined): Promise<Dependencies> {
  if (!isFile(join(copy, 'package.json')) || !lockFiles.some(name => isFile(join(copy, name)))) return 'none'
  if (lstatSync(join(copy, modules), { throwIfNoEntry: false })) return 'there'
  return kept !== undefined && (await restored(copy, kept)) ? 'there' : 'wanted'
}

async function restored(copy: string, kept: string): Promise<boolean> {
  const beside = `${copy}.dependencies`
  try {
    await stat(kept)
    await unpack(createReadStream(kept), beside)
    await rename(join(beside, modules), join(copy, modules))
    const now = new Date()
    await utimes(kept, now, now)
    return true
  } catch (error) {
    // One that is damaged is of no use to the next runner either.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') await rm(kept, { force: true })
    return false
  } finally {
    await rm(beside, { recursive: true, force: true })
  }
}

/** Keeps what npm has installed for other runners of the commit: wholly or not at all. */
export async function keepDependencies(copy: string, kept: string): Promise<void> {
  // Nothing was to be installed.
  if (!lstatSync(join(copy, modules), { throwIfNoEntry: false })?.isDirectory()) return
  const folder = dirname(kept)
  // In a sandbox the process id of each executor is the same.
  const making = `${kept}.${randomUUID()}.making`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await create({ cwd: copy, portable: true, file: making }, [modules])
    await chmod(making, 0o600)
    await rename(making, kept)
  } finally {
    await rm(making, { force: true })
  }
  await removeOldest(folder)
}

async function removeOldest(folder: string): Promise<void> {
  const all = await Promise.all(
    (await readdir(folder)).map(async name => {
      const about = await stat(join(folder, name)).catch(() => undefined)
      return { file: join(folder, name), at: about?.mtimeMs ?? 0 }
    }),
  )
  const oldest = all
    .filter(({ file }) => file.endsWith('.tar'))
    .toSorted((a, b) => b.at - a.at)
    .slice(mostKept)
  const abandoned = all.filter(
    ({ file, at }) => file.endsWith('.making') && at < Date.now() - abandonedAfterMilliseconds,
  )
  for (const { file } of [...oldest, ...abandoned]) await rm(file, { force: true })
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
