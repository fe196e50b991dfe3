import { expect, type TestBank } from './fixtures.ts'

/** Project `robots` with two agents; it is created once for all tests of a worker. */
export async function robots(bank: TestBank): Promise<void> {
  const admin = bank.as('admin')
  if ((await admin.list('/api/projects?filter[code_eq]=robots')).length > 0) return
  const [remote] = await admin.list<{ url: string }>('/api/projects/bank/git_remotes')
  await admin.create('/api/projects', { code: 'robots', name: 'Robots' })
  await admin.create('/api/projects/robots/git_remotes', { name: 'code', url: remote!.attributes.url })
  // The folder of a template has its code.
  const template = { code: 'web', name: 'Watch', template_type: 'agent', git_remote_name: 'code' }
  await admin.create('/api/projects/robots/templates', template)
  const version = '/api/projects/robots/templates/web/versions/1'
  await admin.put(version, { git_rev: 'main' })
  await expect.poll(async () => (await admin.show<{ state: string }>(version)).attributes.state).toBe('ready')
  for (const [code, name] of [
    ['watcher', 'Watcher'],
    ['cleaner', 'Cleaner'],
  ])
    await admin.create('/api/projects/robots/agents', { code, name, template_code: 'web', template_version: '1' })
}
