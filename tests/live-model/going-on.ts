import assert from 'node:assert/strict'
import { sql } from '../../src/platform/db/sql.ts'
import { created } from '../support/changes.ts'
import { began } from '../support/workflows.ts'
import type { Printing } from './engine.ts'
import type { Deeds, History } from './history.ts'
import { actions, assets } from './world.ts'

/** Deeds on changes and runs. */
export const goingOn: Deeds = {
  begin: [1, begin],
  settle: [4, settle],
  take: [8, take],
  print: [24, history => prints(history, false)],
  printLate: [9, history => prints(history, true)],
  comeIn: [5, async ({ world, dice }) => ((await world.engine.comesIn(dice(9))) ? '' : undefined)],
  end: [5, end],
  endAtOnce: [1, endAtOnce],
  lose: [1, lose],
  decide: [4, decide],
  pause: [1, history => asks(history, 'pause')],
  resume: [2, history => asks(history, 'resume')],
  cancel: [1, cancel],
  event: [3, event],
  seal: [6, async ({ world }) => `${await world.seal()}`],
}

/** Starts a change of an asset, or a run. */
async function begin(history: History): Promise<string> {
  const { admin, database } = history.world
  const isRun = history.dice(4) === 0
  const path = history.pick(assets)!
  const action = history.pick(Object.keys(actions))!
  const id = isRun ? await began(admin, 'release') : (await created(admin.post(`/api${path}/changes`, { action }))).id
  const row = await database.one(sql<{ path: string }>`select path from activities where id = ${id}`)
  history.begun.push({ list: isRun ? 'workflow_runs' : 'changes', id, place: row!.path })
  return `${id}: ${isRun ? 'release' : action} ${row!.path}`
}

async function settle({ world }: History): Promise<string> {
  await world.run.settle()
  return ''
}

/** The runners of all changes claim what they may. */
async function take(history: History): Promise<string> {
  await history.world.run.settle()
  let taken = 0
  for (const { id, kind } of await history.open()) if (kind === 'change') taken += await history.world.engine.take(id)
  return `${taken}`
}

async function prints(history: History, late: boolean): Promise<string | undefined> {
  const { engine } = history.world
  const step = history.pick(engine.idle())
  if (!step) return undefined
  const { lines } = step
  await engine.prints(step, history.dice, late)
  return `${nameOf(step)} from ${lines + 1} to ${step.lines}`
}

const nameOf = ({ held }: Printing) => `${held.path} (attempt ${held.attempt}) of ${held.activityId}`

async function end(history: History): Promise<string | undefined> {
  const step = history.pick(history.world.engine.idle())
  return step && endOf(history, step)
}

/** Ends a step, which may add others below itself. */
export async function endOf({ world, dice }: History, step: Printing): Promise<string> {
  const [fails, adds, from] = [dice(8) === 0, dice(5) === 0, dice(2)]
  const row = await world.database.one(sql<{ cancelled: boolean }>`
    select cancel_requested_at is not null as cancelled from activities where id = ${step.held.activityId}`)
  const outcome = row!.cancelled ? 'cancelled' : fails ? 'error' : 'success'
  const added = outcome === 'success' && adds ? ['plain', 'pair'].slice(from) : []
  await world.engine.ends(step, outcome, added)
  return `${nameOf(step)} in ${outcome}, adding ${added.length}`
}

/** Ends all running steps of one change at once, and pauses it. */
async function endAtOnce(history: History): Promise<string | undefined> {
  const { engine, admin } = history.world
  const step = history.pick(engine.idle())
  if (!step) return undefined
  const { activityId } = step.held
  const ofIt = engine.idle().filter(({ held }) => held.activityId === activityId)
  const pausing = history.dice(3) === 0 && admin.post(`/api/changes/${activityId}/pause`, {})
  const ended = await Promise.all(ofIt.map(each => endOf(history, each)))
  return [...ended, ...((await pausing) ? ['and it is paused'] : [])].join(', ')
}

async function lose(history: History): Promise<string | undefined> {
  const { engine } = history.world
  const late = new Set(engine.running.filter(each => each.late).map(({ held }) => held.activityId))
  const step = history.pick(engine.idle().filter(({ held }) => !late.has(held.activityId)))
  if (step) await engine.loses(step.held.activityId)
  return step?.held.activityId
}

async function decide(history: History): Promise<string | undefined> {
  const step = history.pick(await history.waiting())
  if (!step) return undefined
  const { status, text } = await history.world.admin.post(`/api/${step.list}/${step.id}/continue`, {})
  assert.equal(status, 200, text)
  return step.id
}

async function asks(history: History, what: 'pause' | 'resume'): Promise<string | undefined> {
  const one = history.pick(await history.open())
  return one && `${one.id}: ${(await history.world.admin.post(`/api/${one.kind}s/${one.id}/${what}`, {})).status}`
}

async function cancel(history: History): Promise<string | undefined> {
  const one = history.pick(await history.open())
  return one && `${one.id}: ${(await history.world.admin.delete(`/api/${one.kind}s/${one.id}`)).status}`
}

async function event(history: History): Promise<string> {
  const node_path = history.pick([...assets, '/projects/shop'])!
  const { status, text } = await history.world.admin.post('/api/events', { type: 'told', node_path })
  assert.equal(status, 201, text)
  return node_path
}
