import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { created } from '../support/changes.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'
import { type CommandLine, newCommandLine, type RunOptions, seen } from './command-line.ts'
import type { Ran } from './in-process.ts'

const reader = [
  { path: '/projects/bank', read: true },
  { path: '/projects/bank/settings', read: false },
]
let service: TestService
let cli: CommandLine

before(async () => {
  service = await startTestService({ spares: 0, users: { reader } })
  cli = await newCommandLine({}, { inProcess: true })
})
after(async () => {
  await service.stop()
  await cli.remove()
})

const loginsFile = () => join(cli.folder, '.config/sluice/logins.json')
const keptToken = async (): Promise<string> =>
  JSON.parse(await readFile(loginsFile(), 'utf8')).services[service.address].token

async function sluice(line: string | readonly string[], options?: RunOptions): Promise<Ran> {
  return cli.run(typeof line === 'string' ? line.split(' ') : line, options)
}

/** Runs a command that must succeed with nothing but its output. */
async function output(...args: Parameters<typeof sluice>): Promise<string> {
  const { status, stdout, stderr } = await sluice(...args)
  assert.deepEqual([status, stderr], [0, ''])
  return stdout
}

async function refused(line: string | readonly string[], status: number, words: RegExp): Promise<void> {
  const ran = await sluice(line)
  assert.match(ran.stderr, words)
  assert.equal(ran.stdout, '')
  assert.equal(ran.status, status)
}

test('who has not signed in is told how', async () => {
  await refused('list projects', 1, /Sign in first: sluice login https:/)
  await refused(`list projects --url ${service.address}`, 1, /not signed in to http:.*Run: sluice login http:/)
})

test('a wrong password is refused in words, and keeps nothing', async () => {
  const ran = await sluice(`login ${service.address} --user admin`, { input: 'wrong password\n' })
  assert.equal(ran.status, 1)
  assert.match(ran.stderr, /credentials are wrong/)
  await assert.rejects(stat(loginsFile()))
})

test('a login asks for the password without showing it, and keeps a token that only its owner may read', async () => {
  const ran = await cli.run(['login', service.address], {
    terminal: true,
    meanwhile: async running => {
      await seen(running, 'User: ')
      running.type('admin\r')
      await seen(running, 'Password for admin')
      // Mistyped, deleted, typed again.
      running.type(`x\x7f${passwordOf('admin')}\r`)
    },
  })
  assert.equal(ran.status, 0, ran.stdout)
  assert.match(ran.stdout, /Signed in to .* as admin until \d{4}-\d\d-\d\d/)
  assert.doesNotMatch(ran.stdout, /the password of/)
  assert.equal((await stat(loginsFile())).mode & 0o777, 0o600)
  assert.equal((await stat(join(cli.folder, '.config/sluice'))).mode & 0o777, 0o700)
  assert.doesNotMatch(await readFile(loginsFile(), 'utf8'), /the password of/)
  assert.equal(await output('whoami'), `admin at ${service.address}\n`)
})

test('records are made, shown, changed and listed by their type alone', async () => {
  await output(['create', 'project', 'code=bank', 'name=The bank'])
  await output('create environment bank code=test name=Test')
  await output('create environment /projects/bank code=live name=Live')
  await output(['update', 'project', 'bank', 'description=Where the money is'])
  assert.match(await output('show project bank'), /^description +Where the money is$/m)
  const listed = await output('list environments bank --sort code')
  assert.match(listed, /^CODE {2}NAME.*\nlive {2}Live .*\ntest {2}Test .*\n$/)
})

test('a list is narrowed, ordered, cut and paged', async () => {
  assert.match(await output('list environments bank --filter code_eq=test --columns code'), /^CODE\ntest\n$/)
  assert.match(await output('list environments bank --filter code_in=test,live --columns code'), /\n.*\n.*\n$/)
  const either = '--filter code_eq=test --filter name_eq=Live --any --sort -code --columns code,name'
  assert.equal(await output(`list environments bank ${either}`), 'CODE  NAME\ntest  Test\nlive  Live\n')
  const cut = await sluice('list environments bank --limit 1 --sort code --columns code')
  assert.equal(cut.stdout, 'CODE\nlive\n')
  assert.match(cut.stderr, /Use --all/)
  assert.equal(await output('list environments bank --limit 1 --all --sort code --columns code'), 'CODE\nlive\ntest\n')
  const none = await sluice('list environments bank --filter code_eq=none')
  assert.deepEqual([none.status, none.stdout, none.stderr], [0, '', 'No environments found.\n'])
})

