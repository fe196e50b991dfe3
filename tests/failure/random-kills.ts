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

/** Targets of kills. */
export type Victim = 'service' | 'supervisor' | 'executor' | 'PostgreSQL'

export interface ChaosReport {
  readonly seed: number
  /** Number of kills that hit something. */
  readonly kills: Readonly<Record<Victim, number>>
  /** Members that are missing if a run was aborted. */
  readonly changes?: number
  readonly attempts?: number
  readonly lines?: number
  readonly events?: number
  /** Outcomes of changes and steps: state → number. */
  readonly ended?: Readonly<Record<string, number>>
  /** Seconds from the last kill until everything had ended. */
  readonly settledSeconds: number
  readonly seconds: number
  /** Violations of promises of docs/failure.md. */
  readonly violations: readonly string[]
}

/**
 * Kills service, supervisors, executors and PostgreSQL by SIGKILL at random moments, under changes of every kind, until
 * `kills` of them have hit something; then waits for everything to end, and checks the promises.
 *
 * @param seed determines all choices and pauses; their effects depend on the machine
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
      // On a machine that is ten times slower, nothing would progress between kills.
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

/** Runners come and go by themselves; everything depends on the service and its database. */
const weighted: readonly Victim[] = [
  ...(['service', 'service', 'supervisor', 'supervisor', 'supervisor'] as const),
  ...(['executor', 'executor', 'PostgreSQL', 'PostgreSQL'] as const),
]

/** Each kills one process, or finds none. */
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
 * A runner whose process exists. The row of a dead one remains until a service notices, and its process number is soon
 * reused: threads have numbers too, and a signal to one ends its whole process.
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

/**
 * Notes which activities lost a runner, perhaps one that was a spare when it was chosen: a step fails with that, or
 * runs again.
 */
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

/** A client reads, and stays in its transaction: meanwhile no deleted row can be vacuumed. */
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

/**
 * Creates changes on every asset, and on the environment, one after the other, and sometimes a second that waits for
 * its turn.
 */
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
        // There is no promise about a change's progress during repeated kills.
        { seconds: Number.POSITIVE_INFINITY, pause: 100 },
      )
    }
  })
  // Reported by `stop`.
  for (const each of busy) each.catch(() => {})
  return {
    stop: async () => {
      stopping = true
      // All of them, even after one has failed: none may use what is being removed.
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
