import { type MailAddress, readAddress } from './address.ts'
import { type Delivered, type Mail, type SmtpOptions, sendBySmtp } from './smtp.adapter.ts'
import type { SmtpServer } from './smtp-server.ts'

/** A mail without the fields that the service adds. */
export type MailToSend = Omit<Mail, 'from'>

/** Mailer of this installation. */
export interface Mailer {
  readonly from: MailAddress
  /** Whether no further mail can be sent now: the maximum number is being sent, or this process is stopping. */
  readonly busy: boolean
  /** @throws MailFailure */
  send(mail: MailToSend): Promise<Delivered>
  /** Waits a while for running deliveries, and ends the rest. */
  close(): Promise<void>
}

/**
 * Maximum number of mails sent at once. They are held in memory meanwhile; a server that hangs holds each for a minute.
 */
const mostAtOnce = 20

interface Times extends Pick<SmtpOptions, 'timeout' | 'silence'> {
  /** Milliseconds for running deliveries when the service stops: less than its responses have. */
  readonly atStop: number
}

const usualTimes: Times = { timeout: 60_000, silence: 20_000, atStop: 5_000 }

export function openMailer(options: {
  readonly server: SmtpServer
  /** `SLUICE_MAIL_FROM` */
  readonly from: string
  readonly authorities: string | undefined
  readonly times?: Times
}): Mailer {
  const { server, authorities, times = usualTimes } = options
  const from = readAddress(options.from)!
  const stopping = new AbortController()
  let closing = false
  const underWay = new Set<Promise<Delivered>>()
  return {
    from,
    get busy() {
      return closing || underWay.size >= mostAtOnce
    },
    send: async mail => {
      const sending = sendBySmtp({ server, authorities, ...times }, { ...mail, from }, stopping.signal)
      underWay.add(sending)
      try {
        return await sending
      } finally {
        underWay.delete(sending)
      }
    },
    close: async () => {
      closing = true
      const timer = setTimeout(() => stopping.abort(), times.atStop)
      await Promise.allSettled(underWay)
      clearTimeout(timer)
      // A mail that was accepted a moment ago and is only sent now could no longer be recorded.
      stopping.abort()
    },
  }
}
