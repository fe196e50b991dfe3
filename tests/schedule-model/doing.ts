import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { sql } from '../../src/platform/db/sql.ts'
import { created } from '../support/changes.ts'
import { ok, picked, refused } from './asking.ts'
import { changing } from './changing.ts'
import type { Done, Wish } from './history.ts'
import type { Judge } from './judge.ts'
import { settle } from './looking.ts'
import { Scheduled } from './scheduled.ts'
import { attributesOf, endsTooSoon, type Terms } from './terms.ts'
import type { ScheduleWorld } from './world.ts'

type Of<What extends Done['what']> = Extract<Done, { what: What }>

/** Deeds of people, through the API and in the judge. */
export class Doing {
  private readonly world: ScheduleWorld
  private readonly judge: Judge
  private readonly ids = new Map<string, string>()

  constructor(world: ScheduleWorld, judge: Judge) {
    this.world = world
    this.judge = judge
  }

  idOf = (label: string): string => this.ids.get(label)!

  goneIds = (): string[] => [...this.ids].filter(([label]) => this.judge.of(label).isGone).map(([, id]) => id)

  /** Undefined if there is no target. */
  does(deed: Done): Promise<string | undefined> {
    if (deed.what === 'make') return this.make(deed)
    if (deed.what === 'update') return this.update(deed)
    if (deed.what === 'delete') return this.delete(deed)
    if (deed.what === 'end' || deed.what === 'continue') return this.end(deed)
    if (deed.what === 'purge') return this.purge(deed)
    return changing(this.world, this.judge, deed)
  }

  private async make({ by, wish }: Of<'make'>): Promise<string | undefined> {
    const { judge, world } = this
    const terms = { ...wish, ...instants(wish, judge.now) }
    if (!judge.mayRun(by, wish.target) || !judge.isThere(wish.target) || judge.there.length > 3) return undefined
    const what = terms.target === 'workflow' ? { workflow_code: 'nightly' } : { action: 'ask' }
    const from = terms.target === 'environment' ? { git_remote_name: 'code' } : {}
    const attributes = { ...what, ...from, ...this.attributes(terms) }
    const asked = world.people.as(by).post(`${world.pathOf(terms.target)}/scheduled_activities`, attributes)
    const told = `by ${by}: ${JSON.stringify(attributes)}`
    if (endsTooSoon(undefined, terms, judge.now)) return `${told}: ${await refused(asked, 422)}`
    const label = `schedule ${this.ids.size + 1}`
    this.ids.set(label, (await created(asked)).id)
    judge.schedules.set(label, new Scheduled(by, terms, judge.now))
    return `${label} ${told}`
  }

  private async update({ which, part }: Of<'update'>): Promise<string | undefined> {
    const { judge, world } = this
    const label = picked(judge.there, which)
    if (label === undefined) return undefined
    const scheduled = judge.of(label)
    const { terms } = scheduled
    const wanted: Terms = { ...terms, ...part, ...instants(part, judge.now) }
    if (!isFitting(wanted)) return undefined
    const attributes = differing(this.attributes(terms), this.attributes(wanted))
    const asked = () => world.admin.patch(`/api/scheduled_activities/${this.idOf(label)}`, attributes)
    const told = `${label} ${JSON.stringify(attributes)}`
    if (!judge.isThere(terms.target)) return `${told}: ${await refused(asked(), 409)}`
    if (endsTooSoon(terms, wanted, judge.now)) return `${told}: ${await refused(asked(), 422)}`
    await ok(asked())
    if (!isDeepStrictEqual(terms, wanted)) scheduled.changes(wanted, judge.around(scheduled))
    return told
  }

  private async delete({ which }: Of<'delete'>): Promise<string | undefined> {
    const label = picked(this.judge.there, which)
    if (label === undefined) return undefined
    await ok(this.world.admin.delete(`/api/scheduled_activities/${this.idOf(label)}`))
    this.judge.of(label).isGone = true
    return label
  }

  private async end({ what, which }: Of<'end' | 'continue'>): Promise<string | undefined> {
    const one = picked(this.made(false), which)
    if (one === undefined) return undefined
    const { label, due, made } = one
    const { id, type } = await this.activity(label, due)
    const { owner, admin } = this.world
    const step = await owner.one(sql<{ id: string }>`
      select id from steps where activity_id = ${id}::uuid and status = 'waiting'`)
    if (what === 'continue' && !step) return undefined
    const steps = type === 'changes' ? 'steps' : 'workflow_steps'
    await ok(what === 'end' ? admin.delete(`/api/${type}/${id}`) : admin.post(`/api/${steps}/${step!.id}/continue`, {}))
    await settle(this.world)
    const isOver = await owner.one(sql`select from activities where id = ${id}::uuid and final`)
    assert.ok(isOver, `${type} ${id} has not ended`)
    made.isOver = true
    return `${label} ${due}`
  }

  private async purge({ which }: Of<'purge'>): Promise<string | undefined> {
    const one = picked(this.made(true), which)
    if (one === undefined) return undefined
    const { id, type } = await this.activity(one.label, one.due)
    await ok(this.world.admin.delete(`/api/${type}/${id}?purge=true`))
    one.made.isPurged = true
    return `${one.label} ${one.due}`
  }

  /** Existing schedules. */
  private made(isOver: boolean) {
    return this.judge.there.flatMap(label =>
      [...this.judge.of(label).made]
        .filter(([, made]) => made.isOver === isOver && !made.isPurged)
        .map(([due, made]) => ({ label, due, made })),
    )
  }

  private async activity(label: string, due: number): Promise<{ id: string; type: 'changes' | 'workflow_runs' }> {
    const row = await this.world.owner.one(sql<{ id: string }>`
      select activity_id as id from schedule_occurrences
       where schedule_id = ${this.idOf(label)}::uuid and due_at = to_timestamp(${due})`)
    return { id: row!.id, type: this.judge.of(label).terms.target === 'workflow' ? 'workflow_runs' : 'changes' }
  }

  private attributes(terms: Terms): Record<string, unknown> {
    const { gitRev } = terms
    return { ...attributesOf(terms), ...(gitRev !== null && { git_rev: this.world.branch(gitRev) }) }
  }
}

const instants = (wish: Partial<Wish>, now: number): Partial<Terms> =>
  Object.fromEntries(
    (['runAt', 'endAt'] as const).flatMap(name => {
      const seconds = wish[name]
      return seconds === undefined ? [] : [[name, seconds === null ? null : now + seconds]]
    }),
  )

/** Attributes of certain targets, and those valid with a cron expression only. */
const isFitting = ({ target, gitRev, templateVersion, newCommitsOnly, expression, repeat }: Terms): boolean =>
  (target === 'environment' || gitRev === null) &&
  (target === 'asset' || templateVersion === null) &&
  (target !== 'workflow' || !newCommitsOnly) &&
  (expression !== null || !repeat)

/** Attributes that change one into the other; all of them if there is no difference. */
function differing(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name]))
  return changed.length === 0 ? after : Object.fromEntries(changed)
}
