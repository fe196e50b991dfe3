import assert from 'node:assert/strict'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { socketPair } from '../tests/support/socket-pair.ts'
import { FrameWriter } from './body-output.ts'
import { FrameReader, frame } from './executor-protocol.ts'
import { Unkept } from './unkept.ts'

test('where there is no perl a program runs by itself: its end is told, and what it wrote', async () => {
  const [from, to] = await socketPair()
  const read: [number, number, string][] = []
  const frames = new FrameReader((kind, channel, bytes) => read.push([kind, channel, bytes.toString()]))
  to.on('data', (bytes: Buffer) => frames.feed(bytes))
  const run = async (...argv: string[]) => {
    const unkept = new Unkept({ work: tmpdir(), env: {}, sandbox: [] }, new FrameWriter(from), 0)
    const ended = unkept.run({ argv, cwd: tmpdir(), env: { PATH: '/usr/bin:/bin', A: 'b' } })
    unkept.output.begin(7)
    const end = await ended
    await unkept.output.closed()
    unkept.leave()
    return { ...end, written: unkept.output.written, usable: unkept.usable }
  }
  const failed = { code: 3, signal: null, alone: false, written: 4, usable: false }
  assert.deepEqual(await run('sh', '-c', 'echo $A; echo c >&2; exit 3'), failed)
  assert.equal((await run('sh', '-c', 'kill -9 $$')).signal, 'SIGKILL')
  assert.match((await run('no-such-program')).why ?? '', /no-such-program could not be started/)
  from.end()
  await once(to, 'close')
  assert.deepEqual(read.toSorted(), [
    [frame.stdout, 7, 'b\n'],
    [frame.stderr, 7, 'c\n'],
  ])
})
