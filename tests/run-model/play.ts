import assert from 'node:assert/strict'
import { sql } from '../../src/platform/db/sql.ts'
import { transitionsWithoutEvent } from '../failure/transitions.ts'
import type { Activity, Change } from './activity.ts'
import { asks, begun, done, may, published, retried } from './asking.ts'
import { differences, readAll } from './found.ts'
import type { Deed, History, Part, Retry } from './history.ts'
import { Judge } from './judge.ts'
import { approvers } from './plan.ts'
import { Run } from './run.ts'
import type { Held, RunWorld } from './world.ts'

/** Plays a history against the service, and compares the state with the judge's after each deed. */
export async function play(world: RunWorld, history: History): Promise<void> {
  await world.clear()
  const codes = await published(world, history.library)
  const played = new Played(world, new Judge(history.library, codes))
  await played.begins(history)
  for (const retry of history.retries) if (!(await played.retries(retry))) break
  await played.isAllOver()
}

class Played {
  readonly world: RunWorld
  readonly judge: Judge
  /** The last requested run, and the number of runs. */
  private run!: Run
  private runs = 0
  private readonly ids = new Map<string, string>()
  private readonly held = new Map<string, Held>()
  private steps = new Map<string, string>()
  private readonly told: string[] = []

  constructor(world: RunWorld, judge: Judge) {
    this.world = world
    this.judge = judge
  }

  async begins({ where, globs, ...part }: History): Promise<void> {
    const label = this.label()
    this.ids.set(label, await begun(this.world, this.judge.codes[0]!, { where, globs }))
    this.run = this.judge.begins(label, { where, globs })
    await this.goesThrough(part)
  }

  /** Retries the last run; returns whether there was anything to retry. */
  async retries({ globs, where, ...part }: Retry): Promise<boolean> {
    const before = this.run
    if (before.status() === 'success') return false
    const id = this.ids.get(this.judge.labelOf(before))!
    const label = this.label()
    this.ids.set(label, await retried(this.world, id, { where, globs }))
    this.run = this.judge.retries(label, before, { globs, where })
    this.told.push(`${label}: ${JSON.stringify({ where, globs })}`)
    await this.goesThrough(part)
    return true
  }

  private label(): string {
    this.runs += 1
    return `run ${this.runs}`
  }

  /** Does these deeds, and then everything necessary until all has ended. */
  private async goesThrough({ deeds, luck }: Part): Promise<void> {
    await this.agrees('begins')
    for (const deed of deeds) await this.happens(deed)
    for (let at = 0; this.judge.activities.some(each => !each.isOver); at += 1) {
      assert.ok(at < 100, `it never ends: ${this.story()}`)
      await this.goesOn(at, luck)
    }
  }

  /** Does everything possible at once, and then compares the state. */
  private async goesOn(at: number, luck: Part['luck']): Promise<void> {
    const { judge } = this
    await this.happens({ what: 'resume', which: 0 })
    for (const change of judge.changes.filter(each => each.mayBeTaken())) await this.take(change)
    for (let next = 0; judge.changes.some(change => change.running().length > 0); next += 1)
      this.told.push(`end ${await this.end({ what: 'end', which: 0, ended: luck[(at + next) % luck.length]! })}`)
    for (const { key } of this.waiting()) {
      const which = this.waiting().findIndex(each => each.key === key)
      this.told.push(`decide ${await this.decide(which, at)}`)
    }
    await this.agrees('all goes on')
    if (at % 3 === 2) await this.happens({ what: 'time' })
  }

  private async happens(deed: Deed): Promise<void> {
    const told = await this.does(deed)
    if (told !== undefined) await this.agrees(`${deed.what} ${told}`)
  }

  /** Undefined if there is no target. */
  private async does(deed: Deed): Promise<string | undefined> {
    const { judge, world } = this
    if (deed.what === 'time') {
      await world.anHourPasses()
      await world.settle()
      judge.timePasses()
      return ''
    }
    if (deed.what === 'take')
      return this.take(
        picked(
          judge.changes.filter(change => change.mayBeTaken()),
          deed.which,
        ),
      )
    if (deed.what === 'end') return this.end(deed)
    if (deed.what === 'decide') return this.decide(deed.which, deed.by)
    if (deed.what === 'reject') return this.reject(deed.which)
    return this.ask(deed.what, deed.which)
  }

  private async take(change: Change | undefined): Promise<string | undefined> {
    if (!change) return undefined
    const label = this.judge.labelOf(change)
    const taken = await this.world.take(this.ids.get(label)!)
    const paths = taken.map(({ path }) => path)
    this.told.push(`take ${label}: ${paths}`)
    assert.deepEqual(
      paths,
      change.take().map(({ path }) => path),
      this.story(),
    )
    for (const held of taken) this.held.set(`${label} ${held.path}`, held)
    return label
  }

