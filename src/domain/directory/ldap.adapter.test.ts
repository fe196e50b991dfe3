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

/** Refuses to bind, with everything that it received in its diagnostic message. */
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

/** Elements of BER, as LDAP is written in. */
const element = (tag: number, ...content: (Buffer | string | number)[]): Buffer => {
  const parts = content.map(each =>
    typeof each === 'number' ? Buffer.from([each]) : typeof each === 'string' ? Buffer.from(each) : each,
  )
  const body = Buffer.concat(parts)
  const size = body.length < 0x80 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}

function* elements(bytes: Buffer): Generator<{ tag: number; content: Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    const [tag, size] = [bytes[at]!, bytes[at + 1]!]
    const long = size > 0x80 ? size - 0x80 : 0
    const length = long ? bytes.readUIntBE(at + 2, long) : size
    const from = at + 2 + long
    yield { tag, content: bytes.subarray(from, from + length) }
    at = from + length
  }
}

const ended = (tag: number, code = 0) => element(tag, element(0x0a, code), element(0x04), element(0x04))
const entry = (dn: string, attributes: Record<string, readonly string[]>) =>
  element(
    0x64,
    element(0x04, dn),
    element(
      0x30,
      ...Object.entries(attributes).map(([name, values]) =>
        element(0x30, element(0x04, name), element(0x31, ...values.map(value => element(0x04, value)))),
      ),
    ),
  )

interface Searched {
  readonly base: string
  readonly attributes: readonly string[]
}

/** Answers searches as a directory does that slapd cannot be: with these, each an answer of its own. */
async function answering(
  answers: (searched: Searched) => readonly Buffer[],
  work: (port: number, searches: readonly Searched[]) => Promise<void>,
): Promise<void> {
  const searches: Searched[] = []
  const server = createServer(socket =>
    socket.on('data', bytes => {
      for (const { content } of elements(bytes)) {
        const [id, operation] = [...elements(content)]
        const reply = (message: Buffer) => socket.write(element(0x30, element(0x02, id!.content), message))
        if (operation!.tag === 0x60) reply(ended(0x61))
        if (operation!.tag !== 0x63) continue
        const parts = [...elements(operation!.content)]
        const searched = {
          base: parts[0]!.content.toString(),
          attributes: [...elements(parts[7]!.content)].map(each => each.content.toString()),
        }
        searches.push(searched)
        for (const message of answers(searched)) reply(message)
      }
    }),
  )
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  try {
    await work((server.address() as { port: number }).port, searches)
  } finally {
    await new Promise(resolve => server.close(resolve))
  }
}

/** A group of Active Directory with 4,000 members, of which it tells 1,500 at a time. */
const large = 'CN=large,ou=groups,dc=example'
const member = (at: number) => `CN=person ${at},ou=people,dc=example`
const inParts = ({ base, attributes }: Searched): readonly Buffer[] => {
  const from = Number(/^member;range=(\d+)-\*$/i.exec(attributes[0]!)?.[1] ?? 0)
  if (from === 0) assert.notEqual(base, large)
  const values = Array.from({ length: Math.min(1_500, 4_000 - from) }, (_, at) => member(from + at))
  const to = from + 1_500 >= 4_000 ? '*' : from + 1_499
  const named = from === 0 ? { cn: ['large'], member: [] } : {}
  return [entry(large, { ...named, [`Member;Range=${from}-${to}`]: values }), ended(0x65)]
}

test('members of a group that is told in parts are read on to the last of them', async () => {
  await answering(inParts, async (port, searches) => {
    const more = { 'ldap.port': port }
    const [group] = await withDirectory(connection('none', more), undefined, open => open.groups())
    assert.equal(group!.members.length, 4_000)
    assert.deepEqual([group!.members[0], group!.members[3_999]], [member(0), member(3_999)])
    assert.deepEqual(
      searches.slice(1).map(({ base, attributes }) => [base, attributes]),
      [
        [large, ['member;range=1500-*']],
        [large, ['member;range=3000-*']],
      ],
    )
  })
})

test('of a group that is told in parts no more is read than shows that somebody is in it', async () => {
  await answering(inParts, async (port, searches) => {
    const asked = { dns: [member(2_000).replace('CN=', 'commonname=')] }
    const [group] = await withDirectory(connection('none', { 'ldap.port': port }), undefined, open =>
      open.groups(asked),
    )
    assert.ok(group!.members.includes(member(2_000)))
    assert.equal(searches.length, 2)
  })
})

test('a directory that does not tell the rest is an error that names the group', async () => {
  const first = (searched: Searched) => (searched.attributes[0]!.includes('range') ? [ended(0x65)] : inParts(searched))
  await answering(first, async port => {
    const asking = withDirectory(connection('none', { 'ldap.port': port }), undefined, open => open.groups())
    await assert.rejects(asking, /did not return the rest of the members of CN=large/)
  })
})

test('result codes are told in words', async () => {
  for (const [code, words] of [
    [4, 'size limit exceeded (4)'],
    [11, 'administrative limit exceeded (11)'],
    [53, 'unwilling to perform (53)'],
    [99, 'unknown result (99)'],
  ] as const)
    await answering(
      () => [ended(0x65, code)],
      async port => {
        const asking = withDirectory(connection('none', { 'ldap.port': port }), undefined, open => open.people())
        await assert.rejects(asking, ({ message }: Error) => {
          assert.ok(message.endsWith(`cannot be asked: ${words}`), message)
          return true
        })
      },
    )
})
