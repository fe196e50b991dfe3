import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, ended, linesOf, often, ran, readyVersion, type Shown, shop } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { type GitServer, gitServer, type TestRepository } from '../support/git-repository.ts'
import { mailServer, type TestMailServer } from '../support/mail-server.ts'
import { filesThatHold, processTable } from '../support/process-table.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { withClient } from '../support/template-database.ts'

/** Marked secrets are put wherever secrets can be; then they are searched for wherever they must not be. */

const actions = `
actions:
  use:
    description: Reads its secret from the context, and says it in every way
    env: { GATES: "{{ gates }}" }
    shell: node
    run: |
      const { mkdir, readFile, writeFile } = await import('node:fs/promises')
      const { existsSync } = await import('node:fs')
      const { dirname } = await import('node:path')
      const { converged } = JSON.parse(await readFile(process.env.SLUICE_STEP_CONTEXT, 'utf8'))
      const secret = converged.database.password
      const bytes = Buffer.from(secret)
      console.log('plain', secret)
      console.error('base64', bytes.toString('base64'), 'hex', bytes.toString('hex'))
      console.log('url', encodeURIComponent(secret), 'json', JSON.stringify({ secret }))
      for (const at of [1, 2]) console.log('shifted', Buffer.from('x'.repeat(at) + secret).toString('base64'))
      console.log('loud', bytes.toString('hex').toUpperCase(), bytes.toString('base64url'))
      console.log('file', await readFile('secret-file', 'utf8'))
      const value = { kept: converged.plain }
      const artefact = 'of ' + secret
      const kept = process.env.SLUICE_ARTEFACTS + '/' + artefact
      await mkdir(dirname(kept), { recursive: true })
      await writeFile(kept, 'a file of this name')
      await writeFile(process.env.SLUICE_ARTEFACT_LABELS, JSON.stringify({ [artefact]: { of: secret } }))
      await writeFile(process.env.SLUICE_STEP_RESULT, JSON.stringify({
        outputs: { url: 'https://app:' + encodeURIComponent(secret) + '@db', [secret]: [bytes.toString('base64')] },
        properties_diffs: { asset: [{ op: 'add', path: '/written', value }], change: [{ op: 'add', path: '/also', value }] } }))
      await writeFile(process.env.GATES + '/using', '')
      while (!existsSync(process.env.GATES + '/used')) await new Promise(resolve => setTimeout(resolve, 20))
      if (converged.fail) { console.error(new Error('failed with ' + secret).stack); process.exit(1) }
`

const losing = `
  lose:
    description: Writes its secret where another value stands
    shell: node
    run: |
      const { readFile, writeFile } = await import('node:fs/promises')
      const { converged } = JSON.parse(await readFile(process.env.SLUICE_STEP_CONTEXT, 'utf8'))
      const asset = [{ op: 'test', path: '/plain', value: { mine: converged.database.password + '!' } }]
      await writeFile(process.env.SLUICE_STEP_RESULT, JSON.stringify({ properties_diffs: { asset } }))
`

const giving = `
  give:
    description: Writes its secret into properties
    shell: node
    run: |
      const { readFile, writeFile } = await import('node:fs/promises')
      const { converged } = JSON.parse(await readFile(process.env.SLUICE_STEP_CONTEXT, 'utf8'))
      const value = { url: 'https://app:' + converged.database.password + '@db' }
      const asset = [{ op: 'add', path: '/given', value }]
      await writeFile(process.env.SLUICE_STEP_RESULT, JSON.stringify({ properties_diffs: { asset } }))
`

const asking = `
  ask:
    description: Asks the service for secrets by plain requests, and says them
    shell: node
    run: |
      const { readFile } = await import('node:fs/promises')
      const { SLUICE_API_URL: service, SLUICE_API_TOKEN: token, SLUICE_STEP_ID: step } = process.env
      const asked = async (path, attributes) => {
        const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
        const body = JSON.stringify({ data: { attributes } })
        const answer = await fetch(service + path, { method: 'POST', headers, body })
        if (!answer.ok) throw new Error(await answer.text())
        return (await answer.json()).data.attributes.value
      }
      const { context } = JSON.parse(await readFile(process.env.SLUICE_STEP_CONTEXT, 'utf8'))
      const reference = 'secret://projects/shop/asked/key'
      const resolved = await asked('/api/secrets/resolve', { node_path: context.change.path, reference })
      const made = await asked('/api/steps/' + step + '/secret', { path: 'made', key: 'key' })
      console.log('asked', resolved, 'made', made, 'base64', Buffer.from(made).toString('base64'))
`

