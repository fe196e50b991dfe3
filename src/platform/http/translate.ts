import { UnknownDataKey } from '../crypto/index.ts'
import { isBusy, isDatabaseAway } from '../db/connection-errors.ts'
import { Failure, failure, missing } from '../failure.ts'

/** SQLSTATEs of values that a cast in a condition could not read: in a read they can only come from the request. */
const unreadable = new Set(['22P02', '22007', '22008', '22009', '22003', '22P05', '22021'])
const tooSlow = '57014'
/** SQLSTATEs of contention that remained after retries. */
const contended = new Set(['40001', '40P01', '55P03'])
/**
 * SQLSTATEs with which PostgreSQL reports that its machine is out of resources: neither the request nor the service is
 * at fault.
 */
const exhausted: Record<string, string> = {
  '53100': 'The disk of the database is full',
  '53200': 'The database has no memory left',
}

/** Properties of the request that decide how an error is reported. */
export interface Translated {
  /** Whether the request only reads. */
  readonly reads: boolean
  /** Maximum size of its body in bytes. */
  readonly bodyLimit: number
}

const mebibyte = 1024 * 1024

/** Translates a thrown value to the failure that the caller gets; undefined for a bug of ours. */
export function translate(error: unknown, { reads, bodyLimit }: Translated): Failure | undefined {
  if (error instanceof Failure) return error
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return failure('body-too-large', `The body is larger than the ${bodyLimit / mebibyte} MiB that this takes.`)
  }
  if (code === 'FST_ERR_BAD_URL') return failure('malformed-query', 'The path is not percent-encoded UTF-8.')
  // Longer than any name.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return missing()
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const detail = 'Content-Type should be a media type, such as application/vnd.api+json.'
    return failure('unsupported-media-type', detail, { source: { header: 'content-type' } })
  }
  if (code?.startsWith('FST_ERR_CTP_')) return failure('malformed-envelope', message ?? 'The body cannot be read.')
  if (code === tooSlow) {
    const advice = 'Narrow it: a filter with eq or start on an indexed attribute, a shorter time, a smaller limit.'
    return failure('query-too-slow', `The query took longer than its limit. ${advice}`)
  }
  if (reads && code && unreadable.has(code)) {
    return failure('wrong-kind', 'A value of the query is not of the kind that it is compared with.')
  }
  if (error instanceof UnknownDataKey) {
    return unavailable(
      'The keys are being replaced, and this process has not heard of the new one yet. Ask again.',
      '1',
    )
  }
  const lack = code && exhausted[code]
  if (lack) return unavailable(`${lack}: its operator has to free space. Nothing is half-done; try again then.`, '30')
  const why = whyNot(error)
  return why === undefined ? undefined : unavailable(`${why} Nothing is half-done; ask again.`, '2')
}

/** Reason of a transient error; undefined for any other. */
function whyNot(error: unknown): string | undefined {
  if (isBusy(error)) return 'The service is busy: none of its connections to the database became free in time.'
  if (isDatabaseAway(error)) return 'The database is not reachable.'
  const { code } = error as { code?: string }
  return code && contended.has(code) ? 'Others are at work on the same, and went first.' : undefined
}

const unavailable = (detail: string, retryAfter: string): Failure =>
  new Failure([{ code: 'unavailable', detail }], { 'retry-after': retryAfter })
