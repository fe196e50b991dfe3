import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { create } from 'tar'
import type { Attempt, StepToRun } from '#protocol/runner-protocol.ts'
import { endAll, findMarked } from '../../runner/sandbox/processes.ts'
import {
  attachRunnerEndpoint,
  letRunnerGo,
  openProcessDriver,
  processName,
  type RunnerDrivers,
  type RunnerEndpoint,
  RunnerStarts,
  type RunnerWork,
  runnerLoops,
  runnerRoutes,
  Spares,
  type StepMessage,
  thisHost,
  type WantedRunner,
  wantRunner,
} from '../../src/domain/runners/index.ts'
import type { RunnerDriver } from '../../src/domain/runners/runner-driver.port.ts'
import {
  applyResults,
  type ClaimedStep,
  claimQueuedSteps,
  handleUnapplied,
  leaveOutLines,
  resolveLostRunner,
} from '../../src/domain/steps/for-step-execution.ts'
import { retryOrGiveUp } from '../../src/domain/steps/index.ts'
import type { Database, Queries, Tx } from '../../src/platform/db/database.ts'
import { ensureSystemUsers } from '../../src/platform/db/embedded/system-users.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { JsonObject } from '../../src/platform/documents/document.ts'
import type { Runtime } from '../../src/platform/domain.ts'
import { type EngineWorld, engineWorld } from './engine-world.ts'

const users = await ensureSystemUsers()
const commit = 'c'.repeat(40)

/**
 * The engine with real runners: processes of this machine, their connection, and the loops that start and find them.
 * `serve` starts the service and `vanish` removes it, like a restart or a kill.
 */
export async function runnerWorld(): Promise<RunnerWorld> {
  return new RunnerWorld(await engineWorld())
}

export class RunnerWorld {
  readonly world: EngineWorld
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-runners-'))
  readonly driver: RunnerDriver
  readonly drivers: RunnerDrivers
  readonly self = processName(thisHost(), process.pid)!
  readonly work: RunnerWork
  readonly complaints: string[] = []
  /** Whether the connection breaks after a transaction's commit, so that its outcome is unknown. */
  losesAnswer: (answer: unknown) => boolean = () => false
  /** Spare runners of the newest start of the service: as many as in `settings`, default none. */
  spares = new Spares()
  /** Starts of runners by the newest start of the service. */
  starts = new RunnerStarts()
  settings: JsonObject = { 'runner.spares': 0 }
  #server: { http: HttpServer; endpoint: RunnerEndpoint; close(): Promise<void>; url: string } | undefined
  #port = 0
  #loops: { stop(): void; done: Promise<unknown> } | undefined

  constructor(world: EngineWorld) {
    this.world = world
    chmodSync(this.folder, 0o711)
    Object.assign(world.parts, {
      runners: {
        want: (tx: Tx, wanted: WantedRunner) => wantRunner(tx, wanted, this.spares.ready()),
        letGo: letRunnerGo,
      },
    })
    this.work = this.#engineWork()
    this.driver = openProcessDriver({
      folder: join(this.folder, 'runners'),
      serviceUrl: () => `http://127.0.0.1:${this.#port}`,
      hide: [join(this.folder, 'runners')],
      log: this.#log,
      ...(users && { runAs: users.runner }),
    })
    this.drivers = new Map([['process', this.driver]])
  }

