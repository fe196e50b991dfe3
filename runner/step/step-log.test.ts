import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogChunk } from '../../protocol/runner-protocol.ts'
import { Mask } from './masking.ts'
import { StepLog } from './step-log.ts'

const attempt = { stepId: '01a20000-0000-7000-8000-000000000001', attempt: 1, fence: 1 }

/** Log lines made from an output, with at most `lineBytes` bytes each. */
function logged(output: string, secrets: string[], lineBytes: number): string[] {
  const chunks: Omit<LogChunk, 'seq'>[] = []
  const limits = { linesInChunk: 1_000, chunkMilliseconds: 250, chunkBytes: 1_048_576, lineBytes }
  const log = new StepLog(attempt, new Mask(secrets), limits, chunk => chunks.push(chunk))
  log.bytes('stdout', Buffer.from(output))
  log.endOfOutput()
  log.flush()
  return chunks.flatMap(({ text }) => text.split('\n'))
}

test('a line that is cut shows nothing of a secret that the cut goes through, however many were masked before it', () => {
  const secret = 'kXq7_vB2zR-9wLm4'
  const pieces = Array.from({ length: secret.length - 3 }, (_, at) => secret.slice(at, at + 4))
  for (const shown of [secret, Buffer.from(secret).toString('hex'), `"${secret}",`])
    for (let lineBytes = 100; lineBytes < 100 + shown.length; lineBytes++) {
      const [line] = logged(shown.repeat(1_000), [secret], lineBytes)
      assert.match(line!, / … \[line cut: it has \d+ bytes\]$/)
      assert.ok(Buffer.byteLength(line!) <= lineBytes)
      const inHex = pieces.map(piece => Buffer.from(piece).toString('hex'))
      for (const piece of [...pieces, ...inHex]) assert.ok(!line!.includes(piece), `${lineBytes}: ${line}`)
    }
})

test('a line is cut where it always was while there is nothing to hide in it', () => {
  assert.deepEqual(logged(`${'x'.repeat(1_000)}\nshort`, ['a secret'], 100), [
    `${'x'.repeat(100 - Buffer.byteLength(' … [line cut: it has 1000 bytes]'))} … [line cut: it has 1000 bytes]`,
    'short',
  ])
})
