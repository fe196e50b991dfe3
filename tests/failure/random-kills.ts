import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../client/sluice.ts'
import { isAlive } from '../../src/domain/runners/drivers/process/process-name.adapter.ts'
import type { Tx } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { environment } from './project.ts'
import { broken } from './promises.ts'
import { readWitness } from './witness.ts'
import { FailureWorld } from './world.ts'

/** What may be killed. */
export type Victim = 'service' | 'supervisor' | 'executor' | 'PostgreSQL'

export interface ChaosReport {
  readonly seed: number
  /** Kills that hit something. */
  readonly kills: Readonly<Record<Victim, number>>
  /** These four are missing from a run that broke off. */
  readonly changes?: number
  readonly attempts?: number
  readonly lines?: number
  readonly events?: number
  /** How changes and steps ended: state → number. */
  readonly ended?: Readonly<Record<string, number>>
  /** From the last kill until everything had ended. */
  readonly settledSeconds: number
  readonly seconds: number
  /** What does not hold of what docs/failure.md promises. */
  readonly violations: readonly string[]
}

/**
 * Kills service, supervisors, executors and PostgreSQL by SIGKILL at random moments, under changes of every kind, until
 * `kills` of them have hit; then waits for everything to end, and asks what was promised.
 *
 * @param seed the same one makes the same choices and the same pauses; what they hit is up to the machine.
 */
export async function killAtRandom(kills: number, seed: number): Promise<ChaosReport> {
  const began = performance.now()
  const dice = diceOf(seed)
  const world = await FailureWorld.make({ span: 12, assets: 6, spares: 1 })
  let sum: Awaited<ReturnType<typeof sums>> | undefined
  let settledSeconds = 0
  const hits: Record<Victim, number> = { service: 0, supervisor: 0, executor: 0, PostgreSQL: 0 }
  let violations: string[] = []
  const load = keepBusy(world, dice)
  const reader = readIdly(world)
  try {
    const hit: string[] = []
    const total = () => Object.values(hits).reduce((sum, each) => sum + each, 0)
    while (total() < kills) {
      // On a machine that takes ten times as long for everything, nothing would get anywhere between kills.
      await pause((50 + dice(900)) * world.slowness)
      const victim = weighted[dice(weighted.length)]!
      if (await strike[victim](world, dice, hit)) hits[victim] += 1
    }
    const last = performance.now()
    await load.stop()
    await reader.stop()
    await world.ended(undefined, 180)
    await world.runnersAreGone()
    settledSeconds = (performance.now() - last) / 1_000
    await disturb(world, hit)
    violations = await broken(world.database, world.expected, readWitness(world.witness))
    sum = await sums(world)
  } catch (error) {
    violations.push(`the run broke off: ${(error as Error).stack}`, world.service.output().slice(-4_000))
    await load.stop().catch(() => {})
    await reader.stop()
  }
  const left = await world.remove().catch((error: Error) => [error.message])
  violations.push(...left.map(process => `left running: ${process}`))
  return { seed, kills: hits, ...sum, settledSeconds, seconds: (performance.now() - began) / 1_000, violations }
}

/** Runners come and go by themselves; the service and its database are what everything hangs on. */
const weighted: readonly Victim[] = [
  ...(['service', 'service', 'supervisor', 'supervisor', 'supervisor'] as const),
  ...(['executor', 'executor', 'PostgreSQL', 'PostgreSQL'] as const),
]

/** Each kills one, or finds none to kill. */
export const strike: Record<Victim, (world: FailureWorld, dice: Dice, hit: string[]) => Promise<boolean>> = {
  service: async world => {
    await world.kill()
    await world.start()
    return true
  },
  PostgreSQL: async world => {
    const pid = world.postmaster
    return pid !== undefined && signal(pid)
  },
  supervisor: async (world, dice, hit) => {
    const runner = await oneOf(world, dice)
    if (!runner || !signal(runner.pid)) return false
    hit.push(runner.id)
    return true
  },
  executor: async (world, dice, hit) => {
    const runner = await oneOf(world, dice)
    const pid = runner && childrenOf(runner.pid).find(({ command }) => /executor\.[jt]s/.test(command))?.pid
    if (!pid || !signal(pid)) return false
    hit.push(runner.id)
    return true
  },
}

