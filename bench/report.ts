import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { projectFolder } from './installation.ts'

/** Milliseconds, or the unit in the figure's name, of many single observations. */
export interface Spread {
  readonly n: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  if (values.length === 0) throw new Error('nothing was observed')
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
  return { n: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
}

export const round = (value: number): number => Number(value.toPrecision(4))

/** Milliseconds that a piece of work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}

export interface Report {
  readonly bench: string
  /** Measurements of Sluice. */
  readonly figures: Readonly<Record<string, Spread | number>>
  /**
   * The minimum that the same machine needs for the same work, measured in this run. Without one a figure means
   * nothing.
   */
  readonly floors: Readonly<Record<string, Spread | number>>
  readonly peers?: Readonly<Record<string, Spread | number | string>>
  /** Required values: each with its value, its limit, and which side of it is good. */
  readonly targets: Readonly<Record<string, { value: number; atMost?: number; atLeast?: number }>>
  /** The measured server's database, if there is one. */
  readonly databaseUrl?: string
}

/** Prints the report as JSON; throws if a figure has no floor. */
export async function print(report: Report): Promise<void> {
  if (Object.keys(report.floors).length === 0) throw new Error(`${report.bench} was measured without its floor`)
  const { databaseUrl, targets, ...rest } = report
  const judged = Object.entries(targets).map(([name, target]) => [
    name,
    { ...target, value: round(target.value), met: isMet(target) },
  ])
  const document = { ...rest, targets: Object.fromEntries(judged), ...(await surroundings(databaseUrl)) }
  console.log(JSON.stringify(document, null, 2))
}

const isMet = ({ value, atMost = Infinity, atLeast = -Infinity }: Report['targets'][string]) =>
  value <= atMost && value >= atLeast

async function surroundings(url: string | undefined): Promise<object> {
  const release = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectFolder, encoding: 'utf8' }).trim()
  return {
    at: new Date().toISOString(),
    versions: { sluice: `${release} (${commit})`, node: process.version },
    ...(url !== undefined && { postgres: await settingsOf(url) }),
    machine: { cpus: cpus().length, model: cpus()[0]?.model, load: loadavg()[0], fdatasync: syncTimes() },
  }
}

async function settingsOf(url: string): Promise<object> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const settings = await client.query(`
    select name, setting || coalesce(unit, '') as value
      from pg_settings
     where name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers')`)
  await client.end()
  return Object.fromEntries(settings.rows.map(({ name, value }) => [name, value]))
}

/**
 * Time that the disk takes to store 8 KiB durably, in milliseconds: the part of a commit that no program can make
 * shorter.
 */
function syncTimes(): Spread {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-sync-'))
  const file = openSync(join(folder, 'file'), 'w')
  const page = Buffer.alloc(8_192, 1)
  const times = Array.from({ length: 200 }, () => {
    const from = performance.now()
    writeSync(file, page)
    fdatasyncSync(file)
    return performance.now() - from
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return spreadOf(times)
}
