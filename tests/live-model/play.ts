import assert from 'node:assert/strict'
import { inconsistencies } from '../../src/domain/steps/index.ts'
import type { Shown } from '../support/changes.ts'
import { diceOf } from '../support/dice.ts'
import type { Came } from './dial.ts'
import { endOf, goingOn } from './going-on.ts'
import { History } from './history.ts'
import { judged, whatBecame } from './judge.ts'
import { graceMilliseconds, type Listener } from './listener.ts'
import { listening, signsIn } from './listening.ts'
import { losing } from './losing.ts'
import type { Person } from './person.ts'
import { whole } from './walk.ts'
import type { LiveWorld } from './world.ts'

/** Plays a history, and compares everybody's messages with what happened. */
export async function play(world: LiveWorld, seed: number): Promise<void> {
  await world.isWhole()
  const history = new History(world, diceOf(seed))
  try {
    await history.goesOn({ ...goingOn, ...listening, ...losing }, 60 + history.dice(60))
    if (history.dice(6) === 0) await oneIsShutOut(world, history)
    await comesToAnEnd(world, history)
    const wrong = await differences(world, history)
    assert.deepEqual(wrong, [])
  } catch (error) {
    throw new Error(`history ${seed}: ${(error as Error).message}\n${history.told.join('\n')}`, { cause: error })
  } finally {
    for (const listener of history.listeners) listener.hangsUp()
  }
}

/** A person may read nothing more: their streams of single activities end. */
async function oneIsShutOut(world: LiveWorld, history: History): Promise<void> {
  const person = history.pick(world.people)!
  for (const path of person.paths) await person.loses(path)
  const theirs = history.listeners.filter(
    listener => listener.person === person && listener.followed.place && listener.isOpen,
  )
  history.told.push(`${person.name} is shut out, who follows ${theirs.length}`)
  for (const listener of theirs) listener.goesOn()
  await Promise.all(theirs.map(listener => listener.hears(() => false, graceMilliseconds)))
  const left = theirs.filter(({ isOpen }) => isOpen).map(({ name }) => name)
  assert.deepEqual(left, [], 'what they may not read goes on')
}

const theLast = 'the last'

/** Everybody gets their rights back, everything ends, and all listeners are notified. */
async function comesToAnEnd(world: LiveWorld, history: History): Promise<void> {
  const { engine, admin, people } = world
  for (const person of people) await person.hasAll()
  while (await engine.comesIn(0));
  for (let at = 0; (await history.open()).length > 0; at += 1) {
    assert.ok(at < 100, 'it never ends')
    await world.run.settle()
    for (const { id, kind } of await history.open()) {
      await admin.post(`/api/${kind}s/${id}/resume`, {})
      if (kind === 'change') await engine.take(id)
    }
    while (engine.running.length > 0) await endOf(history, engine.running[0]!)
    for (const { list, id } of await history.waiting()) await admin.post(`/api/${list}/${id}/continue`, {})
  }
  const last = { type: theLast, node_path: '/projects/shop/environments/live/assets/front' }
  assert.equal((await admin.post('/api/events', last)).status, 201)
  await world.sealAll()
  await Promise.all(history.listeners.map(listener => hearsAll(history, listener)))
}

const isLast = ({ data }: Came) => data.data.attributes.type === theLast

async function hearsAll(history: History, listener: Listener): Promise<void> {
  if (listener.signedOutAt !== undefined) await signsIn(history, listener)
  listener.goesOn()
  const isDone = () => (listener.followed.list === 'events' ? listener.came.some(isLast) : listener.hasEnded)
  const hasNoEnd = listener.followed.list === 'activities'
  for (let times = 0; times < 4 && !isDone(); times += 1) {
    if (!listener.isOpen) await history.dials(listener)
    await listener.hears(isDone, hasNoEnd ? 1_500 : 10_000)
    if (hasNoEnd && listener.isOpen) return
  }
}

async function differences(world: LiveWorld, history: History): Promise<string[]> {
  const became = await whatBecame(world, seq => world.sealedAt(seq))
  const { service, admin } = world.run
  const wrong: string[] = []
  const lists = new Map<string, Promise<Shown[]>>()
  const listsOf = (person: Person | undefined) => (path: string) => {
    const name = `${person?.name} ${path}`
    if (!lists.has(name)) lists.set(name, whole(person ? service.as(person.name) : admin, path))
    return lists.get(name)!
  }
  for (const listener of history.listeners) wrong.push(...(await judged(listener, became, listsOf(listener.person))))
  for (const walk of history.walks) wrong.push(...(await walk.isRight()))
  const uncounted = await inconsistencies(world.database)
  return [...wrong, ...uncounted.map(each => JSON.stringify(each))]
}
