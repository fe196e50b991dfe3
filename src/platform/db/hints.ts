import pg from 'pg'

const channel = 'sluice_hint'

/**
 * Hints between processes: "there may be news". A NOTIFY in each commit costs three times the throughput (it takes a
 * global lock), so hints are sent after commit, on a connection of their own, at most one message each 5 ms. Every
 * consumer also polls at least once a second: a lost hint costs a second, never a stuck change.
 */
export interface HintLine {
  send(channel: string): void
  close(): Promise<void>
}

export function openHintLine(options: {
  url: string
  name: string
  onHint: (channel: string) => void
  /** Called when it listens again after a lost connection: in between consumers only polled. */
  onBack?: (why: string) => void
}): HintLine {
  let client: pg.Client | undefined
  let closed = false
  let due = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let again: NodeJS.Timeout | undefined
  let whyLost: string | undefined

  const connect = async () => {
    // Hints may arrive faster than they are acknowledged.
    const next = new pg.Client({ connectionString: options.url, application_name: options.name, pipeline: true })
    next.on('notification', ({ payload }) => {
      for (const each of (payload ?? '').split(',')) if (each) options.onHint(each)
    })
    next.on('error', error => lost(next, error.message))
    next.on('end', () => lost(next, 'the connection has ended'))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      client = next
      if (whyLost !== undefined) options.onBack?.(whyLost)
      whyLost = undefined
    } catch (error) {
      // PostgreSQL is unavailable: consumers poll meanwhile, and we reconnect.
      lost(next, (error as Error).message)
    }
  }
  const lost = (which: pg.Client, why: string) => {
    if (client === which) client = undefined
    whyLost ??= why
    which.end().catch(() => {})
    if (closed || again) return
    again = setTimeout(() => {
      again = undefined
      void connect()
    }, 500)
  }
  void connect()

  const flush = () => {
    timer = undefined
    const payload = [...due].join(',')
    due = new Set()
    client?.query('select pg_notify($1, $2)', [channel, payload]).catch(() => {})
  }

  return {
    send: name => {
      due.add(name)
      timer ??= setTimeout(flush, 5)
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      clearTimeout(again)
      await client?.end().catch(() => {})
    },
  }
}
