import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Sluice, until } from '../../client/sluice.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { socketFolder } from '../../src/platform/db/embedded/data-folder.ts'
import { socketUrl } from '../../src/platform/db/embedded/embedded-postgres.adapter.ts'
import { storePasswords } from '../../src/platform/db/embedded/passwords.ts'
import { findPostmaster } from '../../src/platform/db/embedded/postmaster.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { processesNaming } from '../main-job/process-table.ts'
import { type Installation, newInstallation, type ServiceProcess } from '../main-job/service-process.ts'
import { type TestRepository, testRepository } from '../support/git-repository.ts'
import { copyMadeCluster } from '../support/made-cluster.ts'
import { AskedRuns } from './asked-runs.ts'
import { askUntilAnswered, type Given } from './asking.ts'
import { environment, loadProject } from './project.ts'
import type { Expected } from './promises.ts'
import { newWitness, readWitness, witnessRepository } from './witness.ts'

/** Attributes of a change, and what is promised about it. */
export interface Wish {
  readonly action: string
  readonly on?: string
  readonly restart?: boolean
  /** Whether each of its steps has a runner of its own. */
  readonly alone?: boolean
  /** Property overrides. */
  readonly overrides?: object
}

/**
 * A whole installation that is killed again and again: the service as run by `bin/start`, on the embedded PostgreSQL,
 * with a project whose actions record what happens to them.
 */
export class FailureWorld {
  readonly witness: string
  /** Folder in which failpoints are armed. */
  readonly failpoints: string
  /** Expectations of each requested change. */
  readonly expected = new Map<string, Expected>()
  readonly assets: readonly string[]
  /** The workflow of the project. */
  readonly runs = new AskedRuns(this)
  readonly #installation: Installation
  readonly #repository: TestRepository
  #service: ServiceProcess
  readonly #services: ServiceProcess[] = []
  #dead = false
  #database: Database | undefined
  readonly #databaseUrl: string | undefined
  /** Address of another service on the same database, which also answers requests. */
  elsewhere: string | undefined
  /** Duration of the last start relative to an idle machine of this decade; at least 1. */
  slowness = 1

  private constructor(installation: Installation, repository: TestRepository, service: ServiceProcess, how: How) {
    this.#installation = installation
    this.#repository = repository
    this.#service = service
    this.#watch(service)
    this.#databaseUrl = how.databaseUrl
    this.witness = newWitness(join(installation.folder, 'witness'))
    this.failpoints = join(installation.folder, 'failpoints')
    this.assets = Array.from({ length: how.assets }, (_, n) => `${environment}/assets/a${n + 1}`)
  }

  static async make(how: How): Promise<FailureWorld> {
    const repository = await testRepository({ ...witnessRepository })
    const installation = await newInstallation(async folder => {
      if (!how.databaseUrl) await copyMadeCluster(join(folder, 'data'))
      const failpoints = join(folder, 'failpoints')
      mkdirSync(failpoints)
      chmodSync(failpoints, 0o777)
      return {
        SLUICE_LOG_LEVEL: 'warn',
        SLUICE_TEST_FAILPOINTS: failpoints,
        SERVICE_OVERRIDE_RUNNER__SPARES: String(how.spares),
        ...how.environment,
      }
    })
    try {
      const world = new FailureWorld(installation, repository, await installation.start(), how)
      const properties = { witness: world.witness, span: how.span, ...how.properties }
      await loadProject(world.sluice, { url: repository.url, assets: world.assets, properties })
      return world
    } catch (error) {
      await installation.remove().finally(() => repository.remove())
      throw error
    }
  }

  get sluice(): Sluice {
    return this.#installation.asAdmin()
  }

  get service(): ServiceProcess {
    return this.#service
  }

  get folder(): string {
    return this.#installation.folder
  }

  /** The test's own connection to the tables. */
  get database(): Database {
    const dataDir = join(this.folder, 'data')
    const embedded = () => socketUrl('sluice_owner', storePasswords(dataDir, true), socketFolder(dataDir), 'sluice')
    this.#database ??= openDatabase({ url: this.#databaseUrl ?? embedded(), name: 'the test of failures', size: 4 })
    return this.#database
  }

