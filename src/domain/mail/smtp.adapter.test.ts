import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { mailServer, type TestMailServer } from '../../../tests/support/mail-server.ts'
import { MailFailure, openMailer } from './index.ts'
import { type Mail, type SmtpOptions, sendBySmtp } from './smtp.adapter.ts'

/** Tests of sent mails, over real sockets to a real SMTP server. */

const toStop: (() => Promise<unknown>)[] = []
after(() => Promise.all(toStop.map(stop => stop())))

async function started(...options: Parameters<typeof mailServer>): Promise<TestMailServer> {
  const server = await mailServer(...options)
  toStop.push(() => server.stop())
  return server
}

const mail: Mail = {
  messageId: '<1@example.org>',
  from: { name: 'Sluice', address: 'sluice@example.org' },
  to: [{ name: 'Jürgen Müller', address: 'jm@example.org' }],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'Grüße: ✓ fertig',
  text: 'Es ist so weit.\n.\nEnde',
  html: undefined,
  attachments: [],
}
const never = new AbortController().signal
const optionsFor = ({ server, authority }: Pick<TestMailServer, 'server' | 'authority'>): SmtpOptions => ({
  ...{ server, authorities: authority, timeout: 30_000, silence: 20_000 },
})
const login = { user: 'robot', password: 'the password' }

async function failureOf(options: SmtpOptions, stopping: AbortSignal = never): Promise<MailFailure> {
  const sending = sendBySmtp(options, mail, stopping)
  const failed = await sending.then(
    () => assert.fail('it was sent'),
    (error: unknown) => error,
  )
  assert.ok(failed instanceof MailFailure, String(failed))
  assert.ok(!failed.message.includes(login.password))
  return failed
}

test('a mail arrives as it was written, in clear where that was asked for, and by TLS with a login', async () => {
  for (const server of [
    await started(),
    await started({ tls: 'starttls', login }),
    await started({ tls: 'smtps', login }),
  ]) {
    const hidden = { name: '', address: 'hidden@example.org' }
    const content = Buffer.from([0, 255, 13, 10, 46, 13, 10])
    const whole = { ...mail, html: '<p>fertig</p>', bcc: [hidden], attachments: [{ name: 'Bericht ü.bin', content }] }
    const delivered = await sendBySmtp(optionsFor(server), whole, never)
    assert.deepEqual(delivered, { accepted: ['jm@example.org', 'hidden@example.org'], rejected: [] })
    const [{ sender, recipients, mail: got } = assert.fail('nothing came'), ...more] = server.received
    assert.deepEqual([more, sender, recipients], [[], 'sluice@example.org', ['jm@example.org', 'hidden@example.org']])
    assert.equal(got.subject, mail.subject)
    assert.equal(got.text?.trimEnd(), mail.text)
    assert.equal(got.html?.trimEnd(), '<p>fertig</p>')
    assert.deepEqual(
      [got.from?.address, got.to?.[0]?.name, got.bcc],
      ['sluice@example.org', 'Jürgen Müller', undefined],
    )
    assert.equal(got.messageId, mail.messageId)
    assert.equal(got.attachments[0]?.filename, 'Bericht ü.bin')
    assert.deepEqual(Buffer.from(got.attachments[0]!.content as ArrayBuffer), content)
  }
})

test('a server whose certificate nobody vouches for, or that offers no TLS, is told nothing', async () => {
  for (const tls of ['smtps', 'starttls'] as const) {
    const server = await started({ tls, login })
    const failed = await failureOf({ ...optionsFor(server), authorities: undefined })
    assert.match(failed.message, /^The mail server localhost:\d+ cannot be spoken to( by TLS \(.+\))?: .*self-signed/)
    assert.equal(failed.mayBeSent, false)
  }
  const inClear = await started({ tls: 'starttls', inClear: true })
  assert.match((await failureOf(optionsFor(inClear))).message, / cannot be spoken to by TLS \(starttls\): 500 /)
  assert.equal(inClear.handed, 0)
})

test('a wrong password and recipients that are all refused are what it fails with, in the words of the server', async () => {
  const guarded = await started({ tls: 'smtps', login })
  const { server } = guarded
  const wrong = { ...optionsFor(guarded), server: { ...server, login: { user: 'robot', password: 'another' } } }
  assert.match((await failureOf(wrong)).message, /does not let the service in: .*wrong user or password/)
  const open = await started()
  open.refuse = () => 'no such mailbox'
  const failed = await failureOf(optionsFor(open))
  assert.match(failed.message, /refuses the mail: 550 no such mailbox/)
  assert.equal(failed.mayBeSent, false)
})

test('a recipient that is refused beside others is answered', async () => {
  const server = await started()
  server.refuse = address => (address === 'jm@example.org' ? 'no such mailbox' : undefined)
  const both = { ...mail, cc: [{ name: '', address: 'ann@example.org' }] }
  const delivered = await sendBySmtp(optionsFor(server), both, never)
  assert.deepEqual(delivered, { accepted: ['ann@example.org'], rejected: ['jm@example.org'] })
})

test('a server that refuses what it was handed has not taken it; one that goes silent then may have', async () => {
  const refusing = await started()
  refusing.taking = () => Promise.reject(Object.assign(new Error('too much of it'), { responseCode: 552 }))
  const refused = await failureOf(optionsFor(refusing))
  assert.match(refused.message, /refuses the mail: 552 too much of it/)
  assert.equal(refused.mayBeSent, false)
  const silent = await started()
  silent.taking = () => new Promise(() => {})
  const unknown = await failureOf({ ...optionsFor(silent), silence: 300 })
  assert.match(unknown.message, /has not answered in time/)
  assert.deepEqual([unknown.mayBeSent, silent.handed], [true, 1])
})

/** Takes connections and says nothing. */
async function mute(): Promise<{ port: number; connected: Promise<Socket> }> {
  const connected = Promise.withResolvers<Socket>()
  const server = createServer(socket => {
    socket.on('error', () => {})
    connected.resolve(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  toStop.push(async () => {
    ;(await connected.promise).destroy()
    await new Promise(resolve => server.close(resolve))
  })
  return { port: (server.address() as { port: number }).port, connected: connected.promise }
}

test('a server that says nothing is waited for only so long, and no longer than until the service stops', async () => {
  const said = { host: '127.0.0.1', tls: 'none', login: undefined } as const
  const long = { authorities: undefined, timeout: 30_000, silence: 20_000 }
  for (const short of [{ timeout: 200 }, { silence: 200 }]) {
    const { port } = await mute()
    const failed = await failureOf({ server: { ...said, port }, ...long, ...short })
    assert.match(failed.message, /has not (taken the mail within 0\.2 s|answered in time)/)
    assert.equal(failed.mayBeSent, false)
  }
  const { port, connected } = await mute()
  const times = { ...long, atStop: 50 }
  const mailer = openMailer({ server: { ...said, port }, from: 'sluice@example.org', authorities: undefined, times })
  const sending = mailer.send(mail).catch((error: unknown) => error)
  await connected
  await mailer.close()
  assert.match(String(await sending), /had not answered when the service was stopped/)
})

test('a mail that was let in a moment before the service stopped, and comes only then, is not sent', async () => {
  const { server, received } = await started()
  const mailer = openMailer({ server, from: 'sluice@example.org', authorities: undefined })
  await mailer.close()
  const failed = await mailer.send(mail).catch((error: unknown) => error)
  assert.ok(failed instanceof MailFailure, JSON.stringify(failed))
  assert.deepEqual([failed.mayBeSent, received], [false, []])
})
