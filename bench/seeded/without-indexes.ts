import pg from 'pg'

/**
 * Drops the indexes and foreign keys of these tables while they are filled, and recreates them: sorting a million keys
 * once takes a tenth of inserting each in its place. Recreated foreign keys are checked, so that afterwards every
 * constraint holds.
 */
export async function withoutIndexes<T>(url: string, tables: readonly string[], fill: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { constraints, indexes } = await constraintsAndIndexes(client, tables)
    // Everything that refers to a key is dropped before the key.
    for (const { table, name } of constraints.toReversed())
      await client.query(`alter table ${table} drop constraint ${name}`)
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    const result = await fill()
    await inParallel(url, [
      ...indexes.map(({ definition }) => definition),
      ...constraints.filter(each => each.type !== 'f').map(addAgain),
    ])
    await inParallel(url, constraints.filter(each => each.type === 'f').map(addAgain))
    return result
  } finally {
    await client.end()
  }
}

interface Constraint {
  readonly table: string
  readonly name: string
  /** p = primary key, u = unique, x = exclusion, f = foreign key. */
  readonly type: 'p' | 'u' | 'x' | 'f'
  readonly definition: string
}

async function constraintsAndIndexes(client: pg.Client, tables: readonly string[]) {
  const constraints = await client.query<Constraint>(
    `select c.conrelid::regclass::text as "table", quote_ident(c.conname) as name, c.contype as type,
            pg_get_constraintdef(c.oid) as definition
       from pg_constraint c
      where c.contype in ('p', 'u', 'x', 'f') and c.conparentid = 0
        and (c.conrelid = any($1::regclass[]) or c.confrelid = any($1::regclass[]))
      order by c.contype = 'f', c.conname`,
    [tables],
  )
  const indexes = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i
      where i.indrelid = any($1::regclass[])
        and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))`,
    [tables],
  )
  return { constraints: constraints.rows, indexes: indexes.rows }
}

const addAgain = ({ table, name, definition }: Constraint) =>
  `alter table ${table} add constraint ${name} ${definition}`

/** Over as many connections as there are cores for sorting, the largest ones first. */
async function inParallel(url: string, statements: readonly string[]): Promise<void> {
  const queue = statements.toSorted((a, b) => Number(b.includes('gist')) - Number(a.includes('gist')))
  const work = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(`set maintenance_work_mem = '512MB'; set synchronous_commit = off; set lock_timeout = '120s'`)
      for (let next = queue.shift(); next; next = queue.shift()) await client.query(next)
    } finally {
      await client.end()
    }
  }
  await Promise.all([work(), work()])
}
