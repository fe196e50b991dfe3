import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'

interface Look {
  readonly now: number
  readonly running: { readonly id: string; readonly contact: number | null }[]
  readonly admissible: string[]
  /** Steps that need a slot of their own, which is there. */
  readonly steps: string[]
}

/**
 * Looks each second, while everything is up: how long a step that ran at a fault takes to be adopted (its runner was
 * heard since) or resolved, and how long something that could start stands beside a free slot. Time in which a service
 * or PostgreSQL is away counts for neither.
 */
export class Watch {
  readonly #database: Database
  readonly #stop = new AbortController()
  readonly #looking: Promise<void>
  /** Attempts that ran at a fault, by `step/attempt`: the database's clock at the end of the fault, and seconds since. */
  readonly #unheard = new Map<string, { since: number; seconds: number }>()
  readonly #idle = new Map<string, number>()
  #last: Look | undefined
  #away = 0
  #faultEnded = false
  slowestAdoption = 0
  longestBesideAFreeSlot = 0
  /** What that was, and when it was over. */
  #besideAFreeSlot = ''
  looks = 0

  constructor(database: Database) {
    this.#database = database
    this.#looking = this.#look()
  }

  /** Something is down until `work` has ended. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#away += 1
    try {
      return await work()
    } finally {
      this.#away -= 1
      this.#faultEnded = true
    }
  }

  async end(): Promise<string[]> {
    this.#stop.abort()
    await this.#looking
    const { slowestAdoption, longestBesideAFreeSlot } = this
    return [
      ...(slowestAdoption > 30
        ? [`a step that ran at a fault was neither adopted nor resolved for ${Math.round(slowestAdoption)} s`]
        : []),
      ...(longestBesideAFreeSlot > 31
        ? [
            `a change or a step that could start stood beside a free slot for ${Math.round(longestBesideAFreeSlot)} s: ${this.#besideAFreeSlot}`,
          ]
        : []),
    ]
  }

  async #look(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      await pause(1_000, undefined, { signal }).catch(() => {})
      const began = performance.now()
      const whole = this.#away === 0
      const look = await this.#ask().catch(() => undefined)
      // What could not be asked in time says nothing of the time.
      if (!look || !whole || this.#away > 0 || performance.now() - began > 5_000) this.#last = undefined
      else this.#judge(look)
    }
  }

  #judge(look: Look): void {
    this.looks += 1
    const passed = this.#last ? Math.min(look.now - this.#last.now, 5) : 0
    if (this.#faultEnded) {
      this.#faultEnded = false
      for (const { id } of look.running)
        if (!this.#unheard.has(id)) this.#unheard.set(id, { since: look.now, seconds: 0 })
    }
    const contacts = new Map(look.running.map(({ id, contact }) => [id, contact]))
    for (const [id, unheard] of this.#unheard) {
      const contact = contacts.get(id)
      if (contact === undefined || (contact !== null && contact > unheard.since)) this.#unheard.delete(id)
      else unheard.seconds += passed
      this.slowestAdoption = Math.max(this.slowestAdoption, unheard.seconds)
    }
    const admissible = new Set([...look.admissible, ...look.steps])
    for (const id of this.#idle.keys()) if (!admissible.has(id)) this.#idle.delete(id)
    for (const id of admissible) {
      this.#idle.set(id, (this.#idle.get(id) ?? -passed) + passed)
      if (this.#idle.get(id)! <= this.longestBesideAFreeSlot) continue
      this.longestBesideAFreeSlot = this.#idle.get(id)!
      this.#besideAFreeSlot = `${id}, until ${new Date(look.now * 1_000).toISOString()}`
    }
    this.#last = look
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
                 and (a.status = 'queued' or not exists (
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
