import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { Intake } from './body-output.ts'
import { PlainProcess } from './plain-process.ts'

test('where there is no perl a program runs by itself: its end is told, and what it wrote', async () => {
  const place = { node: '', program: '', suffix: '.ts', work: tmpdir(), env: {}, sandbox: [], intake: new Intake() }
  const run = async (...argv: string[]) => {
    const plain = new PlainProcess(place, 0)
    const ended = plain.run({ argv, cwd: tmpdir(), env: { PATH: '/usr/bin:/bin', A: 'b' } })
    const read: string[] = []
    plain.output.begin((stream, bytes) => read.push(`${stream}: ${bytes}`))
    const end = await ended
    await plain.output.closed()
    plain.leave()
    return { ...end, read: read.toSorted(), usable: plain.usable }
  }
  const failed = { code: 3, signal: null, alone: false, read: ['stderr: c\n', 'stdout: b\n'], usable: false }
  assert.deepEqual(await run('sh', '-c', 'echo $A; echo c >&2; exit 3'), failed)
  assert.equal((await run('sh', '-c', 'kill -9 $$')).signal, 'SIGKILL')
  assert.match((await run('no-such-program')).why ?? '', /no-such-program could not be started/)
})
