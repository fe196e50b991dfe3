import { dirname } from 'node:path'
import type { Binaries } from '../src/platform/db/embedded/binaries.ts'
import { debianProgram } from '../tests/support/debian-packages.ts'

/** The oldest PostgreSQL that Sluice promises to work with, as Debian 12 brings it. */
const major = 15

/**
 * Programs of the older PostgreSQL; installed through apt when they are missing and apt may be used. Elsewhere:
 * https://apt.postgresql.org
 */
export async function olderPostgres(): Promise<Binaries> {
  const path = `/usr/lib/postgresql/${major}/bin/postgres`
  return { folder: dirname(await debianProgram({ path, packages: [`postgresql-${major}`] })), major }
}
