import { randomUUID } from 'node:crypto'
import { until } from '../../client/sluice.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Given } from './asking.ts'
import type { Expected } from './promises.ts'

/** Requirements of runs on the installation that is killed. */
interface World {
  readonly database: Database
  readonly expected: Map<string, Expected>
  ask(method: string, path: string, given?: Given): Promise<unknown>
}

/** Runs of the workflow that runs `tree` on two assets at once, and then once more; for a world with two assets. */
export class AskedRuns {
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  /** Requests a run; returns its id. */
  async begin(): Promise<string> {
    const attributes = { parent_path: '/projects/w', workflow_code: 'both' }
    const asked = this.#world.ask('POST', '/api/workflow_runs', { key: randomUUID(), attributes })
    return ((await asked) as { data: { id: string } }).data.id
  }

  /** Waits until the steps of a run have created this number of changes. */
  async make(id: string, changes: number): Promise<void> {
    await until(
      'the run has made its changes',
      () => this.#madeBy(id),
      made => made.length >= changes,
      { pause: 20 },
    )
  }

  async are(id: string, pauseState: string): Promise<void> {
    const read = () =>
      this.#world.database.one(sql<{ pause_state: string }>`select pause_state from activities where id = ${id}::uuid`)
    await until(`the run is ${pauseState}`, read, run => run?.pause_state === pauseState, { seconds: 60, pause: 50 })
  }

  /** Waits until a run has this outcome, with one change for each of its steps, and checks each change. */
  async end(id: string, status: string): Promise<void> {
    const read = () =>
      this.#world.database
        .one(sql<{ status: string; final: boolean }>`select status, final from activities where id = ${id}::uuid`)
        .catch(() => undefined)
    const run = await until('the run ends', read, row => row?.final === true, { seconds: 90, pause: 50 })
    if (run?.status !== status) throw new Error(`the run ended as ${run?.status}, not as ${status}`)
    const made = await this.#madeBy(id)
    if (new Set(made.map(change => change.step)).size !== made.length || (status === 'success' && made.length !== 3))
      throw new Error(`the run has made ${JSON.stringify(made)}`)
    for (const change of made) this.#world.expected.set(change.id, { ends: [status], undisturbed: true })
  }

  #madeBy(id: string): Promise<{ id: string; step: string }[]> {
    return this.#world.database.rows(sql<{ id: string; step: string }>`
      select m.id, s.full_path as step
        from steps s join activities m on m.workflow_step_id = s.id
       where s.activity_id = ${id}::uuid`)
  }
}
