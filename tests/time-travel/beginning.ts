import { created, type Shown } from '../support/changes.ts'
import { addVersion, commit } from './pointing.ts'
import type { PropertyFiles } from './repository.ts'
import { done, type World } from './world.ts'

/** A project with a template of assets, one of agents, and no documents. */
export async function begin(world: World, files: PropertyFiles): Promise<void> {
  const { admin, known, root } = world
  await beginGlobal(world)
  await created(admin.post('/api/projects', { code: known.project, name: 'Project' }))
  world.noteOwner('project', 'Project')
  world.note({ nodes: { project: { made: 0, archived: false } } })
  await created(admin.post(`${root}/git_remotes`, { name: 'code', url: world.repository.url }))
  commit(world, files)
  const templates = [
    ['web', 'asset'],
    ['bot', 'agent'],
  ] as const
  for (const [code, template_type] of templates) {
    await created(admin.post(`${root}/templates`, { code, name: code, template_type, git_remote_name: 'code' }))
    world.noteOwner(code, code)
  }
  await Promise.all(
    templates.map(([code]) => addVersion(world, `${code} 1`, { git_rev: 'main', float_git_rev: code === 'web' })),
  )
}

/** The installation's own settings outlive a history, and are emptied at the beginning of each. */
async function beginGlobal(world: World): Promise<void> {
  const record = await world.recordOf('global', 'settings')
  await done(world.admin.put(record, { data: {} }))
  const { body } = await done(world.admin.get(`${record}/versions?limit=10000`))
  world.globalVersion = body.data.length
  world.note({ settings: { global: body.data.toReversed().map((each: Shown) => each.attributes.data) } })
}
