import assert from 'node:assert/strict'
import { inconsistencies } from '../../src/domain/steps/index.ts'
import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

/** State of the engine's tables, for tests. */
export class EngineState {
  readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  /** Full path → status of its steps. */
  async statuses(activityId: string): Promise<Record<string, string>> {
    const rows = await this.database.rows(sql<{ full_path: string; status: string }>`
      select full_path, status from steps where activity_id = ${activityId} order by tree_order`)
    return Object.fromEntries(rows.map(row => [row.full_path, row.status]))
  }

  async activity(id: string) {
    return (await this.database.one(
      sql<{
        status: string
        reported_status: string
        holds_slot: boolean
        head: boolean
        error_message: string | null
        cancelled_by: string | null
        n_running: number
        pause_state: string
        paused_by: string | null
        approved_by: { username: string; step: string }[]
        rejected_by: { username: string; step: string; message?: string }[]
      }>`select * from activities where id = ${id}`,
    ))!
  }

  async status(id: string): Promise<string> {
    return (await this.activity(id)).status
  }

  async events(activityId: string): Promise<string[]> {
    const rows = await this.database.rows(sql<{ told: string }>`
      select type || coalesce(' ' || (attributes ->> 'name'), '') as told
        from events where activity_id = ${activityId} order by id`)
    return rows.map(row => row.told)
  }

  runnerOf(activityId: string): Promise<string> {
    return this.database
      .one(sql<{ id: string }>`select id from runners where activity_id = ${activityId} and status = 'wanted'`)
      .then(row => row!.id)
  }

  /**
   * The runners of single steps, requested or connected, in the order of the tree, by the full paths of these steps.
   */
  async runnersOfSteps(activityId: string): Promise<Record<string, { id: string; stepId: string }>> {
    const rows = await this.database.rows(sql<{ id: string; stepId: string; full_path: string }>`
      select r.id, r.step_id as "stepId", s.full_path
        from runners r join steps s on s.id = r.step_id
       where r.activity_id = ${activityId} and r.status in ('wanted', 'starting', 'live')
       order by s.tree_order`)
    return Object.fromEntries(rows.map(({ full_path, ...runner }) => [full_path, runner]))
  }

  async slotsUsed(): Promise<number> {
    const row = await this.database.one(sql<{ used: number }>`select used from slot_pools where pool = 'runner'`)
    return row!.used
  }

  async consistent() {
    assert.deepEqual(await inconsistencies(this.database), [])
  }
}
