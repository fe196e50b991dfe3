import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'
import { timed } from './report.ts'

/** One durable commit of one small row each, one after the other, on a connection that is warm. */
export async function bareCommits(client: pg.Client, count: number): Promise<number[]> {
  await client.query('create table if not exists bare_commit (id bigserial primary key, said text not null)')
  const insert = { name: 'bare_commit', text: 'insert into bare_commit (said) values ($1)', values: ['a step ended'] }
  for (let warm = 0; warm < 20; warm++) await client.query(insert)
  const times: number[] = []
  for (let done = 0; done < count; done++) times.push(await timed(() => client.query(insert)))
  return times
}

/** What any runner of scripts pays: bash started and ended, nothing around it. */
export async function bareScripts(count: number): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done++)
    times.push(await timed(() => once(spawn('bash', ['-euo', 'pipefail', '-c', 'true'], { stdio: 'ignore' }), 'exit')))
  return times
}
