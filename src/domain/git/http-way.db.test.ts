import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openKeyring } from '#platform/crypto/index.ts'
import { openDatabase } from '#platform/db/database.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { gitServer, testRepository } from '../../../tests/support/git-repository.ts'
import { prepareAnswers, withAnswers } from './credentials.adapter.ts'
import { GitFailure, openGit } from './index.ts'

const prepared = await testDatabase()
const database = openDatabase({ url: prepared.appUrl, name: 'test' })
const keyring = await openKeyring({ database, rootKey: Buffer.alloc(32, 7) })
const dataDir = await mkdtemp(join(tmpdir(), 'sluice-data-'))
const environment = { PATH: process.env['PATH']! }
const protocols = ['http' as const]
const git = await openGit({ database, keyring, dataDir, protocols, privateAddresses: ['127.0.0.0/8'], environment })
const repository = await testRepository({ file: 'x' })
const signIn = { user: 'deploy', password: 'known to few' }
const server = await gitServer(repository, signIn)
after(async () => {
  await server.stop()
  await repository.remove()
  await database.end()
  await prepared.drop()
  await rm(dataDir, { recursive: true })
})

const probe = (url: string, by = git) =>
  by.probe({ url, user: signIn.user, credentials: { password: signIn.password } })
const failsWith = (says: RegExp) => (error: Error) => {
  assert.ok(error instanceof GitFailure, String(error))
  assert.match(error.message, says)
  return true
}

/** A server that answers everything by itself and remembers who asked. */
async function serverOf(status: number, headers: Record<string, string>) {
  const asked: IncomingMessage[] = []
  const made = createServer((request, response) => {
    asked.push(request)
    response.writeHead(status, headers).end()
  })
  await new Promise<void>(resolve => made.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    made.closeAllConnections()
    made.close()
  }
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}/shop.git`, asked, stop }
}

const sendingTo = (location: string) => serverOf(302, { location })
const refsOf = (url: string) => `${url}/info/refs?service=git-upload-pack`

test('a remote at a private address that is not listed is not spoken to', async () => {
  const strict = await openGit({ database, keyring, dataDir, protocols, privateAddresses: [], environment })
  const before = server.fetches()
  const refused = failsWith(/a private address; SLUICE_PRIVATE_ADDRESSES lists/)
  await assert.rejects(probe(server.url, strict), refused)
  await assert.rejects(probe(server.url.replace('127.0.0.1', 'localhost'), strict), refused)
  await assert.rejects(probe(server.url.replace('127.0.0.1', '2130706433'), strict), refused)
  await assert.rejects(probe('http://169.254.169.254/latest.git'), failsWith(/an address that is never reached/))
  assert.equal(server.fetches(), before)
})

test('a repository that moved on its server is found, and signed in to', async () => {
  await probe(server.url)
  await probe(server.url.replace('repository.git', 'moved.git'))
})

test('a private repository that was renamed is found by who signs in, and by nobody else', async () => {
  const renamed = server.url.replace('repository.git', 'renamed.git')
  await probe(renamed)
  await assert.rejects(
    git.probe({ url: renamed, user: null, credentials: {} }),
    failsWith(/^127\.0\.0\.1 requires credentials to read the repository, and the remote has no password: set/),
  )
  await assert.rejects(
    git.probe({ url: renamed, user: 'deploy', credentials: { password: 'guessed' } }),
    failsWith(/^127\.0\.0\.1 refuses the user or the password of the remote\. \(Authentication failed/),
  )
})

test('a server that tells only who has signed in where it sends them gets the password, and no other server does', async () => {
  const other = await serverOf(401, { 'www-authenticate': 'Basic realm="other"' })
  const asked: (string | undefined)[] = []
  const sends = createServer((request, response) => {
    asked.push(request.headers.authorization)
    if (request.headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    else response.writeHead(301, { location: refsOf(other.url) }).end()
  })
  await new Promise<void>(resolve => sends.listen(0, '127.0.0.1', resolve))
  try {
    const url = `http://127.0.0.1:${(sends.address() as AddressInfo).port}/shop.git`
    await assert.rejects(probe(url), failsWith(/requires credentials to read the repository/))
    assert.ok(asked.some(each => each !== undefined))
    assert.ok(other.asked.length > 0, 'the redirection was followed')
    for (const { headers } of other.asked) assert.equal(headers.authorization, undefined)
  } finally {
    other.stop()
    sends.closeAllConnections()
    sends.close()
  }
})

test('a name is asked for once: git connects to the address that was looked at', async () => {
  const named = server.url.replace('127.0.0.1', 'localhost')
  await probe(
    named,
    await openGit({ database, keyring, dataDir, protocols, privateAddresses: ['127.0.0.1', '::1'], environment }),
  )
})

test('whoever is sent to another service takes no password along', async () => {
  const other = await serverOf(401, { 'www-authenticate': 'Basic realm="other"' })
  const sends = await sendingTo(refsOf(other.url))
  try {
    await assert.rejects(probe(sends.url), GitFailure)
    assert.ok(other.asked.length > 0, 'the redirection was followed')
    for (const { headers } of [...other.asked, ...sends.asked]) assert.equal(headers.authorization, undefined)
  } finally {
    other.stop()
    sends.stop()
  }
})

test('nobody is sent to an address that is not to be reached, nor to what is no repository', async () => {
  const places: [string, RegExp][] = [
    [refsOf('http://169.254.169.254/latest.git'), /127\.0\.0\.1 sends elsewhere: 169\.254\.169\.254 is an address/],
    [refsOf('http://10.0.0.1/shop.git'), /10\.0\.0\.1 is a private address/],
    [refsOf('file:///etc'), /returned error: 302/],
    [`${server.url}/HEAD`, /returned error: 302/],
    ['/sign-in', /returned error: 302/],
  ]
  for (const [location, says] of places) {
    const sends = await sendingTo(location)
    await assert.rejects(probe(sends.url), failsWith(says)).finally(sends.stop)
  }
})

test('the program that git asks for a password answers for the remote’s own host alone', async () => {
  const folder = await prepareAnswers(join(dataDir, 'asking'))
  const asker = { scheme: 'https', host: 'git.example.org:8443' }
  const options = { folder, protocol: 'https' as const, user: 'git', credentials: signIn, knownHosts: [], asker }
  await withAnswers(options, async ({ environment: given, lines }) => {
    const answerTo = (question: string) =>
      spawnSync('sh', ['-c', '"$0" "$1" 3<&0', given['GIT_ASKPASS']!, question], {
        env: { ...environment, ...given },
        input: lines,
        encoding: 'utf8',
      }).stdout
    assert.equal(answerTo("Password for 'https://git@git.example.org:8443': "), 'known to few\n')
    for (const asking of ['https://git@git.example.org', 'http://git@git.example.org:8443', 'https://git@evil.example'])
      assert.equal(answerTo(`Password for '${asking}': `), '')
    assert.equal(answerTo("Password for 'https://git@git.example.org:8443@evil.example': "), '')
    assert.equal(answerTo("Username for 'https://git.example.org:8443': "), '')
  })
})
