import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newInstallation, type ServiceProcess } from '../main-job/service-process.ts'
import { type Dice, diceOf } from '../support/dice.ts'
import { Load } from './chaos-load.ts'
import { expectWhatRunsMade, propertiesOfRuns, publishWorkflows, settingsOfRuns } from './chaos-runs.ts'
import { Cluster, sameRootKey } from './cluster.ts'
import { broken } from './promises.ts'
import { disturb, strike, sums } from './random-kills.ts'
import { whileSomethingEnds } from './stand-still.ts'
import { Watch } from './watch.ts'
import { readWitness } from './witness.ts'
import { FailureWorld } from './world.ts'

export interface ChaosWish {
  readonly changes: number
  readonly minutes: number
  /** Seed of all choices; their effects depend on the machine. */
  readonly seed: number
  /** Each fault once, in random order, and then none, however many minutes changes are requested for. */
  readonly eachFaultOnce?: boolean
}

type Fault =
  | 'service killed'
  | 'other service killed'
  | 'supervisor killed'
  | 'executor killed'
  | 'PostgreSQL killed'
  | 'PostgreSQL away for 20 s'
  | 'failover to the replica'
  | 'no connection to be had for 10 s'
  | 'reader idle in a transaction for 60 s'

/** Faults with their weights; those that stop everything for long are rare. */
const weighted: readonly Fault[] = [
  ...Array<Fault>(8).fill('service killed'),
  ...Array<Fault>(8).fill('other service killed'),
  ...Array<Fault>(12).fill('supervisor killed'),
  ...Array<Fault>(8).fill('executor killed'),
  ...Array<Fault>(6).fill('PostgreSQL killed'),
  ...Array<Fault>(2).fill('PostgreSQL away for 20 s'),
  ...Array<Fault>(2).fill('failover to the replica'),
  ...Array<Fault>(2).fill('no connection to be had for 10 s'),
  ...Array<Fault>(2).fill('reader idle in a transaction for 60 s'),
]

/**
 * Two services, one of them with a clock that is ten minutes fast, on a PostgreSQL with a replica; changes of every
 * kind; and faults at random moments for a number of minutes. Then everything may end, and the promises are checked.
 */
export async function chaos(
  { changes, minutes, seed, eachFaultOnce = false }: ChaosWish,
  told: (line: string) => void,
) {
  const began = performance.now()
  const dice = diceOf(seed)
  const cluster = await Cluster.start()
  const database = {
    SLUICE_DATABASE_URL: cluster.appUrl,
    SLUICE_DATABASE_DIRECT_URL: cluster.ownerUrl,
    SLUICE_RATE_LIMIT: '100000',
    ...settingsOfRuns,
  }
  const world = await FailureWorld.make({
    span: 4,
    assets: 24,
    spares: 2,
    properties: propertiesOfRuns,
    environment: database,
    databaseUrl: cluster.ownerUrl,
  }).catch(async error => {
    await cluster.remove()
    throw error
  })
  const second = await newInstallation(folder => {
    sameRootKey(join(world.folder, 'data'), join(folder, 'data'))
    return {
      ...database,
      SLUICE_LOG_LEVEL: 'warn',
      SERVICE_OVERRIDE_RUNNER__SPARES: '2',
      NODE_OPTIONS: `--import ${join(import.meta.dirname, 'skewed-clock.ts')}`,
    }
  })
  const violations: string[] = []
  const faults: Partial<Record<Fault, number>> = {}
  let watch: Watch | undefined
  let other: Restarted | undefined
  let load: Load | undefined
  let sum: Awaited<ReturnType<typeof sums>> | undefined
  let settledSeconds = 0
  try {
    await publishWorkflows(world)
    other = new Restarted(await second.start(), () => second.start())
    world.elsewhere = other.service.url
    watch = new Watch(world.database)
    load = new Load(world, dice, { changes, minutes })
    const ground = { world, cluster, other, watch, load, dice, faults, told }
    const hit = await strikeAll(eachFaultOnce ? eachOnce(dice) : randomFor(minutes * 60_000, dice), ground)
    told(`the last fault is over; ${load.begun} of ${changes} were made`)
    const last = performance.now()
    await whileSomethingEnds(world, 300, load.made)
    await expectWhatRunsMade(world)
    await world.ended(undefined, 300)
    await world.runnersAreGone()
    settledSeconds = (performance.now() - last) / 1_000
    await disturb(world, hit)
    violations.push(...(await broken(world.database, world.expected, readWitness(world.witness))))
    sum = await sums(world)
  } catch (error) {
    violations.push(`the run broke off: ${(error as Error).stack}`, world.service.output().slice(-4_000))
  }
  const tooLong = (await watch?.end()) ?? []
  const left = await end(world, second, cluster)
  const said = [world.service, ...(other ? [other.service] : [])].map(({ output }) => output().slice(-2_000))
  violations.push(...left, ...(left.length > 0 ? said : []))
  return {
    seed,
    minutes,
    faults,
    asked: load?.sums,
    ...sum,
    looks: watch?.seen.count,
    slowestAdoptionSeconds: watch?.seen.slowestAdoption,
    longestBesideAFreeSlotSeconds: watch?.seen.longestBesideAFreeSlot,
    settledSeconds,
    seconds: (performance.now() - began) / 1_000,
    tooLong,
    violations,
  }
}

