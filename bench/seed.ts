import pg from 'pg'
import { startDatabase } from './installation.ts'
import { print } from './report.ts'
import { seeded } from './seeded/installation.ts'

/**
 * Creates the installation for measurements of lists, with a million assets or SLUICE_BENCH_ASSETS, and leaves it in
 * `.local` for the next measurement; reports the duration. An existing one is only reported.
 */
const assets = Number(process.env['SLUICE_BENCH_ASSETS'] ?? 1_000_000)
const { seeded: made, fresh, folder } = await seeded(assets)
const rows = Object.values(made.rows).reduce((sum, each) => sum + each, 0)
const { database, stop } = await startDatabase(folder)
try {
  await print({
    bench: 'seed',
    figures: { ...made.rows, rows, seconds: made.seconds, 'rows/s': rows / made.seconds, fresh: Number(fresh) },
    floors: { 'rows/s of a bare copy of nodes': await bareCopy(database.ownerUrl) },
    targets: { 'rows/s': { value: rows / made.seconds, atLeast: 50_000 } },
    databaseUrl: database.ownerUrl,
  })
} finally {
  await stop()
}

/** Copies the widest table into a table without indexes, constraints or defaults; the floor of writing it. */
async function bareCopy(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const from = performance.now()
    const { rowCount } = await client.query('create temporary table copied as select * from nodes')
    return (rowCount! * 1_000) / (performance.now() - from)
  } finally {
    await client.end()
  }
}
