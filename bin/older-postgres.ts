import { dirname } from 'node:path'
import type { Binaries } from '../src/platform/db/embedded/binaries.ts'
import { debianProgram } from '../tests/support/debian-packages.ts'

/** Major version of the oldest PostgreSQL that Sluice supports, as in Debian 12. */
const major = 15

/**
 * Programs of the older PostgreSQL; installed through apt when they are missing and apt may be used. Elsewhere:
 * https://apt.postgresql.org
 */
export async function olderPostgres(): Promise<Binaries> {
  const path = `/usr/lib/postgresql/${major}/bin/postgres`
  return { folder: dirname(await debianProgram({ path, packages: [`postgresql-${major}`] })), major }
}
