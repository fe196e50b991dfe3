import { mkdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { runnerSocketPath } from '#protocol/runner-protocol.ts'
import { ensureFirstSuperuser } from '../domain/access/index.ts'
import { keysHint } from '../domain/maintenance/index.ts'
import {
  attachRunnerEndpoint,
  openProcessDriver,
  processName,
  type RunnerDrivers,
  runnerRoutes,
  type StepIsolation,
  stepIsolation,
  thisHost,
} from '../domain/runners/index.ts'
import { passwords } from '../domain/users/index.ts'
import { theService } from '../platform/actor.ts'
import { openKeyring, rootKeys, WrongRootKey } from '../platform/crypto/index.ts'
import { type Database, openDatabase } from '../platform/db/database.ts'
import { CannotStart } from '../platform/db/embedded/cannot-start.ts'
import { ensureSystemUsers } from '../platform/db/embedded/system-users.ts'
import { openHintLine } from '../platform/db/hints.ts'
import { ownSchemaVersion } from '../platform/db/migrate.ts'
import { gatherMissingStatistics } from '../platform/db/missing-statistics.ts'
import type { Log, Runtime } from '../platform/domain.ts'
import { FairShare, usualShares } from '../platform/fair-share.ts'
import { buildServer } from '../platform/http/server.ts'
import { readPages, type StaticPages } from '../platform/http/static-pages.ts'
import { usualLimits } from '../platform/http/user-limits.ts'
import { FailingLoops } from '../platform/jobs/failing-loops.ts'
import { enqueue, type JobQueue, workJobs } from '../platform/jobs/job-queue.ts'
import { runLoops } from '../platform/jobs/loops.ts'
import type { Config } from './config.ts'
import { assemble } from './domains.ts'
import { listening } from './listening.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { interfaceVersion, release } from './release.ts'
import { registerProcess } from './service-process.ts'

export interface Service {
  /** `http://127.0.0.1:7890` */
  readonly address: string
  /** Steps under way that are connected to this process. */
  runningSteps(): number
  /**
   * Stops the service. In order: no new requests, loops and jobs end, runners end (unless they are to be kept),
   * connections close.
   */
  stop(how: { keepRunners: boolean }): Promise<void>
}

/** Time in milliseconds that runners have to stop their steps when the service has to end them too. */
const runnersStopWithin = 15_000
/** Time in milliseconds for spare runners, which run nothing, to stop; then they are killed. */
const sparesStopWithin = 5_000

/** Serves on a migrated database until stopped: HTTP, background work, or both (SLUICE_ROLE). */
export async function startService(options: {
  config: Config
  appUrl: string
  ownerUrl: string
  /** Target of the service's log; by default standard error. */
  logTo?: { write(line: string): void }
  /**
   * Called with the password of the superuser that this start creates, before the transaction is committed: the start
   * may still fail.
   */
  madeFirst?: (password: string) => void
  /** Called right before the service listens: another server on its port has to stop by then. */
  beforeListening?: () => Promise<void>
}): Promise<Service> {
  const { config, appUrl, ownerUrl } = options
  const log = openLog(config.logLevel, options.logTo)
  const stopping = new AbortController()
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const each of closing.toReversed()) await each().catch(error => log.error({ err: error }, 'stopping'))
  }
  try {
    const works = config.role !== 'api'
    let recordDeafnessEvent = async (_why: string): Promise<void> => {}
    const hintLine = openHintLine({
      url: ownerUrl,
      name: 'sluice hints',
      onHint: name => void database.hints.emit(name),
      onBack: why =>
        void recordDeafnessEvent(why).catch(error =>
          log.warn({ err: error }, 'event for a lost listener could not be recorded'),
        ),
    })
    closing.push(() => hintLine.close())
    const database: Database = openDatabase({
      url: appUrl,
      size: config.role === 'all' ? 20 : 10,
      name: `sluice ${config.role}`,
      notify: name => hintLine.send(name),
    })
    closing.push(() => database.end())
    // Requests have connections of their own, for lists and for commands; one of each is for work outside of the users'
    // turns. The loops of the service have others: a connection plans a statement at its first few uses, and lists
    // would often get a connection that has only served loops.
    const ofRequests = (what: 'lists' | 'commands') => {
      const size = usualShares[what].total + 1
      const notify = (name: string) => hintLine.send(name)
      const name = `sluice ${config.role} ${what}`
      return openDatabase({ url: appUrl, size, name, notify, hints: database.hints })
    }
    const lists = ofRequests('lists')
    const commands = ofRequests('commands')
    closing.push(() => Promise.all([lists.end(), commands.end()]))
    const fairShare = new FairShare({ lists, commands })

    const keyring = await openTheKeyring(config, database)
    const passwordHashing = passwords()
    await ensureFirstSuperuser({
      database,
      passwords: passwordHashing,
      adminPassword: config.adminPassword,
      made: options.madeFirst,
    })

    let address = `http://${config.host}:${config.port}`
    const { domains, authenticate, record, work, spares, starts, startSettings, endMails, runnerDomain, ...assembled } =
      await assemble({
        config,
        database,
        forRequests: commands,
        keyring,
        passwords: passwordHashing,
        apiUrl: () => address,
        log,
      })
    const runtime: Runtime = { database, record, enqueue, log, stopping: stopping.signal }
    recordDeafnessEvent = why =>
      database.transaction(async tx => {
        for (const type of heardByListeners)
          await record(tx, { type, actor: theService, attributes: { error: why, host: hostname(), pid: process.pid } })
      })
    await startSettings(runtime)

    let jobs: JobQueue | undefined
    let apiProcesses = 1
    const failing = new FailingLoops()
    const metrics = openMetrics({
      config,
      about: { version: release(), interfaceVersion: interfaceVersion() },
      database,
      log,
    })

    const { drivers, isolation } = await openDrivers(config, () => address, log)
    if (works && isolation.warning !== undefined) log.warn({}, isolation.warning)
    if (works && isolation.sandboxed && (await assembled.sandboxSwitchedOff())) log.warn({}, sandboxSwitchedOff)
    const server = await buildServer({
      domains,
      runtime: { ...runtime, database: commands },
      fairShare,
      keyring,
      authenticate,
      interfaceVersion: interfaceVersion(),
      // Each process admits its share of a user's rate limit.
      limits: { ...usualLimits, requestsPerMinute: config.rateLimit, processes: () => apiProcesses },
      trustedProxies: config.trustedProxies,
      metrics: metrics.requests,
      pages: builtPages(log),
      mount: async fastify => {
        await runnerRoutes(fastify, { database, work })
        metrics.serve(fastify, {
          liveStreams: () => server.liveStreams(),
          connections: () => connectionsOfProcess({ database, lists, commands, jobs }),
          fairShare,
          loops: () => failing.all(),
        })
      },
      upgradesAt: [runnerSocketPath],
    })
    const endpoint = attachRunnerEndpoint({
      server: server.fastify.server,
      database,
      work,
      spares,
      keyring,
      log,
      apiUrl: () => address,
    })
    let httpStopped: Promise<void> | undefined
    const stopHttp = () => {
      // The runners' connections first: the server would wait for them.
      httpStopped ??= endpoint.close().then(() => server.stop())
      return httpStopped
    }
    closing.push(stopHttp)
    await options.beforeListening?.()
    address = await listening(server.listen, config)
    for (const driver of drivers.values()) driver.announce()

    const serviceProcess = await registerProcess({
      database,
      role: config.role,
      release: release(),
      schemaVersion: await ownSchemaVersion(),
      jobWorkers: () => jobs?.workerIds ?? [],
      failingLoops: () => failing.now(),
      userLoad: () => fairShare.load(mostLoad),
      serving: processes => {
        apiProcesses = processes
      },
      ...(works && { isolation }),
      keys: keyring.refresh,
      onError: error => log.warn({ err: error }, 'heartbeat of this process failed; retrying'),
    })
    closing.push(() => serviceProcess.stop())
    const renewKeys = () =>
      void serviceProcess.renew().catch(error => log.warn({ err: error }, 'reading new data keys failed; retrying'))
    database.hints.on(keysHint, renewKeys)
    closing.push(async () => void database.hints.off(keysHint, renewKeys))
    const self = processName(thisHost(), process.pid)!
    const all = [...domains, runnerDomain({ drivers, self })]
    if (works) {
      const gathered = gatherMissingStatistics({ url: ownerUrl, name: 'sluice statistics', signal: stopping.signal })
        .then(tables => tables.length && log.info({ tables }, 'tables that had no statistics were analyzed'))
        .catch(error => log.warn({ err: error }, 'tables without statistics could not be analyzed; autovacuum will'))
      closing.push(() => gathered)
      jobs = await workJobs({ url: appUrl, domains: all, runtime })
      const queue = jobs
      // Recorded before the first job runs for long: after a kill, jobs are freed by these names.
      await serviceProcess.renew()
      const loops = runLoops(all, runtime, failing)
      closing.push(async () => {
        stopping.abort()
        await Promise.all([loops, queue.stop()])
      })
    }
    return {
      address,
      runningSteps: () => endpoint.runningSteps(),
      stop: async ({ keepRunners }) => {
        await Promise.all([
          // Without a database they do not learn of it now, and end after a minute of silence.
          works &&
            spares
              .end({ drivers }, database, sparesStopWithin)
              .catch(error => log.warn({ err: error }, 'stopping spare runners failed; they end by themselves')),
          keepRunners || endpoint.stopRunners(runnersStopWithin),
          !keepRunners &&
            works &&
            starts
              .end({ drivers, self }, database)
              .catch(error => log.warn({ err: error }, 'stopping starting runners failed; they end by themselves')),
        ])
        // One whose start was under way may have connected after the others were stopped.
        if (!keepRunners) await endpoint.stopRunners(runnersStopWithin)
        // First no new requests are accepted; then background work ends, and everything else in reverse order of its
        // start.
        await Promise.all([stopHttp(), endMails()])
        await close()
      },
    }
  } catch (error) {
    stopping.abort()
    await close()
    throw error
  }
}

