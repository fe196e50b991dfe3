import { isIP } from 'node:net'
import { getCACertificates } from 'node:tls'
import { asOneLine } from '#platform/display-name.ts'
import type { MailAddress } from './address.ts'
import { MailFailure } from './mail-failure.ts'
import type { SmtpServer } from './smtp-server.ts'

export interface Mail {
  /** `<…@example.org>` */
  readonly messageId: string
  readonly from: MailAddress
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  readonly bcc: readonly MailAddress[]
  readonly replyTo: readonly MailAddress[]
  readonly subject: string
  readonly text: string | undefined
  readonly html: string | undefined
  readonly attachments: readonly { readonly name: string; readonly content: Buffer }[]
}

/** Response of the server for each recipient; at least one is accepted. */
export interface Delivered {
  readonly accepted: readonly string[]
  readonly rejected: readonly string[]
}

/** Address of the server, and time limits. */
export interface SmtpOptions {
  readonly server: SmtpServer
  /** Certificates (PEM) of authorities beyond those that Node knows. */
  readonly authorities: string | undefined
  /** Milliseconds for the whole delivery, and for each silence within it. */
  readonly timeout: number
  readonly silence: number
}

/**
 * Sends one mail on a connection of its own. Certificates are checked, and without TLS nothing is sent to a server that
 * requires it.
 *
 * @throws MailFailure if the server does not accept it
 */
export async function sendBySmtp(options: SmtpOptions, mail: Mail, stopping: AbortSignal): Promise<Delivered> {
  // A megabyte of programs that most installations never need.
  const { createTransport } = await import('nodemailer')
  const { server, authorities, timeout, silence } = options
  const late = AbortSignal.timeout(timeout)
  let wholly = false
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.tls === 'smtps',
    requireTLS: server.tls === 'starttls',
    ignoreTLS: server.tls === 'none',
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password }, forceAuth: true }),
    tls: {
      minVersion: 'TLSv1.2',
      ...(isIP(server.host) === 0 && { servername: server.host }),
      ...(authorities && { ca: [...getCACertificates('default'), authorities] }),
    },
    dnsTimeout: silence,
    connectionTimeout: silence,
    greetingTimeout: silence,
    socketTimeout: silence,
    disableFileAccess: true,
    disableUrlAccess: true,
    // It only reports when the last byte of the mail has been sent.
    logger: loggerThat(() => {
      wholly = true
    }),
  })
  const signal = AbortSignal.any([stopping, late])
  try {
    const { accepted, rejected } = await transport.sendMail({ ...messageOf(mail), signal })
    return { accepted: accepted.map(String), rejected: rejected.map(String) }
  } catch (error) {
    const failed = error as SmtpError
    const mayBeSent = wholly && failed.responseCode === undefined
    const why = { late: late.aborted, stopped: stopping.aborted, timeout }
    const { what, ...words } = whyNot(server, failed, why)
    throw new MailFailure(`The mail server ${server.host}:${server.port} ${what}`, { ...words, mayBeSent })
  }
}

interface SmtpError extends Error {
  readonly code?: string
  readonly response?: string
  readonly responseCode?: number
}

/** Message for the library; it contains no file names or URLs that would be fetched: contents are bytes. */
const messageOf = ({ attachments, ...mail }: Mail) => ({
  ...mail,
  to: [...mail.to],
  cc: [...mail.cc],
  bcc: [...mail.bcc],
  replyTo: [...mail.replyTo],
  attachments: attachments.map(({ name, content }) => ({ filename: name, content })),
  // Suppresses automatic replies.
  headers: { 'Auto-Submitted': 'auto-generated' },
})

function loggerThat(sentAll: () => void) {
  const ignore = () => {}
  const info = (about: unknown) => {
    if ((about as { tnx?: string } | undefined)?.tnx === 'message') sentAll()
  }
  return { level: ignore, trace: ignore, debug: ignore, info, warn: ignore, error: ignore, fatal: ignore }
}

function whyNot(
  { tls }: SmtpServer,
  { code = '', message, response, responseCode }: SmtpError,
  { late, stopped, timeout }: { late: boolean; stopped: boolean; timeout: number },
): { what: string; said?: string } {
  if (stopped) return { what: 'had not answered when the service was stopped' }
  if (late) return { what: `has not taken the mail within ${timeout / 1_000} s` }
  const said = asOneLine(response ?? message) ?? code
  if (code === 'EAUTH') return { what: 'does not let the service in', said }
  if (code === 'ETLS') return { what: `cannot be spoken to by TLS (${tls})`, said }
  if (responseCode !== undefined) return { what: 'refuses the mail', said }
  if (code === 'ETIMEDOUT') return { what: 'has not answered in time', said }
  return { what: 'cannot be spoken to', said }
}