test('the same list as JSON, YAML and CSV', async () => {
  const json = JSON.parse(await output('list environments bank --sort code -o json'))
  assert.deepEqual(
    json.map(({ type, attributes }: { type: string; attributes: { code: string } }) => [type, attributes.code]),
    [
      ['environment', 'live'],
      ['environment', 'test'],
    ],
  )
  assert.deepEqual(parse(await output('list environments bank --sort code -o yaml')), json)
  await output(['update', 'environment', 'bank', 'live', 'description==1+1, "quoted"'])
  const csv = await output('list environments bank --sort code -o csv --columns code,description')
  assert.equal(csv, `code,description\nlive,"'=1+1, ""quoted"""\ntest,\n`)
})

test('properties of a node are addressed by its path; parts of them are merged', async () => {
  await output('update properties /projects/bank data.web.port=8080 data.web.tls=true')
  await output('update properties /projects/bank --merge data.web.port=9090')
  const { attributes } = JSON.parse(await output('show properties /projects/bank -o json'))
  assert.deepEqual(attributes.data, { web: { port: 9090, tls: true } })
})

test('attributes come from a file or from standard input, words on the line before them', async () => {
  await writeFile(join(cli.folder, 'bookmark.yaml'), 'description: Runbook\nurl: https://example.org/a\n')
  await output('create bookmark /projects/bank --data bookmark.yaml url=https://example.org/b')
  await output('create bookmark /projects/bank --data -', { input: '{"description": "From a pipe"}' })
  const columns = await output('list bookmarks /projects/bank --sort description --columns description,url')
  assert.match(columns, /From a pipe\nRunbook +https:\/\/example.org\/b\n/)
})

test('what a type takes is told by its help', async () => {
  const help = await output('create git-remote --help')
  assert.match(help, /^ {2}url +.*Required\.$/m)
  assert.match(help, /^ {2}\/projects\/\{project_code\}\/git_remotes$/m)
})

test('help on a command that there is not is refused', async () => {
  for (const line of ['nonsense --help', 'nonsense -h', 'help nonsense', 'keys nonsense --help', 'nonsense'])
    await refused(line, 2, /unknown command 'nonsense'/)
  assert.match(await output('--help'), /^Usage: sluice /)
  assert.match(await output('help list'), /^Usage: sluice list /)
  assert.match(await output('keys --help'), /^Usage: sluice keys /)
  assert.match(await output('-o json --help'), /^Usage: sluice /)
})

test('types are spoken of in English', async () => {
  assert.match(await output('create environment --help'), /^Attributes of an environment:$/m)
  assert.match(await output('create user --help'), /^Attributes of a user:$/m)
  await refused('archive event /events/x', 2, /^An event cannot be archived/)
})

test('a node is archived, and destroyed only by force; a record without a way back is deleted', async () => {
  await output('create project code=old name=Old')
  await refused('delete project old', 2, /sluice archive project old\n.*--force/)
  assert.equal((await sluice('archive project old')).status, 0)
  assert.match(await output('show project old'), /^archived +true$/m)
  assert.equal((await sluice('delete project old --force')).status, 0)
  await refused('show project old', 1, /no such record/)
  await refused('archive step /steps/x', 2, /cannot be archived/)
})

test('the service’s refusals are told in words, with the attribute and what would be right', async () => {
  await refused('create project code=-x name=y', 1, /^code: .*letters, digits/m)
  await refused('create project nmae=y', 1, /nmae: .*It takes code, name/)
  await refused('list projects --filter nmae_eq=1', 1, /^filter\[nmae_eq\]: .*no attribute "nmae"/)
  await refused('create project code=bank name=again', 1, /code/)
  await refused('show project none', 1, /^\/projects\/none: There is no such record, or you may not read it/)
})

test('who may not read the settings of a project is told that, not how to write where they are', async () => {
  const token = { description: 'x', expires_at: '2099-01-01T00:00:00Z' }
  const { body } = await service.as('reader').post('/api/tokens', token)
  const env = { SLUICE_URL: service.address, SLUICE_TOKEN: body.meta.token }
  const { status, stderr } = await sluice('show settings /projects/bank', { env })
  assert.deepEqual([status, stderr], [1, '/projects/bank has no settings, or you may not read it.\n'])
})

