import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { connect, type Query, until } from '../../client/sluice.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Client } from '../support/api.ts'
import { created, ended, linesOf, often, ran, type Shown, shop, stepAt, written } from '../support/changes.ts'
import { type Gates, newGates } from '../support/gates.ts'
import { processTable } from '../support/process-table.ts'
import { passwordOf, startTestService, type TestService } from '../support/service.ts'

const password = 'correct horse battery'
const [many, each] = [100_000, 2_400]
/** Maximum bytes of a read from a pipe, and of the kept part of a line. */
const [readBytes, lineBytes] = [65_536, 1_048_576]

const actions = String.raw`
actions:
  binary: { description: x, run: 'printf "a\377b\000c \360\237\230\200 \342\202\nnext\n"' }
  long-line:
    description: x
    env: { GATES: "{{ gates }}" }
    run: |
      echo before
      touch "$GATES/before"; until [ -e "$GATES/print" ]; do sleep 0.02; done
      head -c 100000000 /dev/zero | tr '\0' x; echo
      echo after
      touch "$GATES/printed"; until [ -e "$GATES/end" ]; do sleep 0.02; done
  many: { description: x, run: "seq 1 ${many}" }
  both:
    description: x
    run: |
      seq -f "out %.0f" 1 ${each} & seq -f "err %.0f" 1 ${each} >&2 &
      wait; printf 'the last, without an end'
  several: { description: x, steps: [{ name: At once, run_as: parallel, steps: [one, two, three, four] }] }
  one: { run: "seq -f 'one %.0f' 1 ${each}" }
  two: { run: "seq -f 'two %.0f' 1 ${each}" }
  three: { run: "for i in 1 2 3; do seq -f 'three %.0f' ${each / 3}; sleep 0.1; done" }
  four: { run: "for i in 1 2 3; do seq -f 'four %.0f' ${each / 3}; sleep 0.1; done" }
  for-ever: { description: x, run: "yes 100127" }
  split:
    description: x
    env: { PASSWORD: "{{ database.password }}" }
    run: |
      printf 'in two writes: '; printf %s "$PASSWORD" | head -c 7; sleep 0.2; printf %s "$PASSWORD" | tail -c +8; echo
      fill() { head -c "$1" /dev/zero | tr '\0' x; }
      for before in ${readBytes - 10} ${lineBytes - 10}; do fill $before; printf '%s\n' "$PASSWORD"; done
  odd-result:
    description: x
    run: 'printf "{\"outputs\": \000 }" >"$SLUICE_STEP_RESULT"; echo said'
`

let service: TestService
let admin: Client
let asset: string
let gates: Gates

before(async () => {
  service = await startTestService({})
  admin = service.as('admin')
  gates = await newGates()
  asset = (await shop(service, { 'web/actions.yaml': actions, 'web/defaults.yaml': 'x: 1\n' })).asset
})
after(async () => {
  await service.stop()
  await gates.remove()
})

/** The process that holds its log. */
async function runnerOf(changeId: string): Promise<number> {
  const row = await service.database.one(sql<{ pid: number }>`select pid from runners where activity_id = ${changeId}`)
  return row!.pid
}

/** Peak memory of a process in MiB. */
const mostMemory = (pid: number) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024

/** The lines of each page of a list, by the plain client, which does not check every response against the document. */
async function pagesOf(path: string, query: Query): Promise<string[][]> {
  const sluice = connect(service.address, { user: 'admin', password: passwordOf('admin') })
  const found: string[][] = []
  for await (const { data } of sluice.pages(path, query))
    found.push(data.map(({ attributes }) => String((attributes as { message: unknown }).message)))
  return found
}

async function walked(path: string, sorts: string): Promise<string[]> {
  return (await pagesOf(path, { limit: 10_000, 'filter[sorts]': sorts })).flat()
}

const linesWritten = async (change: Shown) => written(admin, `/api/changes/${change.id}`)

test('bytes that are not UTF-8 and NUL become characters that say so, and what follows them is kept', async () => {
  const change = await ran(admin, asset, 'binary')
  assert.equal(change.attributes.status_code, 'success')
  assert.deepEqual(await linesWritten(change), ['a\ufffdb\u2400c 😀 \ufffd', 'next'])
})

test('a line of 100 MB is cut at 1 MiB and marked, once, and takes the runner no more memory than that', async () => {
  const overrides = { property_overrides: { gates: gates.folder } }
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'long-line', ...overrides }))
  await gates.reached('before')
  const pid = await runnerOf(id)
  const usual = mostMemory(pid)
  await gates.open('print')
  await gates.reached('printed')
  await until(
    'the last line is stored',
    () => written(admin, `/api/changes/${id}`),
    lines => lines.length > 2,
    often,
  )
  const grown = mostMemory(pid) - usual
  await gates.open('end')
  const change = await ended(admin, id)
  const [before, long, last, ...more] = await linesWritten(change)
  assert.deepEqual([before, last, more], ['before', 'after', []])
  assert.match(long!, /^x+ … \[line cut: it has 100000000 bytes\]$/)
  assert.ok(Buffer.byteLength(long!) <= lineBytes && long!.length > lineBytes - 100)
  assert.ok(grown < 80, `the runner grew by ${grown} MiB`)
})

