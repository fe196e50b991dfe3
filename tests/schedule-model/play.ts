import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { Doing } from './doing.ts'
import { evesOfChanges } from './due-times.ts'
import { readAll, verdictOf } from './found.ts'
import type { Deed, History, Look } from './history.ts'
import { Judge } from './judge.ts'
import { note, settle, work } from './looking.ts'
import type { ScheduleWorld } from './world.ts'

/** Seconds that a deed takes: longer than the time for which a fetch counts as fresh. */
const aDeed = 5

/** Plays a history against the service, and compares the state with the judge's after each deed. */
export async function play(world: ScheduleWorld, { eve, deeds }: History): Promise<void> {
  const [start] = [...take(evesOfChanges(await world.now()), eve + 1)].slice(-1)
  const played = new Played(world, start! + 1)
  await played.begins()
  for (const deed of deeds) await played.happens(deed)
  played.isCounted()
}

class Played {
  private readonly world: ScheduleWorld
  private readonly judge: Judge
  private readonly doing: Doing
  private readonly told: string[] = []

  constructor(world: ScheduleWorld, start: number) {
    this.world = world
    this.judge = new Judge(start, world.versions)
    this.doing = new Doing(world, this.judge)
  }

  async begins(): Promise<void> {
    const { world, judge } = this
    await world.begin(judge.now)
    judge.branches.set('main', world.commit('main', world.first))
    judge.trees.set(judge.branches.get('main')!, world.first)
    await this.passes(aDeed)
  }

  async happens(deed: Deed): Promise<void> {
    const at = new Date(this.judge.now * 1_000).toISOString()
    try {
      const told = await this.does(deed)
      if (told === undefined) return
      this.told.push(`${at} ${deed.what} ${told}`)
      await this.agrees()
    } catch (error) {
      const story = [...this.told, `${at} ${JSON.stringify(deed)}`].join('\n')
      throw new Error(`${story}\n${(error as Error).message}`, { cause: error })
    }
    await this.passes(aDeed)
  }

  private async passes(seconds: number): Promise<void> {
    this.judge.now += seconds
    await this.world.clock(this.judge.now)
  }

  /** Undefined if there is no target. */
  private async does(deed: Deed): Promise<string | undefined> {
    if (deed.what === 'time') return this.time(deed.seconds)
    if (deed.what === 'pass') return this.time(deed.seconds).then(() => this.look(deed, { notes: true, works: true }))
    if (deed.what === 'look') return this.look(deed, { notes: true, works: true })
    if (deed.what === 'note') return this.look(deed, { notes: true, works: false })
    if (deed.what === 'work') return this.look(deed, { notes: false, works: true })
    return this.doing.does(deed)
  }

  private async look(look: Look, { notes, works }: { notes: boolean; works: boolean }): Promise<string> {
    if (notes) {
      await note(this.world, look)
      this.judge.notes()
    }
    if (works) await this.work(look)
    await settle(this.world)
    return JSON.stringify(look)
  }

  private async time(wanted: number | 'until due'): Promise<string | undefined> {
    const next = [...this.judge.schedules.values()].flatMap(({ next, isGone }) => (isGone || next === null ? [] : next))
    const seconds = wanted === 'until due' ? Math.min(...next) - this.judge.now : wanted
    if (!Number.isFinite(seconds) || seconds <= 0) return undefined
    await this.passes(seconds)
    return `${seconds} s`
  }

  private work(look: Look): Promise<void> {
    const { world, judge } = this
    return work(world, look, async () => {
      const found = await readAll(world)
      for (const label of judge.there) {
        const one = found.get(this.doing.idOf(label))
        const waiting = judge.of(label).waiting()
        const decided = waiting.filter(due => one?.states[new Date(due * 1_000).toISOString()] !== 'due')
        judge.decides(label, decided, of => isDeepStrictEqual(verdictOf(of), one))
      }
    })
  }

  /** States of due times and recorded events, to check that all kinds occurred. */
  isCounted(): void {
    const { tally } = this.world
    for (const { states, events } of this.judge.schedules.values()) {
      for (const state of states.values()) tally[state] = (tally[state] ?? 0) + 1
      for (const [type, times] of Object.entries(events)) tally[type] = (tally[type] ?? 0) + times
    }
  }

  private async agrees(): Promise<void> {
    const found = await readAll(this.world)
    for (const label of this.judge.there) {
      const predicted = verdictOf(this.judge.of(label))
      assert.deepEqual(found.get(this.doing.idOf(label)), predicted, label)
    }
    for (const id of this.doing.goneIds()) assert.ok(!found.get(id)?.enabled, `${id} is gone, and comes due`)
  }
}

function* take<T>(from: Iterable<T>, count: number): Generator<T> {
  let left = count
  for (const each of from) {
    if (left-- === 0) return
    yield each
  }
}
