import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { installationMetrics, readInstallation } from '../domain/maintenance/index.ts'
import type { Connections } from '../platform/db/connections.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/domain.ts'
import type { FairShare } from '../platform/fair-share.ts'
import { RequestMetrics } from '../platform/http/request-metrics.ts'
import type { LoopRuns } from '../platform/jobs/failing-loops.ts'
import { counter, type Family, gauge, only, registryOf } from '../platform/metrics/families.ts'
import { processMetrics } from '../platform/metrics/process-metrics.ts'
import { SharedReading } from '../platform/metrics/shared-reading.ts'
import type { Config } from './config.ts'
import { metricsGuard } from './metrics-guard.ts'

/** Values of this process that other modules know; queried at each scrape. */
interface Measured {
  readonly liveStreams: () => number
  /** Pool → its connections. */
  readonly connections: () => Readonly<Record<string, Connections>>
  readonly loops: () => readonly LoopRuns[]
  readonly fairShare: FairShare
}

export interface Metrics {
  readonly requests: RequestMetrics
  /** Answers `GET /metrics`, once its sources are available. */
  serve(server: FastifyInstance, measured: Measured): void
}

/**
 * Prometheus metrics of this process and of the installation. Those that need the database are read by one statement at
 * most every five seconds, however many scrapers there are, and left out when the database does not answer: see
 * `sluice_database_up`.
 */
export function openMetrics(options: {
  config: Pick<Config, 'metricsToken' | 'metricsAddresses' | 'role'>
  about: { readonly version: string; readonly interfaceVersion: string }
  database: Database
  log: Log
}): Metrics {
  const { config, about, database, log } = options
  const requests = new RequestMetrics()
  const ofProcess = processMetrics()
  const refuse = metricsGuard(config)
  const installation = new SharedReading(
    () => readInstallation(database),
    error => log.warn({ err: error }, 'reading installation metrics failed; retrying'),
  )
  const build = { version: about.version, interface_version: about.interfaceVersion, role: config.role }

  const families = async (measured: Measured): Promise<Family[]> => {
    const known = await installation.now()
    return [
      gauge('sluice_build_info', 'The release that this process runs', [{ labels: build, value: 1 }]),
      gauge('sluice_live_streams', 'Live streams that are open', only(measured.liveStreams())),
      gauge(
        'sluice_database_up',
        '1 when the database answered what these metrics asked last, within two seconds',
        only(known ? 1 : 0),
      ),
      ...connectionMetrics(measured.connections()),
      ...loopMetrics(measured.loops()),
      gauge(
        'sluice_slow_lane_users',
        'Users whose requests are served last, for the database time that they took within a minute',
        only(measured.fairShare.slow()),
      ),
      ...installationMetrics(known),
    ]
  }

  return {
    requests,
    serve: (server, measured) => {
      server.route({
        method: ['GET', 'HEAD'],
        url: '/metrics',
        handler: async (request, reply) => {
          reply.header('cache-control', 'no-store')
          const refusal = refuse(request)
          if (!refusal) {
            const all = Registry.merge([
              registryOf(await families(measured)),
              requests.registry,
              measured.fairShare.registry,
              ofProcess,
            ])
            return reply.type(all.contentType).send(await all.metrics())
          }
          if (refusal.status === 401) reply.header('www-authenticate', 'Bearer realm="sluice metrics"')
          return reply.status(refusal.status).type('text/plain; charset=utf-8').send(`${refusal.why}\n`)
        },
      })
    },
  }
}

function connectionMetrics(pools: Readonly<Record<string, Connections>>): Family[] {
  const of = (value: (pool: Connections) => number, more: { state?: string } = {}) =>
    Object.entries(pools).map(([pool, each]) => ({ labels: { pool, ...more }, value: value(each) }))
  return [
    gauge('sluice_database_connections', 'Connections to the database that are open', [
      ...of(({ open, idle }) => open - idle, { state: 'used' }),
      ...of(({ idle }) => idle, { state: 'idle' }),
    ]),
    gauge(
      'sluice_database_connections_limit',
      'Maximum number of open connections',
      of(({ most }) => most),
    ),
    gauge(
      'sluice_database_waiting',
      'What waits for a connection to become free',
      of(({ waiting }) => waiting),
    ),
  ]
}

function loopMetrics(loops: readonly LoopRuns[]): Family[] {
  const of = (value: (loop: LoopRuns) => number) =>
    loops.map(each => ({ labels: { loop: each.loop }, value: value(each) }))
  return [
    counter(
      'sluice_loop_runs_total',
      'How often a loop has run',
      of(({ runs }) => runs),
    ),
    counter(
      'sluice_loop_failures_total',
      'How often it has failed',
      of(({ failures }) => failures),
    ),
    gauge(
      'sluice_loop_failures_in_a_row',
      'How often it has failed since it last went well',
      of(({ failuresInARow }) => failuresInARow),
    ),
    gauge(
      'sluice_loop_last_run_timestamp_seconds',
      'When its last run ended, since 1970; before the first, when it began',
      of(({ lastAt }) => lastAt / 1_000),
    ),
  ]
}
