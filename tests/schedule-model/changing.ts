import { ok, picked, refused } from './asking.ts'
import type { Done, Right } from './history.ts'
import type { Judge, Standing } from './judge.ts'
import type { ScheduleWorld } from './world.ts'

type Of<What extends Done['what']> = Extract<Done, { what: What }>
type Changing = Exclude<Done, { what: 'make' | 'update' | 'delete' | 'end' | 'continue' | 'purge' }>

/** Deeds on what schedules depend on. */
export function changing(world: ScheduleWorld, judge: Judge, deed: Changing): Promise<string | undefined> {
  if (deed.what === 'rights') return rights(world, judge, deed)
  if (deed.what === 'leave') return leave(world, judge)
  if (deed.what === 'archive') return archive(world, judge, deed)
  if (deed.what === 'restore') return restore(world, judge, deed)
  if (deed.what === 'destroy') return destroy(world, judge, deed)
  if (deed.what === 'commit') return commit(world, judge, deed)
  if (deed.what === 'go back') return goBack(world, judge, deed)
  if (deed.what === 'version') return version(world, judge, deed)
  return setting(world, judge, deed)
}

async function rights(world: ScheduleWorld, judge: Judge, { who, to }: Of<'rights'>): Promise<string | undefined> {
  const before = judge.standings[who]!
  if (before.isDeleted) return undefined
  judge.standings[who] = { ...before, ...standings[to] }
  await world.people.stands(who, judge.standings[who])
  return `${who} ${to}`
}

const standings: Readonly<Record<Right, Partial<Standing>>> = {
  all: { has: 'all' },
  'no workflows': { has: 'no workflows' },
  nothing: { has: 'nothing' },
  blocked: { isBlocked: true },
  unblocked: { isBlocked: false },
  disabled: { isDisabled: true },
  able: { isDisabled: false },
}

async function leave(world: ScheduleWorld, judge: Judge): Promise<string | undefined> {
  const before = judge.standings['cyd']!
  if (before.isDeleted) return undefined
  judge.standings['cyd'] = { ...before, isDeleted: true }
  await world.people.stands('cyd', judge.standings['cyd'])
  return 'cyd'
}

async function archive(world: ScheduleWorld, judge: Judge, { node }: Of<'archive'>): Promise<string | undefined> {
  if (judge.nodes[node] !== 'there') return undefined
  const asked = world.admin.delete(world.pathOf(node))
  if (!judge.mayArchive(node)) return `${node}: ${await refused(asked, 409)}`
  await ok(asked)
  judge.nodes[node] = 'archived'
  return node
}

async function restore(world: ScheduleWorld, judge: Judge, { node }: Of<'restore'>): Promise<string | undefined> {
  if (judge.nodes[node] !== 'archived' || judge.nodes.environment === 'destroyed') return undefined
  const asked = world.admin.patch(world.pathOf(node), { archived: false })
  if (node === 'asset' && judge.nodes.environment !== 'there') return `${node}: ${await refused(asked, 409)}`
  await ok(asked)
  judge.nodes[node] = 'there'
  return node
}

async function destroy(world: ScheduleWorld, judge: Judge, { node }: Of<'destroy'>): Promise<string | undefined> {
  if (judge.nodes[node] === 'destroyed') return undefined
  await ok(world.admin.delete(`${world.pathOf(node)}?ignore_in_use=true`))
  judge.destroys(node)
  return node
}

async function commit(world: ScheduleWorld, judge: Judge, { branch, path }: Of<'commit'>): Promise<string> {
  const before = judge.trees.get(judge.branches.get(branch) ?? '') ?? world.first
  const tree = { ...before, [path]: `${judge.now}` }
  const id = world.commit(branch, tree)
  judge.trees.set(id, tree)
  judge.branches.set(branch, id)
  return `${path} to ${branch}: ${id}`
}

async function goBack(world: ScheduleWorld, judge: Judge, { branch, to }: Of<'go back'>): Promise<string> {
  const id = picked([...judge.trees.keys()], to)!
  world.goBack(branch, id)
  judge.branches.set(branch, id)
  return `${branch} to ${id}`
}

async function version(world: ScheduleWorld, judge: Judge, { to }: Of<'version'>): Promise<string | undefined> {
  if (judge.nodes.asset !== 'there') return undefined
  await ok(world.admin.patch(world.pathOf('asset'), { template_version: to }))
  judge.assetVersion = to
  return to
}

async function setting(world: ScheduleWorld, judge: Judge, deed: Of<'catch up' | 'maintenance'>): Promise<string> {
  const data = deed.what === 'catch up' ? { schedule_catch_up: deed.seconds } : { maintenance_mode: deed.mode }
  await world.setting(data)
  if (deed.what === 'catch up') judge.catchUp = deed.seconds
  return JSON.stringify(data)
}
