import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { CannotStart } from './cannot-start.ts'
import { canExecute, type RunAs } from './run-program.ts'
import type { SystemUsers } from './system-users.ts'

/** Folder for the files that must be readable for the less privileged users of a service that root started. */
export const rootsFolder = '/var/lib/sluice'

/** The maximum length of the path of a unix socket on Linux, and the name that PostgreSQL gives its own. */
const longestSocketPath = 107
const socketName = '/.s.PGSQL.5432'

/**
 * Makes the data folder and returns its absolute path.
 *
 * If root starts the service, the database and the runners run as users of their own, who cannot enter a folder below a
 * closed one (`/root` is 0700). Then the data are stored below /var/lib/sluice, in a folder named after the requested
 * one, so that two installations do not share one; this is the first message of the log.
 */
export async function prepareDataFolder(
  wanted: string,
  users: SystemUsers | undefined,
  log: (line: string) => void,
): Promise<string> {
  const folder = resolve(wanted)
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new CannotStart(
      `The data folder ${folder} is no folder. Name one with SLUICE_DATA_DIR; it is made when it is not there.`,
    )
  }
  if (!users) {
    makeFolder(folder, 0o700)
    checkWritable(folder)
    return folder
  }
  const parent = nearestExisting(dirname(folder))
  const open = (await canExecute(parent, users.database)) && (await canExecute(parent, users.runner))
  const place = open ? folder : join(rootsFolder, `${basename(folder)}-${shortHash(folder)}`)
  if (!open)
    log(`Data are kept in ${place}: ${parent} is closed to the users that the database and the runners run as.`)
  // Others may pass through, but not list it: each folder below has its own owner and mode.
  makeFolder(place, 0o711)
  checkWritable(place)
  if (!(await canExecute(place, users.database))) {
    throw new CannotStart(`The folder ${place} is closed to the database's user. Open it with: chmod a+x ${place}`)
  }
  return place
}

/**
 * Error codes of a folder that cannot be written to. A full disk is not among them: data cleaning needs a running
 * service.
 */
const unwritable = new Set(['EROFS', 'EACCES', 'EPERM'])

function checkWritable(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`)
  try {
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!unwritable.has(code)) return
    throw new CannotStart(
      `The data folder ${folder} cannot be written by the user ${userInfo().username}: ${message}. Change its owner or mode, remount it, or name another folder with SLUICE_DATA_DIR.`,
    )
  }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}

/** Makes a folder and restores permissions that a umask removed. An existing folder is left as it is. */
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) return
  try {
    makeFolder(dirname(folder), 0o755)
    mkdirSync(folder, { mode })
    chmodSync(folder, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw new CannotStart(
      `The data folder ${folder} cannot be made: ${(error as Error).message}. Name another with SLUICE_DATA_DIR.`,
    )
  }
}

/** File in the data folder with the path of the socket's folder, if that is elsewhere. */
const socketFolderFile = 'socket-folder'

/**
 * The folder of the database's socket: `run` in the data folder, or, if that path is too long for a socket (107 bytes
 * with the socket's name), a folder in the temporary folder. Only the database's user and root may enter it.
 *
 * In the temporary folder its name is random and stored in the data folder: with a predictable name, any process of the
 * machine could create the folder first, and the service would not start. A folder that another party has created there
 * is left alone.
 */
export function socketFolder(dataDir: string, owner?: RunAs): string {
  const near = join(dataDir, 'run')
  if (Buffer.byteLength(near) + socketName.length <= longestSocketPath) return near
  const file = join(dataDir, socketFolderFile)
  const noted = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (noted !== '' && (!lstatSync(noted, { throwIfNoEntry: false }) || isPrivate(noted, owner))) return noted
  const chosen = join(shortTemporaryFolder(), `sluice-${randomBytes(6).toString('hex')}`)
  // Renamed into place: a truncated name would be another folder.
  writeFileSync(`${file}.new`, chosen, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return chosen
}

function shortTemporaryFolder(): string {
  const own = tmpdir()
  return Buffer.byteLength(own) + '/sluice-0123456789ab'.length + socketName.length <= longestSocketPath ? own : '/tmp'
}

/** Makes the socket's folder for `owner`, and refuses one that another party has created: in /tmp, anyone may. */
export function makeSocketFolder(folder: string, owner: RunAs | undefined): void {
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 })
    giveTo(folder, owner)
  }
  if (!isPrivate(folder, owner)) {
    const rightOwner = owner?.uid ?? process.getuid?.()
    throw new CannotStart(
      `${folder} should be a folder of the database's user (uid ${rightOwner}) that no other user may enter, and is not. Look at it, and remove it.`,
    )
  }
}

function isPrivate(folder: string, owner: RunAs | undefined): boolean {
  const found = lstatSync(folder)
  return found.isDirectory() && found.uid === (owner?.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0
}

/** Gives a path to the user that PostgreSQL runs as; does nothing if that is the service's own. */
export function giveTo(path: string, owner: RunAs | undefined): void {
  if (owner) chownSync(path, owner.uid, owner.gid)
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
