import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../tests/support/database.ts'
import { withClient } from '../../../tests/support/template-database.ts'

const database = await testDatabase()
after(() => database.drop())

/** A project with two assets, one of which has another version of its template than at first. */
const shop = `
  with project as (
    insert into nodes (id, node_type, code, name, project_type, project_id, path, created_by)
    select id, 'project', 'shop', 'Shop', 'Enterprise', id, '/projects/shop', 'admin' from sluice_uuid7() id
    returning id
  ), remote as (
    insert into git_remotes (project_id, path, name, url, created_by)
    select id, '/projects/shop/git_remotes/x', 'automation', 'file:///nowhere', 'admin' from project
    returning id, project_id
  ), template as (
    insert into templates (project_id, path, code, name, template_type, git_remote_id, created_by)
    select project_id, '/projects/shop/templates/web', 'web', 'Web', 'asset', id, 'admin' from remote
    returning id, project_id, git_remote_id, path
  ), version as (
    insert into template_versions (template_id, project_id, path, version, state, git_remote_id, git_rev, commit_sha,
                                   fetch_open, created_by)
    select id, project_id, path, name, 'ready', git_remote_id, 'main', repeat('0', 40), false, 'admin'
      from template, unnest(array['1', '2']) name
    returning id, template_id, version
  ), asset as (
    insert into nodes (node_type, code, name, parent_id, project_id, path, created_by, destroyed_at)
    select 'asset', code, code, id, id, '/projects/shop/assets/' || code, 'admin', destroyed_at
      from project, (values ('web', null), ('plain', null), ('gone', now())) given (code, destroyed_at)
    returning id, project_id, path, code
  ), record as (
    select id, id as project_id, '/projects/shop' as path, 'Project' as owner_type from project
     union all select id, project_id, path, 'Asset' from asset where code <> 'gone'
  ), own_settings as (
    insert into settings (owner_type, owner_id, project_id, path, created_by)
    select owner_type, id, project_id, path || '/settings', 'admin' from record
  ), own_properties as (
    insert into properties (owner_type, owner_id, project_id, path, created_by)
    select owner_type, id, project_id, path || '/properties', 'admin' from record
  )
  insert into template_version_histories (node_id, project_id, path, template_id, template_version_id, created_by,
                                          active_from, active_to)
  select asset.id, project_id, path, template_id, version.id, 'admin', active_from, active_to
    from asset, version
    join (values ('1', timestamptz '2026-01-01', timestamptz '2026-02-01'), ('2', '2026-02-01', null))
         given (version, active_from, active_to) using (version)
   where code = 'web'`

test('the row of a node has the ids of its settings, properties, and current template and version', async () => {
  await withClient(database.ownerUrl, async owner => {
    await owner.query(shop)
    const { rows } = await owner.query(`
      select n.code, s.owner_id = n.id as settings, p.owner_id = n.id as properties, t.code as template, v.version
        from nodes n
        left join settings s on s.id = n.settings_id
        left join properties p on p.id = n.properties_id
        left join templates t on t.id = n.template_id
        left join template_versions v on v.id = n.template_version_id
       where n.destroyed_at is null
       order by n.code`)
    const records = { settings: true, properties: true }
    assert.deepEqual(rows, [
      { code: 'plain', ...records, template: null, version: null },
      { code: 'shop', ...records, template: null, version: null },
      { code: 'web', ...records, template: 'web', version: '2' },
    ])
  })
})
