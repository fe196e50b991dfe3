import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { RunnerWork } from '../../src/domain/runners/index.ts'
import { passwords } from '../../src/domain/users/index.ts'
import { assemble } from '../../src/main/domains.ts'
import { openKeyring, rootKeys } from '../../src/platform/crypto/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Domain, Loop, Runtime } from '../../src/platform/domain.ts'
import type { Client } from '../support/api.ts'
import { newAsset, shop } from '../support/changes.ts'
import { moveClock } from '../support/database.ts'
import { result } from '../support/engine-world.ts'
import { aroundOf, runDueJobs } from '../support/jobs.ts'
import { startTestService, type TestRule, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'
import { actions, approvers } from './plan.ts'

/** Users besides `admin`, and the actions of the assets. */
export interface Furniture {
  readonly users: Readonly<Record<string, readonly TestRule[]>>
  readonly actions: Readonly<Record<string, string>>
}

const readers = approvers.map(name => [name, [{ path: '/projects/shop', read: true }]] as const)
const furniture: Furniture = { users: Object.fromEntries(readers), actions }

/**
 * The service's API without background work: its loops and jobs run when the test calls them, and the test acts as the
 * runners of its changes.
 */
export class RunWorld {
  readonly service: TestService
  readonly admin: Client
  readonly approvers: readonly Client[]
  readonly work: RunnerWork
  private readonly domains: readonly Domain[]
  private readonly loops: readonly Loop[]
  private readonly runtime: Runtime
  private readonly close: () => Promise<unknown>

  private constructor(service: TestService, runtime: Runtime, close: () => Promise<unknown>, of: Assembled) {
    this.service = service
    this.admin = service.as('admin')
    this.approvers = approvers.map(name => service.as(name))
    this.runtime = runtime
    this.close = close
    this.domains = of.domains
    this.work = of.work
    this.loops = of.domains.flatMap(({ loops = [] }) => loops.filter(({ name }) => ofRuns.includes(name)))
    assert.equal(this.loops.length, ofRuns.length)
  }

  static async open({ users, actions: offered }: Furniture = furniture): Promise<RunWorld> {
    const service = await startTestService({ users, config: { role: 'api' } })
    const { testDatabase, dataDir, address } = service
    const database = openDatabase({ url: testDatabase.appUrl, name: 'runs', size: 6 })
    const runtime = aroundOf(database)
    const rootKey = rootKeys({ given: undefined, next: undefined, file: join(dataDir, 'root.key'), database })
    const keyring = await openKeyring({ database, rootKey })
    const config: Parameters<typeof assemble>[0]['config'] = {
      authorities: undefined,
      dataDir,
      gitProtocols: ['file'],
      privateAddresses: [],
      settingOverrides: {},
      passedOn: { PATH: process.env['PATH'] ?? '' },
      role: 'worker',
    }
    const { log } = runtime
    const parts = { config, database, keyring, log, passwords: passwords(), apiUrl: () => address }
    const world = new RunWorld(service, runtime, () => database.end(), await assemble(parts))
    await world.furnish(offered)
    return world
  }

  /** A project with three assets, whose property `where` names one. */
  private async furnish(offered: Furniture['actions']): Promise<void> {
    const lines = Object.entries(offered).map(([name, body]) => `  ${name}: { description: x, ${body} }\n`)
    await this.meanwhile(shop(this.service, { 'web/actions.yaml': `actions:\n${lines.join('')}` }))
    for (const code of ['back', 'side']) await this.meanwhile(newAsset(this.admin, code))
    const { body } = await this.admin.get('/api/projects/shop')
    const answer = await this.admin.patch(body.data.relationships.properties.links.related, { data: { where: 'back' } })
    assert.equal(answer.status, 200, answer.text)
  }

  /** Runs jobs until this is done, because it waits for their effects. */
  private async meanwhile(work: Promise<unknown>): Promise<void> {
    const outcome = work.then(() => true)
    while (!(await Promise.race([outcome, this.jobs().then(() => false)])));
  }

  private jobs = () => runDueJobs(this.service.testDatabase, this.domains, this.runtime)

  /** Runs loops and jobs until nothing is left to do. */
  async settle(): Promise<void> {
    let before: string | undefined
    for (let now = await this.state(); now !== before; before = now, now = await this.state()) {
      for (const loop of this.loops) while (await loop.run(this.runtime));
      if (await this.hasJobs()) await this.jobs()
    }
  }

  /** State that loops and jobs change, in a few bytes. */
  private async state(): Promise<string> {
    const row = await this.service.database.one(sql<{ state: string }>`
      select concat((select json_agg(array[status, pause_state, holds_slot::text] order by number) from activities),
                    (select count(*) from events), (select count(*) from workflow_step_news)) as state`)
    return row!.state
  }

  private async hasJobs(): Promise<boolean> {
    const due = sql`select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts limit 1`
    return (await this.service.database.one(due)) !== undefined
  }

  /** Time in half an hour by the clock of the database. */
  async inHalfAnHour(): Promise<string> {
    const row = await this.service.database.one(sql<{ at: string }>`
      select to_char(sluice_now() at time zone 'UTC' + '30 minutes', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`)
    return row!.at
  }

  anHourPasses = () => moveClock(this.service.testDatabase, '1 hour')

  /** The steps that a runner of this change claims, by their full paths. */
  async take(activityId: string): Promise<Held[]> {
    const { database } = this.service
    const row = await database.one(sql<{ id: string }>`
      select id from runners where activity_id = ${activityId} and status = 'wanted'`)
    if (!row) return []
    const runner = { id: row.id, activityId, of: 'activity' as const, stepId: null, session: 1 }
    const taken = await database.transaction(tx => this.work.claim(tx, runner))
    return Promise.all(
      taken.map(async attempt => {
        const step = await database.one(
          sql<{ path: string }>`select full_path as path from steps where id = ${attempt.stepId}`,
        )
        return { ...attempt, activityId, runner, path: step!.path }
      }),
    )
  }

  async end(held: Held, outcome: 'success' | 'error' | 'cancelled'): Promise<void> {
    const { stepId: id, attempt, fence, activityId, runner } = held
    const over = outcome === 'success' ? {} : { outcome, exitCode: 3, errorMessage: 'exit code 3' }
    const report = result({ id, attempt, fence, activity_id: activityId } as Parameters<typeof result>[0], over)
    const { verdicts } = await this.service.database.transaction(tx =>
      this.work.applyResults(tx, runner, [report], false),
    )
    assert.deepEqual(verdicts, ['applied'])
  }

  /** Resets the installation: nothing has ever run. */
  async clear(): Promise<void> {
    await withClient(this.service.testDatabase.superuserUrl, admin =>
      admin.query(`
        set session_replication_role = replica;
        truncate activities, runners, slot_claims, name_checks, events cascade;
        update slot_pools set used = 0, configured_limit = 1000;`),
    )
  }

  newCode = (): string => randomBytes(4).toString('hex')

  async stop(): Promise<void> {
    await this.close()
    await this.service.stop()
  }
}

export interface Held {
  readonly stepId: string
  readonly attempt: number
  readonly fence: number
  readonly activityId: string
  readonly path: string
  readonly runner: Parameters<RunnerWork['claim']>[1]
}

type Assembled = Awaited<ReturnType<typeof assemble>>

const ofRuns = ['admission', 'timers', 'workflow-runs']
