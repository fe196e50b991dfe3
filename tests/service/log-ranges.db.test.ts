import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../../client/sluice.ts'
import type { Answer, Client } from '../support/api.ts'
import { created, ended, ran, type Shown, shop, stepAt } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'

const actions = `
actions:
  several: { description: x, steps: [{ name: At once, run_as: parallel, steps: [one, two] }, three] }
  one: { run: "seq -f 'one %.0f' 1 3000" }
  two: { run: "for i in 1 2 3; do seq -f 'two %.0f' 1 1000; sleep 0.1; done" }
  three: { run: "echo three; echo 'to stderr' >&2" }
  odd: { run: "echo 'STRASSE 😀 Ärger'; echo nothing; head -c 60001 /dev/zero | tr '\\\\0' a; echo" }
  waits: { steps: [silent, { wait: 'Continue?' }] }
  silent: { description: x, run: "true" }
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
let change: Shown
let messages: string[]

before(async () => {
  service = await startTestService({ users })
  admin = service.as('admin')
  asset = (await shop(service, { 'web/actions.yaml': actions, 'web/defaults.yaml': 'x: 1\n' })).asset
  change = await ran(admin, asset, 'several')
  messages = (await textOf(`/api/changes/${change.id}/log_lines`)).split('\n').slice(0, -1)
})
after(() => service.stop())

const asText = { accept: 'text/plain' }
const textOf = async (path: string, client = admin) => (await client.get(path, asText)).text

/** A log line in a range. */
interface RangeLine {
  readonly line: number
  readonly message: string
  readonly step_id: string
}

const parsed = (text: string): RangeLine[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map(line => JSON.parse(line))

test('a range of the log of a change has the lines of its list, with their indexes', async () => {
  const log = `/api/changes/${change.id}/log`
  assert.equal(messages.length, 6_002)
  for (const [query, first, count] of [
    ['', 0, 500],
    ['?from=2990&lines=300', 2_990, 300],
    ['?from=6000', 6_000, 2],
    ['?tail=7', 5_995, 7],
  ] as const) {
    const { status, headers, text } = await admin.get(`${log}${query}`)
    assert.equal(status, 206, text)
    assert.equal(headers.get('content-type'), 'application/x-ndjson')
    assert.match(headers.get('vary')!, /^Accept\b/)
    assert.equal(headers.get('content-range'), `lines ${first}-${first + count - 1}/6002`)
    const expected = messages.slice(first, first + count)
    assert.deepEqual(
      parsed(text).map(({ line, message }) => [line, message]),
      expected.map((message, i) => [first + i, message]),
    )
    const plain = await admin.get(`${log}${query}`, asText)
    assert.equal(plain.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(plain.headers.get('content-range'), headers.get('content-range'))
    assert.equal(plain.text, expected.map(each => `${each}\n`).join(''))
  }
  const whole = await admin.get(`${log}?lines=10000`)
  assert.equal(whole.status, 200)
  assert.equal(whole.headers.get('content-range'), 'lines 0-6001/6002')
})

test('a range of the log of a step is in the order in which the step wrote it', async () => {
  const { id } = await stepAt(admin, change.id, 'several/At once/two')
  const { headers, text } = await admin.get(`/api/steps/${id}/log?from=999&lines=2`)
  assert.equal(headers.get('content-range'), 'lines 999-1000/3000')
  const [line, next] = parsed(text)
  const { logged_at, ...rest } = line as RangeLine & { logged_at: string }
  assert.deepEqual(rest, { line: 999, category: 'stdout', attempt: 1, step_id: id, message: 'two 1000' })
  assert.match(logged_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  assert.equal(next?.message, 'two 1')
  const stage = await stepAt(admin, change.id, 'several')
  assert.equal((await admin.get(`/api/steps/${stage.id}/log?tail=3`)).headers.get('content-range'), 'lines */0')
  const below = await admin.get(`/api/steps/${stage.id}/log?include_child_steps=true&tail=2`, asText)
  assert.equal(below.headers.get('content-range'), 'lines 6000-6001/6002')
  assert.equal(below.text, `${messages.slice(-2).join('\n')}\n`)
})

test('a step says how many lines it has logged, and how many of them as errors', async () => {
  for (const [path, count, errors] of [
    ['several/At once/two', 3_000, 0],
    ['several/three', 2, 1],
    ['several', 0, 0],
  ] as const) {
    const { id } = await stepAt(admin, change.id, path)
    const { log_line_count, error_line_count } = (await admin.get(`/api/steps/${id}`)).body.data.attributes
    assert.deepEqual([log_line_count, error_line_count], [count, errors], path)
  }
})

test('a log without lines, and a range beyond the last line, are empty', async () => {
  const { id } = await ran(admin, asset, 'silent')
  const silent = await admin.get(`/api/changes/${id}/log`)
  assert.deepEqual([silent.status, silent.text, silent.headers.get('content-range')], [200, '', 'lines */0'])
  const beyond = await admin.get(`/api/changes/${change.id}/log?from=6002`)
  assert.deepEqual([beyond.status, beyond.text, beyond.headers.get('content-range')], [206, '', 'lines */6002'])
})

test('a log has the lines that the caller may read, and none for those who may not read its record', async () => {
  const log = `/api/changes/${change.id}/log?lines=10000`
  const { id } = await stepAt(admin, change.id, 'several/At once/two')
  assert.equal(await textOf(log, service.as('reader')), await textOf(log))
  const without = await service.as('without').get(log, asText)
  assert.equal(without.text, `${messages.filter(each => !each.startsWith('two')).join('\n')}\n`)
  assert.equal(without.headers.get('content-range'), 'lines 0-3001/3002')
  const ofTwo = await service.as('without').get(`/api/steps/${id}/log`)
  assert.deepEqual([ofTwo.text, ofTwo.headers.get('content-range')], ['', 'lines */0'])
  for (const path of [`/api/changes/${change.id}/log`, `/api/steps/${id}/log`])
    assert.equal((await service.as('stranger').get(path)).status, 404)
  assert.equal((await admin.get(`/api/workflow_runs/${change.id}/log`)).status, 404)
})

test('a malformed range is refused with the parameter that is wrong', async () => {
  const log = `/api/changes/${change.id}/log`
  for (const [query, parameter] of [
    ['from=-1', 'from'],
    ['from=x', 'from'],
    ['lines=0', 'lines'],
    ['lines=10001', 'lines'],
    ['tail=10001', 'tail'],
    ['tail=5&from=1', 'tail'],
    ['tail=5&lines=1', 'tail'],
    ['limit=5', 'limit'],
  ] as const) {
    const { status, body } = await admin.get(`${log}?${query}`)
    assert.equal(status, 400, query)
    assert.deepEqual(body.errors[0].source, { parameter }, query)
  }
  assert.equal((await admin.get(log, { accept: 'image/png' })).status, 406)
})

/** Search in a log: the matches, and how many there are. */
async function matchesOf(path: string, query: string, client = admin) {
  const { status, body, text } = await client.get(`${path}/log/matches?${query}`)
  assert.equal(status, 200, text)
  return { matches: body.data.attributes.matches, ...body.meta, type: body.data.type }
}

test('a search in a log names the lines that match, by their index, and where in them', async () => {
  const log = `/api/changes/${change.id}`
  const [one, three] = await Promise.all(
    ['several/At once/one', 'several/three'].map(path => stepAt(admin, change.id, path)),
  )
  const indexOf = (message: string) => messages.indexOf(message)
  assert.deepEqual(await matchesOf(log, 'query=NE+2999'), {
    type: 'log_matches',
    matches: [{ line: indexOf('one 2999'), step_id: one!.id, step_line: 2_998, from: 1, to: 8 }],
    total: 1,
    total_exact: true,
  })
  assert.deepEqual((await matchesOf(log, `regexp=${encodeURIComponent('^ONE 2(99)+$')}`)).matches, [
    { line: indexOf('one 299'), step_id: one!.id, step_line: 298, from: 0, to: 7 },
  ])
  assert.deepEqual((await matchesOf(log, 'errors=true')).matches, [
    { line: indexOf('to stderr'), step_id: three!.id, step_line: 1, from: null, to: null },
  ])
  assert.deepEqual((await matchesOf(log, 'errors=true&query=three')).matches, [])
  const { matches, total, total_exact } = await matchesOf(log, 'query=e')
  assert.deepEqual(
    matches.map(({ line }: { line: number }) => line),
    messages.flatMap((message, index) => (message.includes('e') ? [index] : [])),
  )
  assert.deepEqual([total, total_exact], [3_002, true])
  assert.deepEqual((await matchesOf(`/api/steps/${one!.id}`, 'query=one+2999')).matches, [
    { line: 2_998, step_id: one!.id, step_line: 2_998, from: 0, to: 8 },
  ])
})

test('a search ignores the case of all letters, and counts characters', async () => {
  const { id } = await ran(admin, asset, 'odd')
  const found = async (query: string) =>
    (await matchesOf(`/api/changes/${id}`, query)).matches.map((each: { from: number; to: number }) => [
      each.from,
      each.to,
    ])
  assert.deepEqual(await found(`query=${encodeURIComponent('äRGER')}`), [[10, 15]])
  assert.deepEqual(await found('query=strasse'), [[0, 7]])
  assert.deepEqual(await found(`regexp=${encodeURIComponent('\\msse?|Ä')}`), [[10, 11]])
})

test('a search finds what the caller may read', async () => {
  const log = `/api/changes/${change.id}`
  assert.equal((await matchesOf(log, 'query=two', service.as('without'))).total, 0)
  assert.equal((await matchesOf(log, 'query=one+1', service.as('without'))).total, 1_111)
  assert.equal((await service.as('stranger').get(`${log}/log/matches?query=one`)).status, 404)
})

test('a search that cannot be carried out is refused', async () => {
  const log = `/api/changes/${change.id}/log/matches`
  for (const [query, parameter] of [
    ['', 'query'],
    ['?errors=false', 'query'],
    ['?query=', 'query'],
    ['?query=a&regexp=b', 'regexp'],
    ['?regexp=(', 'regexp'],
    ['?errors=often', 'errors'],
  ] as const) {
    const { status, body } = await admin.get(`${log}${query}`)
    assert.equal(status, 400, query)
    assert.deepEqual(body.errors[0].source, { parameter }, query)
  }
})

test('a regular expression that would take for hours ends at the deadline of lists', async () => {
  const { id } = await ran(admin, asset, 'odd')
  const hostile = encodeURIComponent('^(a+)(a+)\\1\\2$')
  const { status, body } = await admin.get(`/api/changes/${id}/log/matches?regexp=${hostile}`)
  assert.deepEqual([status, body.errors[0].code], [503, 'query-too-slow'])
})

test('the tree of a change has every step as a row, and its ETag changes with what happens to them', async () => {
  const path = `/api/changes/${change.id}/tree`
  const { body, headers } = await admin.get(path)
  const { columns, rows } = body.data.attributes
  const steps = rows.map((row: unknown[]) =>
    Object.fromEntries(columns.map((name: string, at: number) => [name, row[at]])),
  )
  const listed = (await admin.get(`/api/changes/${change.id}/steps?include=parent`)).body.data
  assert.equal(steps.length, 5)
  for (const [index, { id, attributes, relationships, meta }] of listed.entries()) {
    const { queued_at, log_line_count, error_line_count, name, taken_over, parent_id, expected_seconds, can, ...same } =
      steps[index]
    assert.deepEqual([same.id, name, parent_id], [id, attributes.step_name, relationships.parent.data?.id ?? null])
    assert.equal(taken_over, false)
    for (const [attribute, value] of Object.entries(same))
      if (attribute !== 'id') assert.deepEqual(value, attributes[attribute], attribute)
    assert.deepEqual(can, meta.can)
    const shown = (await admin.get(`/api/steps/${id}`)).body.data.attributes
    assert.deepEqual(
      [log_line_count, error_line_count, expected_seconds],
      [shown.log_line_count, shown.error_line_count, shown.expected_seconds],
    )
    assert.ok(queued_at === null || queued_at <= same.started_at)
  }
  const etag = headers.get('etag')!
  assert.equal((await admin.get(path, { 'if-none-match': etag })).status, 304)
  assert.equal((await service.as('stranger').get(path)).status, 404)
  assert.equal((await admin.get(`/api/workflow_runs/${change.id}/tree`)).status, 404)

  const waits = (await created(admin.post(`${asset}/changes`, { action: 'waits' }))).id
  const waiting = await until(
    'the tree shows the wait',
    () => admin.get(`/api/changes/${waits}/tree`),
    ({ text }) => text.includes('"waiting"'),
  )
  const { id } = await stepAt(admin, waits, 'waits/Continue?')
  const reader = service.as('reader')
  const forReader = await reader.get(`/api/changes/${waits}/tree`, { 'if-none-match': waiting.headers.get('etag')! })
  assert.equal(forReader.status, 200)
  const canOf = ({ body }: Answer) => {
    const { columns, rows } = body.data.attributes
    const [row] = rows.filter((each: unknown[]) => each[columns.indexOf('id')] === id)
    return row[columns.indexOf('can')]
  }
  assert.deepEqual([canOf(waiting), canOf(forReader)], [['continue'], []])
  await admin.post(`/api/steps/${id}/continue`)
  await ended(admin, waits)
  const later = await admin.get(`/api/changes/${waits}/tree`, { 'if-none-match': waiting.headers.get('etag')! })
  assert.equal(later.status, 200)
  assert.ok(!later.text.includes('"waiting"'))
})

test('a step and the tree tell how long the step usually takes, once it has succeeded before', async () => {
  const seconds: number[] = []
  for (const run of [1, 2, 3]) {
    const { id } = await ran(admin, asset, 'three')
    const step = await stepAt(admin, id, 'three')
    const { expected_seconds, state_timing } = (await admin.get(`/api/steps/${step.id}`)).body.data.attributes
    const { columns, rows } = (await admin.get(`/api/changes/${id}/tree`)).body.data.attributes
    assert.equal(rows[0][columns.indexOf('expected_seconds')], expected_seconds)
    if (run === 1) assert.equal(expected_seconds, null)
    else {
      const [low, high] = [Math.min(...seconds), Math.max(...seconds)]
      assert.ok(expected_seconds >= low - 0.001 && expected_seconds <= high + 0.001, `${expected_seconds}`)
    }
    seconds.push(state_timing.running_seconds)
  }
})
