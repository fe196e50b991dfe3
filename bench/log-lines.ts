import { readFileSync } from 'node:fs'
import type pg from 'pg'
import type { Sluice } from '../client/sluice.ts'
import { ancestorsOf, processesNaming } from '../tests/main-job/process-table.ts'
import { asset, type Installation, newInstallation, success, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * Measures the time from the start of a step that prints a million lines until the last of them is stored and readable,
 * and the memory growth of service and runner meanwhile; compared with plain inserts of the same chunks under the same
 * key.
 */
const lines = 1_000_000
const text = 'x'.repeat(90)

const actions = `
actions:
  print: { run: 'seq -f "%07.0f ${text}" 1 ${lines}' }
`

const installation = await newInstallation({ actions })
try {
  const { sluice, ownerUrl } = installation
  const { id } = await sluice.create(`${asset}/changes`, { action: 'print' })
  const memory = watchMemory(installation, id)
  const grown = await memory.whileRunning(() => success(sluice, id))
  const { stored, seconds } = await storedLines(ownerUrl, id)
  if (stored < lines) throw new Error(`${stored} of ${lines} lines are stored`)
  const floor = await withClient(ownerUrl, client => bareChunks(client, 200))
  const page = await timed(() => lastLine(sluice, id))
  const perSecond = stored / (seconds + page / 1_000)
  await print({
    bench: 'log-lines',
    figures: {
      'lines a second, printed to stored and read': perSecond,
      'the page of the last 100 of them, ms': page,
      'growth of the service from line 100 000 on, MiB': grown.service,
      'growth of the runner from line 100 000 on, MiB': grown.runner,
    },
    floors: { 'bare inserts of the same chunks, lines a second': 1_000_000 / floor.p50, 'of 1 000 lines, ms': floor },
    targets: {
      'lines a second': { value: perSecond, atLeast: 100_000 },
      'share of the floor': { value: perSecond / (1_000_000 / floor.p50), atLeast: 0.25 },
      'growth of the service, MiB': { value: grown.service, atMost: 64 },
      'growth of the runner, MiB': { value: grown.runner, atMost: 64 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

/** Reads the line like a reader of the log: through the API, at the end of the page of the newest lines. */
async function lastLine(sluice: Sluice, changeId: string): Promise<void> {
  const newest = await sluice.list<{ message: string }>(`/api/changes/${changeId}/log_lines`, { limit: 100 })
  const last = newest.at(-1)?.attributes.message
  if (!last?.startsWith(`${lines} `)) throw new Error(`the last line to be read is ${last}`)
}

/** Waits until the last chunk is stored and so the step has ended, so that its times cover the whole way. */
function storedLines(url: string, changeId: string): Promise<{ stored: number; seconds: number }> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select sum(c.line_count)::int as stored,
              extract(epoch from max(s.finished_at) - min(s.started_at))::float as seconds
         from log_chunks c join steps s on s.id = c.step_id
        where c.activity_id = $1`,
      [changeId],
    )
    return rows[0]
  })
}

/** Chunks of 1,000 lines, one durable insert each, into a table of the same columns and key. */
async function bareChunks(client: pg.Client, count: number) {
  await client.query(
    'create table bare_chunks (like log_chunks including defaults, primary key (step_id, attempt, first_seq))',
  )
  const ats = Array.from({ length: 1_000 }, () => new Date().toISOString())
  const categories = ats.map(() => 'stdout')
  const messages = ats.map(() => text)
  const times: number[] = []
  const insert = `
    insert into bare_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
    values ($1, 1, $2, 1000, $1, now(), now(), $3::timestamptz[], $4::text[], $5::text[]) on conflict do nothing`
  const step = '01900000-0000-7000-8000-000000000001'
  for (let chunk = 0; chunk < count; chunk++) {
    const values = [step, chunk * 1_000 + 1, ats, categories, messages]
    times.push(await timed(() => client.query({ name: 'bare_chunk', text: insert, values })))
  }
  await client.query('drop table bare_chunks')
  return spreadOf(times)
}

/**
 * Measures by how many MiB the resident memory of the service and of the runner grows once 100,000 lines are stored.
 */
function watchMemory({ ownerUrl, servicePid }: Installation, changeId: string) {
  // The runner of this change, not a spare one, and without the processes of its step.
  const runner = (supervisor: number) => [
    supervisor,
    ...processesNaming('runner/executor').flatMap(({ pid }) => (ancestorsOf(pid)[0] === supervisor ? [pid] : [])),
  ]
  const now = (supervisor: number) => ({
    service: residentMebibytes(servicePid),
    runner: runner(supervisor).reduce((sum, pid) => sum + residentMebibytes(pid), 0),
  })
  let first: ReturnType<typeof now> | undefined
  const most = { service: 0, runner: 0 }
  let over = false
  const watch = async () => {
    while (!over) {
      const { stored } = await storedLines(ownerUrl, changeId)
      const supervisor = await runnerOf(ownerUrl, changeId)
      const { service, runner } = now(supervisor ?? 0)
      if (supervisor !== undefined && stored >= 100_000) first ??= { service, runner }
      if (first) {
        most.service = Math.max(most.service, service - first.service)
        most.runner = Math.max(most.runner, runner - first.runner)
      }
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  return {
    async whileRunning(work: () => Promise<void>): Promise<typeof most> {
      await Promise.all([work().finally(() => (over = true)), watch()])
      if (!first) throw new Error('the step ended before 100 000 of its lines were seen')
      return most
    },
  }
}

function runnerOf(url: string, changeId: string): Promise<number | undefined> {
  return withClient(url, async client => {
    const { rows } = await client.query('select pid from runners where activity_id = $1', [changeId])
    return rows[0]?.pid ?? undefined
  })
}

function residentMebibytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    // It has ended since it was found.
    return 0
  }
}