  async start(): Promise<void> {
    this.#dead = true
    const began = performance.now()
    this.#watch(await this.#installation.start())
    this.slowness = Math.max(1, (performance.now() - began) / usualStartMilliseconds)
  }

  #watch(service: ServiceProcess): void {
    this.#service = service
    this.#services.push(service)
    this.#dead = false
    void service.ended.then(() => {
      if (service === this.#service) this.#dead = true
    })
  }

  /** Logs of all services of this world so far, one after the other. */
  said(): string {
    return this.#services.map(({ output }) => output()).join('\n')
  }

  kill(): Promise<void> {
    return this.#service.kill()
  }

  /** Waits until the service has been killed. */
  async died(seconds: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => resolve('late'), seconds * 1_000)
    const how = await Promise.race([this.#service.ended, late])
    clearTimeout(timer)
    return how !== 'late'
  }

  /** Requests a change, repeatedly if necessary: with an Idempotency-Key it is created once. */
  async change({ action, on = this.assets[0]!, restart = false, alone = false, overrides }: Wish): Promise<string> {
    const key = randomUUID()
    const attributes = {
      action,
      ...(on === environment && { git_remote_name: 'code', git_rev: 'main' }),
      settings_overrides: {
        ...(restart && { on_runner_lost: 'restart' }),
        ...(alone && { pod_per_change_step: true }),
      },
      ...(overrides && { property_overrides: overrides }),
    }
    const { data } = (await this.ask('POST', `${on}/changes`, { key, attributes })) as { data: { id: string } }
    this.expected.set(data.id, { ends: ['success'], undisturbed: true })
    return data.id
  }

  /** Creates a schedule that is due each second until it has created one change, and waits for that. */
  async scheduled({ action, on = this.assets[0]! }: Wish): Promise<string> {
    const key = randomUUID()
    const attributes = {
      action,
      cron_schedule: '* * * * * *',
      maximum_run_count: 1,
      ...(on === environment && { git_remote_name: 'code', git_rev: 'main' }),
    }
    const { data } = (await this.ask('POST', `${on}/scheduled_activities`, { key, attributes })) as {
      data: { id: string }
    }
    const made = () =>
      this.database
        .one(sql<{ id: string }>`select id from changes where scheduled_activity_id = ${data.id}::uuid`)
        .catch(() => undefined)
    const { id } = (await until('the schedule makes its change', made, Boolean, { seconds: 90, pause: 50 }))!
    this.expected.set(id, { ends: ['success'], undisturbed: true })
    return id
  }

  /** One-time schedules that created more than one change. */
  madeTwice(): Promise<unknown[]> {
    return this.database.rows(sql`
      select scheduled_activity_id, count(*)
        from changes
       where scheduled_activity_id is not null
       group by scheduled_activity_id
      having count(*) > 1`)
  }

  /** Begins a key rotation, unless one is in progress already. */
  async rotateKeys(): Promise<void> {
    await this.ask('POST', '/api/admin/key_rotations', { attributes: {} }).catch(error => {
      if (!String(error).includes(': 409 ')) throw error
    })
  }

  /** Cancels a change once one of its steps runs. */
  async cancel(id: string): Promise<void> {
    await this.#runs(id)
    await this.ask('DELETE', `/api/changes/${id}`)
  }

  /** Kills the runner of a change once one of its steps runs, as the kernel does when memory is short. */
  async killRunnerOf(id: string): Promise<void> {
    await this.#runs(id)
    const runner = await this.database.one(sql<{ pid: number }>`
      select pid from runners where activity_id = ${id}::uuid and status = 'live'`)
    process.kill(runner!.pid, 'SIGKILL')
  }

  async #runs(id: string): Promise<void> {
    const running = () =>
      this.database.rows(sql<{ id: string }>`
        select id from steps where activity_id = ${id}::uuid and definition is not null and status = 'running'`)
    const isSeen = (steps: readonly { id: string }[]) => {
      const seen = new Set(readWitness(this.witness).map(({ step }) => step))
      return steps.some(step => seen.has(step.id))
    }
    await until('a step is seen to run', running, isSeen, { seconds: 40, pause: 20 })
  }

