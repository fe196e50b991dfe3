import { randomBytes } from 'node:crypto'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import type { Result } from '#protocol/runner-protocol.ts'
import { record, recording } from '../../src/domain/events/index.ts'
import {
  type ActivitySettings,
  type ApprovalsThatCount,
  approvableOf,
  approvalBy,
  approveStep,
  continueStep,
  type LockedStep,
  lockStep,
  rejectStep,
} from '../../src/domain/steps/for-changes.ts'
import {
  applyResults,
  type ClaimedStep,
  type Claimer,
  claimQueuedSteps,
  resolveLostRunner,
  type Verdict,
} from '../../src/domain/steps/for-step-execution.ts'
import {
  admit,
  breakActivity,
  type CancelAnswer,
  type CarryingOn,
  createActivity,
  type EndedStep,
  type EngineParts,
  endedTree,
  fireTimers,
  insertRetry,
  insertTree,
  makeReady,
  type NewActivity,
  type PauseAnswer,
  requestCancel,
  requestPause,
  requestResume,
  type StepDefinition,
} from '../../src/domain/steps/index.ts'
import { openKeyring } from '../../src/platform/crypto/index.ts'
import { type Database, openDatabase, type Tx } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { moveClock, type TestDatabase, testDatabase } from './database.ts'
import { EngineState } from './engine-state.ts'
import { aroundOf } from './jobs.ts'

export const usualSettings: ActivitySettings = {
  allowSameName: false,
  allowParallel: true,
  podPerStep: false,
  parallelSteps: 5,
  onRunnerLost: 'error',
  runnerKind: 'process',
  runnerOptions: {},
  idleSeconds: 30,
}

/**
 * The engine on a database of its own, with one project and one asset: the test acts as runners, settings and users.
 */
export async function engineWorld(): Promise<EngineWorld> {
  const own = await testDatabase()
  const database = openDatabase({ url: own.appUrl, name: 'engine test', size: 12 })
  const keyring = await openKeyring({ database, rootKey: randomBytes(32) })
  const project = await node(database, { node_type: 'project', code: 'bank' })
  const asset = await node(database, { node_type: 'asset', code: 'web', parent: project })
  return new EngineWorld(own, database, keyring, project, asset)
}

export class EngineWorld extends EngineState {
  readonly own: TestDatabase
  readonly project: string
  readonly asset: string
  readonly parts: EngineParts
  /** Runtime of loops, which records failures. */
  readonly carrying: CarryingOn
  maintenance: Awaited<ReturnType<EngineParts['maintenanceMode']>> = 'disabled'
  superusers: string[] = []
  storeResult: EngineParts['storeResult'] = async () => ({})

  constructor(
    own: TestDatabase,
    database: Database,
    keyring: EngineParts['keyring'],
    project: string,
    asset: string,
    over: Partial<EngineParts> = {},
  ) {
    super(database)
    this.own = own
    this.project = project
    this.asset = asset
    const { log } = aroundOf(database)
    this.carrying = { database, log, backoff: new RetryBackoff() }
    this.parts = {
      keyring,
      record: async (tx, events) => {
        for (const event of events) await record(tx, event)
      },
      recording,
      runners: { want: wantRunner, letGo: letRunnerGo },
      maintenanceMode: async () => this.maintenance,
      superusers: async () => this.superusers,
      storeResult: (...given) => this.storeResult(...given),
      lateTrees: { make: async () => {}, stop: async () => false },
      continued: async (_tx, _activity, due) => ({ going: due, later: [] }),
      ...over,
    }
  }

  /** A change with this tree, ready for admission. */
  async change(
    tree: StepDefinition,
    over: Partial<Omit<NewActivity, 'settings'>> & { settings?: Partial<ActivitySettings> } = {},
  ) {
    return this.database.transaction(async tx => {
      const id = await createActivity(tx, {
        kind: 'change',
        nodeId: this.asset,
        projectId: this.project,
        path: '/projects/bank/assets/web',
        name: `change ${randomBytes(6).toString('hex')}`,
        createdBy: 'ada',
        userId: null,
        ...over,
        settings: { ...usualSettings, ...over.settings },
      })
      await insertTree(tx, this.parts.keyring, id, tree)
      await makeReady(tx, id)
      return id
    })
  }

