import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { CannotStart } from '../platform/db/embedded/cannot-start.ts'
import { listening } from './listening.ts'

const wanted = { host: 'sluice.example', port: 80 }
const refusing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code })
}

test('what hinders listening is said with the variable that mends it', async () => {
  const said: [string, RegExp][] = [
    ['EADDRINUSE', /port 80 of sluice\.example is taken.*SLUICE_PORT/],
    ['EACCES', /may not listen on port 80.*SLUICE_PORT/],
    ['EADDRNOTAVAIL', /sluice\.example is no address of this machine.*SLUICE_HOST/],
    ['ENOTFOUND', /the name sluice\.example has no address.*SLUICE_HOST/],
  ]
  for (const [code, words] of said)
    await assert.rejects(
      listening(refusing(code), wanted),
      error => error instanceof CannotStart && words.test(error.message),
      code,
    )
})

test('a port that another program has is told of as taken', async t => {
  const other = createServer()
  t.after(() => other.close())
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }
  const listen = (where: { host: string; port: number }) =>
    new Promise<string>((resolve, reject) => {
      createServer()
        .once('error', reject)
        .listen(where, () => resolve('listens'))
    })
  await assert.rejects(listening(listen, { host: '127.0.0.1', port }), new RegExp(`port ${port} of 127.0.0.1 is taken`))
})

test('what nobody foresaw is thrown on as it is', async () => {
  await assert.rejects(listening(refusing('EMFILE'), wanted), { code: 'EMFILE' })
})
