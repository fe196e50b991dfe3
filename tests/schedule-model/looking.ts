import type { Look } from './history.ts'
import type { Process, Queued } from './process.ts'
import type { ScheduleWorld } from './world.ts'

const isOfSchedules = ({ name }: Queued) => name.startsWith('schedules.')
const ofOthers = async (world: ScheduleWorld) => (await world.queue()).filter(job => !isOfSchedules(job))

/** Processes record due times: one, or both at once. A killed one is restarted, and polls again. */
export async function note(world: ScheduleWorld, { process, order, diesAt }: Look): Promise<void> {
  const [one, other] = pair(world, process)
  const looks = (of: Process) => of.loop('schedules')
  const isByBoth = order === 'at once' || order === 'twice'
  await Promise.all([one.does(looks, diesAt), isByBoth && other.does(looks)])
}

/**
 * Decides on due times, in any order, by one process or both at once, or the same ones by both.
 *
 * @param decided called each time there was time to decide on more
 */
export async function work(world: ScheduleWorld, look: Look, decided: () => Promise<void>): Promise<void> {
  const queued = (await world.queue()).filter(isOfSchedules)
  const jobs = look.order === 'last alone' ? queued.slice(-1) : queued
  if (look.order === 'last') jobs.reverse()
  const [one, other] = pair(world, look.process)
  for (let diesAt = look.diesAt; jobs.length > 0; diesAt = undefined) {
    const mine = jobs.shift()!
    const theirs = look.order === 'twice' ? mine : look.order === 'at once' ? jobs.shift() : undefined
    await Promise.all([one.does(of => of.run(mine), diesAt), theirs && other.does(of => of.run(theirs))])
    for (const each of [mine, theirs]) if (each) await world.drop(each)
    await decided()
  }
}

/** Everything else that the service would do by itself now. */
export const settle = (world: ScheduleWorld): Promise<void> =>
  world.processes[0]!.does(async of => {
    for (let jobs = await ofOthers(world); jobs.length > 0; jobs = await ofOthers(world))
      for (const job of jobs) {
        await of.run(job)
        await world.drop(job)
      }
    for (const name of ['admission', 'timers', 'workflow-runs']) await of.loop(name)
  })

const pair = ({ processes }: ScheduleWorld, first: 0 | 1): [Process, Process] => [
  processes[first]!,
  processes[1 - first]!,
]
