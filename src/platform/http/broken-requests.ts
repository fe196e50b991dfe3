import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type FailureCode, failureCodes, statusOf } from '../failure.ts'
import { errorDocument } from '../jsonapi/errors.ts'
import { jsonApi } from './accept.ts'

/** Failure codes for errors of Node's parser, about bytes that never became a request. */
const codes: Readonly<Record<string, FailureCode>> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-too-slow',
}

/** Answers bytes that are no HTTP, and what is too large or too slow to become a request, in the form of every other error. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // A client that is gone gets no response.
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) {
    const code = codes[error.code ?? ''] ?? 'malformed-http'
    const body = JSON.stringify(errorDocument([{ code, detail: `${sentenceOf(code)}.` }]))
    const status = statusOf(code)
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `content-type: ${jsonApi}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroy(error)
}

const sentenceOf = (code: FailureCode): string => {
  const { why } = failureCodes[code]
  return why.charAt(0).toUpperCase() + why.slice(1)
}