interface RunnerProcess {
  id: string
  pid: number
  started: number
}

/**
 * One whose process is still there. The row of one that has died stands until a service sees it, and its number soon is
 * somebody else's: threads have numbers too, and a signal to one ends its whole process.
 */
async function oneOf(world: FailureWorld, dice: Dice): Promise<RunnerProcess | undefined> {
  const runners = await world.database
    .rows(sql<RunnerProcess>`
      select id, pid, pid_started as started
        from runners where status in ('live', 'stopping') and pid is not null order by id`)
    // PostgreSQL was just killed.
    .catch(() => [])
  const runner = runners.length === 0 ? undefined : runners[dice(runners.length)]!
  return runner && isAlive(runner) ? runner : undefined
}

/** Its runner died, which may have been a spare one when it was chosen: a step fails with that, or runs again. */
export async function disturb(world: FailureWorld, runnerIds: readonly string[]): Promise<void> {
  const rows = await world.database.rows(sql<{ id: string }>`
    select activity_id as id from runners where id = any(${[...runnerIds]}::uuid[]) and activity_id is not null`)
  for (const { id } of rows) {
    const { ends } = world.expected.get(id)!
    world.expected.set(id, { ends: [...ends, 'error'], undisturbed: false })
  }
}

function signal(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

function childrenOf(parent: number): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(ppid) === parent
          ? [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }]
          : []
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

/** Somebody reads, and stays in the transaction: nothing that anybody deletes can be swept up meanwhile. */
function readIdly({ database }: FailureWorld): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const read = async () => {
    while (!stopping.signal.aborted) {
      const stay = async (tx: Tx) => {
        await tx.one(sql`select count(*) from activities`)
        await pause(5_000, undefined, { signal: stopping.signal }).catch(() => {})
      }
      // PostgreSQL was killed, and is back in a moment.
      await database.transaction(stay, { readOnly: true }).catch(() => pause(200))
    }
  }
  const reading = read()
  return {
    stop: async () => {
      stopping.abort()
      await reading
    },
  }
}

const actions = ['tree', 'tree', 'tree', 'short', 'keeping', 'waiting', 'growing'] as const

/** On every asset, and on the environment, one change after the other, and sometimes a second that waits for its turn. */
function keepBusy(world: FailureWorld, dice: Dice): { stop(): Promise<void> } {
  let stopping = false
  const busy = [...world.assets, environment].map(async on => {
    while (!stopping) {
      const many = 1 + dice(2)
      const made = await Promise.all(
        Array.from({ length: many }, () =>
          world.change({
            action: actions[dice(actions.length)]!,
            on,
            restart: dice(2) === 0,
            alone: dice(4) === 0,
          }),
        ),
      )
      await until(
        'they end',
        () => world.unfinished(made).catch(() => undefined),
        left => stopping || left?.length === 0,
        // Nothing is promised of how far a change gets while everything is killed again and again.
        { seconds: Number.POSITIVE_INFINITY, pause: 100 },
      )
    }
  })
  // Told by `stop`.
  for (const each of busy) each.catch(() => {})
  return {
    stop: async () => {
      stopping = true
      // All of them, also when one has failed: none may ask what is being removed.
      const failed = (await Promise.allSettled(busy)).find(each => each.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

export async function sums(world: FailureWorld) {
  const { database } = world
  const counted = (await database.one(sql<{ changes: number; attempts: number; lines: number; events: number }>`
    select (select count(*)::int from activities)          as changes,
           (select sum(attempt)::int from steps)           as attempts,
           (select sum(line_count)::int from log_chunks)   as lines,
           (select count(*)::int from events)              as events`))!
  const ended = await database.rows(sql<{ what: string; number: number }>`
    select 'changes: ' || status as what, count(*)::int as number from activities group by status
    union all
    select 'steps: ' || status, count(*)::int from steps group by status
    order by 1`)
  return { ...counted, ended: Object.fromEntries(ended.map(({ what, number }) => [what, number])) }
}
