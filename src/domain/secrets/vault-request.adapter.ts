import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { getCACertificates } from 'node:tls'
import { fromJson } from '#json/from-json.ts'
import { AddressRefused, addressesOf, alwaysThese } from '#platform/outgoing-addresses.ts'
import type { VaultConnection } from './vault-connection.ts'
import { VaultFailure } from './vault-failure.ts'

/** Limits on the service's outgoing requests, regardless of who configured the vault. */
export interface Outgoing {
  /** Networks of private addresses that may be reached. */
  readonly privateAddresses: readonly string[]
  /** Certificates in PEM that are trusted besides those that Node knows. */
  readonly authorities: string | undefined
}

export interface VaultAnswer {
  readonly status: number
  readonly body: unknown
}

export type AskVault = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  options?: { readonly body?: object; readonly token?: string },
) => Promise<VaultAnswer>

/** Timeout of one request in milliseconds, including name resolution. */
const timeoutMilliseconds = 5_000
/** Maximum number of bytes of a response. A vault stores entries of up to 1 MiB. */
const longestAnswer = 2 * 1024 * 1024

/**
 * HTTP client for one vault. Its name is resolved once for each request and checked, also if a standby redirects to the
 * active server: the token is sent there too, but never from https to http.
 *
 * @throws VaultFailure for any failure
 */
export function askingVault(connection: VaultConnection, outgoing: Outgoing): AskVault {
  const { address, tls } = connection
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }
  const trust = {
    rejectUnauthorized: tls?.verify !== false,
    minVersion: 'TLSv1.2' as const,
    ca: [
      ...getCACertificates('default'),
      ...[outgoing.authorities, tls?.ca].filter(pem => pem !== undefined && pem !== ''),
    ] as string[],
  }

  const once = async (url: URL, method: string, text: string | undefined, token: string | undefined) => {
    const addresses = await addressesOf(url.hostname, outgoing.privateAddresses)
    const { promise, resolve, reject } = Promise.withResolvers<VaultAnswer & { location: string | undefined }>()
    const secure = url.protocol === 'https:'
    const asked = (secure ? requestHttps : requestHttp)(url, {
      method,
      agent: secure ? agents.https : agents.http,
      lookup: alwaysThese(addresses),
      signal: AbortSignal.timeout(timeoutMilliseconds),
      headers: {
        'x-vault-request': 'true',
        ...(token !== undefined && { 'x-vault-token': token }),
        ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
      ...(secure && trust),
    })
    asked.on('error', reject)
    asked.on('response', answer => {
      const { statusCode: status = 0, headers } = answer
      readJson(answer).then(body => resolve({ status, body, location: headers.location }), reject)
    })
    asked.end(text)
    return promise
  }

  return async (method, path, { body, token } = {}) => {
    const text = body && JSON.stringify(body)
    try {
      let url = new URL(`${address.replace(/\/+$/, '')}/v1/${path}`)
      for (let hop = 0; ; hop += 1) {
        const { location, ...answer } = await once(url, method, text, token)
        if (![301, 302, 307, 308].includes(answer.status)) return answer
        const next = location === undefined ? null : URL.parse(location, url.href)
        if (!next || hop === 2 || (url.protocol === 'https:' && next.protocol !== 'https:') || !isWeb(next))
          throw new VaultFailure(`The vault at ${address} sends elsewhere, and not to a vault.`)
        url = next
      }
    } catch (error) {
      throw error instanceof VaultFailure ? error : new VaultFailure(whyNot(address, error))
    }
  }
}

const isWeb = ({ protocol }: URL) => protocol === 'https:' || protocol === 'http:'

async function readJson(answer: IncomingMessage): Promise<unknown> {
  let length = 0
  const pieces: Buffer[] = []
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > longestAnswer) throw new Error('an answer of more than 2 MiB')
    pieces.push(piece)
  }
  const text = Buffer.concat(pieces).toString()
  if (text === '') return undefined
  try {
    return fromJson(text)
  } catch {
    // A proxy in between, or another service altogether; only the status is reliable.
    return undefined
  }
}

function whyNot(address: string, error: unknown): string {
  if (error instanceof AddressRefused) return `The vault at ${address} is not asked: ${error.message}`
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError')
    return `The vault at ${address} has not answered within ${timeoutMilliseconds / 1_000} s.`
  if (code !== undefined && /CERT|ISSUER|SIGNATURE|ALTNAME/.test(code))
    return `The certificate of the vault at ${address} is not trusted (${code}): vault.tls.ca takes that of its authority.`
  return `The vault at ${address} cannot be reached (${code ?? message}).`
}
