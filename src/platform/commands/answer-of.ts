import type { Failure } from '../failure.ts'
import { errorDocument } from '../jsonapi/errors.ts'
import type { Answer } from './answer.ts'
import type { Answered, AnyCommand } from './command.ts'

/** Response for a failure: the same bytes that the caller received the first time. */
export const failureAnswer = (failed: Failure): Answer => ({
  status: failed.status,
  headers: failed.headers,
  body: errorDocument(failed.faults),
})

export const answerOfDocument = (
  { status = 200, body, headers }: Answered,
  { secret }: Pick<AnyCommand, 'secret'> = {},
): Answer => ({
  status,
  headers: { ...headers, ...(secret && { 'cache-control': 'no-store' }) },
  body,
})
