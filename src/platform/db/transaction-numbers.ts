import type pg from 'pg'

/** Gap between the last number that was noted and the first of a new server: there may be more that were not noted. */
const gap = 2n ** 32n

/**
 * Counts on where the transactions of this database were numbered higher than its server counts: a dump of another
 * server was restored on it. Events of such transactions would never be sealed, since all below the last seal count as
 * sealed, and no stream would tell of them.
 *
 * @returns the number that is counted on from, or undefined where nothing had to be done
 */
export async function countOn(client: pg.Client): Promise<bigint | undefined> {
  const { noted, here, server } = (
    await client.query<{ noted: string; here: string; server: string }>(`
      select greatest((select sealed_below from audit_head), (select tx from events order by tx desc limit 1)) as noted,
             pg_snapshot_xmax(sluice_snapshot()) as here, pg_snapshot_xmax(pg_current_snapshot()) as server`)
  ).rows[0]!
  // All that was noted on this server is below its next number, or is that: the bound of what is sealed.
  if (BigInt(noted) <= BigInt(here)) return undefined
  const first = BigInt(noted) + gap
  const more = first - BigInt(server)
  await client.query(`
    create or replace function sluice_transaction() returns xid8
      language sql volatile
      return (pg_current_xact_id()::text::numeric + ${more})::text::xid8;
    create or replace function sluice_snapshot() returns pg_snapshot
      language sql stable
      return (select format('%s:%s:%s', pg_snapshot_xmin(s)::text::numeric + ${more}, pg_snapshot_xmax(s)::text::numeric + ${more},
                            (select string_agg((each::text::numeric + ${more})::text, ',' order by each)
                               from pg_snapshot_xip(s) each))::pg_snapshot
                from pg_current_snapshot() s)`)
  return first
}