  /** A retry of an ended change; by default of the same tree, with all of its approvals. */
  async retry(
    from: string,
    how: {
      before?: (ended: EndedStep) => EndedStep
      tree?: (before: EndedStep) => StepDefinition
      counts?: ApprovalsThatCount
      isSkipped?: ((fullPath: string) => boolean) | undefined
      name?: string
      settings?: Partial<ActivitySettings>
    } = {},
  ): Promise<{ id: string; kept: number; again: number }> {
    return this.database.transaction(async tx => {
      const ended = (await endedTree(tx, this.parts.keyring, from))!
      const before = how.before?.(ended) ?? ended
      const id = await createActivity(tx, {
        kind: 'change',
        nodeId: this.asset,
        projectId: this.project,
        path: '/projects/bank/assets/web',
        name: how.name ?? `change ${randomBytes(6).toString('hex')}`,
        createdBy: 'ada',
        userId: null,
        settings: { ...usualSettings, ...how.settings },
      })
      const { kept, again } = await insertRetry(tx, this.parts.keyring, {
        from,
        to: id,
        before,
        tree: how.tree?.(before) ?? before,
        counts: how.counts ?? ((_, given) => given),
        isSkipped: how.isSkipped,
      })
      await makeReady(tx, id)
      return { id, kept, again }
    })
  }

  /** Admits like the admission loop, until it finds nothing more. */
  async admit() {
    while ((await admit(this.parts, this.carrying)) !== 'no');
  }

  /** Lets the connected runners of steps claim what they may. By the full paths of the steps. */
  async takeUp(activityId: string): Promise<Record<string, ClaimedStep>> {
    const runners = Object.values(await this.runnersOfSteps(activityId))
    const taken = await Promise.all(runners.map(({ id, stepId }) => this.claim(activityId, id, { stepId })))
    return Object.fromEntries(taken.flat().map(held => [held.full_path, held]))
  }

  claim(activityId: string, runnerId: string, { limit = 100, stepId }: Partial<Claimer> = {}): Promise<ClaimedStep[]> {
    const claimer: Claimer = { runnerId, limit, ...(stepId && { stepId }) }
    return this.database.transaction(async tx =>
      (await isGone(tx, runnerId)) ? [] : claimQueuedSteps(this.parts, tx, { activityId, ...claimer }),
    )
  }

  /** Reports one result, and returns the steps that the runner got for it. */
  async report(held: ClaimedStep, over: Partial<Result> = {}, runnerId?: string) {
    const { verdicts, claimed } = await this.reports(held.activity_id, [result(held, over)], runnerId)
    return { verdict: verdicts[0]!, claimed }
  }

  reports(
    activityId: string,
    results: Result[],
    runnerId?: string,
  ): Promise<{ verdicts: Verdict[]; claimed: ClaimedStep[] }> {
    const claimer = runnerId === undefined ? {} : { claimer: { runnerId, limit: 100 } }
    return this.database.transaction(async tx =>
      runnerId !== undefined && (await isGone(tx, runnerId))
        ? { verdicts: [], claimed: [] }
        : applyResults(this.parts, tx, { activityId, results, ...claimer }),
    )
  }

  timers() {
    return fireTimers(this.parts, this.carrying)
  }

  cancel(id: string): Promise<CancelAnswer> {
    return this.database.transaction(tx => requestCancel(this.parts, tx, id, { userId: null, username: 'bob' }))
  }

  /** Undefined if the step no longer waits, or the approval does not count. */
  approve(activityId: string, fullPath: string, username: string): Promise<{ goesOn: boolean } | undefined> {
    return this.decide(activityId, fullPath, async (tx, held) => {
      const decider = { userId: null, username, groupnames: [], isProgram: false }
      const standing = approvalBy(decider, approvableOf(held.step))
      if (!('counts' in standing)) return undefined
      return approveStep(this.parts, tx, held, decider, { rules: standing.counts })
    })
  }

  reject(activityId: string, fullPath: string, username: string): Promise<true | undefined> {
    return this.decide(activityId, fullPath, async (tx, held) => {
      await rejectStep(this.parts, tx, held, { userId: null, username }, { message: 'not today' })
      return true as const
    })
  }

  goOn(activityId: string, fullPath: string): Promise<true | undefined> {
    return this.decide(activityId, fullPath, async (tx, held) => {
      await continueStep(this.parts, tx, held, { userId: null, username: 'bob' })
      return true as const
    })
  }

