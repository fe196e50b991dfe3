import assert from 'node:assert/strict'
import { sealNext } from '../../src/domain/events/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { RunWorld } from '../run-model/world.ts'
import { sealEverything } from '../support/sealed-trail.ts'
import { withClient } from '../support/template-database.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'
import { published } from '../support/workflows.ts'
import { Engine } from './engine.ts'
import { movesSchema } from './moves.ts'
import { Person } from './person.ts'

/** Nested, parallel and waiting steps; steps added at run time are given when their parent ends. */
export const actions = {
  plain: 'run: "true"',
  pair: 'run_as: parallel, steps: [plain, { name: inner, run_as: parallel, steps: [plain, plain] }, plain]',
  asks: 'steps: [plain, { wait: Look }, { name: both, run_as: parallel, steps: [plain, plain] }]',
} as const
const workflow = `
steps:
  - { name: both, run_as: parallel, children: [{ target: environments/live/assets/front, action: pair, name: one }, { target: environments/live/assets/back, action: plain, name: two }] }
  - { type: wait, name: look }
  - { target: environments/live/assets/back, action: asks, name: last }
`
export const assets = ['front', 'back'].map(code => `/projects/shop/environments/live/assets/${code}`)

/** A process of the service that stays, and one that may be stopped; both act only when told. */
export class LiveWorld {
  readonly run: RunWorld
  readonly engine: Engine
  readonly people: readonly Person[]
  private second: WorkerProcess
  /** Times at which events up to a number were sealed. */
  private readonly seals: { upTo: number; at: number }[] = []

  private constructor(run: RunWorld, people: readonly Person[], second: WorkerProcess) {
    this.run = run
    this.engine = new Engine(run)
    this.people = people
    this.second = second
  }

  static async open(): Promise<LiveWorld> {
    const paths = { ann: ['/projects/shop'], dan: assets }
    const users = Object.entries(paths).map(([name, all]) => [name, all.map(path => ({ path, read: true }))] as const)
    const run = await RunWorld.open({ users: Object.fromEntries(users), actions })
    const { service, admin } = run
    await withClient(service.testDatabase.superuserUrl, database => database.query(movesSchema))
    const { body } = await admin.get('/api/system_configuration')
    const settings = `/api/settings/${body.data.relationships.settings.data.id}`
    assert.equal((await admin.patch(settings, { data: { on_runner_lost: 'restart' } })).status, 200)
    await published(admin, 'release', workflow)
    const people = await Promise.all(Object.entries(paths).map(([name, all]) => Person.known(admin, name, all)))
    return new LiveWorld(run, people, await startWorkerProcess(service, asApi))
  }

  get admin() {
    return this.run.admin
  }

  get database() {
    return this.run.service.database
  }

  /** Running processes: where to connect, and whether they still run. */
  places() {
    const first = { address: this.run.service.address, isAlive: () => true }
    const { second } = this
    return second.hasEnded() ? [first] : [first, { address: second.url, isAlive: () => !second.hasEnded() }]
  }

  /** Stops the second process: by SIGINT, or by a kill. */
  async loses(how: 'stop' | 'kill'): Promise<void> {
    if (how === 'kill') await this.second.kill()
    assert.deepEqual(await this.second.stop(), [])
  }

  async isWhole(): Promise<void> {
    if (this.second.hasEnded()) this.second = await startWorkerProcess(this.run.service, asApi)
  }

  seal = () => this.noting(() => this.database.transaction(sealNext))

  sealAll = () => this.noting(() => sealEverything(this.database))

  /** A time, in milliseconds of this process, before which this event was not sealed. */
  sealedAt = (seq: number): number => this.seals.find(({ upTo }) => seq <= upTo)?.at ?? 0

  private async noting<T>(seal: () => Promise<T>): Promise<T> {
    const at = performance.now()
    const done = await seal()
    const row = await this.database.one(
      sql<{ last: number }>`select coalesce(max(seq), 0)::int as last from event_seals`,
    )
    this.seals.push({ upTo: row!.last, at })
    return done
  }

  async stop(): Promise<void> {
    await this.engine.end()
    assert.deepEqual(await this.second.stop(), [])
    await this.run.stop()
  }
}

const asApi = { SLUICE_ROLE: 'api' }
