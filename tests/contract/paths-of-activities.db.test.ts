import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { passwords } from '../../src/domain/users/index.ts'
import { assemble } from '../../src/main/domains.ts'
import { openKeyring } from '../../src/platform/crypto/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { extendResources } from '../../src/platform/jsonapi/extend.ts'
import { registry } from '../../src/platform/jsonapi/registry.ts'
import { testDatabase } from '../support/database.ts'
import { plansOfList } from '../support/list-plans.ts'
import { superuserRights } from '../support/rights.ts'
import { withClient } from '../support/template-database.ts'

const made = await testDatabase()
const database = openDatabase({ url: made.appUrl, name: 'plans', size: 2 })
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-paths-'))
after(async () => {
  await database.end()
  await rm(dataDir, { recursive: true })
  await made.drop()
})
const { domains } = await assemble({
  config: {
    dataDir,
    gitProtocols: ['file'],
    authorities: undefined,
    privateAddresses: [],
    settingOverrides: {},
    passedOn: {},
    role: 'api',
  },
  database,
  keyring: await openKeyring({ database, rootKey: randomBytes(32) }),
  passwords: passwords(),
  apiUrl: () => '',
  log: { info: () => {}, warn: () => {}, error: console.error },
})
const resources = registry(extendResources(domains))

/** A few of one asset, as old as any; many of one project, the newest. */
const shape = `
  set session_replication_role = replica;
  insert into nodes (node_type, code, name, path, created_by, project_type, id, project_id)
  select 'project', 'p' || n, 'p', '/projects/p' || n, 'x', 'Enterprise', own, own
    from (select n, sluice_uuid7() as own from generate_series(1, 5) n offset 0) made;
  insert into nodes (node_type, code, name, path, created_by, parent_id, project_id)
  select 'asset', 'a' || n, 'a', p.path || '/assets/a' || n, 'x', p.id, p.id
    from nodes p, generate_series(1, 20) n where p.node_type = 'project';
  create function pg_temp.ran(at text, many int, age interval) returns void language sql as $$
    insert into activities (kind, node_id, project_id, path, name_key, created_by, status, created_at, updated_at, finished_at)
    select 'change', n.id, n.project_id, n.path, 'k', 'x', 'success', now() - age + g * interval '1 second', now(), now()
      from nodes n, generate_series(1, many) g where n.path like at $$;
  select pg_temp.ran('/projects/p1/assets/a1', 20, '900 days');
  select pg_temp.ran('/projects/p_/assets/a_', 600, '800 days');
  select pg_temp.ran('/projects/p5/assets/a11', 300, '20 days');
  insert into changes (id, action, step_name, property_overrides, settings_overrides)
  select id, 'deploy', 'deploy', '', '' from activities;
  analyze activities; analyze changes; analyze nodes;`

before(() => withClient(made.superuserUrl, client => client.query(shape)))

const userId = '00000000-0000-7000-8000-000000000000'
const lists = {
  'of one asset that ran long ago': 'filter[under]=/projects/p1/assets/a1',
  'of a project among many': 'filter[under]=/projects/p2',
  'of a project whose changes are the newest': 'filter[under]=/projects/p5',
  'of one asset among many': 'filter[node_path_eq]=/projects/p3/assets/a7',
  'of paths that begin so, in any case': 'filter[node_path_start]=/projects/p1/assets/A1',
  'of many paths that begin so': 'filter[node_path_start]=/projects/p5/assets',
}

for (const [what, query] of Object.entries(lists))
  test(`activities ${what} are found without reading all of them`, async () => {
    for (const type of ['activity', 'change']) {
      const url = `/api/${type === 'change' ? 'changes' : 'activities'}?fields[${type}]=node_path&limit=50&${query}`
      const { plans } = await plansOfList(url, { database, registry: resources, userId, rights: superuserRights })
      for (const { nodes, text } of plans) {
        const whole = nodes.filter(each => /Seq Scan/.test(each['Node Type']) && each['Relation Name'] === 'activities')
        assert.deepEqual(whole, [], `${url} reads all activities:\n${text}`)
      }
    }
  })
