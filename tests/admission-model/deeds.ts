import { record } from '../../src/domain/events/index.ts'
import { lockSwitch, switchMaintenance } from '../../src/domain/settings/maintenance.store.ts'
import type { StepDefinition } from '../../src/domain/steps/index.ts'
import {
  admit,
  createActivity,
  endedTree,
  fireTimers,
  insertRetry,
  insertTree,
  makeReady,
  requestCancel,
  requestPause,
  requestResume,
  setSlotLimits,
} from '../../src/domain/steps/index.ts'
import { theService } from '../../src/platform/actor.ts'
import type { Tx } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type EngineWorld, failed, usualSettings } from '../support/engine-world.ts'
import { stage, step, wait } from '../support/step-trees.ts'
import { poolOf, stepsAtOnce, type User, type What, type Wish } from './history.ts'

export const idOfUser: Readonly<Record<User, string>> = {
  ada: '00000000-0000-7000-8000-00000000000a',
  eve: '00000000-0000-7000-8000-00000000000e',
  root: '00000000-0000-7000-8000-00000000000f',
}

const trees: Readonly<Record<Wish['tree'], StepDefinition>> = {
  step: step('a'),
  'two steps': stage('r', [step('a'), step('b')]),
  'three beside': stage('r', [step('a'), step('b'), step('c')], { child_execution_strategy: 'parallel' }),
  'wait first': stage('r', [wait('w'), step('a')]),
  'wait between': stage('r', [step('a'), wait('w'), step('b')]),
  'timer between': stage('r', [step('a'), wait('w', { wait: { seconds: 60 } }), step('b')]),
  'wait beside': stage('r', [step('a'), wait('w')], { child_execution_strategy: 'parallel' }),
}

/** Target of a deed. */
export interface DeedContext {
  readonly world: EngineWorld
  readonly nodes: readonly string[]
  /** The activity that the deed names, if there is one. */
  readonly id: string
  /** Tag by which an activity is found again, whatever happens to the process. */
  readonly tag: string
  /** Tag of the retried activity. */
  readonly wish: Wish | undefined
}

type Deeds = { readonly [Do in What['do']]: (around: DeedContext, what: Extract<What, { do: Do }>) => Promise<unknown> }

/** Each deed uses the same calls as the service. */
export const deeds: Deeds = {
  create: async ({ world, nodes, tag }, { wish, ready }) => {
    const id = await world.database.transaction(async tx => {
      const id = await create(tx, { world, nodes, tag }, wish)
      await insertTree(tx, world.parts.keyring, id, trees[wish.tree])
      return id
    })
    if (ready) await world.database.transaction(tx => makeReady(tx, id))
  },
  retry: async ({ world, nodes, tag, id: from, wish }, { ready }) => {
    const { keyring } = world.parts
    const id = await world.database.transaction(async tx => {
      const before = (await endedTree(tx, keyring, from))!
      const to = await create(tx, { world, nodes, tag }, wish!)
      await insertRetry(tx, keyring, { from, to, before, tree: before, counts: (_, given) => given })
      return to
    })
    if (ready) await world.database.transaction(tx => makeReady(tx, id))
  },
  ready: ({ world, id }) => world.database.transaction(tx => makeReady(tx, id)),
  admit: ({ world }) => admit(world.parts, world.carrying),
  timers: ({ world }) => fireTimers(world.parts, world.carrying),
  claim: async ({ world, id }) =>
    (await hasSlotsOfSteps(world, id)) ? world.takeUp(id) : world.claim(id, await runnerOf(world, id)),
  report: async ({ world, id }, { outcome }) => {
    const held = await world.database.rows(sql<{ id: string; activity_id: string; attempt: number; fence: number }>`
      select id, activity_id, attempt, fence
        from steps where activity_id = ${id} and status = 'running' and body = 'open'`)
    const runner = (await hasSlotsOfSteps(world, id)) ? undefined : await runnerOf(world, id)
    for (const each of held) {
      const unused = { action: null, step_name: '', full_path: '', definition: null }
      await world.report({ ...each, ...unused }, outcome === 'error' ? failed : {}, runner)
    }
  },
  lose: ({ world, id }) => world.lose(id),
  'go on': async ({ world, id }) => {
    const waiting = await world.database.one(sql<{ full_path: string }>`
      select full_path from steps where activity_id = ${id} and status = 'waiting' limit 1`)
    if (waiting) await world.goOn(id, waiting.full_path)
  },
  cancel: ({ world, id }) =>
    world.database.transaction(tx => requestCancel(world.parts, tx, id, { userId: null, username: 'bob' })),
  pause: ({ world, id }) => world.database.transaction(tx => requestPause(world.parts, tx, id, { username: 'bob' })),
  resume: ({ world, id }) => world.database.transaction(tx => requestResume(world.parts, tx, id)),
  limit: ({ world }, { pool, limit }) => world.database.transaction(tx => setSlotLimits(tx, { [pool]: limit })),
  maintenance: ({ world }, { mode }) =>
    world.database.transaction(async tx => {
      await lockSwitch(tx)
      await switchMaintenance(tx, mode, theService, event => record(tx, event))
    }),
  superuser: ({ world }, { user, is }) =>
    is
      ? world.database.count(sql`insert into testing.superusers values (${idOfUser[user]}) on conflict do nothing`)
      : world.database.count(sql`delete from testing.superusers where id = ${idOfUser[user]}`),
  clock: ({ world }, { minutes }) =>
    world.database.count(sql`update testing.clock set ahead = ahead + make_interval(mins => ${minutes})`),
}

async function create(
  tx: Tx,
  { world, nodes, tag }: Pick<DeedContext, 'world' | 'nodes' | 'tag'>,
  wish: Wish,
): Promise<string> {
  const runAt = await tx.one(sql<{ at: string }>`select sluice_now() + make_interval(mins => ${wish.startIn}) as at`)
  return createActivity(tx, {
    kind: wish.kind,
    nodeId: nodes[wish.node]!,
    projectId: world.project,
    path: `/projects/bank/assets/n${wish.node}`,
    pool: poolOf(wish),
    // The same name in another case is the same name.
    name: tag.endsWith('1') ? `Name ${wish.name}` : `name ${wish.name}`,
    createdBy: tag,
    userId: idOfUser[wish.user],
    underWay: wish.underWay,
    runAt: wish.startIn > 0 ? runAt!.at : null,
    settings: {
      ...usualSettings,
      allowSameName: wish.allowSameName,
      allowParallel: wish.allowParallel,
      onRunnerLost: wish.onRunnerLost,
      podPerStep: wish.stepwise,
      parallelSteps: stepsAtOnce,
    },
  })
}

/** Whether the steps of an activity have slots of their own. Those of runs have none. */
async function hasSlotsOfSteps({ database }: EngineWorld, id: string): Promise<boolean> {
  const row = await database.one(sql<{ pod_per_step: boolean }>`select pod_per_step from activities where id = ${id}`)
  return row?.pod_per_step === true
}

/** The runner of an activity; for one without a runner a new one, as its next claim would bring. */
async function runnerOf({ database }: EngineWorld, id: string): Promise<string> {
  await database.count(sql`insert into runners (activity_id, kind) values (${id}, 'process') on conflict do nothing`)
  const row = await database.one(sql<{ id: string }>`
    select id from runners where activity_id = ${id} and status in ('wanted', 'starting', 'live')`)
  return row?.id ?? runnerOf({ database } as EngineWorld, id)
}