  private decide<T>(
    activityId: string,
    fullPath: string,
    how: (tx: Tx, held: LockedStep) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    return this.database.transaction(async tx => {
      const row = await tx.one(sql<{ id: string }>`
        select id from steps where activity_id = ${activityId} and full_path = ${fullPath}`)
      const held = await lockStep(tx, { id: row!.id, activity_id: activityId })
      return held?.step.status === 'waiting' ? how(tx, held) : undefined
    })
  }

  pause(id: string): Promise<PauseAnswer> {
    return this.database.transaction(tx => requestPause(this.parts, tx, id, { username: 'bob' }))
  }

  resume(id: string): Promise<PauseAnswer> {
    return this.database.transaction(tx => requestResume(this.parts, tx, id))
  }

  breakOff(id: string, reason: string): Promise<void> {
    return this.database.transaction(tx => breakActivity(this.parts, tx, id, reason))
  }

  /** Resolves the loss of its runners, or of one of them, as the loop for lost runners would. */
  async lose(activityId: string, runnerId?: string) {
    const rows = await this.database.rows(sql<{ id: string }>`
      select id from runners
       where activity_id = ${activityId} and status <> 'gone' and id = coalesce(${runnerId ?? null}::uuid, id)
       order by id`)
    for (const { id } of rows) {
      await this.database.transaction(async tx => {
        await tx.one(sql`select from runners where id = ${id} for update`)
        const lost = await tx.one(sql<{ stepId: string | null }>`
          update runners set status = 'gone' where id = ${id} and status <> 'gone' returning step_id as "stepId"`)
        if (lost)
          await resolveLostRunner(this.parts, tx, { ...lost, runnerId: id, activityId, reason: 'its process is gone' })
      })
    }
  }

  moveClock(interval: string) {
    return moveClock(this.own, interval)
  }

  async limit(limit: number) {
    await this.database.count(sql`update slot_pools set configured_limit = ${limit} where pool = 'runner'`)
  }

  /** No activity is left, and no slot is taken. */
  async clear() {
    for (const table of ['slot_claims', 'activities', 'name_checks']) {
      await this.database.count(sql`delete from ${sql.table(table)}`)
    }
    await this.database.count(sql`update slot_pools set used = 0`)
  }

  async end() {
    await this.database.end()
    await this.own.drop()
  }
}

export const result = (held: ClaimedStep, over: Partial<Result> = {}): Result => ({
  type: 'result',
  stepId: held.id,
  attempt: held.attempt,
  fence: held.fence,
  seq: 1,
  outcome: 'success',
  exitCode: 0,
  errorMessage: null,
  startedAt: '2026-11-21T00:00:00.000000Z',
  finishedAt: '2026-11-21T00:00:01.000000Z',
  propertiesDiffs: {},
  artefacts: [],
  ...over,
})

export const failed: Partial<Result> = { outcome: 'error', exitCode: 3, errorMessage: 'exit code 3' }

export async function node(
  database: Database,
  given: { node_type: string; code: string; parent?: string },
): Promise<string> {
  const path = given.parent ? `/projects/bank/assets/${given.code}` : `/projects/${given.code}`
  const row = await database.one(sql<{ id: string }>`
    with new as (select sluice_uuid7() as id)
    insert into nodes (id, node_type, code, name, project_type, parent_id, project_id, path, created_by)
    select id, ${given.node_type}, ${given.code}, ${given.code}, ${given.parent ? null : 'Enterprise'},
           ${given.parent ?? null}, coalesce(${given.parent ?? null}::uuid, id), ${path}, 'ada'
      from new
    returning id`)
  return row!.id
}

const wantRunner: EngineParts['runners']['want'] = (tx, { activityId, stepId, kind }) =>
  tx.count(sql`
    insert into runners (activity_id, step_id, kind) values (${activityId}, ${stepId}, ${kind}) on conflict do nothing`)

const letRunnerGo: EngineParts['runners']['letGo'] = (tx, activityId, stepIds) =>
  tx.count(sql`
    update runners set status = 'stopping'
     where activity_id = ${activityId} and status <> 'gone'
       and (step_id = any(${stepIds ? [...stepIds] : null}::uuid[]) or ${stepIds === undefined})`)

/** Locked like a runner's session, so that its loss waits meanwhile. */
async function isGone(tx: Tx, runnerId: string): Promise<boolean> {
  const runner = await tx.one(sql<{ gone: boolean }>`
    select status = 'gone' as gone from runners where id = ${runnerId} for key share`)
  return runner?.gone === true
}