  readonly #log = {
    info: () => {},
    warn: (about: object, line: string) => void this.complaints.push(`${line} ${JSON.stringify(about)}`),
    error: (about: object, line: string) => void this.complaints.push(`${line} ${JSON.stringify(about)}`),
  }

  /** Starts it, unless it runs. */
  async serve(): Promise<void> {
    if (this.#server) return
    const { database: whole } = this.world
    const database: Database = {
      ...whole,
      transaction: async (work, how) => {
        const answer = await whole.transaction(work, how)
        if (this.losesAnswer(answer)) throw new Error('Connection terminated unexpectedly')
        return answer
      },
    }
    this.spares = new Spares()
    this.starts = new RunnerStarts()
    const server = fastify()
    await runnerRoutes(server, { database, work: this.work })
    const endpoint = attachRunnerEndpoint({
      server: server.server,
      database,
      work: this.work,
      spares: this.spares,
      keyring: this.world.parts.keyring,
      log: this.#log,
      apiUrl: () => 'http://api',
    })
    const url = await server.listen({ host: '127.0.0.1', port: this.#port })
    this.#port = Number(new URL(url).port)
    this.#server = { http: server.server, endpoint, url, close: () => server.close() }
    this.#loops = this.#runLoops()
  }

  /** Everything of the service ends at once; its runners do not. */
  async vanish(): Promise<void> {
    this.#loops?.stop()
    await this.#server?.endpoint.close()
    await this.#server?.close()
    await this.#loops?.done
    this.#server = undefined
  }

  stopRunners(within: number): Promise<void> {
    return this.#server!.endpoint.stopRunners(within)
  }

  get url(): string {
    return this.#server!.url
  }

  #runLoops() {
    const stopping = new AbortController()
    const { database } = this.world
    const runtime: Runtime = {
      database,
      log: this.#log,
      stopping: stopping.signal,
      record: async () => {},
      enqueue: async () => {},
    }
    const turns = runnerLoops({
      work: this.work,
      drivers: this.drivers,
      self: this.self,
      site: 'main',
      starts: this.starts,
      spares: this.spares,
      settings: { global: async () => ({ data: this.settings, sources: {} }) },
    }).map(async loop => {
      while (!stopping.signal.aborted) {
        await loop.run(runtime)
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    })
    return { stop: () => stopping.abort(), done: Promise.all(turns) }
  }

  /** Polls frequently until there is a result: it depends on other processes. */
  async until<T>(ask: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
    for (let tries = 0; tries < 1_500; tries++) {
      const answer = await ask()
      if (answer) return answer
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    throw new Error(`it did not happen within 30 s; the log says: ${this.complaints.join('\n')}`)
  }

  ended(activityId: string): Promise<string> {
    return this.until(async () => {
      const { status } = await this.world.activity(activityId)
      return ['success', 'error', 'cancelled', 'aborted', 'system_error'].includes(status) && status
    })
  }

  async runner(activityId: string) {
    return this.until(() =>
      this.world.database.one(sql<{ id: string; pid: number; status: string }>`
        select id, pid, status from runners
         where activity_id = ${activityId} and status in ('live', 'stopping') and pid is not null`),
    )
  }

  async lines(activityId: string): Promise<string[]> {
    const rows = await this.world.database.rows(sql<{ message: string }>`
      select message from log_lines
       where activity_id = ${activityId} and category <> 'runner' order by step_id, attempt, seq`)
    return rows.map(({ message }) => message)
  }

  /** Processes with the mark of a step. */
  async processesOf(activityId: string) {
    const steps = await this.world.database.rows(
      sql<{ id: string }>`select id from steps where activity_id = ${activityId}`,
    )
    return steps.flatMap(({ id }) => findMarked({ environment: [`SLUICE_STEP_ID=${id}`], roots: [] }))
  }

  /** Asserts that the tables are consistent, and ends everything in any case, because nothing else would. */
  async end(): Promise<void> {
    try {
      await this.world.consistent()
    } finally {
      await this.#remove()
    }
  }

  async #remove(): Promise<void> {
    await this.vanish()
    // Also processes that outlived their runner, such as a daemon of a successful step.
    for (const { id } of await this.world.database.rows(sql<{ id: string }>`select id from runners`)) {
      await endAll(() => findMarked({ environment: [`SLUICE_RUNNER_ID=${id}`], roots: [] }), 0)
    }
    rmSync(this.folder, { recursive: true, force: true })
    await this.world.end()
  }

  #engineWork(): RunnerWork {
    const { parts } = this.world
    return {
      commit: async () => commit,
      archive: async () =>
        Readable.from(
          create({ cwd: import.meta.dirname, portable: true, sync: true }, ['step-trees.ts']).read() as never,
        ),
      news: (queries, runners) =>
        newsOf(
          queries,
          runners.map(({ id }) => id),
        ),
      running: (queries, runnerId) => runningOn(queries, runnerId),
      claim: async (tx, runner) =>
        (
          await claimQueuedSteps(parts, tx, {
            activityId: runner.activityId,
            runnerId: runner.id,
            limit: 100,
            stepId: runner.stepId,
          })
        ).map(messageOf),
      again: async (tx, _runner, attempts) => {
        const steps = await tx.rows(
          sql<ClaimedStep>`select * from steps where id = any(${attempts.map(({ stepId }) => stepId)}::uuid[])`,
        )
        return steps.map(messageOf)
      },
      lookAhead: () => {},
      succeed: async () => undefined,
      applyResults: async (tx, runner, results, more) => {
        const claimer = more ? { claimer: { runnerId: runner.id, limit: 100 } } : {}
        const { verdicts, claimed } = await applyResults(parts, tx, {
          activityId: runner.activityId,
          results,
          ...claimer,
        })
        return { verdicts, run: claimed.map(messageOf) }
      },
      retrying: async () => {},
      resolveLost: (tx, lost) => resolveLostRunner(parts, tx, lost),
      cannotApply: ({ activityId }, stepId, { error, isLost }) =>
        this.world.database.transaction(tx =>
          handleUnapplied(parts, tx, { activityId, stepId, error: String(error), isLost }),
        ),
      cannotStore: cannotStoreIn(this.world),
      deferred: ({ activityId }, error, runtime) =>
        retryOrGiveUp(parts, { database: this.world.database, ...runtime }, activityId, error),
      cleanupFailed: async () => {},
      stepOf: (queries, { stepId, fence }) =>
        queries.one(sql<{ activityId: string; projectId: string; path: string }>`
          select activity_id as "activityId", project_id as "projectId", path from steps where id = ${stepId} and fence = ${fence}`),
    }
  }
}

export const cannotStoreIn =
  ({ parts, database }: EngineWorld): RunnerWork['cannotStore'] =>
  ({ activityId }, lines, { error, isLost }) =>
    database.transaction(tx => leaveOutLines(parts, tx, { activityId, ...lines, error: String(error), isLost }))

function newsOf(queries: Queries, runnerIds: readonly string[]) {
  return queries.rows(sql<{ runnerId: string; queued: boolean; cancel: (Attempt & { reason: string })[] }>`
    select r.id           as "runnerId",
           a.n_queued > 0 as queued,
           coalesce((select jsonb_agg(jsonb_build_object('stepId', s.id, 'attempt', s.attempt, 'fence', s.fence,
                                                         'reason', 'cancelled by ' || a.cancelled_by))
                       from steps s
                      where s.runner_id = r.id and s.status = 'running' and s.body = 'open'
                        and a.cancel_requested_at is not null), '[]') as cancel
      from runners r
      join activities a on a.id = r.activity_id
     where r.id = any(${[...runnerIds]}::uuid[])
       and (a.n_queued > 0 or a.cancel_requested_at is not null)`)
}

const runningOn = (queries: Queries, runnerId: string) =>
  queries.rows(sql<Attempt>`
    select id as "stepId", attempt, fence from steps where runner_id = ${runnerId} and status = 'running' and body = 'open'`)

function messageOf(step: ClaimedStep): StepMessage {
  const { bodies, bytes = 0 } = JSON.parse(step.definition!) as { bodies: { run: string }[]; bytes?: number }
  const attempt = { stepId: step.id, attempt: step.attempt, fence: step.fence }
  const message: StepToRun = {
    ...attempt,
    bodies: bodies.map(({ run }) => ({
      action: step.step_name,
      run,
      interpreter: ['bash', '-euo', 'pipefail'],
      env: {},
    })),
    folder: '',
    context: {},
    files: [],
    env: { PADDING: 'x'.repeat(bytes) },
    secrets: [],
    apiToken: `token-${step.fence}`,
  }
  return { ...attempt, text: JSON.stringify(message) }
}
