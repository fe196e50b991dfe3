import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { moveClock } from '../support/database.ts'
import {
  base,
  directoryPassword,
  groupDn,
  personDn,
  startTestDirectory,
  type TestDirectory,
} from '../support/directory-server.ts'
import { startTestService, type TestService } from '../support/service.ts'

let directory: TestDirectory
let service: TestService
before(async () => {
  directory = await startTestDirectory()
  // Shown on one line, and from left to right.
  await directory.addPerson('ann', { displayName: 'Ann\n\u202eExample' })
  await directory.addPerson('bob')
  await directory.addPerson('admin')
  await directory.addGroup('inner', [personDn('ann')])
  await directory.addGroup('operators', [groupDn('inner')])
  await directory.addGroup('auditors', [personDn('bob')])
  service = await startTestService({ spares: 0, config: { authorities: directory.authority } })
  await use(directory.settings('starttls'))
  // Groups exist once they were read.
  assert.equal((await refresh()).type, 'api:ldap_refresh:success')
  const admin = service.as('admin')
  const readers = { name: 'readers', authorisation_rules: [{ path: '/projects', read: true }] }
  const policy = { ...readers, assignments: [{ groupname: 'operators' }] }
  assert.equal((await admin.post('/api/authorisation_policies', policy)).status, 201)
  assert.equal((await admin.post('/api/projects', { code: 'bank', name: 'Bank' })).status, 201)
})
after(async () => {
  await service?.stop()
  await directory?.tidy()
})

/** Sets these settings in addition to the current ones; null removes one. */
async function use(settings: Record<string, unknown>): Promise<void> {
  const admin = service.as('admin')
  const { body } = await admin.get('/api/system_configuration')
  const path = body.data.relationships.settings.links.related
  const answer = await admin.patch(path, { data: settings })
  assert.equal(answer.status, 200, answer.text)
}

const ends = ['success', 'warn', 'error'].map(end => `api:ldap_refresh:${end}`)
const events = async () =>
  (await service.as('admin').get('/api/events?filter[type_start]=api:ldap_refresh:&limit=1000')).body.data.map(
    (each: { attributes: Record<string, unknown> }) => each.attributes,
  ) as Record<string, unknown>[]
const endings = async () => (await events()).filter(({ type }) => ends.includes(String(type)))

/** Requests a refresh, and returns the event that ends it. */
async function refresh(): Promise<Record<string, unknown>> {
  const before = (await endings()).length
  assert.equal((await service.as('admin').post('/api/ldap_refresh')).status, 204)
  const now = await until('the refresh ends', endings, all => all.length > before, { seconds: 30, pause: 20 })
  return now.at(-1)!
}

