import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { basicOf, type Client } from '../support/api.ts'
import { linesOf, often, ran, type Shown, shop, stepAt } from '../support/changes.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

const password = 'correct horse battery'
const actions = String.raw`
actions:
  say:
    description: x
    env: { PASSWORD: "{{ database.password }}" }
    run: |
      printf '\033[31mred\033[0m\n\n  indented, "quoted"\n'
      echo "the password is $PASSWORD"
      echo 'to stderr' >&2
      printf 'the last, without an end'
  several: { description: x, steps: [{ name: At once, run_as: parallel, steps: [one, two] }, three] }
  one: { run: "seq -f 'one %.0f' 1 3000" }
  two: { run: "for i in 1 2 3; do seq -f 'two %.0f' 1 1000; sleep 0.1; done" }
  three: { run: "echo three" }
`
const reading = { path: '/projects/shop', read: true }
const users = {
  reader: [reading],
  without: [reading, { path: '/log_lines/two', read: false }],
  stranger: [{ path: '/projects/other', read: true }],
}

let service: TestService
let admin: Client
let asset: string

before(async () => {
  service = await startTestService({ users })
  admin = service.as('admin')
  asset = (await shop(service, { 'web/actions.yaml': actions, 'web/defaults.yaml': 'x: 1\n' })).asset
})
after(() => service.stop())

const asText = { accept: 'text/plain' }
const messages = (lines: readonly Shown[]) => lines.map(({ attributes }) => `${attributes.message}\n`).join('')

/** All lines of a list, through its pages. */
async function textOfPages(client: Client, path: string): Promise<string> {
  const pages: string[] = []
  for (let next: string | undefined = `${path}${path.includes('?') ? '&' : '?'}limit=700`; next; ) {
    const { body } = await client.get(next)
    pages.push(messages(body.data))
    next = body.links.next
  }
  return pages.toReversed().join('')
}

async function stored(): Promise<string> {
  const secret = { node_path: '/projects/shop', path: 'database', key: 'password', value: password }
  const { body } = await admin.post('/api/secrets/encrypt', secret)
  return body.data.attributes.reference
}

test('the log of a step and of a change is plain text for Accept: text/plain, as it was written and masked', async () => {
  const change = await ran(admin, asset, 'say', { property_overrides: { database: { password: await stored() } } })
  const step = await stepAt(admin, change.id, 'say')
  const log = `/api/steps/${step.id}/log_lines`
  const answer = await admin.get(log, asText)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="log_lines.log"')
  assert.equal(answer.headers.get('vary'), 'Accept')
  const lines = await linesOf(admin, `/api/steps/${step.id}`)
  assert.equal(answer.text, messages(lines))
  const sorted = answer.text.split('\n').toSorted()
  for (const line of [
    '\u001b[31mred\u001b[0m',
    '  indented, "quoted"',
    'the password is ***',
    'to stderr',
    'the last, without an end',
  ])
    assert.ok(sorted.includes(line), line)
  assert.equal((await admin.get(`/api/changes/${change.id}/log_lines`, asText)).text, answer.text)
})

test('the form is that which Accept prefers; of a download, that which its name ends in', async () => {
  const change = await ran(admin, asset, 'three')
  const log = `/api/changes/${change.id}/log_lines`
  const forms: [query: string, accept: string | undefined, type: RegExp, file?: string][] = [
    ['', undefined, /vnd\.api\+json/],
    ['', '*/*', /vnd\.api\+json/],
    ['', 'application/json, text/plain, */*', /vnd\.api\+json/],
    ['', 'text/plain', /text\/plain/, 'log_lines.log'],
    ['', 'text/plain;q=0.9, text/csv;q=0.5', /text\/plain/, 'log_lines.log'],
    ['', 'text/csv, text/plain', /text\/csv/, 'log_lines.csv'],
    ['?download=build.log', undefined, /text\/plain/, 'build.log'],
    ['?download=build.TXT', 'text/html, */*;q=0.8', /text\/plain/, 'build.TXT'],
    ['?download=build.log', 'text/csv', /text\/csv/, 'build.log'],
    ['?download=build', undefined, /text\/csv/, 'build'],
    ['?download=build.csv', 'text/plain', /text\/plain/, 'build.csv'],
  ]
  for (const [query, accept, type, file] of forms) {
    const { status, headers, text } = await admin.get(`${log}${query}`, accept === undefined ? {} : { accept })
    assert.equal(status, 200, `${query} ${accept}: ${text}`)
    assert.match(headers.get('content-type') ?? '', type, `${query} ${accept}`)
    if (file) assert.equal(headers.get('content-disposition'), `attachment; filename="${file}"`)
  }
  assert.equal((await admin.get(`${log}?download=a.log`, { accept: 'application/json' })).status, 406)
  assert.equal((await admin.get('/api/projects', asText)).status, 406)
  assert.match((await admin.get('/api/projects?download=a.log')).headers.get('content-type') ?? '', /text\/csv/)
})

