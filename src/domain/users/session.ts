import { timingSafeEqual } from 'node:crypto'
import type { Keyring } from '#platform/crypto/index.ts'

/**
 * The cookie of a browser's session. Because of its prefix a browser accepts it only over TLS (or from this machine),
 * for exactly this host and all paths, so a neighbouring host cannot set it.
 */
const sessionCookie = '__Host-sluice-session'

/**
 * Header of writing requests with that cookie: another site can make a browser send the cookie, but not this header.
 */
export const csrfHeader = 'x-csrf-token'

/** Set-Cookie of a session that has begun. */
export const cookieOf = (secret: string, minutes: number): string =>
  `${sessionCookie}=${secret}; Path=/; Max-Age=${minutes * 60}; HttpOnly; Secure; SameSite=Strict`

/** Set-Cookie that ends it in the browser. */
export const noCookie = `${sessionCookie}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict`

/** Headers of a request, as Node gives them. */
interface RequestHeaders {
  readonly origin?: string | undefined
  readonly [name: string]: string | string[] | undefined
}

/** The most characters of a User-Agent that are kept. */
const mostOfUserAgent = 255

/** User-Agent without control characters and cut; undefined if nothing is left (pure). */
export const shownUserAgent = (header: string | undefined): string | undefined =>
  [...(header ?? '').replace(/\p{Cc}/gu, '').trim()].slice(0, mostOfUserAgent).join('') || undefined

/** The secret in the header Cookie, if there is one (pure). */
export function readSession(header: string | undefined): string | undefined {
  const mine = header?.split(';').find(part => part.trim().startsWith(`${sessionCookie}=`))
  return mine?.trim().slice(sessionCookie.length + 1) || undefined
}

/**
 * Value of the header that writing requests must send. It is derived from the secret, so that a reloaded page gets it
 * from GET /api/me without anything being stored.
 */
export const csrfTokenOf = (keyring: Pick<Keyring, 'mac'>, secret: string): string =>
  keyring.mac('forged requests', secret).toString('base64url')

const reads = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/** Whether a request of a session with this method may continue (pure). */
export function isOwnRequest(method: string, given: string | string[] | undefined, wanted: string): boolean {
  if (reads(method)) return true
  const [said, right] = [Buffer.from(String(given ?? '')), Buffer.from(wanted)]
  return said.length === right.length && timingSafeEqual(said, right)
}

/**
 * Whether a page of another site made a browser send this (pure). Checked for HTTP Basic: a browser caches the
 * credentials and adds them to every form sent here, and many actions need no body that a form could not send. Other
 * clients do not send these headers.
 *
 * @param host the service's host as the browser sent it
 */
export function isFromAnotherSite(method: string, headers: RequestHeaders, host: string): boolean {
  if (reads(method)) return false
  const from = headers['sec-fetch-site']
  if (from !== undefined) return from !== 'same-origin' && from !== 'none'
  // Without TLS browsers send only this; `null` is the origin of pages that hide theirs.
  const { origin } = headers
  return origin !== undefined && URL.parse(origin)?.host !== host
}
