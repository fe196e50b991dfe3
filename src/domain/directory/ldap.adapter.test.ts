import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { personDn, startTestDirectory, type TestDirectory } from '../../../tests/support/directory-server.ts'
import { DirectoryError, directoryConnection } from './connection.ts'
import { withDirectory } from './ldap.adapter.ts'

let directory: TestDirectory
before(async () => {
  directory = await startTestDirectory()
  await directory.addPerson('ann')
})
after(() => directory.tidy())

const connection = (tls: 'none' | 'starttls' | 'ldaps', more: object = {}) =>
  directoryConnection({ 'ldap.cache_ttl': 60, 'ldap.refresh_interval': 60, ...directory.settings(tls), ...more })!

test('passwords are sent only to a directory whose certificate somebody vouches for', async () => {
  for (const tls of ['starttls', 'ldaps'] as const) {
    const people = withDirectory(connection(tls), directory.authority, open => open.people())
    assert.deepEqual(
      (await people).map(({ username }) => username),
      ['ann'],
    )
    const unknown = withDirectory(connection(tls), undefined, open => open.people())
    await assert.rejects(unknown, /cannot be asked: .*self-signed/)
  }
})

test('after a password was tried, right or wrong, the search goes on as the one who searches', async () => {
  const answers = await withDirectory(connection('none'), undefined, async open => [
    await open.passwordIsRight(personDn('ann'), 'the password of ann'),
    (await open.people()).length,
    await open.passwordIsRight(personDn('ann'), ''),
    await open.passwordIsRight(personDn('nobody'), 'x'),
    await open.passwordIsRight(personDn('ann'), 'wrong'),
    (await open.people()).length,
  ])
  assert.deepEqual(answers, [true, 1, false, false, false, 1])
})

test('a connection that breaks is not made again, and a directory that stays silent is given up', async () => {
  const sockets: Socket[] = []
  const silent = createServer(socket => void sockets.push(socket))
  await new Promise<void>(resolve => silent.listen(0, 'localhost', resolve))
  const { port } = silent.address() as { port: number }
  const more = { 'ldap.port': port, 'ldap.search_timeout': 1 }
  try {
    await assert.rejects(
      withDirectory(connection('starttls', more), undefined, open => open.people()),
      DirectoryError,
    )
    silent.once('connection', socket => socket.destroy())
    await assert.rejects(
      withDirectory(connection('none', more), undefined, open => open.people()),
      DirectoryError,
    )
    assert.equal(sockets.length, 2)
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => silent.close(resolve))
  }
})

/** Refuses to bind, and says in its diagnostic message all that it was told. */
const echo = (asked: Buffer): Buffer => {
  const said = asked.subarray(0, 100)
  const body = Buffer.concat([Buffer.from([0x0a, 1, 52, 0x04, 0, 0x04, said.length]), said])
  const answer = Buffer.concat([asked.subarray(2, 5), Buffer.from([0x61, body.length]), body])
  return Buffer.concat([Buffer.from([0x30, 0x81, answer.length]), answer])
}

test('a directory that says again what it was told is quoted without the password', async () => {
  const server = createServer(socket => void socket.on('data', asked => socket.end(echo(asked))))
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as { port: number }
  const more = { 'ldap.port': port, 'ldap.bind_dn': 'cn=who', 'ldap.password': 'the-marked-word' }
  try {
    const asking = withDirectory(connection('none', more), undefined, open => open.people())
    await assert.rejects(asking, ({ message }: Error) => {
      assert.match(message, /cannot be asked: .*cn=who.*\*\*\*/s)
      assert.doesNotMatch(message, /marked/)
      return true
    })
  } finally {
    await new Promise(resolve => server.close(resolve))
  }
})
