import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { addressMatcher } from '../networks.ts'

/**
 * Fastify's option for the proxies that are trusted to state where a request comes from (`X-Forwarded-For`,
 * `X-Forwarded-Host`): no others are, because anyone can write such a header.
 */
export function trustOf(proxies: readonly string[]): false | ((address: string) => boolean) {
  if (proxies.length === 0) return false
  const isProxy = addressMatcher(proxies)
  return address => isProxy(addressIn(address) ?? '')
}

/**
 * Address of the client. Behind trusted proxies it is the nearest address that is none of them; a text that is no
 * address (`unknown`) is skipped, and the proxy that wrote it is named.
 */
export function addressOf({ ip, ips }: FastifyRequest): string | null {
  const named = ips?.map(addressIn).findLast(each => each !== undefined)
  return named ?? ip ?? null
}

/**
 * The address in an entry of `X-Forwarded-For`, which some proxies write with a port, in brackets, or both:
 * `203.0.113.9:5678`, `[2001:db8::1]:443`, `"[2001:db8::1]"`. Undefined where there is none.
 */
function addressIn(entry: string): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  return isIP(bare) === 0 ? undefined : bare
}
