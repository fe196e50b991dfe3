import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Queries } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { WrongRootKey } from './keyring.ts'

/**
 * The root key: as configured (SLUICE_ROOT_KEY), else from `file`, which the first start makes, readable by the
 * service's user alone. Whoever loses it loses every secret in the database, so it is never made anew for a database
 * that is already encrypted: a data folder that is lost must come back from its backup.
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

/** Written whole under another name, then linked: two first starts end with one key, a power cut with none or all of it. */
async function makeKeyFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await handle.sync()
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await handle.close()
    await rm(draft)
  }
}
