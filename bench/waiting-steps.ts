import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../client/sluice.ts'
import { cpuTimeOf, processesIn } from './cpu-time.ts'
import { bareCommits } from './floors.ts'
import { asset, type Installation, newInstallation, withClient } from './installation.ts'
import { print, spreadOf } from './report.ts'

/**
 * Ten thousand steps that wait (SLUICE_BENCH_WAITING), half of them for a time and half for a person: the processes,
 * slots and connections that they occupy, and the processor time of the service and its database while nothing happens,
 * compared with the same installation when as many have waited and been cancelled. So the figures include neither the
 * vacuum after their creation nor connections that were opened for it, which stay open for some minutes.
 */
const waiting = Number(process.env['SLUICE_BENCH_WAITING'] ?? 10_000)
const rests = 5
const restSeconds = 10

const program = `
import { action, wait } from '@sluice/actions'
const nothing = action('nothing', {}, () => {})
action('waits', {
  runAs: 'parallel',
  steps: Array.from({ length: ${waiting} }, (_, i) => wait('wait ' + i, i % 2 ? { seconds: 86_400 } : {})),
})
`
const settings = { SERVICE_OVERRIDE_RUNNER__IDLE_TIMEOUT: '1', SERVICE_OVERRIDE_RUNNER__SPARES: '0' }

const installation = await newInstallation({ program, settings })
try {
  const { sluice, ownerUrl } = installation
  const commits = await withClient(await installation.beside('floor'), client => bareCommits(client, 300))
  const untilWaiting = (count: number) =>
    until(
      `${count} steps wait, and the runner is given back`,
      () => held(ownerUrl),
      ({ waiting: now, slots, runners }) => now === count && slots === 0 && runners === 0,
      { pause: 500, seconds: 120 },
    )
  const begin = async () => {
    const { id } = await sluice.create(`${asset}/changes`, { action: 'waits' })
    await untilWaiting(waiting)
    return id
  }
  await sluice.remove(`/api/changes/${await begin()}`)
  await untilWaiting(0)
  const before = await atRest(installation)
  const id = await begin()
  const after = await atRest(installation)
  await sluice.remove(`/api/changes/${id}`)
  await print({
    bench: 'waiting-steps',
    figures: {
      'waiting steps': waiting,
      'processes beside the service, before': before.processes,
      'processes beside the service': after.processes,
      'connections to the database, before': before.connections,
      'connections to the database': after.connections,
      'slots held': after.slots,
      'processor time at rest, ms a second': after.cpu,
    },
    floors: {
      'processor time at rest with nothing waiting, ms a second': before.cpu,
      'bare durable commit, ms': spreadOf(commits),
    },
    targets: {
      'processes more': { value: after.processes - before.processes, atMost: 0 },
      'slots held': { value: after.slots, atMost: 0 },
      'processor time more, ms a second': { value: after.cpu.p50 - before.cpu.p50, atMost: 5 },
    },
    databaseUrl: ownerUrl,
  })
} finally {
  await installation.remove()
}

async function held(url: string): Promise<{ waiting: number; slots: number; runners: number; connections: number }> {
  return withClient(url, async client => {
    const { rows } = await client.query(`
      select (select count(*)::int from steps where status = 'waiting') as waiting,
             (select count(*)::int from slot_claims) as slots,
             (select count(*)::int from runners where status <> 'gone') as runners,
             (select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid())
               as connections`)
    return rows[0]
  })
}

async function atRest({ ownerUrl, servicePid, folder, endConnections }: Installation) {
  await endConnections()
  await withClient(ownerUrl, client => client.query('vacuum analyze'))
  await pause(5_000)
  const used = () => new Map([servicePid, ...processesIn(`${folder}/database`)].map(pid => [pid, cpuTimeOf([pid])]))
  const cpu: number[] = []
  for (let rest = 0; rest < rests; rest++) {
    const from = used()
    await pause(restSeconds * 1_000)
    // The time of a connection that has ended meanwhile is lost.
    const spent = [...used()].reduce((sum, [pid, time]) => sum + time - (from.get(pid) ?? 0), 0)
    cpu.push(spent / restSeconds)
  }
  const { slots, connections } = await held(ownerUrl)
  return { cpu: spreadOf(cpu), processes: processesIn(folder).length, slots, connections }
}