test('every line of many is kept, in order, and found by pages from either end', async () => {
  const change = await ran(admin, asset, 'many')
  const { id } = await stepAt(admin, change.id, 'many')
  const all = Array.from({ length: many }, (_, i) => String(i + 1))
  const log = `/api/steps/${id}/log_lines`
  // Compared as texts: describing a difference of long lists takes minutes.
  assert.ok((await walked(log, 'sequence asc')).join() === all.join())
  assert.ok((await walked(log, 'sequence desc')).join() === all.toReversed().join())
  const some = { 'filter[attempt_eq]': 1, 'filter[sequence_gt]': 61_234, 'filter[sequence_lteq]': 65_000 }
  assert.deepEqual(
    (await pagesOf(log, { ...some, 'filter[sorts]': 'sequence', limit: 3_000 })).flat(),
    all.slice(61_234, 65_000),
  )
  const either = { 'filter[m]': 'or', 'filter[sequence_gt]': 99_998, 'filter[message_eq]': '7' }
  assert.deepEqual((await pagesOf(log, { ...either, 'filter[sorts]': 'sequence' })).flat(), ['7', '99999', '100000'])
  for (const limit of ['', '?limit=99999']) {
    const { status, body } = await admin.get(`/api/changes/${change.id}/log_lines${limit}`)
    const [first, last] = [body.data[0], body.data.at(-1)].map(line => line.attributes.message)
    assert.deepEqual([status, body.data.length, first, last], [206, 10_000, '90001', '100000'])
  }
  const newest = await admin.get(`/api/changes/${change.id}/log_lines?limit=700`)
  assert.deepEqual(
    newest.body.data.map((line: Shown) => line.attributes.message),
    all.slice(-700),
  )
})

test('pages of lines that several steps wrote at once are together the whole log, in its order', async () => {
  const change = await ran(admin, asset, 'several')
  const log = `/api/changes/${change.id}/log_lines`
  const [whole] = await pagesOf(log, {})
  assert.equal(whole?.length, 4 * each)
  for (const limit of [300, 2_500]) {
    const pages = await pagesOf(log, { limit })
    assert.ok(pages.toReversed().flat().join() === whole.join(), `pages of ${limit}`)
  }
})

test('what goes to stdout and stderr at once is kept whole, each in its order, and so is a line without an end', async () => {
  const change = await ran(admin, asset, 'both')
  const lines = (await linesOf(admin, `/api/changes/${change.id}`)).map(({ attributes }) => attributes)
  const of = (category: string) => lines.filter(line => line.category === category).map(line => line.message)
  const numbered = (word: string) => Array.from({ length: each }, (_, i) => `${word} ${i + 1}`)
  assert.deepEqual(of('stdout'), [...numbered('out'), 'the last, without an end'])
  assert.deepEqual(of('stderr'), numbered('err'))
})

test('a step that prints for ever is cancelled, and what it had printed is kept without a gap', async () => {
  const { id } = await created(admin.post(`${asset}/changes`, { action: 'for-ever' }))
  await until(
    'it prints',
    () => written(admin, `/api/changes/${id}`),
    lines => lines.length > 0,
    often,
  )
  assert.equal((await admin.delete(`/api/changes/${id}`)).status, 204)
  assert.equal((await ended(admin, id)).attributes.status_code, 'cancelled')
  assert.doesNotMatch(await processTable(), /yes.100127/)
  const { id: step } = await stepAt(admin, id, 'for-ever')
  const stored = await service.database.one(sql<{ lines: number; last: number }>`
    select sum(line_count)::int as lines, max(first_seq + line_count - 1)::int as last
      from log_chunks where step_id = ${step}`)
  assert.equal(stored!.lines, stored!.last)
})

test('a secret is masked wherever the reading of it was parted, and where its line is cut', async () => {
  const stored = await admin.post('/api/secrets/encrypt', {
    node_path: '/projects/shop',
    path: 'database',
    key: 'password',
    value: password,
  })
  const { reference } = (await created(Promise.resolve(stored))).attributes
  const change = await ran(admin, asset, 'split', { property_overrides: { database: { password: reference } } })
  const [parted, atRead, atCut, ...more] = await linesWritten(change)
  assert.deepEqual([parted, more], ['in two writes: ***', []])
  assert.match(atRead!, /^x{65526}\*{3}$/)
  assert.match(atCut!, /^x+(\*{3})?( … \[line cut: it has \d+ bytes\])?$/)
})

test('a result that holds NUL fails its step by name, and the change goes on to its end', async () => {
  const change = await ran(admin, asset, 'odd-result')
  const step = await stepAt(admin, change.id, 'odd-result')
  assert.deepEqual([change.attributes.status_code, step.attributes.status_code], ['error', 'error'])
  assert.match(step.attributes.error_message, /^step_result\.json is malformed: .*\u2400/s)
  assert.deepEqual(await linesWritten(change), ['said'])
})
