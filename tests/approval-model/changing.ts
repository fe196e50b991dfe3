import { someProperties, someRules } from './drawn.ts'
import { type Group, groups, type Name, type Policy, people } from './people.ts'
import type { Play } from './play.ts'
import { levels } from './rules.ts'

/** Changes of approval rules and of people, while changes wait. */

const others = people.filter(name => name !== 'admin')

export async function savesRules(play: Play): Promise<readonly Name[]> {
  const { chance, judge, world } = play
  const level = chance.of(levels)
  const rules = someRules(chance, 2)
  play.tells(`${level} asks ${JSON.stringify(rules)}`)
  const answer = await world.saves(level, rules)
  const faults = judge.saves(level, rules)
  const pointers = (answer.body?.errors ?? []).map(({ source }: { source: { pointer: string } }) =>
    source.pointer.replace('/data/attributes/data/requires_approval_from/', ''),
  )
  play.agree([answer.status, pointers.toSorted()], [faults.length > 0 ? 422 : 200, faults.toSorted()], answer.text)
  return []
}

export async function writesProperties(play: Play): Promise<readonly Name[]> {
  const { chance, judge, world } = play
  const where = chance.of(['project', 'asset'] as const)
  const properties = someProperties(chance)
  play.tells(`properties of the ${where}: ${JSON.stringify(properties)}`)
  await world.writes(where, properties)
  judge.writes(where, properties)
  return []
}

export async function joinsOrLeaves(play: Play): Promise<readonly Name[]> {
  const { chance, judge, world } = play
  const name = chance.of(people)
  const { groups: own } = judge.people[name]
  const group = chance.of([...judge.groups, ...groups])
  if (!own.delete(group) && judge.groups.has(group)) own.add(group)
  play.tells(`${name} is in ${[...own].join() || 'no group'}`)
  await world.isIn(name, own)
  return [name]
}

export async function vanishesOrReturns(play: Play): Promise<readonly Name[]> {
  const { chance, judge, world } = play
  const group: Group = chance.of(groups)
  if (judge.groups.has(group)) {
    play.tells(`${group} is gone`)
    judge.groups.delete(group)
    await world.vanishes(group)
    for (const person of Object.values(judge.people))
      if (person.groups.delete(group)) await world.isIn(person.name, person.groups)
  } else {
    play.tells(`${group} is there`)
    judge.groups.add(group)
    await world.returns(group)
  }
  return []
}

export async function isGivenOrTaken(play: Play): Promise<readonly Name[]> {
  const { chance, judge, world } = play
  const name = chance.of(others)
  const policy: Policy = chance.of(['reads', 'runs', 'runs', 'averted', 'blocked', 'superuser'])
  const person = judge.people[name]
  if (person.isDeleted) return []
  const isTaken = person.policies.delete(policy)
  if (!isTaken) person.policies.add(policy)
  play.tells(`${name} ${isTaken ? 'loses' : 'gets'} ${policy}`)
  if (isTaken) await world.takes(name, policy)
  else await world.gives(name, policy)
  return [name]
}

export async function isShutOut(play: Play): Promise<readonly Name[] | undefined> {
  const { chance, judge, world } = play
  const name = chance.of(others)
  const person = judge.people[name]
  if (person.isDeleted) return undefined
  if (chance.is(0.2)) {
    play.tells(`${name} is deleted`)
    person.isDeleted = true
    await world.deletes(name)
  } else {
    person.isDisabled = !person.isDisabled
    play.tells(`${name} is ${person.isDisabled ? 'disabled' : 'enabled'}`)
    await world.disables(name, person.isDisabled)
  }
  return []
}
