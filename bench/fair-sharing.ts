import { Worker } from 'node:worker_threads'
import { asset, newInstallation, success } from './installation.ts'
import { QuietClient } from './quiet-client.ts'
import { print, spreadOf, timed } from './report.ts'
import { fillLog } from './slow-lists.ts'

/**
 * Measures how a user is affected by another one whose 40 connections (SLUICE_BENCH_CONNECTIONS) request a slow list
 * all the time: light requests and commands, before and meanwhile, for SLUICE_BENCH_SECONDS each. The first five
 * seconds of the load count too: no user is known to be slow yet.
 */
const connections = Number(process.env['SLUICE_BENCH_CONNECTIONS'] ?? 40)
const seconds = Number(process.env['SLUICE_BENCH_SECONDS'] ?? 40)
const warmUp = 200
/** Pause in milliseconds between requests, like that of a person who clicks: no load of its own. */
const pause = 20

const installation = await newInstallation({ actions: "actions: { deploy: { description: Roll out, run: 'true' } }" })
const client = new QuietClient(installation.url)
try {
  const { sluice, url, password, ownerUrl } = installation
  const change = await sluice.create(`${asset}/changes`, { action: 'deploy' })
  await success(sluice, change.id)
  await fillLog(ownerUrl, change.id)
  const rules = [{ path: '/projects/bench', read: true, update: true }]
  for (const username of ['slow', 'calm']) {
    await sluice.create('/api/users', { username, password })
    const policy = { name: username, authorisation_rules: rules, assignments: [{ username }] }
    await sluice.create('/api/authorisation_policies', policy)
  }
  const authorization = (name: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const statuses = new Map<number, number>()
  const light = [asset, '/api/projects?limit=10', '/api/me', `${asset}/changes?limit=5`]
  let round = 0
  const ask = async () => {
    const answer = await client.ask(light[round++ % light.length]!, { authorization: authorization('calm') })
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    return answer.milliseconds
  }
  const write = () =>
    timed(async () => {
      const response = await fetch(url + asset, {
        method: 'PATCH',
        headers: { authorization: authorization('calm'), 'content-type': 'application/json' },
        body: JSON.stringify({ data: { attributes: { name: `Bench ${round++}` } } }),
      })
      await response.arrayBuffer()
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    })
  const during = async (time: number) => {
    const [reads, writes]: [number[], number[]] = [[], []]
    for (const until = performance.now() + time * 1_000; performance.now() < until; ) {
      for (let read = 0; read < 9; read += 1) {
        reads.push(await ask())
        await new Promise(resolve => setTimeout(resolve, pause))
      }
      writes.push(await write())
    }
    return { reads, writes }
  }

  for (let request = 0; request < warmUp; request += 1) await ask()
  const quiet = await during(seconds)
  const path = '/api/log_lines?limit=10&filter[message_cont]=nothing%20of%20the%20kind'
  const others = new Worker(new URL('./slow-lists.ts', import.meta.url), {
    workerData: { url: url + path, authorization: authorization('slow'), connections },
  })
  const answers = new Map<number, number>()
  others.on('message', (status: number) => answers.set(status, (answers.get(status) ?? 0) + 1))
  await new Promise(resolve => others.once('online', resolve))
  statuses.clear()
  const beside = await during(seconds)
  await others.terminate()

  const [before, meanwhile] = [spreadWith95(quiet.reads), spreadWith95(beside.reads)]
  const refused = [...statuses].filter(([status]) => status >= 400).reduce((sum, [, many]) => sum + many, 0)
  await print({
    bench: 'fair-sharing',
    figures: {
      'light GET beside slow lists, ms': spreadOf(beside.reads),
      'light GET beside slow lists, p95, ms': meanwhile,
      'command beside slow lists, ms': spreadOf(beside.writes),
      ...Object.fromEntries([...answers].map(([status, many]) => [`slow lists answered ${status}`, many])),
    },
    floors: {
      'light GET when it is quiet, ms': spreadOf(quiet.reads),
      'light GET when it is quiet, p95, ms': before,
      'command when it is quiet, ms': spreadOf(quiet.writes),
    },
    targets: {
      'p95 of a light GET beside slow lists against quiet': { value: meanwhile / before, atMost: 3 },
      'p95 of a command beside slow lists against quiet': {
        value: spreadWith95(beside.writes) / spreadWith95(quiet.writes),
        atMost: 3,
      },
      'light requests that were refused': { value: refused, atMost: 0 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await client.close()
  await installation.remove()
}

function spreadWith95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))]!
}
