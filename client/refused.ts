export interface Fault {
  id?: string
  status?: string
  code?: string
  title?: string
  detail?: string
  source?: { pointer?: string; parameter?: string; header?: string }
  meta?: Record<string, unknown>
}

/** An answer of 400 or more: its status, and each fault that the service named. */
export class Refused extends Error {
  /** The path that was asked, without what was asked of it. */
  readonly path: string
  readonly status: number
  readonly faults: readonly Fault[]

  constructor(method: string, target: string, status: number, faults: readonly Fault[]) {
    super([`${method} ${target} was answered ${status}`, ...faults.map(inWords)].join('\n  '))
    this.path = target.replace(/\?.*$/s, '')
    this.status = status
    this.faults = faults
  }
}

const inWords = ({ code, title, detail, source }: Fault) =>
  [source?.pointer ?? source?.parameter ?? source?.header, detail ?? title ?? code].filter(Boolean).join(': ')

/** No answer at all: nobody listens there, the name is unknown, the connection broke. Says whether it may have been done. */
export class Unreachable extends Error {}
