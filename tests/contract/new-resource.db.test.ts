import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { nodesDomain } from '../../src/domain/nodes/index.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Domain } from '../../src/platform/domain.ts'
import { startTestApi } from '../support/api.ts'
import { projectFolder } from '../support/database-server.ts'
import { withClient } from '../support/template-database.ts'
import { holdsFilters, holdsPaging } from './list-grammar.ts'
import { everything, readerOfA } from './specimen.ts'

/** The page's example, built: its files in a copy of the project's tree, in which all other files are links. */
const page = await readFile(join(projectFolder, 'docs/new-resource.md'), 'utf8')
const files = [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, path = '', text = '']) => ({ path, text }))
await mkdir(join(projectFolder, '.local'), { recursive: true })
const copy = await mkdtemp(join(projectFolder, '.local/new-resource-'))
after(() => rm(copy, { recursive: true, force: true }))
for (const { path, text } of files) {
  await mkdir(dirname(join(copy, path)), { recursive: true })
  await writeFile(join(copy, path), text)
}
for (const name of await readdir(join(projectFolder, 'src/domain'))) {
  await symlink(join(projectFolder, 'src/domain', name), join(copy, 'src/domain', name))
}
const { contactsDomain } = (await import(join(copy, 'src/domain/contacts/index.ts'))) as { contactsDomain: Domain }

const [, type = '', why = ''] = /^ {2}'(\S+)': \{ why: '(.*)' \},$/m.exec(page) ?? []

const api = await startTestApi({
  domains: [nodesDomain({ others: [] }), contactsDomain],
  events: { [type]: { why } },
  users: { admin: everything, reader: readerOfA },
  prepare: database =>
    withClient(database.ownerUrl, async owner => {
      await owner.query(files.find(({ path }) => path.endsWith('.sql'))!.text)
      await owner.query('grant select, insert, update, delete on contacts to sluice_app')
    }),
})
after(() => api.stop())
const admin = api.as('admin')
for (const code of ['a', 'b']) {
  const { status } = await admin.post('/api/projects', { code, name: code.toUpperCase() })
  assert.equal(status, 201)
}

test('the page says where its files lie, and compiles', async () => {
  assert.deepEqual(
    files.map(({ path }) => path.replace(/\d{4}/, 'NNNN')),
    [
      'db/migrations/NNNN_contacts.sql',
      'src/domain/contacts/contact.resource.ts',
      'src/domain/contacts/contact.store.ts',
      'src/domain/contacts/contact.commands.ts',
      'src/domain/contacts/index.ts',
    ],
  )
  assert.match(page, /^ {4}contactsDomain,$/m)
  const config = { extends: '../../tsconfig.json', include: ['src/domain/contacts'] }
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '--noEmit', '-p', copy])
})

test('its record is created, answered, shown and recorded', async () => {
  const made = await admin.post('/api/projects/a/contacts', { name: 'Ada', phone: '+49 30 1234' })
  assert.equal(made.status, 201)
  const shown = await admin.get(made.body.data.links.self)
  assert.equal(shown.body.data.attributes.phone, '+49 30 1234')
  const event = await api.database.one(sql<{ path: string; attributes: Record<string, unknown> }>`
    select path, attributes from events where type = 'api:contacts:create'`)
  assert.equal(event?.path, '/projects/a')
  assert.equal(event?.attributes['request_body_name'], 'Ada')
  const wrong = await admin.post('/api/projects/a/contacts', { name: 'Bob', phone: 'home' })
  assert.equal(wrong.body.errors[0].detail, 'phone should be a number such as +49 30 1234.')
})

test('its list has the whole grammar, under rights', async () => {
  await api.database.count(sql`
    insert into contacts (node_id, name, phone, on_call, created_by)
    select n.id, 'Name ' || i % 5, case when i % 3 > 0 then '+' || i % 4 end, i % 2 = 0, 'admin'
      from nodes n, generate_series(1, 20) i`)
  const resource = contactsDomain.resources![0]!
  assert.ok((await holdsFilters({ client: admin, path: '/api/contacts', resource })) > 50)
  assert.ok((await holdsPaging({ client: admin, path: '/api/projects/b/contacts', resource }, [1, 7])) > 20)

  const reachable = await admin.get('/api/projects/b/contacts?filter[reachable]=true&total=true')
  assert.equal(reachable.body.meta.total, 14)
  assert.equal((await admin.get('/api/contacts?filter[reachable]=perhaps')).status, 400)
  const ofReader = await api.as('reader').get('/api/contacts?total=true')
  assert.equal(ofReader.body.meta.total, 21)
  assert.equal((await api.as('reader').get('/api/projects/b/contacts')).status, 404)
  assert.equal((await api.as('reader').post('/api/projects/a/contacts', { name: 'Eve' })).status, 403)
})

test('it is in the document of the interface', () => {
  const { paths } = api.server.openApi as { paths: Record<string, object> }
  assert.deepEqual(Object.keys(paths['/api/projects/{project_code}/contacts']!).sort(), ['get', 'post'])
})
