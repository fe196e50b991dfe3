import assert from 'node:assert/strict'
import { test } from 'node:test'
import { socketPair } from '../tests/support/socket-pair.ts'
import { MessagePipe } from './message-pipe.ts'

test('messages arrive whole and in order, however large they are and wherever the bytes are parted', async () => {
  const [from, to] = await socketPair()
  const messages = [{ a: 'ä\n😀' }, { long: 'ö'.repeat(3_000_000) }, {}, { n: 1 }]
  const heard: unknown[] = []
  const all = Promise.withResolvers<void>()
  new MessagePipe(to, message => heard.push(message) === messages.length + 1 && all.resolve())
  const sender = new MessagePipe<never, unknown>(from, () => {})
  for (const message of messages) sender.send(message)
  from.write('{"in ')
  setImmediate(() => from.write('two":"pieces"}\n'))
  await all.promise
  assert.deepEqual(heard, [...messages, { 'in two': 'pieces' }])
  from.destroy()
  // Nobody hears it any more, and nobody is hurt.
  sender.send({ late: true })
  to.destroy()
})
