import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { schemaText } from '../../../bin/schema-text.ts'
import { testServerUrl } from '../../../tests/support/database-server.ts'
import { databaseUrl, emptyDatabase, roleUrl, withClient } from '../../../tests/support/template-database.ts'
import { migrate } from './migrate.ts'

const server = await testServerUrl()
const fixture = await readFile(join(import.meta.dirname, 'development-database.fixture.sql'), 'utf8')
const [created, development] = [`created_${process.pid}`, `development_${process.pid}`]

before(async () => {
  await emptyDatabase(server, created)
  await emptyDatabase(server, development)
  await withClient(roleUrl(server, 'sluice_owner', development), owner => owner.query(fixture))
})
after(() =>
  withClient(server, async admin => {
    for (const name of [created, development]) await admin.query(`drop database ${name} with (force)`)
  }),
)

const migrated = async (database: string): Promise<string[]> => {
  const lines: string[] = []
  await migrate({
    ownerUrl: roleUrl(server, 'sluice_owner', database),
    appUrl: roleUrl(server, 'sluice_app', database),
    release: '0.1.0',
    log: line => lines.push(line),
  })
  return lines
}

const onDevelopment = (statement: string) =>
  withClient(roleUrl(server, 'sluice_owner', development), async owner => (await owner.query(statement)).rows)

test('a database of an older development version is refused, with what to do', async () => {
  const [last] = await onDevelopment(`
    delete from schema_migrations where name = '0086_project_index_of_steps.sql' returning name, sha256`)
  await assert.rejects(migrated(development), /not the last one. Start the last version that has .*0086_project_index/)
  await onDevelopment(`insert into schema_migrations values ('${last.name}', '${last.sha256}', '0.1.0')`)
})

test('a database of the last development version is adopted with its data, and is then what an empty one becomes', async () => {
  await onDevelopment(`
    insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
    select id, 'project', 'shop', 'Shop', 'Enterprise', id, '/projects/shop', 'admin' from sluice_uuid7() id`)
  const lines = await Promise.all([migrated(development), migrated(development), migrated(created)])
  assert.equal(
    lines
      .slice(0, 2)
      .flat()
      .filter(line => line.includes('was adopted')).length,
    1,
  )
  assert.deepEqual(await onDevelopment('select code from nodes'), [{ code: 'shop' }])

  const [adopted, empty] = await Promise.all([development, created].map(normalized))
  assert.deepEqual(adopted, empty)
})

test('an adopted database is not migrated again', async () => {
  assert.deepEqual(await migrated(development), [])
})

/** Statements of the schema without what adoption leaves: the order of columns, and comments in the bodies of functions. */
async function normalized(database: string): Promise<string[]> {
  const text = await withClient(databaseUrl(server, database), schemaText)
  return text
    .replaceAll(/^ *--.*\n/gm, '')
    .replaceAll(/(?<=^create table \w+ \(\n)[\s\S]*?(?=\n\))/gm, columns => columns.split(/,?\n/).sort().join('\n'))
    .split(/\n{2,}/)
}