const mailing = `
  mail:
    description: Sends its secret by mail
    shell: node
    run: |
      const { readFile } = await import('node:fs/promises')
      const { SLUICE_API_URL: service, SLUICE_API_TOKEN: token, SLUICE_STEP_ID: step } = process.env
      const { converged } = JSON.parse(await readFile(process.env.SLUICE_STEP_CONTEXT, 'utf8'))
      const secret = converged.database.password
      const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json', 'idempotency-key': 'mail' }
      const to = [Buffer.from(secret).toString('hex') + '@example.org']
      const body = JSON.stringify({ data: { attributes: { to, subject: 'of ' + secret, text: secret } } })
      const answer = await fetch(service + '/api/steps/' + step + '/email', { method: 'POST', headers, body })
      console.log('mailed', answer.status, await answer.text())
`

const mark = (what: string) => `canary-${what}-${randomBytes(12).toString('hex')}`
/** Returned to no caller and stored only encrypted. */
const secrets = {
  git: mark('git'),
  wrongGit: mark('wrong-git'),
  vault: mark('vault/"ü'),
  asked: mark('asked'),
  setting: mark('setting'),
  vaultToken: mark('vault-token'),
  smtp: mark('smtp'),
  password: mark('password'),
  newPassword: mark('new-password'),
}
/** Returned to callers who may read it, and stored encrypted. */
const property = mark('property')
const override = mark('override')

let mails: TestMailServer
let service: TestService
let admin: Client
let gates: Gates
let repository: TestRepository
let git: GitServer
let asset: string
let token: string
let since: Date

before(async () => {
  since = new Date()
  const login = { user: 'robot', password: secrets.smtp }
  mails = await mailServer({ tls: 'smtps', login })
  const { server: smtpServer, authority: authorities } = mails
  service = await startTestService({ config: { smtpServer, authorities, mailFrom: 'sluice@example.org' } })
  admin = service.as('admin')
  gates = await newGates()
  ;({ repository, asset } = await shop(service, { 'web/actions.yaml': actions + losing + giving + asking + mailing }))
  git = await gitServer(repository, { user: 'robot', password: secrets.git })
})
after(async () => {
  await git.stop()
  await service.stop()
  await mails.stop()
  await gates.remove()
})

test('while a secret is used it is in no process’s arguments or environment', async () => {
  git.hold()
  const making = admin.post(
    '/api/projects/shop/git_remotes',
    { name: 'guarded', url: git.url, user: 'robot', password: secrets.git },
    { 'idempotency-key': 'remote' },
  )
  await git.held()
  await holdsNone('the process list of a fetch', await processTable())
  git.release()
  await created(making)
  const wrong = { name: 'wrong', url: git.url, user: 'robot', password: secrets.wrongGit }
  await created(admin.post('/api/projects/shop/git_remotes', wrong))
  const template = { code: 'web2', name: 'Web', template_type: 'asset', git_remote_name: 'guarded' }
  repository.commit({ 'web2/actions.yaml': actions }, { branch: 'two' })
  await created(admin.post('/api/projects/shop/templates', template))
  await readyVersion(admin, '/api/projects/shop/templates/web2/versions/1', 'two')

  await setSetting()
  await created(admin.post('/api/users', { username: 'marked', password: secrets.password }))
  assert.equal((await admin.patch('/api/users/marked', { password: secrets.newPassword })).status, 200)
  const made = await admin.post('/api/tokens', {
    description: 'a token that is described',
    expires_at: '2099-01-01T00:00:00Z',
  })
  token = made.body.meta.token
  assert.equal((await service.bearer(token).get('/api/me')).status, 200)

  const id = await useSecret()
  await gates.reached('using')
  // A step has its token in the environment; its secrets are in its context.
  await holdsNone('the process list of a step', await processTable())
  await spoolsHoldNone()
  await gates.open('used')
  assert.equal((await ended(admin, id)).attributes.status_code, 'success')
  const failing = await ran(admin, asset, 'use', { property_overrides: { gates: gates.folder, fail: true } })
  assert.equal(failing.attributes.status_code, 'error')
  const losing = await ran(admin, asset, 'lose')
  assert.equal(losing.attributes.status_code, 'error')
  const giving = await ran(admin, asset, 'give')
  assert.equal(giving.attributes.status_code, 'error')
  const place = { node_path: '/projects/shop', path: 'asked', key: 'key' }
  await created(admin.post('/api/secrets/encrypt', { ...place, value: secrets.asked }))
  const asking = await ran(admin, asset, 'ask')
  assert.equal(asking.attributes.status_code, 'success')
  assert.equal((await ran(admin, asset, 'mail')).attributes.status_code, 'success')
  assert.equal(mails.received[0]?.mail.subject, `of ${secrets.vault}`)
})

