import assert from 'node:assert/strict'
import { test } from 'node:test'
import { socketPair } from '../../tests/support/socket-pair.ts'
import { MessagePipe } from './message-pipe.ts'

test('messages arrive whole and in order, however large they are and wherever the bytes are parted', async () => {
  const [from, to] = await socketPair()
  const messages = [{ a: 'ä\n😀' }, { long: 'ö'.repeat(3_000_000) }, {}, { n: 1 }]
  const heard: unknown[] = []
  const all = Promise.withResolvers<void>()
  new MessagePipe<never>(
    to,
    message => heard.push(message) === messages.length + 1 && all.resolve(),
    () => all.reject(new Error('broken')),
  )
  const sender = new MessagePipe<unknown>(
    from,
    () => {},
    () => {},
  )
  for (const message of messages) sender.send(message)
  from.write('{"in ')
  setImmediate(() => from.write('two":"pieces"}\n'))
  await all.promise
  assert.deepEqual(heard, [...messages, { 'in two': 'pieces' }])
  from.destroy()
  // Has no receiver any more, and does no harm.
  sender.send({ late: true })
  to.destroy()
})

test('what is no message, or longer than one may be, ends the hearing and hurts nobody', async () => {
  for (const bytes of ['{"cut', '{"n":1}\nnot JSON\n{"n":2}\n', `"${'x'.repeat(2_000)}`]) {
    const [from, to] = await socketPair()
    const heard: unknown[] = []
    const { promise: broken, resolve } = Promise.withResolvers<void>()
    new MessagePipe<never>(to, message => heard.push(message), resolve, 1_000)
    from.write(bytes)
    if (bytes === '{"cut') from.write('x'.repeat(1_000))
    await broken
    assert.deepEqual(heard, bytes.startsWith('{"n":1}') ? [{ n: 1 }] : [])
    from.destroy()
  }
})
