import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../client/sluice.ts'
import { often } from './changes.ts'

/**
 * A folder for synchronization between a test and the scripts of its steps: a script creates a file and waits for
 * another one.
 */
export interface Gates {
  /** Property with the folder, for the scripts' environment. */
  readonly folder: string
  /** Resolves when a script has created this file. */
  reached(name: string): Promise<void>
  has(name: string): boolean
  /** Opens a gate for current and later waiters. */
  open(name: string): Promise<void>
  remove(): Promise<void>
}

export async function newGates(): Promise<Gates> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-gates-'))
  // Steps run as a user of their own.
  await chmod(folder, 0o777)
  const has = (name: string) => existsSync(join(folder, name))
  return {
    folder,
    has,
    reached: async name => {
      await until(`a step reaches ${name}`, async () => has(name), Boolean, often)
    },
    open: async name => {
      assert.ok(!has(name), `${name} is open already`)
      await writeFile(join(folder, name), '')
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
