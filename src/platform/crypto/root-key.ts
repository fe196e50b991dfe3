import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Queries } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { WrongRootKey } from './root-wrapping.ts'

/**
 * The root key: as configured (SLUICE_ROOT_KEY), else from `file`, which the first start creates, readable by the
 * service's user only. Losing it means losing every secret in the database, so it is never replaced for a database that
 * is already encrypted: a lost data folder must be restored from its backup.
 *
 * @returns 32 bytes
 */
export async function rootKey(options: {
  given: Uint8Array | undefined
  /** `root.key` in the data folder. */
  file: string
  database: Queries
}): Promise<Uint8Array> {
  if (options.given) return options.given
  const found = await readKeyFile(options.file)
  if (found) return found
  const encrypted = await options.database.one(
    sql<{ yes: boolean }>`select key_check is not null as yes from installation`,
  )
  if (encrypted?.yes) {
    throw new WrongRootKey(
      `${options.file} is missing, and this database is encrypted with it: put it back from its backup, or give SLUICE_ROOT_KEY`,
    )
  }
  await makeKeyFile(options.file)
  return (await readKeyFile(options.file))!
}

/** Sources of the current root key and of the next one. */
export interface Roots {
  /** Looks again: files may have been added since. */
  read(): Promise<{ readonly current: Uint8Array; readonly next?: Uint8Array }>
  /** Makes the next root key the current one. */
  adopt(next: Uint8Array): Promise<void>
}

/**
 * The current root key and the next one, which operators put beside it: `root.key.next` beside `root.key`, or
 * SLUICE_NEXT_ROOT_KEY. Once the database is wrapped under it, the file becomes `root.key`, and the former key is kept
 * as `root.key.before`: older backups of the database need it.
 */
export function rootKeys(options: {
  given: Uint8Array | undefined
  next: Uint8Array | undefined
  /** `root.key` in the data folder. */
  file: string
  database: Queries
}): Roots {
  const { file, given } = options
  const nextFile = `${file}.next`
  return {
    read: async () => {
      // In this order: between the two reads, the next key may become the current one.
      const next = options.next ?? (given ? undefined : await readKeyFile(nextFile))
      const current = await rootKey(options)
      return { current, ...(next && !isSame(next, current) && { next }) }
    },
    adopt: async next => {
      const found = await readKeyFile(nextFile)
      const current = await readKeyFile(file)
      if (given || !found || !isSame(found, next)) return
      // Another process may do the same at the same moment: only the key that was read is kept, if it is not the next
      // one.
      if (current && !isSame(current, next)) await keepAs(`${file}.before`, current)
      await rename(nextFile, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
    },
  }
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

async function readKeyFile(file: string): Promise<Buffer | undefined> {
  const text = await readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length !== 32) throw new WrongRootKey(`${file} does not hold 32 bytes in base64: put it back from its backup`)
  if ((await stat(file)).mode & 0o077)
    throw new WrongRootKey(`${file} can be read by other users of this machine: chmod 600 it`)
  return key
}

/**
 * Creates the key file. It is written under another name, then linked: two first starts end with one key, and a power
 * cut leaves no key or a complete one.
 */
async function makeKeyFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await throughDraft(file, randomBytes(32), draft =>
    link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    }),
  )
}

/** Stores a key in place of any existing file. */
const keepAs = (file: string, key: Uint8Array): Promise<void> => throughDraft(file, key, draft => rename(draft, file))

async function throughDraft(file: string, key: Uint8Array, place: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${Buffer.from(key).toString('base64')}\n`)
    await handle.sync()
    await place(draft)
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
}
