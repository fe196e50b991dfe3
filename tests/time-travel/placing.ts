import assert from 'node:assert/strict'
import { created } from '../support/changes.ts'
import type { Deed } from './history.ts'
import { nodes } from './oracle.ts'
import { done, picked, type World } from './world.ts'

/** Deeds on nodes: created, renamed, archived, destroyed, given another version of their template. */

export async function make(world: World, node: string): Promise<string | undefined> {
  const { level, path, above, template } = nodes[node]!
  if (world.state.nodes[node] || above.some(each => !world.state.nodes[each])) return undefined
  const version = template && world.versionsOf(template).at(-1)!
  await created(
    world.admin.post(`${world.root}${path.slice(0, path.lastIndexOf('/'))}`, {
      code: node,
      name: level,
      ...(version && { template_code: template, template_version: version.split(' ')[1] }),
    }),
  )
  world.noteOwner(node, level)
  world.note({
    nodes: { [node]: { made: world.count, archived: false } },
    ...(version && { had: { [node]: [version] } }),
  })
  return `${node} is made`
}

export async function rename(world: World, { owner, to }: Extract<Deed, { what: 'renames' }>): Promise<string> {
  const renamed = picked(Object.keys(world.known.names), owner)
  const answer = await world.admin.patch(world.pathOf(renamed), { name: to })
  if (world.isArchived(renamed)) assert.equal(answer.status, 409, answer.text)
  else {
    assert.equal(answer.status, 200, answer.text)
    world.known.names[renamed] = to
  }
  return `${renamed} is called ${to}`
}

/** Restores it if it is archived. */
export async function archive(world: World, node: string | undefined): Promise<string | undefined> {
  if (!node) return undefined
  const archived = !world.isArchived(node)
  const path = world.pathOf(node)
  await done(archived ? world.admin.delete(path) : world.admin.patch(path, { archived }))
  world.note({ nodes: { [node]: { ...world.state.nodes[node]!, archived } } })
  return `${node} is ${archived ? 'archived' : 'restored'}`
}

export async function destroy(world: World, node: string | undefined): Promise<string | undefined> {
  if (!node) return undefined
  await done(world.admin.delete(`${world.pathOf(node)}?ignore_in_use=true`))
  world.forget(node)
  return `${node} is destroyed`
}

export async function move(world: World, deed: Extract<Deed, { what: 'moves' }>): Promise<string | undefined> {
  const node = picked(world.leaves(), deed.node)
  if (!node) return undefined
  const { template, level, path } = nodes[node]!
  const version = picked(world.versionsOf(template!), deed.version)
  const answer =
    deed.assigned && level === 'asset'
      ? await world.admin.post(`${world.pathOf(version)}/assign_to_assets`, {
          asset_paths: [`/projects/${world.known.project}${path}`],
        })
      : await world.admin.patch(world.pathOf(node), { template_version: version.split(' ')[1] })
  const had = world.state.had[node]!
  if (world.isArchived(node)) assert.equal(answer.status, 409, answer.text)
  else {
    assert.equal(answer.status, 200, answer.text)
    if (had.at(-1) !== version) world.note({ had: { [node]: [...had, version] } })
  }
  return `${node} has ${version}`
}
