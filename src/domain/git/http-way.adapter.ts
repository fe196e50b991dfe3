import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { getCACertificates } from 'node:tls'
import { addressesOf, alwaysThese } from '#platform/outgoing-addresses.ts'
import { type GitProtocol, type RemoteUrl, readRemoteUrl } from './remote-url.ts'

/** Access of git to a remote over http: only to the addresses that were checked. */
export interface HttpWay {
  readonly url: string
  /** Scheme and host as git names them when it asks for a password. */
  readonly scheme: string
  readonly host: string
  readonly configuration: Readonly<Record<string, string>>
}

export interface HttpWays {
  /** Networks of private addresses that may be reached. */
  readonly privateAddresses: readonly string[]
  /** Variables of the service's environment that git inherits: with a proxy there, the proxy resolves names. */
  readonly environment: Readonly<Record<string, string>>
}

/** @throws AddressRefused */
export async function wayTo(where: RemoteUrl, ways: HttpWays): Promise<HttpWay> {
  const host = where.port === '' ? where.host : `${where.host}:${where.port}`
  const way = { url: `${where.protocol}://${host}${where.path}`, scheme: where.protocol, host }
  if (isProxied(where, ways.environment)) return { ...way, configuration: {} }
  const addresses = await addressesOf(where.host, ways.privateAddresses)
  const pin = `${where.host}:${portOf(where)}:${addresses.map(inBrackets).join(',')}`
  const pinned = isIP(where.host.replace(/^\[(.*)\]$/, '$1')) === 0 ? { 'http.curloptResolve': pin } : {}
  // Git would follow any redirection; `redirectionOf` checks it first.
  return { ...way, configuration: { 'http.followRedirects': 'false', ...pinned } }
}

/** Whether git ended because of a redirection. */
export const isRedirected = ({ output }: { output: string }): boolean =>
  /The requested URL returned error: 30[12378]\b/.test(output)

/**
 * Target of the server's redirection for the repository, after at most five redirections; undefined when the target is
 * not the same Git service, by an allowed protocol and never from https back to http. Requested without credentials at
 * first; if the server requires them, again with them, but only from the remote's own host.
 *
 * @throws AddressRefused
 */
export async function redirectionOf(
  from: RemoteUrl,
  {
    protocols,
    signIn,
    ...ways
  }: HttpWays & { readonly protocols: readonly GitProtocol[]; readonly signIn: HttpSignIn },
): Promise<RemoteUrl | undefined> {
  let where = from
  for (let hop = 0; hop < 5; hop += 1) {
    const asked = await ask(where, ways)
    const { password } = isSameService(from, where) ? signIn.credentials : {}
    const { location } =
      asked.status === 401 && password !== undefined
        ? // With the same credentials as git (`withAnswers`).
          await ask(where, ways, basic(signIn.user ?? 'git', password))
        : asked
    if (location === undefined) return hop === 0 ? undefined : where
    const [, base] = /^(.+)\/info\/refs\?service=git-upload-pack$/.exec(location) ?? []
    const next = base === undefined ? undefined : readRemoteUrl(base, protocols)
    if (!next || 'wrong' in next || !next.protocol.startsWith('http')) return undefined
    if (where.protocol === 'https' && next.protocol === 'http') return undefined
    where = next
  }
  return undefined
}

interface HttpSignIn {
  readonly user: string | null
  readonly credentials: { readonly password?: string }
}

/** Whether a remote's password may be sent there too: to the same server, or the same by https instead of http. */
export const isSameService = (from: RemoteUrl, to: RemoteUrl): boolean =>
  from.host === to.host && from.port === to.port && (from.protocol === to.protocol || to.protocol === 'https')

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

interface Asked {
  /** Status of the response; 0 if the server did not answer. */
  readonly status: number
  /** Target of a redirection, as a complete URL. */
  readonly location?: string | undefined
}

async function ask(where: RemoteUrl, { privateAddresses }: HttpWays, authorization?: string): Promise<Asked> {
  const addresses = await addressesOf(where.host, privateAddresses)
  const url = new URL(`${where.protocol}://${where.host}${where.port && `:${where.port}`}${where.path}/info/refs`)
  url.search = '?service=git-upload-pack'
  const { promise, resolve } = Promise.withResolvers<Asked>()
  const request = where.protocol === 'https' ? requestHttps : requestHttp
  const asked = request(
    url,
    {
      lookup: alwaysThese(addresses),
      headers: { 'user-agent': 'git/sluice', 'git-protocol': 'version=2', ...(authorization && { authorization }) },
      timeout: 15_000,
      ...(where.protocol === 'https' && { ca: [...getCACertificates('default'), ...getCACertificates('system')] }),
    },
    answer => {
      const { statusCode = 0, headers } = answer
      const location = [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined
      resolve({ status: statusCode, location: location && URL.parse(location, url.href)?.href })
      asked.destroy()
    },
  )
  asked.on('timeout', () => asked.destroy())
  // Git has reported the fault of the server already.
  asked.on('error', () => resolve({ status: 0 }))
  asked.on('close', () => resolve({ status: 0 }))
  asked.end()
  return promise
}

const portOf = ({ protocol, port }: RemoteUrl): string => port || (protocol === 'https' ? '443' : '80')
const inBrackets = (address: string): string => (isIP(address) === 6 ? `[${address}]` : address)

/** Whether a request goes through a proxy, as curl decides it. */
function isProxied({ protocol, host }: RemoteUrl, environment: Readonly<Record<string, string>>): boolean {
  const read = (name: string) => environment[name] ?? environment[name.toUpperCase()]
  // curl only reads http_proxy in lower case.
  const proxy = (protocol === 'http' ? environment['http_proxy'] : read('https_proxy')) ?? read('all_proxy')
  if (!proxy) return false
  const direct = (read('no_proxy') ?? '').split(',').map(each => each.trim().toLowerCase().replace(/^\./, ''))
  return !direct.some(each => each !== '' && (each === '*' || host === each || host.endsWith(`.${each}`)))
}
