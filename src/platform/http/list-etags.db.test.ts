import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import {
  everything,
  prepareSpecimens,
  readerOfA,
  specimenEvents,
  specimensDomain,
} from '../../../tests/contract/specimen.ts'
import { type Answer, startTestApi } from '../../../tests/support/api.ts'
import type { Rights } from '../actor.ts'
import { type Sql, sql } from '../db/sql.ts'

/** ETags of lists: 304 exactly if the caller has the bytes that a request without If-None-Match would be answered with. */

const users: Record<string, Rights> = { admin: everything, reader: readerOfA, changing: readerOfA }
const api = await startTestApi({
  domains: [specimensDomain],
  events: specimenEvents,
  users,
  prepare: prepareSpecimens,
})
after(() => api.stop())
const admin = api.as('admin')

let ids: Record<string, string> = {}
beforeEach(async () => {
  await api.database.count(sql`delete from specimens`)
  const rows = await api.database.rows(sql<{ code: string; id: string }>`
    insert into specimens (code, path, size, note)
    values ('ant', '/projects/a', 7, repeat('note ', 300)), ('bee', '/projects/b', 7, 'b'), ('cat', '/projects/a', 8, 'c')
    returning code, id`)
  ids = Object.fromEntries(rows.map(({ code, id }) => [code, id]))
  await api.database.count(sql`update specimens set mate_id = ${ids['ant']} where code = 'cat'`)
})

const tagOf = ({ headers }: Answer): string => headers.get('etag')!
const ask = (path: string, known: string, as = 'admin', headers: Record<string, string> = {}) =>
  api.as(as).get(path, { 'if-none-match': known, ...headers })

test('a list that is known is 304, whole or cut, with the headers of the list and no body', async () => {
  for (const [path, status] of [
    ['/api/specimens', 200],
    ['/api/specimens?limit=2&total=true&count_by=mood', 206],
    ['/api/places/a/specimens?include=mate', 200],
  ] as const) {
    const first = await admin.get(path)
    assert.equal(first.status, status)
    assert.match(tagOf(first), /^W\/"list-[\w-]{22}"$/)
    for (const known of [tagOf(first), tagOf(first).slice(2), `"other", ${tagOf(first)}`, '*']) {
      const again = await ask(path, known)
      assert.deepEqual([again.status, again.text, tagOf(again)], [304, '', tagOf(first)], known)
      for (const name of ['vary', 'cache-control']) assert.equal(again.headers.get(name), first.headers.get(name))
    }
    assert.equal((await ask(path, '"other"')).status, status)
  }
})

test('one list has one tag in every coding, and HEAD has it too', async () => {
  const path = '/api/specimens'
  const plain = tagOf(await admin.get(path, { 'accept-encoding': 'identity' }))
  for (const coding of ['br', 'gzip', 'identity']) {
    const answer = await admin.get(path, { 'accept-encoding': coding })
    assert.equal(answer.headers.get('content-encoding') ?? 'identity', coding)
    assert.equal(tagOf(answer), plain)
    const known = await ask(path, plain, 'admin', { 'accept-encoding': coding })
    assert.deepEqual([known.status, known.headers.get('content-encoding')], [304, null])
  }
  const head = await admin.send('HEAD', path)
  assert.deepEqual([head.status, tagOf(head)], [200, plain])
  const known = await admin.send('HEAD', path, { headers: { 'if-none-match': plain } })
  assert.deepEqual([known.status, tagOf(known)], [304, plain])
})

test('a change of any byte is another tag: records, related ones, totals, counts, rights, links', async () => {
  const path = '/api/specimens?limit=2&total=true&count_by=mood&include=mate&filter[sorts]=code desc'
  const changes: Record<string, () => Promise<unknown>> = {
    // Behind the back of every version and time: none of them is asked.
    'a value': () => run(sql`update specimens set note = 'other' where code = 'cat'`),
    'an included record': () => run(sql`update specimens set ratio = 2 where code = 'ant'`),
    'a relationship': () => run(sql`update specimens set size = 7 where code = 'cat'`),
    'a count beyond the page': () => run(sql`update specimens set mood = 'wild' where code = 'ant'`),
    'the total beyond the page': () => run(sql`insert into specimens (code, size) values ('aaa', 9)`),
    'the page': () => run(sql`delete from specimens where code = 'cat'`),
    'what the caller may do': async () => {
      users['changing'] = { ...everything, superuser: false, may: right => right === 'read' }
    },
    'what the caller may read': async () => {
      users['changing'] = readerOfA
    },
  }
  users['changing'] = everything
  let known = await api.as('changing').get(path)
  for (const [what, change] of Object.entries(changes)) {
    assert.equal((await ask(path, tagOf(known), 'changing')).status, 304, `before ${what}`)
    await change()
    const now = await ask(path, tagOf(known), 'changing')
    assert.ok([200, 206].includes(now.status), what)
    assert.notEqual(tagOf(now), tagOf(known), what)
    assert.notDeepEqual(now.body, known.body, what)
    known = now
  }
})

const run = (statement: Sql) => api.database.count(statement)

test('of many answers, each is 304 for the tags of those that are byte for byte the same and for no other', async () => {
  const queries = ['', '?total=true', '?limit=1', '?fields[specimen]=size', '?include=mate', '?filter[size_eq]=7']
  const edits = [
    sql`update specimens set size = 8 where code = 'ant'`,
    sql`update specimens set size = 7 where code = 'ant'`,
    sql`delete from specimens where code = 'bee'`,
  ]
  const seen = new Map<string, string>()
  for (const edit of [undefined, ...edits]) {
    if (edit) await run(edit)
    for (const user of ['admin', 'reader'])
      for (const query of queries) {
        const path = `/api/specimens${query}`
        const answer = await api.as(user).get(path)
        seen.set(tagOf(answer), answer.text)
        for (const [tag, text] of seen) {
          const again = await ask(path, tag, user)
          assert.equal(again.status === 304, text === answer.text, `${user} ${path}`)
        }
      }
  }
  assert.ok(seen.size > 20)
})

test('downloads and errors have no tag, and a tag of the list does not keep them away', async () => {
  const list = tagOf(await admin.get('/api/specimens'))
  for (const headers of [{}, { accept: 'text/csv' }]) {
    const path = 'accept' in headers ? '/api/specimens' : '/api/specimens?download=all.csv'
    for (const known of [list, '*']) {
      const file = await ask(path, known, 'admin', headers)
      assert.deepEqual([file.status, tagOf(file)], [200, null])
      assert.match(file.text, /^id,code,/)
    }
  }
  const refused = await ask('/api/specimens?nothing=1', list)
  assert.deepEqual([refused.status, tagOf(refused)], [400, null])
  assert.equal((await api.stranger.get('/api/specimens', { 'if-none-match': '*' })).status, 401)
})

test('the tag of a list is the version of no record', async () => {
  const list = tagOf(await admin.get('/api/specimens'))
  for (const tag of [list, list.slice(2)])
    assert.equal((await admin.patch(`/api/specimens/${ids['ant']}`, { size: 3 }, { 'if-match': tag })).status, 412)
})
