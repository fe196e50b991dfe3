import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from '../../src/platform/db/sql.ts'
import { type Download, readList } from '../../src/platform/jsonapi/read.ts'
import { registry } from '../../src/platform/jsonapi/registry.ts'
import type { Resource } from '../../src/platform/jsonapi/resource.ts'
import { basicOf, startTestApi } from '../support/api.ts'
import type { TestDatabase } from '../support/database.ts'
import { withClient } from '../support/template-database.ts'
import { everything, prepareSpecimens, specimenEvents, specimenResource, specimensDomain } from './specimen.ts'

const records = 100_000

const prepare = async (database: TestDatabase) => {
  await prepareSpecimens(database)
  await withClient(database.ownerUrl, owner => owner.query('create index on specimens (created_at, id)'))
}

const api = await startTestApi({
  domains: [specimensDomain],
  events: specimenEvents,
  users: { admin: everything },
  prepare,
})
after(() => api.stop())
await api.database.count(sql`
  insert into specimens (code, note, created_at)
  select 'code' || n, repeat('n', 1000), '2026-01-01Z'::timestamptz + make_interval(secs => n / 3)
    from generate_series(1, ${records}::int) n`)

const download = (query: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const url = `${api.address}/api/specimens?download=all.csv&fields[specimen]=code,note&${query}`
    get(url, { headers: { authorization: basicOf('admin', 'secret') }, agent: false }, resolve).on('error', reject)
  })

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Memory in use in MiB, after garbage collection. */
function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

test('a hundred thousand records are downloaded, each once and oldest first, in the memory of a few pages', async () => {
  const answer = await download('')
  const before = held()
  let most = 0
  let bytes = 0
  let looked = 0
  let rest = ''
  const codes: number[] = []
  for await (const chunk of answer) {
    bytes += chunk.length
    const lines = `${rest}${chunk}`.split('\r\n')
    rest = lines.pop()!
    for (const line of lines) codes.push(Number(/^[0-9a-f-]{36},code(\d+),n{1000}$/.exec(line)?.[1]))
    if (bytes - looked < 5_000_000) continue
    looked = bytes
    most = Math.max(most, held() - before)
  }
  assert.equal(answer.statusCode, 200)
  assert.ok(bytes > 100_000_000)
  assert.ok(Number.isNaN(codes[0]), 'the first line names the columns')
  assert.equal(new Set(codes.slice(1)).size, records)
  assert.ok(codes.slice(2).every((code, at) => Math.floor(code / 3) >= Math.floor(codes[at + 1]! / 3)))
  assert.ok(most < 24, `${most.toFixed(1)} MiB were held of ${(bytes / 1024 / 1024).toFixed(0)}`)
})

test('whoever reads slowly makes the service wait, not remember', async () => {
  let pages = 0
  const { transaction } = api.database
  const counted: typeof transaction = (work, how) => {
    pages += 1
    return transaction(work, how)
  }
  Object.assign(api.database, { transaction: counted })
  const before = held()
  const answer = await download('')
  await new Promise(resolve => answer.once('readable', resolve))
  // In the time of this number of other responses a service without backpressure has read to the end.
  const others = 300
  for (let asked = 0; asked < others; asked++) await api.as('admin').get('/api/specimens?limit=1&fields[specimen]=')
  Object.assign(api.database, { transaction })
  assert.ok(pages - others < records / 1_000 / 2, `${pages - others} pages were read`)
  assert.ok(held() - before < 24)
  answer.destroy()
})

test('a limit above the most is the most, also of a download', async () => {
  const answer = await download('limit=100000')
  let lines = 0
  // A chunk may end between the two characters that end a line.
  for await (const chunk of answer) lines += String(chunk).split('\n').length - 1
  assert.deepEqual([answer.statusCode, lines], [206, 1 + 10_000])
})

test('large records are read a few at a time, also where the caller names a limit, and the status tells whether it cut', async () => {
  const note = { ...specimenResource.columns['note']!, bytes: () => 1024 * 1024 }
  const large: Resource = { ...specimenResource, large: true, columns: { ...specimenResource.columns, note } }
  const codes = Array.from({ length: 90 }, (_, number) => `code${number + 1}`)
  for (const [limit, status, lines] of [
    ['90', 200, 91],
    ['89', 206, 90],
    ['1000', 200, 91],
  ] as const) {
    const { status: told, lines: text } = (await readList(large, large.lists[0]!, {
      registry: registry([large]),
      keyring: { mac: () => Buffer.alloc(32) },
      database: api.database,
      actor: { userId: null, username: 'admin', rights: everything, via: 'basic', remoteAddress: null },
      params: {},
      path: '/api/specimens',
      query: { download: 'large.csv', 'fields[specimen]': 'code,note', 'filter[code_in]': codes, limit },
    })) as Download
    const pieces: number[] = []
    for await (const piece of text) pieces.push(piece.split('\r\n').length - 1)
    assert.equal(told, status, limit)
    assert.equal(
      pieces.reduce((sum, each) => sum + each, 0),
      lines,
      limit,
    )
    assert.ok(Math.max(...pieces) <= 32, `${pieces} lines of a megabyte at once`)
  }
})