const sandboxSwitchedOff =
  'Steps run without a sandbox, because the global setting runner.sandbox is false: each step can read and change what other steps use. SECURITY.md says what is separated in which mode.'

/** Maximum number of users reported by each process. */
const mostLoad = 10

/** Connections of this process, by the names that metrics use. */
function connectionsOfProcess(of: {
  database: Database
  lists: Database
  commands: Database
  jobs: JobQueue | undefined
}) {
  const [work, commands] = [of.database.connections(), of.commands.connections()]
  return {
    work: work.transactions,
    work_at_once: work.atOnce,
    lists: of.lists.connections().transactions,
    commands: commands.transactions,
    commands_at_once: commands.atOnce,
    ...(of.jobs && { jobs: of.jobs.connections() }),
  }
}

/** Listeners that share one connection; without it, polling finds cancellations and freed slots a second later. */
const heardByListeners = ['api:change_listener:error', 'api:resource_slot_freed_listener:error']

async function openTheKeyring(config: Config, database: Database) {
  try {
    const file = join(config.dataDir, 'root.key')
    const rootKey = rootKeys({ given: config.rootKey, next: config.nextRootKey, file, database })
    return await openKeyring({ database, rootKey })
  } catch (error) {
    throw error instanceof WrongRootKey ? new CannotStart(error.message) : error
  }
}

async function openDrivers(
  config: Config,
  serviceUrl: () => string,
  log: Runtime['log'],
): Promise<{ drivers: RunnerDrivers; isolation: StepIsolation }> {
  const folder = join(config.dataDir, 'runners')
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const users = await ensureSystemUsers({ runnerUser: config.runnerUser })
  const steps = { ...(users && { runAs: users.runner }), hide: [config.dataDir] }
  const preparer = users?.preparer && { prepareAs: users.preparer }
  return {
    drivers: new Map([['process', openProcessDriver({ folder, serviceUrl, ...steps, ...preparer, log })]]),
    isolation: await stepIsolation(steps),
  }
}

/** The built web application; undefined without a build. The API starts even if its files cannot be read. */
function builtPages(log: Log): StaticPages | undefined {
  const folder = join(import.meta.dirname, '../../.local/gui')
  try {
    return readPages(folder)
  } catch (error) {
    log.warn({ err: error, folder }, 'reading the pages of the web application failed; starting without them')
    return undefined
  }
}