  /** Sends a request until it gets a response; the service may be down meanwhile. */
  ask(method: string, path: string, given: Given = {}): Promise<unknown> {
    const at = (tries: number) => (tries % 2 === 0 ? (this.elsewhere ?? this.#service.url) : this.#service.url)
    return askUntilAnswered(at, this.#installation.password, { method, path, given })
  }

  arm(point: string, how = 'kill'): void {
    writeFileSync(join(this.failpoints, point), how)
  }

  /** Removes the mark of a reached failpoint, so that it can be armed again. */
  forget(point: string): void {
    rmSync(join(this.failpoints, `${point}.reached`), { force: true })
  }

  isReached(point: string): boolean {
    return existsSync(join(this.failpoints, `${point}.reached`))
  }

  /** Waits until changes have ended, by default all requested ones. PostgreSQL may be down meanwhile. */
  async ended(ids: readonly string[] = [...this.expected.keys()], seconds = 90): Promise<void> {
    const left = () => this.unfinished(ids).catch(() => undefined)
    await until('the changes end', left, some => some?.length === 0, { seconds, pause: 100 })
    const untold = () => this.database.rows(sql`select from workflow_step_news`).catch(() => undefined)
    await until('runs are told of their changes', untold, some => some?.length === 0, { seconds, pause: 100 })
  }

  /** Unfinished ones of these changes, with details. */
  unfinished(ids: readonly string[]): Promise<{ id: string; status: string; steps: string; runners: string }[]> {
    return this.database.rows(sql<{ id: string; status: string; steps: string; runners: string }>`
      select a.id, a.status,
             (select string_agg(concat_ws(' ', s.full_path, s.status, s.attempt), ', ' order by s.tree_order)
                from steps s where s.activity_id = a.id) as steps,
             (select string_agg(concat_ws(' ', r.status, r.pid, r.start_attempts, r.gone_reason), ', ' order by r.created_at)
                from runners r where r.activity_id = a.id) as runners
        from activities a
       where a.id = any(${[...ids]}::uuid[]) and not a.final`)
  }

  /** Waits until the running service has a spare runner to assign. */
  async spareIsReady(): Promise<void> {
    const spares = () =>
      this.database.rows(sql<{ status: string }>`
        select status from runners
         where starter_pid = ${this.#service.pid} and status in ('starting', 'live')
           and activity_id is null and task_id is null`)
    await until('a spare runner is ready', spares, some => some.some(({ status }) => status === 'live'), { pause: 20 })
  }

  /** Waits until no runner is left except spare ones. */
  async runnersAreGone(): Promise<void> {
    const left = () =>
      this.database.rows(sql<{ status: string; activity_id: string }>`
        select status, activity_id from runners where status <> 'gone' and coalesce(activity_id, task_id) is not null`)
    await until('the runners of what has ended are gone', left, some => some.length === 0, { seconds: 40, pause: 50 })
  }

  /** The process of PostgreSQL. */
  get postmaster(): number | undefined {
    return findPostmaster(join(this.folder, 'data/postgres'))?.pid
  }

  /** Stops everything in order; returns the remaining processes of the actions. */
  async remove(): Promise<string[]> {
    const left = processesNaming(`WITNESS=${this.witness}`).map(({ pid, command }) => `${pid} ${command}`)
    await this.#database?.end()
    // After a failure there may be no service, and then only this ends running processes.
    await this.#repository.remove()
    if (this.#dead) for (const { pid } of processesNaming(this.folder)) process.kill(pid, 'SIGKILL')
    await this.#installation.remove()
    return left
  }
}

/** The service is started some twenty times in a test, which takes minutes on a busy machine. */
export const longTimeout = { timeout: 900_000 }

const usualStartMilliseconds = 2_000

interface How {
  /** Duration of a step, in twentieths of a second, plus a half. */
  readonly span: number
  readonly assets: number
  readonly spares: number
  /** Further properties of the project. */
  readonly properties?: object
  /** Further environment of the service. */
  readonly environment?: Readonly<Record<string, string>>
  /** Owner of the tables, if the service does not use its own PostgreSQL. */
  readonly databaseUrl?: string
}
