import type pg from 'pg'

/** Gap between the last recorded number and the first of a new server: some numbers may not have been recorded. */
const gap = 2n ** 32n

/**
 * Advances the transaction numbers of a database restored from a dump of another server to beyond the old server's
 * numbers. Otherwise events of new transactions would never be sealed, since all below the last seal count as sealed,
 * and no live stream would report them.
 *
 * @returns the number that counting continues from; undefined if nothing had to be done
 */
export async function countOn(client: pg.Client): Promise<bigint | undefined> {
  const { noted, here, server } = (
    await client.query<{ noted: string; here: string; server: string }>(`
      select greatest((select sealed_below from audit_head), (select tx from events order by tx desc limit 1)) as noted,
             pg_snapshot_xmax(sluice_snapshot()) as here, pg_snapshot_xmax(pg_current_snapshot()) as server`)
  ).rows[0]!
  // Upper bound of all numbers recorded on this server: the bound of what is sealed.
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