test('what is typed wrongly ends with 2 and says what would be right', async () => {
  await refused('lsit projects', 2, /Did you mean list\?/)
  await refused('list porjects', 2, /Unknown record type "porjects".*sluice types/)
  await refused('list git_remotes', 2, /\/projects\/\{project_code\}\/git_remotes/)
  await refused('list projects --columns code,nmae', 2, /no attribute nmae\. Its attributes are: id, code/)
  await refused('create project code', 2, /No path matches "code"/)
  await refused('list projects -o xml', 2, /table, json, yaml, csv/)
  await refused('update git_remote /projects/bank/git_remotes/x archived=maybe', 2, /true or false/)
})

test('sessions of browsers are listed and ended', async () => {
  const { id } = await created(
    service.as('admin').post('/api/tokens/session', undefined, { 'user-agent': 'Firefox/1' }),
  )
  const list = 'list sessions --filter mine --columns id,user_agent,created_by -o csv'
  assert.match(await output(list), new RegExp(`^${id},Firefox/1,admin\\r?$`, 'm'))
  const ended = await sluice(`delete session ${id}`)
  assert.deepEqual([ended.status, ended.stderr], [0, `Deleted ${id}\n`])
  assert.doesNotMatch(await output(list), new RegExp(id))
  await refused(`delete session ${id}`, 1, /There is no such record/)
})

test('any request of the interface can be made', async () => {
  const answer = JSON.parse(await output('api GET /projects/bank/converged_properties'))
  assert.equal(answer.data.attributes.data.web.port, 9090)
  await output(['api', 'post', '/api/events', 'type=custom:cli:tried'])
  assert.match(await output('events --filter type_eq=custom:cli:tried'), /custom:cli:tried +admin/)
})

test('the address and the token may come from the environment; rights are those of who they belong to', async () => {
  const made = await service
    .as('reader')
    .post('/api/tokens', { description: 'cli', expires_at: '2099-01-01T00:00:00Z' })
  const env = { SLUICE_URL: service.address, SLUICE_TOKEN: made.body.meta.token, XDG_CONFIG_HOME: '/nowhere' }
  assert.equal(await output('list projects --columns code', { env }), 'CODE\nbank\n')
  const ran = await sluice('create project code=mine name=Mine', { env })
  assert.equal(ran.status, 1)
  assert.match(ran.stderr, /needs update on \/projects/)
})

test('no control sequence that stands in a record reaches the terminal, in any format', async () => {
  const evil = '\x1b]0;owned\x07\x1b[2J\x9b2Jdone\x1b[31m!'
  await service.as('admin').patch('/api/projects/bank', { description: evil })
  for (const format of ['table', 'json', 'yaml', 'csv'])
    for (const line of [`show project bank -o ${format}`, `list projects --columns description -o ${format}`]) {
      const text = (await output(line)).replaceAll('\x1b[31m', '').replaceAll('\x1b[0m', '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
      assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/, line)
      assert.match(text, /done/)
    }
  assert.equal(JSON.parse(await output('show project bank -o json')).attributes.description, evil)
  assert.equal(parse(await output('show project bank -o yaml')).attributes.description, evil)
})

test('the secret of a token is where a script reads it, in every format, and is said nowhere else', async () => {
  const create = 'create token description=script expires_at=2099-01-01T00:00:00Z'
  const secretIn = {
    table: (text: string) => /^token +(\S+)$/m.exec(text)?.[1],
    json: (text: string) => JSON.parse(text).meta.token as string,
    yaml: (text: string) => /^ {2}token: (\S+)$/m.exec(text)?.[1],
    csv: (text: string) =>
      text
        .trim()
        .split('\n')
        .map(line => line.split(',').at(-1))[1],
  }
  for (const [format, read] of Object.entries(secretIn)) {
    const { status, stdout, stderr } = await sluice(`${create} -o ${format}`)
    assert.deepEqual([status, stderr], [0, ''])
    const env = { SLUICE_URL: service.address, SLUICE_TOKEN: read(stdout)!, XDG_CONFIG_HOME: '/nowhere' }
    assert.match(await output('whoami', { env }), /^admin at /, format)
  }
})

test('a token of the environment that is not valid is named, for a login would not help', async () => {
  const env = { SLUICE_URL: service.address, SLUICE_TOKEN: 'nonsense' }
  const ran = await sluice('whoami', { env })
  assert.equal(ran.status, 1)
  assert.match(ran.stderr, /SLUICE_TOKEN/)
  assert.doesNotMatch(ran.stderr, /sluice login/)
})