/** The log on the runner's disk until the service has it, while its step runs. */
async function spoolsHoldNone(): Promise<void> {
  const folder = join(service.dataDir, 'runners')
  const spools = async (word: string) => (await filesThatHold(folder, word)).filter(file => file.includes('/spool'))
  for (const word of formsOf(everything())) assert.deepEqual(await spools(word), [], word)
}

async function setSetting(): Promise<void> {
  const { relationships } = (await admin.get('/api/system_configuration')).body.data
  const path = `/api/settings/${relationships.settings.data.id}`
  const vault = { address: 'https://vault.invalid', auth_method: 'token', token: secrets.vaultToken }
  const data = {
    'ldap.password': secrets.setting,
    'ldap.host': 'ldap.invalid',
    'allowed.vault': [vault],
    log_email_events: true,
  }
  assert.equal((await admin.patch(path, { data })).status, 200)
}

async function useSecret(): Promise<string> {
  const place = { node_path: '/projects/shop', path: 'database', key: 'password' }
  const stored = await admin.post('/api/secrets/encrypt', { ...place, value: secrets.vault })
  const { reference } = stored.body.data.attributes
  const resolving = await admin.post('/api/secrets/resolve', { node_path: '/projects/shop', reference })
  assert.equal(resolving.body.data.attributes.value, secrets.vault)
  const { relationships } = (await admin.get('/api/projects/shop')).body.data
  const data = {
    plain: property,
    database: { password: reference },
    sluice: { files: { 'web/secret-file': { content: reference } } },
  }
  const written = await admin.patch(`/api/properties/${relationships.properties.data.id}`, { data })
  assert.equal(written.status, 200, written.text)
  const property_overrides = { gates: gates.folder, mine: override }
  const step = { target: 'environments/live/assets/front', action: 'use', property_overrides }
  const workflow = { code: 'release', name: 'Release', source_yaml: JSON.stringify({ steps: [step] }), draft: false }
  await created(admin.post('/api/projects/shop/workflows', workflow))
  return (await created(admin.post(`${asset}/changes`, { action: 'use', property_overrides }))).id
}

test('in the log of the step stands that there was a secret, and not which', async () => {
  const log = (await linesOf(admin, '/api')).map(({ attributes }) => attributes.message)
  assert.equal(log.filter(line => /^(plain|base64|url|file) /.test(line)).length, 8, log.join('\n'))
  assert.ok(log.some(line => line.includes('no longer applies')))
  assert.ok(log.some(line => line.includes('would write a secret into the properties of its asset, at /given')))
  assert.ok(
    log.some(line => /^asked \*\*\* made \*\*\* base64 \*\*\*=*$/.test(line)),
    log.join('\n'),
  )
  await holdsNone('the log', log.join('\n'))
})

test('no answer of the API holds one, wherever its links lead', async () => {
  const seen = await crawl([...Object.keys(service.openApi.paths).filter(path => !path.includes('{')), asset])
  assert.ok(seen.size > 60, `${seen.size} answers`)
  for (const [path, text] of seen) await holdsNone(`GET ${path}`, text)
  const raw = JSON.stringify({ data: { attributes: { action: 'use' } }, meta: { plan: true } })
  const plan = await admin.send('POST', `${asset}/changes`, { raw, headers: { 'content-type': 'application/json' } })
  assert.equal(plan.status, 200, plan.text)
  await holdsNone('a plan', plan.text)
  const shown = [...seen].filter(([, text]) => text.includes(property)).map(([path]) => path)
  assert.ok(shown.length > 0, 'a property is answered to who may read it')
})

/** Everything reachable through the links of responses. */
async function crawl(from: readonly string[]): Promise<Map<string, string>> {
  const seen = new Map<string, string>()
  const waiting = [...from]
  for (let path = waiting.shift(); path !== undefined && seen.size < 400; path = waiting.shift()) {
    if (seen.has(path)) continue
    const limit = path.includes('?') || !service.openApi.paths[path]?.['get'] ? '' : withLimit(path)
    // A stream, which never ends, is not requested like this.
    const { text } = await admin.get(path + limit, { accept: 'application/vnd.api+json' })
    seen.set(path, text)
    for (const [, link = ''] of text.matchAll(/"(\/api\/[^"]+)"/g)) if (!seen.has(link)) waiting.push(link)
  }
  return seen
}

const withLimit = (path: string) =>
  service.openApi.paths[path]?.['get']?.parameters?.some(({ name }) => name === 'limit') ? '?limit=1000' : ''

