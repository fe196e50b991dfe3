import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { addressOf } from '../platform/http/proxies.ts'
import { addressMatcher } from '../platform/networks.ts'
import type { Config } from './config.ts'

/** Reason why a caller may not read the metrics. */
export interface Refusal {
  readonly status: 401 | 403
  readonly why: string
}

type Asks = Pick<FastifyRequest, 'headers' | 'ip' | 'ips'>

/**
 * Decides who may read the metrics: a caller with the token and from one of the addresses, as far as these are
 * configured; with neither, every caller is refused. Callers on this machine have no privilege: every request through a
 * local proxy looks like one of theirs. Does not use the database.
 */
export function metricsGuard(
  config: Pick<Config, 'metricsToken' | 'metricsAddresses'>,
): (request: Asks) => Refusal | undefined {
  const { metricsToken, metricsAddresses } = config
  const checks = [
    ...(metricsAddresses ? [fromOneOf(metricsAddresses)] : []),
    ...(metricsToken ? [withToken(metricsToken)] : []),
  ]
  if (checks.length === 0) checks.push(fromNowhere)
  return request => checks.map(check => check(request)).find(refusal => refusal !== undefined)
}

function fromNowhere(): Refusal {
  return {
    status: 403,
    why: 'Metrics cannot be read unless SLUICE_METRICS_TOKEN or SLUICE_METRICS_ADDRESSES is set.',
  }
}

function fromOneOf(networks: readonly string[]) {
  const isListed = addressMatcher(networks)
  return (request: Asks): Refusal | undefined => {
    const address = addressOf(request as FastifyRequest) ?? 'nowhere'
    if (isListed(address)) return undefined
    return { status: 403, why: `Metrics are not for ${address}: SLUICE_METRICS_ADDRESSES does not name it.` }
  }
}

function withToken(token: string) {
  const wanted = sha256(token)
  return ({ headers }: Asks): Refusal | undefined => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? []
    if (given !== undefined && timingSafeEqual(sha256(given), wanted)) return undefined
    const why = 'Metrics are for those who send the token of SLUICE_METRICS_TOKEN: Authorization: Bearer <token>.'
    return { status: 401, why }
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
