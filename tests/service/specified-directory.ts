import assert from 'node:assert/strict'
import { until } from '../../client/sluice.ts'
import { personDn, startTestDirectory } from '../support/directory-server.ts'
import type { TestService } from '../support/service.ts'

/** Makes the service read a directory once, and then removes the directory. */
export async function readDirectory(service: TestService): Promise<void> {
  const directory = await startTestDirectory()
  const admin = service.as('admin')
  try {
    await directory.addPerson('ann')
    await directory.addGroup('operators', [personDn('ann')])
    const { body } = await admin.get('/api/system_configuration')
    const path = body.data.relationships.settings.links.related
    const before = Object.keys(directory.settings('none')).map(name => [name, null])
    assert.equal((await admin.patch(path, { data: directory.settings('none') })).status, 200)
    assert.equal((await admin.post('/api/ldap_refresh')).status, 204)
    const groups = () => admin.get('/api/groups')
    await until('there is a group', groups, answer => answer.body.data.length > 0, { seconds: 30, pause: 20 })
    assert.equal((await admin.patch(path, { data: Object.fromEntries(before) })).status, 200)
  } finally {
    await directory.tidy()
  }
}