test('no event holds one, nor what a property or an override says', async () => {
  const { text, body } = await admin.get('/api/events?limit=1000')
  assert.ok(body.data.length > 30)
  await holdsNone('the events', text, [property, override])
  const resolved = body.data.filter(
    (event: { attributes: { type: string } }) => event.attributes.type === 'api:secrets:resolve',
  )
  assert.equal(resolved.length, 8)
  const mailed = body.data.filter(
    (event: { attributes: { type: string } }) => event.attributes.type === 'info:email:sent',
  )
  assert.deepEqual(
    mailed.map(({ attributes }: Shown) => [attributes.subject, attributes.recipients]),
    [['of ***', ['***@example.org']]],
  )
})

test('the log of the service holds none, though it has something to say', async () => {
  const others = await newGates()
  const property_overrides = { gates: others.folder, mine: override }
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'use', property_overrides }))
  await others.reached('using')
  const runner = await service.database.one(sql<{ pid: number }>`
    select pid from runners where activity_id = ${id}::uuid and status <> 'gone'`)
  process.kill(runner!.pid, 'SIGKILL')
  await ended(admin, id)
  await others.remove()
  assert.match(service.logged.join('\n'), /runner is lost/)
  await holdsNone('the log of the service', service.logged.join('\n'), [property, override])
})

test('no file in the data folder holds one once everything has ended', async () => {
  await until('runners have gone', runnersLeft, left => left === 0, often)
  for (const word of [...formsOf(everything()), property, override])
    assert.deepEqual(await filesThatHold(service.dataDir, word), [], word)
})

/** Except a spare runner, which has received nothing. */
async function runnersLeft(): Promise<number> {
  const folders = (await readdir(join(service.dataDir, 'runners'))).filter(name => /^[0-9a-f]{8}-/.test(name))
  const spares = await service.database.rows(sql<{ id: string }>`
    select id from runners where activity_id is null and task_id is null and status <> 'gone'`)
  return folders.filter(name => !spares.some(({ id }) => id === name)).length
}

test('no file of the database holds one', async () => {
  const { base, wal } = await withClient(service.testDatabase.superuserUrl, async client => {
    await client.query('checkpoint')
    const { rows } = await client.query(`
      select current_setting('data_directory') as folder, oid from pg_database where datname = current_database()`)
    return { base: join(rows[0].folder, 'base', String(rows[0].oid)), wal: join(rows[0].folder, 'pg_wal') }
  })
  const rootKey = await readFile(join(service.dataDir, 'root.key'), 'utf8')
  const ofRootKey = [rootKey.trim(), Buffer.from(rootKey, 'base64'), Buffer.from(rootKey, 'base64').toString('hex')]
  const words = [...formsOf(everything()), property, override, ...ofRootKey].map(word => Buffer.from(word as string))
  // A value that is not secret, to prove that the search works.
  const plain = Buffer.from('a token that is described')
  let withPlain = 0
  for (const folder of [base, wal])
    for (const name of await readdir(folder)) {
      const file = join(folder, name)
      const found = await stat(file)
      if (!found.isFile() || found.mtime < since) continue
      const bytes = await readFile(file)
      if (bytes.includes(plain)) withPlain += 1
      for (const word of words) assert.ok(!bytes.includes(word), `${file} holds ${word}`)
    }
  assert.ok(withPlain >= 2, 'the table and the log of what is written hold it')
})

const everything = (): string[] => [...Object.values(secrets), ...(token === undefined ? [] : [token])]

/**
 * Each secret as it is, in hexadecimal, as in URLs, JSON and pages, and in both alphabets of base64, from whichever
 * byte of a group of three it begins.
 */
const formsOf = (words: readonly string[]): string[] => [
  ...new Set(
    words.flatMap(word => {
      const hex = Buffer.from(word).toString('hex')
      const json = JSON.stringify(word).slice(1, -1)
      const ascii = json.replace(/[\u0080-\uffff]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
      const html = word.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
      const base64 = [0, 1, 2].map(at =>
        Buffer.from(word).subarray(at).toString('base64').replace(/=+$/, '').slice(0, -2),
      )
      const forURLs = base64.map(text => text.replaceAll('+', '-').replaceAll('/', '_'))
      const url = encodeURIComponent(word)
      return [word, hex, hex.toUpperCase(), json, ascii, html, url, url.replaceAll('%20', '+'), ...base64, ...forURLs]
    }),
  ),
]

async function holdsNone(where: string, text: string, more: readonly string[] = []): Promise<void> {
  for (const word of [...formsOf(everything()), ...more]) assert.ok(!text.includes(word), `${where} holds ${word}`)
}
