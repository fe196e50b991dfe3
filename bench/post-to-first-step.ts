import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { asset, newInstallation, success, withClient } from './installation.ts'
import { print, spreadOf, timed } from './report.ts'

/**
 * From the POST of a change to its first step running, the mirror fresh and no runner waiting: what a person feels after
 * pressing the button. The floor is what a runner consists of: two Node processes, one started by the other.
 */
const changes = 20
const actions = `
actions:
  one: { run: 'true' }
`

const installation = await newInstallation({ actions })
try {
  const { sluice, ownerUrl } = installation
  const waited: number[] = []
  const admitted: number[] = []
  const starts: number[] = []
  for (let round = 0; round <= changes; round++) {
    const sent = Date.now()
    const { id } = await sluice.create(`${asset}/changes`, { action: 'one' })
    await success(sluice, id)
    const at = await instants(ownerUrl, id)
    // The first one fetches, compiles and plans what all others find done.
    if (round === 0) continue
    waited.push(at.running - sent)
    admitted.push(at.admitted - sent)
    starts.push(await timed(twoNodes))
  }
  const first = spreadOf(waited)
  await print({
    bench: 'post-to-first-step',
    figures: { 'POST to first step running, ms': first, 'POST to admitted, ms': spreadOf(admitted) },
    floors: { 'two bare Node processes, one after the other, ms': spreadOf(starts) },
    targets: { 'p50 without a spare runner, ms': { value: first.p50, atMost: 180 } },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

async function twoNodes(): Promise<void> {
  for (let started = 0; started < 2; started++) await once(spawn(process.execPath, ['-e', '']), 'exit')
}

/** Milliseconds since 1970, by the database's clock, which on this machine is the client's. */
function instants(url: string, changeId: string): Promise<{ admitted: number; running: number }> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select extract(epoch from a.started_at)::float * 1000 as admitted,
              extract(epoch from min(s.started_at))::float * 1000 as running
         from activities a join steps s on s.activity_id = a.id and s.action is not null
        where a.id = $1
        group by a.id`,
      [changeId],
    )
    return rows[0]
  })
}
