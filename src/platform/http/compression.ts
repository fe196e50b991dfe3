import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { releaseBytes } from '../jsonapi/document-bytes.ts'
import type { Reply } from './answers.ts'

export type Encoding = 'br' | 'gzip'

/** Content codings that an Accept-Encoding header accepts by name, in lower case. */
export const acceptedEncodings = (header: string | string[] | undefined): ReadonlySet<string> =>
  new Set(
    String(header ?? '')
      .toLowerCase()
      .split(',')
      .map(each => each.trim())
      .filter(each => !/;\s*q=0(\.0*)?$/.test(each))
      .map(each => each.replace(/\s*;.*$/, '')),
  )

/** Body size in bytes from which compression is worth its time: a smaller one fits into one packet. */
const compressedFrom = 1_024

/** Media types whose bodies are compressed. */
const compressible = /^(?:text\/(?!event-stream)|application\/(?:[\w.+-]*\+)?(?:json|x-ndjson)\b)/

/**
 * The response in the coding that the client accepts: brotli, or else gzip. Bodies that are streams, small ones and those
 * of other media types stay as they are. The ETag becomes weak, because the bytes differ between codings while it names
 * one content; conditional requests compare it without regard to that.
 */
export async function compressed(reply: Reply, headers: Readonly<Record<string, string | undefined>>): Promise<Reply> {
  const { status, body } = reply
  if (status === 304) return varied({ ...reply, headers: { ...reply.headers, ...weakIfKnown(reply, headers) } })
  if (!(body instanceof Uint8Array) || !compressible.test(reply.headers['content-type'] ?? '')) return reply
  const encoding = body.length < compressedFrom ? undefined : preferred(headers['accept-encoding'])
  if (!encoding) return varied(reply)
  const packed = await packers[encoding](body)
  releaseBytes(body)
  const { etag } = reply.headers
  return varied({
    status,
    headers: { ...reply.headers, ...(etag && { etag: weak(etag) }), 'content-encoding': encoding },
    body: packed,
  })
}

function preferred(header: string | undefined): Encoding | undefined {
  const accepted = acceptedEncodings(header)
  return (['br', 'gzip'] as const).find(encoding => accepted.has(encoding))
}

/** Compressors. They run in threads of libuv, so that the event loop serves other requests meanwhile. */
const packers: Readonly<Record<Encoding, (body: Uint8Array) => Promise<Buffer>>> = {
  br: body =>
    promisify(brotliCompress)(body, {
      params: {
        [zlib.BROTLI_PARAM_QUALITY]: 4,
        [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
        [zlib.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: body => promisify(gzip)(body, { level: 3 }),
}

const weak = (etag: string): string => (etag.startsWith('W/') ? etag : `W/${etag}`)

/** ETag of a 304 in the form in which the client has it. */
function weakIfKnown({ headers: { etag } }: Reply, headers: Readonly<Record<string, string | undefined>>) {
  return etag && headers['if-none-match']?.includes(weak(etag)) ? { etag: weak(etag) } : {}
}

function varied(reply: Reply): Reply {
  const { vary } = reply.headers
  return { ...reply, headers: { ...reply.headers, vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding' } }
}