const signIn = (name: string, password = directoryPassword(name)) =>
  service.stranger.get('/api/me', { authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` })
const userOf = async (name: string) => (await service.as('admin').get(`/api/users/${name}`)).body.data?.attributes

test('people of the directory sign in with its password, and have the rights of their groups, also of groups in groups', async () => {
  const { status, body } = await signIn('ann')
  assert.equal(status, 200)
  const { display_name, email_address, auth_provider, groupnames } = body.data.attributes
  assert.deepEqual(
    [display_name, email_address, auth_provider, groupnames],
    ['Ann Example', 'ann@example.org', 'ldap', ['inner', 'operators']],
  )
  const asked = { authorization: `Basic ${btoa(`ann:${directoryPassword('ann')}`)}` }
  assert.equal((await service.stranger.get('/api/projects/bank', asked)).status, 200)
  const bob = { authorization: `Basic ${btoa(`bob:${directoryPassword('bob')}`)}` }
  assert.equal((await service.stranger.get('/api/projects/bank', bob)).status, 404)
})

test('a wrong password, none, a name that is no one’s and one full of wildcards are told the same', async () => {
  const answers = [
    await signIn('ann', 'wrong'),
    await signIn('ann', ''),
    await signIn('nobody', 'wrong'),
    await signIn('*', directoryPassword('ann')),
    await signIn('a*', directoryPassword('ann')),
    await signIn('ann)(uid=*', directoryPassword('ann')),
    await signIn(' ann', directoryPassword('ann')),
  ]
  for (const { status } of answers) assert.equal(status, 401)
  const details = answers.map(({ body }) => body.errors[0].detail.replace(/Authorization: .*/, ''))
  assert.equal(new Set(details).size, 1, details.join('\n'))
})

test('whoever the directory finds by another case of é is somebody else', async () => {
  const [lower, upper] = ['émile', 'Émile']
  await directory.addPerson(lower, { mail: 'emile@example.org' })
  assert.equal((await signIn(lower)).status, 200)
  await directory.remove(personDn(lower))
  await directory.addPerson(upper, { mail: 'emile@example.org' })
  assert.equal((await signIn(lower, directoryPassword(upper))).status, 401)
  assert.equal((await signIn(upper)).status, 200)
  await directory.remove(personDn(upper))
  await refresh()
})

test('the directory takes over no local user, and nobody changes its people here', async () => {
  assert.equal((await signIn('admin', `${directoryPassword('admin')} of the directory`)).status, 401)
  assert.equal((await userOf('admin')).auth_provider, 'local')
  const admin = service.as('admin')
  assert.equal((await admin.patch('/api/users/ann', { display_name: 'Else' })).status, 409)
  await directory.addPerson('zoe')
  assert.equal((await signIn('zoe')).status, 200)
  assert.equal((await admin.delete('/api/users/zoe')).status, 204)
  assert.equal((await signIn('zoe')).status, 401)
  await refresh()
  assert.equal((await signIn('zoe')).status, 401)
})

test('groups are listed for whoever may read users, and for nobody else', async () => {
  const { body } = await service.as('admin').get('/api/groups?filter[sorts]=groupname asc')
  const names = body.data.map((each: { attributes: { groupname: string } }) => each.attributes.groupname)
  assert.deepEqual(names, ['auditors', 'inner', 'operators'])
  await service.addUser('clerk', [])
  assert.deepEqual((await service.as('clerk').get('/api/groups')).body.data, [])
  assert.equal((await service.as('clerk').get(body.data[0].links.self)).status, 404)
  assert.equal((await service.as('clerk').post('/api/ldap_refresh')).status, 403)
})

test('a refresh takes in who is new, lets go who has gone, and tells of its search and its counts', async () => {
  await directory.addPerson('eve')
  await directory.addGroup('passing', [personDn('eve')])
  const came = await refresh()
  assert.deepEqual([came['users_added'], came['groups_added'], came['username']], [1, 1, 'admin'])
  const begun = (await events()).findLast(({ type }) => type === 'api:ldap_refresh:user_start')!
  assert.equal(begun['search_base'], `ou=people,${base}`)
  assert.match(String(begun['filter']), /uid=\*/)
  assert.ok((await events()).some(({ type }) => type === 'api:ldap_refresh:group_start'))
  assert.doesNotMatch(JSON.stringify(await events()), /the word of the reader/)

  const asEve = { authorization: `Basic ${btoa(`eve:${directoryPassword('eve')}`)}` }
  const wanted = { description: 'x', expires_at: '2099-01-01T00:00:00Z' }
  const { body } = await service.stranger.post('/api/tokens', wanted, asEve)
  const token = service.bearer(body.meta.token)
  assert.equal((await token.get('/api/me')).status, 200)
  await directory.remove(personDn('eve'))
  await directory.remove(groupDn('passing'))
  const went = await refresh()
  assert.deepEqual([went['users_removed'], went['groups_removed']], [1, 1])
  assert.equal((await userOf('eve')).disabled, true)
  assert.equal((await signIn('eve')).status, 401)
  // The next person with that name in the directory does not get the tokens of the earlier one.
  await directory.addPerson('eve')
  await refresh()
  assert.equal((await token.get('/api/me')).status, 401)
  assert.equal((await signIn('eve')).status, 200)
})

test('a group that cannot be kept under its name is counted, and neither that nor a very long name holds up anybody else', async () => {
  const dn = `ou=odd,ou=groups,${base}`
  const odd = { objectClass: 'groupOfNames', ou: 'odd', cn: 'x'.repeat(300), member: personDn('ann') }
  await directory.add(dn, odd)
  await directory.addPerson('long', {
    mail: `${'x'.repeat(300)}@example.org`,
    displayName: `${'x'.repeat(254)}\u{1f511} and more`,
  })
  const came = await refresh()
  assert.deepEqual([came['type'], came['groups_unusable'], came['users_added']], ['api:ldap_refresh:success', 1, 1])
  assert.deepEqual((await userOf('ann')).groupnames, ['inner', 'operators'])
  const { email_address, display_name } = await userOf('long')
  assert.deepEqual([email_address, display_name], [null, `${'x'.repeat(254)}\u{1f511}`])
  assert.equal((await signIn('long')).status, 200)
  await directory.remove(dn)
  await directory.remove(personDn('long'))
  await refresh()
})

test('an empty answer keeps what is cached and warns, twice; the third in a row is believed', async () => {
  await use({ 'ldap.user_base': 'ou=empty' })
  const told: unknown[] = []
  for (let i = 0; i < 3; i++) {
    const { type } = await refresh()
    told.push([type, (await userOf('ann')).disabled])
  }
  assert.deepEqual(told, [
    ['api:ldap_refresh:warn', false],
    ['api:ldap_refresh:warn', false],
    ['api:ldap_refresh:error', true],
  ])
  await use({ 'ldap.user_base': 'ou=people' })
  assert.equal((await refresh()).type, 'api:ldap_refresh:success')
  assert.deepEqual([(await userOf('ann')).disabled, (await userOf('ann')).groupnames], [false, ['inner', 'operators']])
})

test('while the directory is away nobody new signs in, known people keep their tokens and groups, and a refresh says so', async () => {
  const asAnn = { authorization: `Basic ${btoa(`ann:${directoryPassword('ann')}`)}` }
  const wanted = { description: 'x', expires_at: '2099-01-01T00:00:00Z' }
  const { body } = await service.stranger.post('/api/tokens', wanted, asAnn)
  await directory.stop()
  const away = await signIn('bob', 'a password that was not asked for before')
  assert.deepEqual([away.status, away.body.errors[0].code], [503, 'unavailable'])
  assert.equal((await service.bearer(body.meta.token).get('/api/projects/bank')).status, 200)
  assert.equal((await service.as('admin').get('/api/me')).status, 200)
  const failed = await refresh()
  assert.equal(failed.type, 'api:ldap_refresh:error')
  assert.match(String(failed['error']), /localhost:\d+ cannot be asked: .*ECONNREFUSED/)
  assert.equal((await userOf('ann')).disabled, false)
  await directory.start()
  assert.equal((await signIn('bob')).status, 200)
})

test('while the directory takes connections and says nothing, whoever is none of its people signs in as ever', async () => {
  await service.addUser('cashier', [])
  const sockets: Socket[] = []
  const silent = createServer(socket => void sockets.push(socket.on('error', () => {})))
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = silent.address() as AddressInfo
    await use({
      ...directory.settings('none'),
      'ldap.host': '127.0.0.1',
      'ldap.port': port,
      'ldap.search_timeout': 600,
    })
    const hanging = ['bob', 'nobody', 'somebody', 'whoever'].map(name => signIn(name, 'any word'))
    await until(
      'all of them wait for the directory',
      async () => sockets.length,
      count => count === hanging.length,
      { pause: 20 },
    )
    assert.equal((await service.as('cashier').get('/api/me')).status, 200)
    for (const socket of sockets) socket.destroy()
    for (const { status } of await Promise.all(hanging)) assert.equal(status, 503)
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
    await use(directory.settings('starttls'))
  }
})

test('a certificate for another name is refused, by STARTTLS and by TLS from the start', async () => {
  for (const tls of ['starttls', 'ldaps'] as const) {
    await use({ ...directory.settings(tls), 'ldap.host': '127.0.0.1' })
    const refused = await refresh()
    assert.match(`${refused.type} ${refused['error']}`, /^api:ldap_refresh:error .*IP: 127.0.0.1 is not/)
    await use(directory.settings(tls))
    assert.equal((await refresh()).type, 'api:ldap_refresh:success', tls)
  }
  await use(directory.settings('none'))
  assert.equal((await refresh()).type, 'api:ldap_refresh:success')
})

test('what the settings lack or get wrong is said by the refresh and to who asks for one', async () => {
  await use({ 'ldap.password': 'wrong' })
  assert.match(String((await refresh())['error']), /cannot be asked: invalid credentials \(49\)$/)
  await use({ ...directory.settings('none'), 'ldap.user_base': 'ou=nowhere' })
  assert.match(String((await refresh())['error']), /cannot be asked: no such object.* \(32\)$/)
  await use({ ...directory.settings('none'), 'ldap.base_dn': null, 'ldap.user_base': null })
  const refused = await service.as('admin').post('/api/ldap_refresh')
  assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'not-supported-here'])
  assert.match(refused.body.errors[0].detail, /ldap.base_dn/)
  await use({ ...directory.settings('none'), 'ldap.host': null })
  assert.match((await service.as('admin').post('/api/ldap_refresh')).body.errors[0].detail, /ldap.host/)
  assert.equal((await signIn('bob', 'not remembered')).status, 401)
  await use(directory.settings('none'))
})

test('settings of the directory that cannot work are refused when they are saved, with what would work', async () => {
  const admin = service.as('admin')
  const { body } = await admin.get('/api/system_configuration')
  const path = body.data.relationships.settings.links.related
  for (const [setting, value, why] of [
    ['host', 'ldap://directory.example', /name or address of a host alone.*write \\"directory.example\\"/],
    ['host', 'ldaps://directory.example:636/', /write \\"directory.example\\"/],
    ['host', 'directory.example:389', /write \\"directory.example\\"/],
    ['host', '[::1]', /write \\"::1\\"/],
    ['host', 'two words', /of a host alone/],
    ['host', '10.0.0.256', /of a host alone/],
    ['user_filter', '(uid=', /should be a filter/],
    ['user_filter', '(&(objectClass=person)', /has 2 \\"\(\\" and 1/],
    ['user_filter', 'objectClass', /should be a filter/],
    ['base_dn', 'example.com', /distinguished name/],
    ['user_base', 'people', /distinguished name/],
    ['group_base', 'ou=groups,', /distinguished name/],
    ['user_attribute', 'uid)(x=', /name of an attribute/],
  ] as const) {
    const answer = await admin.patch(path, { data: { [`ldap.${setting}`]: value } })
    assert.equal(answer.status, 422, `${setting} ${value}`)
    assert.match(answer.text, why)
    assert.equal(answer.body.errors[0].source.pointer, `/data/attributes/data/ldap.${setting}`)
  }
  await use({
    'ldap.user_filter': '(&(objectClass=inetOrgPerson)(!(employeeType=gone\\28)))',
    'ldap.host': '::1',
    'ldap.password': 'x',
  })
  await use({ ...directory.settings('none'), 'ldap.user_filter': null })
})

test('members are who they are in every spelling of their names, above all in a group that blocks', async () => {
  const admin = service.as('admin')
  // At their creation, in the normalized form, and as the group spells them.
  const people = [
    ['cn=Smith\\, Bob', 'Smith, Bob', 'CN=smith\\2C Bob'],
    ['cn=J\\C3\\BCrgen \\+ S\\C3\\B6hne', 'Jürgen + Söhne', 'commonName=JÜRGEN \\2B Söhne'],
    ['cn=\\#1\\=\\3C\\3E\\22\\5C', '#1=<>"\\', '2.5.4.3=\\231\\3D\\<\\>\\"\\\\'],
    ['cn=two parts+uid=person4', 'two parts', 'userid=PERSON4+cn=Two  Parts'],
    ['cn=spaces \\20within', 'spaces  within', 'cn=spaces\\20within'],
  ] as const
  const names = people.map((_, at) => `person${at + 1}`)
  for (const [at, [rdn, cn]] of people.entries())
    await directory.addPersonAs(`${rdn},ou=people,${base}`, names[at]!, { cn })
  const members = people.map(([, , spelled]) => `${spelled},ou=people,${base}`)
  await directory.addGroup('shut, out', members)
  await directory.addGroup('around', [`cn=shut\\2c out,ou=groups,${base}`])
  const [policy] = (await admin.get('/api/authorisation_policies?filter[name_eq]=blocked')).body.data
  await refresh()
  for (const name of names) {
    assert.deepEqual((await userOf(name)).groupnames, ['around', 'shut, out'], name)
    const { status, body } = await signIn(name)
    assert.deepEqual([status, body.data.attributes.groupnames], [200, ['around', 'shut, out']], name)
  }
  const assignment = { authorisation_policy_id: policy.id, groupname: 'around' }
  assert.equal((await admin.post('/api/policy_assignments', assignment)).status, 201)
  const token = { description: 'x', expires_at: '2099-01-01T00:00:00Z' }
  for (const name of names) {
    const asked = { authorization: `Basic ${Buffer.from(`${name}:${directoryPassword(name)}`).toString('base64')}` }
    assert.match((await service.stranger.post('/api/tokens', token, asked)).text, /You are blocked/, name)
  }
})

test('two entries of one user name are told by their names, and are nobody', async () => {
  await directory.addPerson('twin')
  await refresh()
  assert.equal((await signIn('twin')).status, 200)
  const other = `cn=another,ou=people,${base}`
  await directory.addPersonAs(other, 'Twin', { cn: 'another' })
  const told = await refresh()
  assert.equal(told['type'], 'api:ldap_refresh:warn')
  assert.match(String(told['warning']), /same user name.*twin \(.*uid=twin,ou=people,dc=example.*\)/i)
  assert.match(String(told['warning']), /cn=another,ou=people,dc=example/)
  assert.equal(told['users_ambiguous'], 2)
  assert.equal((await signIn('twin', 'not remembered')).status, 401)
  assert.equal((await userOf('twin')).disabled, true)
  assert.ok(service.logged.some(line => line.includes('several directory entries have this user name')))
  await directory.remove(other)
  assert.equal((await refresh()).type, 'api:ldap_refresh:success')
  assert.equal((await signIn('twin')).status, 200)
})

test('a refresh comes by itself when the interval is over, and an older one never replaces a newer', async () => {
  await refresh()
  const before = (await endings()).length
  await atTheMinute()
  assert.equal((await endings()).length, before)
  await moveClock(service.testDatabase, '14401 seconds')
  await atTheMinute()
  assert.equal((await endings()).length, before + 1)
  assert.equal((await endings()).at(-1)!['username'], 'system')

  await directory.addPerson('late')
  await service.database.count(sql`update directory_refreshes set read_at = sluice_now() + interval '4 minutes'`)
  assert.equal((await service.as('admin').post('/api/ldap_refresh')).status, 204)
  await worked()
  const [overtaken, ...others] = (await endings()).slice(before + 1)
  assert.deepEqual(
    [overtaken?.['type'], overtaken?.['overtaken'], overtaken?.['username'], others.length],
    ['api:ldap_refresh:warn', true, 'admin', 0],
  )
  assert.match(String(overtaken?.['warning']), /A refresh that began later/)
  assert.equal(await userOf('late'), undefined)
  await service.database.count(sql`update directory_refreshes set read_at = null`)
})

test('two users who request a refresh while none can begin each find the end of their own', async () => {
  const { body } = await service.as('admin').get('/api/authorisation_policies?filter[name_eq]=superuser')
  const assignment = { authorisation_policy_id: body.data[0].id, username: 'ann' }
  const assigned = await service.as('admin').post('/api/policy_assignments', assignment)
  assert.equal(assigned.status, 201, assigned.text)
  const before = (await endings()).length
  await service.database.transaction(async tx => {
    // As many as the queue runs at a time, each of which waits for the lock.
    await tx.rows(sql`select 1 from directory_refreshes for update`)
    await service.database.rows(sql`
      select graphile_worker.add_job('directory.refresh', ${JSON.stringify({ by })}::json) from generate_series(1, 6)`)
    const held = () =>
      service.database.rows(sql`
        select 1 from graphile_worker.jobs where task_identifier = 'directory.refresh' and locked_at is not null`)
    await until('all workers wait', held, jobs => jobs.length === 6, { seconds: 30, pause: 20 })
    const asAnn = { authorization: `Basic ${btoa(`ann:${directoryPassword('ann')}`)}` }
    assert.equal((await service.as('admin').post('/api/ldap_refresh')).status, 204)
    assert.equal((await service.stranger.post('/api/ldap_refresh', {}, asAnn)).status, 204)
  })
  await worked()
  const names = (await endings()).slice(before).map(({ username }) => username)
  assert.deepEqual(names.filter(name => name !== 'system').toSorted(), ['admin', 'ann'])
  assert.equal(names.length, 8)
  const deleted = await service.as('admin').delete(`/api/policy_assignments/${assigned.body.data.id}`)
  assert.equal(deleted.status, 204, deleted.text)
})

test('a directory that is taken out of the settings while a refresh is queued ends it with its reason', async () => {
  const before = (await endings()).length
  await use({ 'ldap.host': null })
  await service.database.rows(sql`select graphile_worker.add_job('directory.refresh', ${JSON.stringify({ by })}::json)`)
  await worked()
  const [ended, ...others] = (await endings()).slice(before)
  assert.match(
    `${ended?.['type']} ${ended?.['error']} ${others.length}`,
    /^api:ldap_refresh:error There is no directory.* 0$/,
  )
  await use(directory.settings('starttls'))
})

test('each event of a refresh has the settings of the installation as its source', async () => {
  const admin = service.as('admin')
  const { id } = (await admin.get('/api/system_configuration')).body.data.relationships.settings.data
  const types = ['user_start', 'group_start', 'success', 'warn', 'error'].map(each => `api:ldap_refresh:${each}`)
  for (const type of types) {
    const { data } = (await admin.get(`/api/events?filter[type_eq]=${type}&filter[source_id_eq]=${id}&limit=1000`)).body
    const all = (await admin.get(`/api/events?filter[type_eq]=${type}&limit=1000`)).body.data
    assert.ok(all.length > 0, type)
    assert.equal(data.length, all.length, type)
    for (const each of data) assert.equal(each.relationships.source.data.id, id, type)
  }
})

test('refreshes go on when the clock is set back to before the last one', async () => {
  await refresh()
  await service.database.count(sql`
    update directory_refreshes
       set started_at = started_at + interval '30 days', read_at = read_at + interval '30 days',
           ended_at = ended_at + interval '30 days'`)
  const before = (await endings()).length
  await atTheMinute()
  assert.equal((await endings()).length, before + 1)
  await directory.addPerson('afterwards')
  await refresh()
  assert.ok(await userOf('afterwards'))
})

test('a refresh that would leave nobody a superuser is undone, and says so', async () => {
  const admin = service.as('admin')
  const { body } = await admin.get('/api/authorisation_policies?filter[name_eq]=superuser')
  const assignment = { authorisation_policy_id: body.data[0].id, groupname: 'operators' }
  assert.equal((await admin.post('/api/policy_assignments', assignment)).status, 201)
  const asAnn = { authorization: `Basic ${btoa(`ann:${directoryPassword('ann')}`)}` }
  assert.equal((await service.stranger.patch('/api/users/admin', { disabled: true }, asAnn)).status, 200)
  await directory.remove(personDn('ann'))
  await service.database.rows(sql`select graphile_worker.add_job('directory.refresh', ${JSON.stringify({ by })}::json)`)
  await worked()
  const last = await service.database.one(sql<{ type: string; error: string; disabled: boolean }>`
    select e.type, e.attributes ->> 'error' as error, u.disabled
      from events e, users u
     where e.type like 'api:ldap_refresh:%' and u.username = 'ann' order by e.created_at desc, e.id desc limit 1`)
  assert.deepEqual([last?.type, last?.disabled], ['api:ldap_refresh:error', false])
  assert.match(last!.error, /would remove the last superuser/)
})

const by = { userId: null, username: 'system' }

/** The effect of the minutely clock, and waits for its end. */
async function atTheMinute(): Promise<void> {
  await service.database.rows(sql`select graphile_worker.add_job('directory.refresh_when_due', '{}'::json)`)
  await worked()
}

async function worked(): Promise<void> {
  const left = () =>
    service.database.rows(sql`
      select 1 from graphile_worker.jobs where task_identifier like 'directory.%'`)
  await until('the jobs are done', left, jobs => jobs.length === 0, { seconds: 30, pause: 20 })
}
