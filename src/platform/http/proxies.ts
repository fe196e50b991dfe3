import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { liesIn } from '../networks.ts'

/**
 * Whose word on where a request comes from is taken (`X-Forwarded-For`, `X-Forwarded-Host`): of none but these, for anyone can
 * write such a header. As Fastify asks for it.
 */
export function trustOf(proxies: readonly string[]): false | ((address: string) => boolean) {
  return proxies.length === 0 ? false : liesIn(proxies)
}

/**
 * The address of whoever asks. Behind trusted proxies it is the nearest that is none of them; what stands there instead of
 * an address (`unknown`) is passed by, and the proxy that wrote it is named.
 */
export const addressOf = ({ ip, ips }: FastifyRequest): string | null =>
  ips?.findLast(each => isIP(each) !== 0) ?? ip ?? null
