import { bareCommits, bareMessages } from './floors.ts'
import { asset, newInstallation, success, withClient } from './installation.ts'
import { print, spreadOf } from './report.ts'

/**
 * Measures how long a ready step waits in a warm change: from the end of the previous one, as stored in the database,
 * to the first line of its own code, which prints the time. In between are the commit, the message, and the runner's
 * work before the step begins.
 */
const steps = 40
const changes = Number(process.env['SLUICE_BENCH_CHANGES'] ?? 10)

const program = `
import { action } from '@sluice/actions'
const one = action('one', {}, step => step.log.info(String(performance.timeOrigin + performance.now())))
action('many', { steps: Array.from({ length: ${steps + 1} }, () => one) })
`

const installation = await newInstallation({ program })
try {
  const { sluice, ownerUrl } = installation
  const floorUrl = await installation.beside('floor')
  const waited: number[] = []
  const commits: number[] = []
  await withClient(floorUrl, async floor => {
    for (let round = 0; round < changes; round++) {
      commits.push(...(await bareCommits(floor, 50)))
      const { id } = await sluice.create(`${asset}/changes`, { action: 'many' })
      await success(sluice, id)
      waited.push(...(await waits(ownerUrl, id)))
    }
  })
  const wait = spreadOf(waited)
  await print({
    bench: 'step-ready-to-running',
    figures: { 'end of a step to the next one running, ms': wait },
    floors: {
      'bare durable commit, ms': spreadOf(commits),
      'bare message over a WebSocket and back, ms': spreadOf(await bareMessages(500)),
    },
    targets: {
      'p50, ms': { value: wait.p50, atMost: 2 },
      'p99, ms': { value: wait.p99, atMost: 15 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

/** Milliseconds that each step waited. The database's clock is also the runner's on this machine. */
function waits(url: string, changeId: string): Promise<number[]> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select l.message::float8
                - extract(epoch from lag(s.finished_at) over (order by s.tree_order))::float8 * 1000 as waited
         from steps s
         join log_lines l on l.step_id = s.id
        where s.activity_id = $1 and s.action = 'one' and l.category = 'action'`,
      [changeId],
    )
    return rows.flatMap(({ waited }) => (waited === null ? [] : [Number(waited)]))
  })
}
