export interface Fault {
  id?: string
  status?: string
  code?: string
  title?: string
  detail?: string
  source?: { pointer?: string; parameter?: string; header?: string }
  meta?: Record<string, unknown>
}

/** Error response (status 400 or higher) with the faults that the service reported. */
export class Refused extends Error {
  /** Path of the request, without its query. */
  readonly path: string
  readonly status: number
  readonly faults: readonly Fault[]

  constructor(method: string, target: string, status: number, faults: readonly Fault[]) {
    super([`${method} ${target} returned ${status}`, ...faults.map(faultText)].join('\n  '))
    this.path = target.replace(/\?.*$/s, '')
    this.status = status
    this.faults = faults
  }
}

const faultText = ({ code, title, detail, source }: Fault) =>
  [source?.pointer ?? source?.parameter ?? source?.header, detail ?? title ?? code].filter(Boolean).join(': ')

/**
 * Error of a request that got no response: connection refused, unknown host or connection lost. The message says
 * whether it may have been processed.
 */
export class Unreachable extends Error {}
