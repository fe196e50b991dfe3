import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { testDatabase } from '../../../tests/support/database.ts'
import { type Actor, theService } from '../actor.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { failure } from '../failure.ts'
import type { Batch, Feed } from './live.ts'
import { LiveStreams, type LiveTimes, usualTimes } from './live-streams.ts'

const testOf = await testDatabase()
const database = openDatabase({ url: testOf.appUrl, name: 'test', size: 2 })
after(async () => {
  await database.end()
  await testOf.drop()
})

const logged: string[] = []
const say = (_: object, line: string) => void logged.push(line)
const streamsWith = (times: Partial<LiveTimes>, on = database) =>
  new LiveStreams({
    database: on,
    log: { info: say, warn: say, error: say },
    times: { ...usualTimes, poll: 5, gap: 0, ...times },
  })

const nothing: Feed = { read: async () => ({ messages: [], position: 'here' }) }
const opening = (feed: Feed, more: { actor?: Actor; again?: () => Promise<Actor> } = {}) => ({
  actor: theService,
  feed,
  listed: () => async () => [],
  idOf: (position: string) => `<${position}>`,
  again: async () => theService,
  ...more,
})
const feedOf = (batches: readonly Batch[]): Feed => {
  const left = [...batches]
  return { read: async () => left.shift() ?? { messages: [], position: 'here' } }
}
const message = (text: string, position?: string) => ({ kind: 'word', data: { text }, ...(position && { position }) })

async function textUntil(out: Readable, wanted: string): Promise<string> {
  let text = ''
  for await (const piece of out) {
    text += piece
    if (text.includes(wanted)) break
  }
  return text
}

test('messages go out in their order, each with where the stream goes on behind it', async () => {
  const streams = streamsWith({})
  const feed = feedOf([
    { messages: [message('one'), message('two', 'a')], position: 'a', more: true },
    { messages: [message('three', 'b')], position: 'b', ended: true },
  ])
  const text = await textUntil(streams.open(opening(feed)), 'nothing')
  assert.equal(
    text.replace(/^retry: \d{4}\n\n/, ''),
    [
      'event: word\ndata: {"text":"one"}',
      'event: word\nid: <a>\ndata: {"text":"two"}',
      ': still here\nid: <a>',
      'event: word\nid: <b>\ndata: {"text":"three"}',
      'event: end\nid: <end>\ndata: {}',
      '',
    ].join('\n\n'),
  )
  assert.equal(streams.size, 0)
})

test('a stream on which nothing happens says now and then that it is there, and where it stands', async () => {
  const streams = streamsWith({ heartbeat: 10 })
  const out = streams.open(opening(nothing))
  const text = await textUntil(out, ': still here\nid: <here>\n\n: still here\nid: <here>\n\n')
  assert.doesNotMatch(text, /event:/)
  await streams.end()
})

test('a client that does not read is sent no more, and dropped', async () => {
  const streams = streamsWith({ unreadTimeout: 20 })
  let reads = 0
  const flood: Feed = {
    read: async () => {
      reads += 1
      return { messages: [message('x'.repeat(1024 * 1024))], position: 'here', more: true }
    },
  }
  const out = streams.open(opening(flood))
  await once(out, 'close')
  assert.equal(reads, 1)
  assert.equal(streams.size, 0)
})

test('a stream that cannot be read breaks off, and the others go on', async () => {
  const streams = streamsWith({})
  const broken = streams.open(opening({ read: () => Promise.reject(new Error('no')) }))
  const other = streams.open(opening(feedOf([{ messages: [message('well')], position: 'a', ended: true }])))
  await Promise.all([once(broken, 'close'), textUntil(other, 'well')])
  assert.ok(logged.includes('live stream failed; the client reconnects'))
})

test('nothing is read with rights that are gone', async () => {
  const streams = streamsWith({ recheck: 0 })
  const out = streams.open(
    opening(feedOf([{ messages: [message('secret')], position: 'a' }]), {
      again: () => Promise.reject(failure('unauthenticated', 'no longer')),
    }),
  )
  assert.doesNotMatch(await textUntil(out, 'secret'), /secret/)
})

test('while nobody answers whether one may go on, it is sent nothing, and the others are sent theirs', async () => {
  const streams = streamsWith({ recheck: 0 })
  const asked = Promise.withResolvers<Actor>()
  const to = (who: string) => feedOf([{ messages: [message(`to ${who}`)], position: 'a' }])
  const one = streams.open(opening(to('the one'), { again: () => asked.promise }))
  const other = streams.open(opening(to('the other')))
  await textUntil(other, 'to the other')
  assert.doesNotMatch(String(one.read()), /to the one/)
  asked.resolve(theService)
  await textUntil(one, 'to the one')
  await streams.end()
})

test('while nobody answers whether one may go on, the database is asked no more than without it', async () => {
  let looks = 0
  const counted = {
    hints: database.hints,
    one: query => {
      looks += 1
      return database.one(query)
    },
  } satisfies Pick<Database, 'hints' | 'one'> as unknown as Database
  const streams = streamsWith({ recheck: 0, poll: 3_600_000 }, counted)
  const asked = Promise.withResolvers<Actor>()
  const one = streams.open(opening(feedOf([]), { again: () => asked.promise }))
  await textUntil(streams.open(opening(feedOf([{ messages: [message('hello')], position: 'a' }]))), 'hello')
  for (let times = 0; times < 50; times += 1) await database.one(sql`select`)
  const meanwhile = looks
  asked.resolve(theService)
  await textUntil(one, '<here>')
  await streams.end()
  assert.ok(meanwhile < 10, `${meanwhile} looks`)
})

test('a client that does not read the end of its stream is dropped too', async () => {
  const streams = streamsWith({ unreadTimeout: 20 })
  const out = streams.open(opening(feedOf([{ messages: [message('the last')], position: 'a', ended: true }])))
  await once(out, 'close')
  assert.equal(streams.size, 0)
})

test('one user has so many streams, another has theirs, and at a stop all end', async () => {
  const streams = streamsWith({ ofUser: 2 })
  const of = (userId: string) => opening(nothing, { actor: { ...theService, userId } })
  const open = [streams.open(of('ada')), streams.open(of('ada')), streams.open(of('bob'))]
  assert.throws(() => streams.open(of('ada')), /as many as one user may have/)
  open[0]!.destroy()
  await once(open[0]!, 'close')
  open.push(streams.open(of('ada')))
  const ends = open.slice(1).map(out => textUntil(out, 'never'))
  await streams.end()
  await Promise.all(ends)
  assert.throws(() => streams.open(of('bob')), /stopping/)
})
