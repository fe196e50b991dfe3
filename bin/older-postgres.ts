import { existsSync } from 'node:fs'
import type { Binaries } from '../src/platform/db/embedded/binaries.ts'
import { run } from '../tests/support/test-run.ts'

/** The oldest PostgreSQL that Sluice promises to work with, as Debian 12 brings it. */
const major = 15
const folder = `/usr/lib/postgresql/${major}/bin`

/** Its programs; installed through apt when they are missing and we may. */
export async function olderPostgres(): Promise<Binaries> {
  if (existsSync(`${folder}/postgres`)) return { folder, major }
  const missing = `PostgreSQL ${major} is missing. As root on Debian 12: apt-get install postgresql-${major}`
  if (process.getuid?.() !== 0) throw new Error(missing)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], env)
  await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', `postgresql-${major}`], env)
  if (!existsSync(`${folder}/postgres`)) throw new Error(`${missing}. Elsewhere: https://apt.postgresql.org`)
  return { folder, major }
}