/** A service that is restarted. */
class Restarted {
  service: ServiceProcess
  readonly #start: () => Promise<ServiceProcess>

  constructor(service: ServiceProcess, start: () => Promise<ServiceProcess>) {
    this.service = service
    this.#start = start
  }

  async kill(): Promise<void> {
    await this.service.kill()
    this.service = await this.#start()
  }
}

interface Ground {
  readonly world: FailureWorld
  readonly cluster: Cluster
  readonly other: Restarted
  readonly watch: Watch
  readonly load: Load
  readonly dice: Dice
  readonly faults: Partial<Record<Fault, number>>
  readonly told: (line: string) => void
}

function* randomFor(milliseconds: number, dice: Dice): Generator<Fault> {
  const until = performance.now() + milliseconds
  while (performance.now() < until) yield weighted[dice(weighted.length)]!
}

/** The reader first: it takes longest, and a killed PostgreSQL ends it. */
function* eachOnce(dice: Dice): Generator<Fault> {
  const reader = 'reader idle in a transaction for 60 s'
  const left = [...new Set(weighted)].filter(fault => fault !== reader)
  yield reader
  while (left.length > 0) yield* left.splice(dice(left.length), 1)
}

/** Strikes all faults; returns the runners that were hit. */
async function strikeAll(faultsToCome: Iterable<Fault>, ground: Ground): Promise<string[]> {
  const { world, cluster, other, watch, load, dice, faults, told } = ground
  const hit: string[] = []
  const readers: Promise<void>[] = []
  const how: Record<Fault, () => Promise<boolean | undefined>> = {
    'service killed': () => watch.during(() => strike.service(world, dice, hit)),
    'other service killed': () => watch.during(() => done(other.kill())),
    'supervisor killed': () => watch.during(() => strike.supervisor(world, dice, hit)),
    'executor killed': () => watch.during(() => strike.executor(world, dice, hit)),
    'PostgreSQL killed': () => watch.during(() => done(cluster.kill())),
    'PostgreSQL away for 20 s': () => watch.during(() => done(cluster.awayFor(20_000))),
    'failover to the replica': () => watch.during(() => done(cluster.failOver())),
    'no connection to be had for 10 s': () => watch.during(() => done(cluster.exhaust(10_000))),
    'reader idle in a transaction for 60 s': async () => {
      // It reads during everything else; a killed PostgreSQL ends it.
      readers.push(cluster.idleReader(60_000).catch(() => {}))
      return true
    },
  }
  for (const fault of faultsToCome) {
    let from: number
    // Sometimes there is no target.
    do {
      await pause(500 + dice(5_000))
      from = performance.now()
    } while (!(await how[fault]()))
    faults[fault] = (faults[fault] ?? 0) + 1
    told(`${fault}, for ${Math.round(performance.now() - from)} ms; ${load.begun} made so far`)
  }
  await Promise.all(readers)
  return hit
}

const done = (work: Promise<unknown>): Promise<true> => work.then(() => true as const)

async function end(
  world: FailureWorld,
  second: Awaited<ReturnType<typeof newInstallation>>,
  cluster: Cluster,
): Promise<string[]> {
  const wrong: string[] = []
  const attempt = (work: Promise<unknown>) => work.catch((error: Error) => wrong.push(error.message))
  await attempt(second.remove())
  const left = await world.remove().catch((error: Error) => [error.message])
  await attempt(cluster.remove())
  rmSync(second.folder, { recursive: true, force: true })
  return [...wrong, ...left.map(process => `left running: ${process}`)]
}
