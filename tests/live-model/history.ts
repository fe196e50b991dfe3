import { sql } from '../../src/platform/db/sql.ts'
import type { Dice } from '../support/dice.ts'
import type { Followed, Listener } from './listener.ts'
import type { Walk } from './walk.ts'
import type { LiveWorld } from './world.ts'

/** Weight of a deed, and the deed: returns its description, or undefined if there is no target. */
export type Deed = readonly [weight: number, does: (history: History) => Promise<string | undefined>]
export type Deeds = Readonly<Record<string, Deed>>

/** Random deeds while streams are followed. */
export class History {
  readonly world: LiveWorld
  readonly dice: Dice
  readonly listeners: Listener[] = []
  readonly walks: Walk[] = []
  /** Activities started in it, which can be followed. */
  readonly begun: Required<Followed>[] = []
  readonly told: string[] = []

  constructor(world: LiveWorld, dice: Dice) {
    this.world = world
    this.dice = dice
  }

  pick = <T>(among: readonly T[]): T | undefined => among[this.dice(Math.max(1, among.length))]

  async goesOn(deeds: Deeds, times: number): Promise<void> {
    const weighed = Object.entries(deeds).flatMap(([what, deed]) => Array(deed[0]).fill([what, deed] as const))
    for (const what of ['begin', 'begin', 'take', ...Array<string>(6).fill('listen')])
      await this.happens(what, deeds[what]!)
    for (let at = 0; at < times; at += 1) {
      const [what, deed] = this.pick(weighed)!
      await this.happens(what, deed)
    }
  }

  private async happens(what: string, [, does]: Deed): Promise<void> {
    this.told.push(what)
    const how = await does(this)
    this.told.pop()
    if (how !== undefined) this.told.push(`${what} ${how}`)
  }

  async dials(listener: Listener): Promise<void> {
    const { address, isAlive } = this.pick(this.world.places())!
    await listener.dials(address, isAlive)
  }

  open(): Promise<{ id: string; kind: string; path: string }[]> {
    return this.world.database.rows(sql`
      select id, kind::text as kind, path from activities where not final order by number`)
  }

  /** Steps that wait for a person. */
  waiting(): Promise<{ id: string; list: string }[]> {
    return this.world.database.rows(sql`
      select s.id, case a.kind when 'change' then 'steps' else 'workflow_steps' end as list
        from steps s join activities a on a.id = s.activity_id
       where s.status = 'waiting' and not a.final and a.pause_state = 'none' and a.cancel_requested_at is null
         and s.step_type in ('wait', 'input')
       order by s.id`)
  }
}
