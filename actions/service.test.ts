import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { create } from 'tar'
import { unpack } from '../runner/executor/working-copy.ts'
import { gitClone } from './git-clone.ts'
import { query } from './query.ts'
import type { ServiceAccess } from './service.ts'

const signal = new AbortController().signal
const node = JSON.stringify({ data: { attributes: { code: 'web' } } })

/** One that answers the first request by the first, and all after the last by the last. */
async function withService(
  answers: readonly RequestListener[],
  use: (service: ServiceAccess, asked: () => number) => Promise<void>,
): Promise<void> {
  let asked = 0
  const server = createServer((request, response) => answers[Math.min(asked++, answers.length - 1)]!(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'a token' }, () => asked)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Response that breaks off, as from a service that is killed while it answers. */
const brokenOff =
  (bytes: Buffer | string, more: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-length': String(bytes.length), ...more })
    response.write(bytes.slice(0, bytes.length / 2), () => response.destroy())
  }

test('an answer that breaks off is asked for again, and so is one that a proxy cannot get', () =>
  withService(
    [
      brokenOff(node),
      (_, response) => void response.writeHead(502).end('<html>'),
      (_, response) => void response.writeHead(504).end(),
      (_, response) => void response.end(node),
    ],
    async (service, asked) => {
      assert.deepEqual(await query(service, '/projects/bank', 'node', signal), { code: 'web' })
      assert.equal(asked(), 4)
    },
  ))

test('the files of a remote arrive whole where the service was killed over them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clone-'))
  writeFileSync(join(folder, 'file'), 'x'.repeat(1_000_000))
  const archive = await buffer(create({ cwd: folder, portable: true }, ['file']) as never)
  const commit = { 'sluice-commit': 'c'.repeat(40) }
  const whole: RequestListener = (_, response) => void response.writeHead(200, commit).end(archive)
  try {
    await withService([brokenOff(archive, commit), whole], async service => {
      const clones = { stepId: 'a step', service, unpack }
      const wanted = { remote: 'shop', revision: 'main', options: { into: join(folder, 'clone') } }
      assert.deepEqual(await gitClone(clones, wanted, { signal, warn: () => {} }), {
        folder: join(folder, 'clone'),
        commit: 'c'.repeat(40),
      })
      assert.equal(readFileSync(join(folder, 'clone/file')).length, 1_000_000)
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('what was read whole and is of no use is not asked for again, nor what the service refuses', async () => {
  await withService([(_, response) => void response.end('no JSON')], async (service, asked) => {
    await assert.rejects(query(service, '/projects/bank', 'node', signal), SyntaxError)
    assert.equal(asked(), 1)
  })
  const refused = JSON.stringify({ errors: [{ title: 'Not found', detail: 'There is no such node.' }] })
  await withService([(_, response) => void response.writeHead(404).end(refused)], async (service, asked) => {
    await assert.rejects(query(service, '/projects/bank', 'node', signal), /^Error: There is no such node\.$/)
    assert.equal(asked(), 1)
  })
  const folder = mkdtempSync(join(tmpdir(), 'sluice-clone-'))
  await withService([(_, response) => void response.end('x'.repeat(100_000))], async (service, asked) => {
    const clones = { stepId: 'a step', service, unpack }
    const wanted = { remote: 'shop', revision: 'main', options: { into: join(folder, 'clone') } }
    await assert.rejects(gitClone(clones, wanted, { signal, warn: () => {} }))
    assert.equal(asked(), 1)
    assert.equal(existsSync(join(folder, 'clone')), false)
  })
  rmSync(folder, { recursive: true })
})
