import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'

/** An archive of dependencies on the disk of a host: what it is for, and the hash of its bytes. */
export interface CachedArchive {
  readonly name: string
  readonly sha256: string
}

/** Maximum number of digests that are recorded: more than the hosts of an installation keep. */
const mostDigests = 2_000

/** Whether a runner has reported this archive: nothing else can. */
export async function isKnownArchive(queries: Queries, { name, sha256 }: CachedArchive): Promise<boolean> {
  return (await queries.rows(sql`select from kept_dependencies where name = ${name} and sha256 = ${sha256}`)).length > 0
}

/** Records the digest of an archive that a runner has made, and deletes the oldest ones beyond the maximum. */
export async function recordArchive(queries: Queries, { name, sha256 }: CachedArchive): Promise<void> {
  await queries.rows(sql`
    insert into kept_dependencies (name, sha256) values (${name}, ${sha256})
    on conflict (name, sha256) do update set kept_at = sluice_now()`)
  await queries.rows(sql`
    delete from kept_dependencies
     where (name, sha256) in (select name, sha256 from kept_dependencies
                               order by kept_at desc, name, sha256 offset ${mostDigests})`)
}
