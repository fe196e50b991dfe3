import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { SmtpServer } from '../../src/domain/mail/index.ts'
import { selfSigned } from './self-signed.ts'

/** A received mail: envelope sender and recipients, and content. */
interface ReceivedMail {
  readonly sender: string
  readonly recipients: readonly string[]
  readonly mail: Email
}

/** An SMTP server on a socket of its own, which stores the received mails. */
export interface TestMailServer {
  readonly server: SmtpServer
  /** Certificate (PEM) that its clients must trust; undefined without TLS. */
  readonly authority: string | undefined
  readonly received: readonly ReceivedMail[]
  /** Number of completely received mails, including those that it did not accept. */
  readonly handed: number
  /** Response to a recipient; undefined: accepted. */
  refuse: (recipient: string) => string | undefined
  /** Awaited before each mail is accepted; if it rejects, the mail is refused. */
  taking: () => Promise<void>
  stop(): Promise<void>
}

interface TestMailServerOptions {
  readonly tls?: SmtpServer['tls']
  /** Users who may sign in; default: everybody. */
  readonly login?: NonNullable<SmtpServer['login']>
  /** Whether it offers no STARTTLS, whatever the client expects. */
  readonly inClear?: true
}

export async function mailServer(options: TestMailServerOptions = {}): Promise<TestMailServer> {
  const { tls = 'none', login, inClear } = options
  const certificate = tls === 'none' ? undefined : await selfSigned()
  const received: ReceivedMail[] = []
  let handed = 0
  const smtp = new SMTPServer({
    ...certificate,
    logger: false,
    secure: tls === 'smtps',
    authOptional: login === undefined,
    disabledCommands: [...(tls === 'none' || inClear ? ['STARTTLS'] : []), ...(login ? [] : ['AUTH'])],
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) => {
      const right = username === login?.user && password === login?.password
      if (right) done(null, { user: username })
      else done(new Error('wrong user or password'))
    },
    onRcptTo: ({ address }, _session, done) => {
      const why = made.refuse(address)
      done(why === undefined ? null : Object.assign(new Error(why), { responseCode: 550 }))
    },
    onData: (stream, { envelope }, done) => {
      const take = async () => {
        const bytes = await buffer(stream)
        handed += 1
        await made.taking()
        received.push({
          sender: envelope.mailFrom ? envelope.mailFrom.address : '',
          recipients: envelope.rcptTo.map(({ address }) => address),
          mail: await PostalMime.parse(bytes),
        })
      }
      take().then(
        () => done(null),
        (error: Error) => done(error),
      )
    },
  })
  // A client that disconnects in the middle is not an error of the server.
  smtp.on('error', () => {})
  await new Promise<void>(resolve => smtp.listen(0, 'localhost', resolve))
  const { port } = smtp.server.address() as AddressInfo
  const made: TestMailServer = {
    server: { host: 'localhost', port, tls, login },
    authority: certificate?.cert,
    received,
    get handed() {
      return handed
    },
    refuse: () => undefined,
    taking: async () => {},
    stop: () => new Promise(resolve => smtp.close(resolve)),
  }
  return made
}
