import pg from 'pg'

/** Tables with fewer bytes are planned well enough without statistics. */
const leastBytes = 128 * 1024

/** Advisory lock held by the process that gathers statistics, so that others do not gather the same ones. */
const lock = 7_314_159_277

/**
 * Runs ANALYZE on each table that has records and no statistics at all, the largest first, one statement each. A
 * restored dump brings none, nor does `pg_upgrade` before PostgreSQL 18, and autovacuum analyzes only what is written
 * after its counters began, which a crash sets back: until then lists are planned by fixed guesses, which mislead more
 * the larger a table is. Whether a table has statistics is read from `pg_stats`, since building an index counts a
 * table's rows without gathering statistics.
 *
 * @param url as the role that owns the tables, past any pooler
 * @param signal ends it by closing the connection
 * @returns names of the tables that were analyzed; none if another process gathers them
 */
export async function gatherMissingStatistics({
  url,
  name,
  signal,
}: {
  url: string
  name: string
  signal: AbortSignal
}): Promise<string[]> {
  if (signal.aborted) return []
  const client = new pg.Client({ connectionString: url, application_name: name })
  // The running statement fails with the connection, and its error is reported there.
  client.on('error', () => {})
  const close = () => void client.end().catch(() => {})
  signal.addEventListener('abort', close, { once: true })
  const analyzed: string[] = []
  try {
    await client.connect()
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [lock])
    if (!rows[0]?.free) return []
    await client.query('set statement_timeout = 0')
    for (const table of await tablesWithoutStatistics(client)) {
      await client.query(`analyze ${table}`)
      analyzed.push(table)
    }
    return analyzed
  } catch (error) {
    if (signal.aborted) return analyzed
    throw error
  } finally {
    signal.removeEventListener('abort', close)
    await client.end()
  }
}

/** Tables without statistics. Partitions count as tables of their own: each is planned by its own statistics. */
async function tablesWithoutStatistics(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name
       from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_relation_size(c.oid) >= $1
        and pg_has_role(c.relowner, 'usage')
        and not exists (select from pg_stats s where s.schemaname = 'public' and s.tablename = c.relname)
      order by pg_relation_size(c.oid) desc`,
    [leastBytes],
  )
  return rows.map(({ name }) => name)
}