  private async end({ which, ended }: Extract<Deed, { what: 'end' }>): Promise<string | undefined> {
    const running = this.judge.changes.flatMap(change => change.running().map(step => ({ change, step })))
    const one = picked(running, which)
    if (!one) return undefined
    const { change, step } = one
    const key = `${this.judge.labelOf(change)} ${step.path}`
    const outcome = change.isCancelled && ended === 'error' ? 'cancelled' : ended
    await this.world.end(this.held.get(key)!, outcome)
    change.ends(step, ended)
    return `${key} ${outcome}`
  }

  private async decide(which: number, by: number): Promise<string | undefined> {
    const one = picked(this.waiting(), which)
    if (!one) return undefined
    const { world } = this
    if (!one.isApproval) {
      await done(world.admin.post(`${one.path}/continue`, {}))
      one.decides('admin')
      return one.key
    }
    const who = by % one.approvers
    const name = approvers[who]!
    const answer = await world.approvers[who]!.post(`${one.path}/approve`, {})
    // A person approves a step only once.
    assert.equal(answer.status, one.hasApproved(name) ? 403 : 200, answer.text)
    one.decides(name)
    return `${one.key} ${name}`
  }

  private async reject(which: number): Promise<string | undefined> {
    const one = picked(
      this.waiting().filter(({ isApproval }) => isApproval),
      which,
    )
    if (!one) return undefined
    await done(this.world.approvers[0]!.post(`${one.path}/reject`, {}))
    one.rejects()
    return one.key
  }

  /** All steps that wait for a person, with the activities in which they are decided. */
  private waiting() {
    const { changes, runs } = this.judge
    return [
      ...changes.flatMap(change => change.waiting().map(step => this.waitingStep('steps', 1, change, step))),
      ...runs.flatMap(run =>
        run.waiting().map(step => this.waitingStep('workflow_steps', approvers.length, run, step)),
      ),
    ]
  }

  /** @param of number of people who may approve it */
  private waitingStep<S extends WaitingStep>(list: string, of: number, activity: Deciding<S>, step: S) {
    const key = `${this.judge.labelOf(activity)} ${step.path}`
    return {
      key,
      path: `/api/${list}/${this.steps.get(key)}`,
      isApproval: step.plan.kind === 'approval',
      approvers: of,
      hasApproved: (name: string) => step.approvals.includes(name),
      decides: (by: string) => activity.decides(step, by),
      rejects: () => activity.rejects(step),
    }
  }

  private async ask(what: 'pause' | 'resume' | 'cancel', which: number): Promise<string | undefined> {
    const { judge, world } = this
    const activity = picked(judge.activities.filter(may[what]), which)
    if (!activity) return undefined
    const label = judge.labelOf(activity)
    const list = activity instanceof Run ? 'workflow_runs' : 'changes'
    await done(asks[what](world.admin, `/api/${list}/${this.ids.get(label)}`))
    if (what === 'cancel') activity.cancels()
    else if (what === 'pause') judge.pauses(activity)
    else judge.resumes(activity)
    return label
  }

  /** Compares everything with the judge's state after the described deed. */
  private async agrees(after: string): Promise<void> {
    this.told.push(after)
    this.judge.settle()
    await this.world.settle()
    const { verdicts, steps } = await readAll(this.world.service.database, this.ids)
    this.steps = steps
    const wrong = differences(verdicts, this.judge.verdicts())
    assert.deepEqual(wrong, [], [...wrong, ...this.told].join('\n'))
  }

  private story = (): string => this.told.join('\n')

  /** Asserts that nothing is left that holds anything, and that each transition has an event. */
  async isAllOver(): Promise<void> {
    const { database } = this.world.service
    const untold = (await transitionsWithoutEvent(database)).map(
      ({ what, type, expected, found }) => `${what} has ${type} ${found} times, and should be told ${expected} times`,
    )
    assert.deepEqual(untold, [], [...untold, this.story()].join('\n'))
    const left = sql`select from slot_claims union all select from slot_pools where pool = 'runner' and used > 0`
    assert.equal(await database.count(left), 0, this.story())
  }
}

const picked = <T>(among: readonly T[], which: number): T | undefined => among[which % Math.max(1, among.length)]

interface WaitingStep {
  readonly path: string
  readonly plan: { readonly kind: string }
  readonly approvals: readonly string[]
}

interface Deciding<S> extends Activity {
  decides(step: S, by: string): void
  rejects(step: S): void
}
