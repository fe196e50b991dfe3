import { type MailAddress, readAddress } from './address.ts'
import { type Delivered, type Mail, type SmtpOptions, sendBySmtp } from './smtp.adapter.ts'
import type { SmtpServer } from './smtp-server.ts'

/** A mail without what the service adds. */
export type MailToSend = Omit<Mail, 'from'>

/** Mailer of this installation. */
export interface Mailer {
  readonly from: MailAddress
  /** Whether no further mail can be sent now: this process sends as many as it does at once, or is stopping. */
  readonly busy: boolean
  /** @throws MailFailure */
  send(mail: MailToSend): Promise<Delivered>
  /** Waits a while for what is under way, and ends what is left. */
  close(): Promise<void>
}

/**
 * Maximum number of mails sent at once. They are held in memory meanwhile; a server that hangs holds each for a minute.
 */
const mostAtOnce = 20

interface Times extends Pick<SmtpOptions, 'timeout' | 'silence'> {
  /** Milliseconds that are left to what is under way when the service stops: less than its answers have. */
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
      // A mail that was accepted a moment before and is only sent now could not be recorded any more.
      stopping.abort()
    },
  }
}
