import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Installation } from './installation.ts'
import { type Spread, spreadOf } from './report.ts'

type Chain = (databaseUrl: string, count: number, warmUp: number) => Promise<number[]>

const folder = join(import.meta.dirname, 'peers')

/**
 * Time between the ends of chained light jobs of other systems, on databases of their own on the same server, behind a
 * given number of earlier ones: ms, by name and version.
 */
export async function chained(
  { beside }: Pick<Installation, 'beside'>,
  warmUp: number,
): Promise<Record<string, Spread>> {
  if (!existsSync(join(folder, 'node_modules')))
    execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] })
  const chains = (await import(join(folder, 'chains.js'))) as Record<'graphileWorker' | 'pgBoss' | 'dbosSteps', Chain>
  return {
    [`graphile-worker ${versionOf('graphile-worker')}`]: spreadOf(
      await chains.graphileWorker(await beside('graphile_worker'), 100, warmUp),
    ),
    // Its shortest poll interval is half a second: neither a warm-up nor more jobs would make a difference.
    [`pg-boss ${versionOf('pg-boss')}`]: spreadOf(await chains.pgBoss(await beside('pg_boss'), 10, 0)),
    [`DBOS, a workflow of 40 steps, ${versionOf('@dbos-inc/dbos-sdk')}`]: spreadOf(
      await chains.dbosSteps(await beside('dbos'), 40, warmUp),
    ),
  }
}

function versionOf(name: string): string {
  const find = createRequire(join(folder, 'chains.js'))
  const paths = find.resolve.paths(name) ?? []
  const file = paths.map(path => join(path, name, 'package.json')).find(path => existsSync(path))
  if (!file) throw new Error(`${name} is not installed`)
  return (find(file) as { version: string }).version
}
