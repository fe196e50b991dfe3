import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type Look, Sightings } from './sightings.ts'

/**
 * Takes a sighting each second, while everything is up: how long a step that ran during a fault takes to be adopted
 * (its runner had contact since) or resolved, and how long a startable activity waits although a slot is free. Time
 * without a service or PostgreSQL does not count.
 */
export class Watch {
  readonly #database: Database
  readonly #stop = new AbortController()
  readonly #looking: Promise<void>
  readonly seen = new Sightings()
  #away = 0

  constructor(database: Database) {
    this.#database = database
    this.#looking = this.#look()
  }

  /** A process is down until `work` has ended. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#away += 1
    try {
      return await work()
    } finally {
      this.#away -= 1
      this.seen.faultEnded()
    }
  }

  async end(): Promise<string[]> {
    this.#stop.abort()
    await this.#looking
    return this.seen.tooLong()
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await pause(1_000, undefined, { signal }).catch(() => {})
      const began = performance.now()
      const whole = this.#away === 0
      const look = await this.#ask().catch(() => undefined)
      // A sighting that took too long yields no measurement.
      if (!look || !whole || this.#away > 0 || performance.now() - began > 5_000) this.seen.interrupted()
      else this.seen.see(look)
    }
  }

  async #ask(): Promise<Look> {
    const row = await this.#database.one(sql<Look>`
      select extract(epoch from sluice_now())::float8 as now,
             (select coalesce(json_agg(json_build_object(
                       'id', s.id || '/' || s.attempt, 'contact', extract(epoch from r.last_contact))), '[]')
                from steps s
                left join runners r on r.id = s.runner_id
               -- What makes a change or a run of its own waits for that, and has no runner.
               where s.status = 'running' and s.body = 'open' and s.step_type not in ('change', 'workflow')) as running,
             (select coalesce(json_agg(a.id), '[]')
                from activities a
                join slot_pools p on p.site = a.site and p.pool = a.pool
               where a.status in ('pending', 'queued') and a.pause_state = 'none' and p.used < p.configured_limit
                 and (a.status = 'queued' or a.run_at is null or a.run_at <= sluice_now())
                 and (a.status = 'queued' or a.allow_same_name or not exists (
                        select from activities x
                         where x.site = a.site and x.name_key = a.name_key and x.number < a.number and not x.final)))
               as admissible,
             (select coalesce(json_agg(s.id), '[]')
                from steps s
                join activities a on a.id = s.activity_id
                join slot_pools p on p.site = a.site and p.pool = a.pool
               -- Only these need slots of their own.
               where s.status = 'queued' and a.status = 'running' and a.pod_per_step and a.n_slots < a.parallel_steps
                 and a.pause_state = 'none' and a.cancel_requested_at is null and p.used < p.configured_limit
                 and not exists (select from slot_claims c where c.holder_id = s.id)) as steps`)
    return row!
  }
}
