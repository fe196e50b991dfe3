import type { Deeds, History } from './history.ts'
import type { Person } from './person.ts'

/** Rights are revoked and granted, and a process is stopped. */
export const losing: Deeds = {
  taken: [2, history => withPath(history, (person, path) => person.loses(path))],
  given: [2, history => withPath(history, (person, path) => person.isGiven(path))],
  block: [1, block],
  disable: [1, disable],
  away: [1, away],
}

async function withPath(
  history: History,
  does: (person: Person, path: string) => Promise<void>,
): Promise<string | undefined> {
  const person = history.pick(history.world.people)!
  const path = history.pick(person.paths)!
  await does(person, path)
  return `${person.name} ${path}`
}

async function block(history: History): Promise<string> {
  const person = history.pick(history.world.people)!
  await (person.now.blocked ? person.isUnblocked() : person.isBlocked())
  return `${person.name}: ${person.now.blocked}`
}

async function disable(history: History): Promise<string> {
  const person = history.pick(history.world.people)!
  await person.isDisabled(!person.now.disabled)
  return `${person.name}: ${person.now.disabled}`
}

/** Rarely: starting another one takes a second. */
async function away({ world, dice }: History): Promise<string | undefined> {
  if (world.places().length < 2 || dice(3) > 0) return undefined
  const how = dice(2) === 0 ? 'stop' : 'kill'
  await world.loses(how)
  return how
}