test('lines that several steps wrote at once are in the order of the list, with its filters and its limit', async () => {
  const change = await ran(admin, asset, 'several')
  const log = `/api/changes/${change.id}/log_lines`
  const text = async (query: string) => (await admin.get(`${log}${query}`, asText)).text
  assert.ok((await text('')) === (await textOfPages(admin, log)))
  const { id } = await stepAt(admin, change.id, 'several/At once/two')
  for (const filter of [`filter[step_id_eq]=${id}`, 'filter[message_end]=7', 'filter[category_eq]=stderr'])
    assert.ok((await text(`?${filter}`)) === (await textOfPages(admin, `${log}?${filter}`)), filter)
  const parent = await stepAt(admin, change.id, 'several/At once')
  const tree = `/api/steps/${parent.id}/log_lines?include_child_steps=true`
  assert.ok((await admin.get(tree, asText)).text === (await textOfPages(admin, tree)))
  const limited = await admin.get(`${log}?limit=5`, asText)
  assert.deepEqual([limited.status, limited.text], [206, messages((await admin.get(`${log}?limit=5`)).body.data)])
  assert.equal((await admin.get(`${log}?filter[mesage_eq]=x`, asText)).status, 400)

  const seen = await service.as('reader').get(log, asText)
  assert.ok(seen.text === (await text('')))
  const without = await service.as('without').get(log, asText)
  assert.doesNotMatch(without.text, /two/)
  assert.match(without.text, /^one 3000$/m)
  assert.equal((await service.as('stranger').get(log, asText)).status, 404)
  assert.equal((await service.stranger.get(log, asText)).status, 401)
})

/** A change whose step has 300 chunks of 1,000 lines of 140 bytes each in addition to its own. */
async function longLog(): Promise<{ step: string; lines: number }> {
  const change = await ran(admin, asset, 'three')
  const { id } = await stepAt(admin, change.id, 'three')
  await service.database.count(sql`
    insert into log_chunks (step_id, attempt, first_seq, line_count, activity_id, first_at, last_at, ats, categories, messages)
    select ${id}::uuid, 2, 1 + 1000 * (n - 1), 1000, ${change.id}::uuid, at, at, array_fill(at, array[1000]),
           array_fill('stdout'::text, array[1000]),
           array(select lpad((1000 * (n - 1) + i)::text, 140, '.') from generate_series(1, 1000) i)
      from generate_series(1, 300) n, lateral (select now() + interval '1 hour' + n / 7 * interval '1 second' as at) t`)
  return { step: id, lines: 300_000 }
}

const opened = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: basicOf('admin', passwordOf('admin')), accept: 'text/plain' }
    get(`${service.address}${path}`, { headers, agent: false }, resolve).on('error', reject)
  })

test('300,000 lines are streamed, each once and in order', async () => {
  const { step, lines } = await longLog()
  let [rest, count, first] = ['', 0, '']
  for await (const chunk of await opened(`/api/steps/${step}/log_lines`)) {
    const whole = `${rest}${chunk}`.split('\n')
    rest = whole.pop()!
    for (const line of whole) {
      if (!line.startsWith('.')) first = line
      else if (line === String(count + 1).padStart(140, '.')) count++
      else assert.fail(`after ${count} lines: ${line}`)
    }
  }
  assert.deepEqual([first, count, rest], ['three', lines, ''])
})

test('a client that reads slowly makes the service wait, and one that goes away leaves nothing behind', async () => {
  const { step, lines } = await longLog()
  const slow = await opened(`/api/steps/${step}/log_lines`)
  await new Promise(resolve => slow.once('readable', resolve))
  // A page that was not read yet is dropped with these.
  await service.database.count(
    sql`delete from log_chunks where step_id = ${step} and attempt = 2 and first_seq > 250000`,
  )
  let bytes = 0
  for await (const chunk of slow) bytes += chunk.length
  assert.ok(bytes < lines * 141 - 40_000 * 141, `${bytes} bytes came, of lines that were deleted too`)

  const leaving = await opened(`/api/steps/${step}/log_lines`)
  await new Promise(resolve => leaving.once('readable', resolve))
  leaving.destroy()
  await until(
    'no statement reads the log',
    async () =>
      (await service.database.one(sql<{ busy: number }>`
        select count(*)::int as busy from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
           and query like '%log_chunks%'`))!.busy,
    busy => busy === 0,
    often,
  )
  assert.equal((await admin.get(`/api/steps/${step}/log_lines?limit=1`)).status, 206)
})
