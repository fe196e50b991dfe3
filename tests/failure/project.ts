import { type Sluice, until } from '../../client/sluice.ts'

export const environment = '/api/projects/w/environments/live'

const workflow = `
steps:
  - { name: both, targets: [environments/live/assets/a1, environments/live/assets/a2], action: tree, run_as: parallel }
  - { name: once more, target: environments/live/assets/a1, action: tree }
`

/**
 * The project whose actions record what happens to them, and if there are two assets the workflow that runs on both.
 *
 * @param given the repository of the actions, the paths of the assets, the properties of the project
 */
export async function loadProject(
  sluice: Sluice,
  given: { readonly url: string; readonly assets: readonly string[]; readonly properties: object },
): Promise<void> {
  await sluice.create('/api/projects', { code: 'w', name: 'Witnessed' })
  await sluice.create('/api/projects/w/environments', { code: 'live', name: 'Live' })
  await sluice.create('/api/projects/w/git_remotes', { name: 'code', url: given.url })
  const template = { code: 'w', name: 'W', template_type: 'asset', git_remote_name: 'code' }
  await sluice.create('/api/projects/w/templates', template)
  const version = '/api/projects/w/templates/w/versions/1.0'
  await sluice.put(version, { git_rev: 'main' })
  const { attributes } = await until(
    'the template version is fetched',
    () => sluice.show<{ state: string }>(version),
    ({ attributes }) => attributes.state !== 'initializing',
  )
  if (attributes.state !== 'ready') throw new Error(JSON.stringify(attributes))
  for (const path of given.assets) {
    const code = path.split('/').at(-1)!
    await sluice.create(`${environment}/assets`, { code, name: code, template_code: 'w', template_version: '1.0' })
  }
  if (given.assets.length > 1) {
    await sluice.create('/api/projects/w/workflows', { code: 'both', name: 'Both', source_yaml: workflow })
    await sluice.send('POST', '/api/projects/w/workflows/both/versions/1/publish')
  }
  const project = await sluice.show('/api/projects/w')
  const properties = String(project.relationships?.['properties']?.links?.related)
  await sluice.update(properties, { data: given.properties })
}