test('how long a login lasts is looked at before the password is asked for', async () => {
  for (const days of ['soon', '0', '-1', '40000'])
    await refused(`login --user admin --days ${days}`, 2, /^--days should be/)
})

test('the settings of all are addressed by the system configuration', async () => {
  await output(['update', 'settings', '/system_configuration', 'data[runner.idle_timeout]=20'])
  assert.match(await output('show settings /system_configuration'), /runner\.idle_timeout: 20/)
  await refused('show settings /healthcheck', 2, /No path matches "\/healthcheck"/)
})

test('a workflow that has run is archived by a delete, and so it is said', async () => {
  const source = 'source_yaml=steps: [{ type: wait, name: ask }]'
  for (const code of ['ran', 'never'])
    await output(['create', 'workflow', 'bank', `code=${code}`, `name=${code}`, source, 'draft=false'])
  const id = (await output('workflow-runs create bank ran')).trim()
  await sluice(`workflow-runs cancel ${id}`)
  assert.match((await sluice(`workflow-runs wait ${id}`)).stdout, /ended: cancelled/)
  assert.equal(
    (await sluice('delete workflow bank ran')).stderr,
    'Archived instead of deleted, because it is in use: bank ran\n',
  )
  assert.equal((await sluice('delete workflow bank never')).stderr, 'Deleted bank never\n')
})

test('a policy is what its file says, as often as that is applied', async () => {
  const apply = async (text: string) => {
    await writeFile(join(cli.folder, 'policy.yaml'), text)
    const { status, stderr, stdout } = await sluice('policies apply --data policy.yaml -o json')
    assert.equal(status, 0, stderr)
    return [stderr, JSON.parse(stdout).data?.id ?? JSON.parse(stdout).id]
  }
  const rule = '{ path: /projects/bank, read: true'
  const [made, id] = await apply(`name: testers\nauthorisation_rules: [${rule} }]\nassignments: [{ username: reader }]`)
  assert.equal(made, 'Created testers\n')
  const more = `name: testers\ndescription: Who tests\nauthorisation_rules: [${rule}, execute: true }]\n`
  assert.deepEqual(await apply(more), ['Updated testers\n', id])
  assert.deepEqual(await apply(more), ['No changes to testers\n', id])
  const policy = await service
    .as('admin')
    .get(`/api/authorisation_policies/${id}?include=authorisation_rules,policy_assignments`)
  assert.equal(policy.body.data.attributes.description, 'Who tests')
  const of = (type: string) => policy.body.included.filter((each: { type: string }) => each.type === type)
  assert.deepEqual(
    of('authorisation_rule').map(({ attributes }: { attributes: Record<string, unknown> }) => attributes['execute']),
    [true],
  )
  assert.equal(of('policy_assignment').length, 1)
  await writeFile(join(cli.folder, 'policy.yaml'), `${more}assignments: [{ username: nobody-there }]\n`)
  const halved = await sluice('policies apply --data policy.yaml')
  assert.deepEqual(
    [halved.status, halved.stderr.split('\n')[0]],
    [1, 'Updated description and rules of testers; updating assignments failed.'],
  )
  await apply('name: testers\nassignments: []')
  const decomposed = 'name: re\u0301seau\nassignments: []'
  const [first, ofNetwork] = await apply(decomposed)
  assert.deepEqual(
    [first, await apply(decomposed)],
    ['Created re\u0301seau\n', ['No changes to re\u0301seau\n', ofNetwork]],
  )
  await writeFile(join(cli.folder, 'policy.yaml'), 'authorisation_rules: []')
  await refused('policies apply --data policy.yaml', 2, /should contain the name of the policy/)
})

test('a second login replaces the first one’s token, and a logout revokes it', async () => {
  const first = await keptToken()
  await sluice(`login ${service.address} --user admin`, { input: `${passwordOf('admin')}\n` })
  assert.equal((await service.bearer(first).get('/api/me')).status, 401)
  const second = await keptToken()
  assert.equal((await service.bearer(second).get('/api/me')).status, 200)
  const left = await sluice('logout')
  assert.match(left.stderr, /revoked the token/)
  assert.equal((await service.bearer(second).get('/api/me')).status, 401)
  await refused('list projects', 1, /Sign in first/)
})
