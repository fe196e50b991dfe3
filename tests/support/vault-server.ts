import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { selfSigned } from './self-signed.ts'

/**
 * A fake of HashiCorp Vault or OpenBao, at the HTTP boundary: the key-value engine of version 2 with versions,
 * check-and-set and deletion, tokens and userpass, statuses and bodies as documented. Neither is available from Debian
 * or npm.
 */
export interface TestVault {
  readonly address: string
  /** Certificate (PEM) that its clients must trust. */
  readonly authority: string
  readonly token: string
  readonly user: { readonly user: string; readonly password: string }
  /** Data of the newest version of a path; undefined if there is none. */
  at(path: string): Readonly<Record<string, unknown>> | undefined
  /** Stores as another client would. */
  put(path: string, values: Readonly<Record<string, unknown>>): void
  /** Deletes the newest version as another client would. */
  deleteNewest(path: string): void
  /** METHOD and path of each request, in order. */
  readonly asked: readonly string[]
  /** Statuses of the next responses, before any processing; `silent` sends no response. */
  state: 'open' | 'sealed' | 'silent' | { readonly redirect: string }
  /** Called before each response, for concurrent changes by others. */
  before?: (method: string, path: string) => void
  /** Ends all tokens of sign-ins. */
  revokeTokens(): void
  /** Revokes the write permission of tokens. */
  readOnly: boolean
  stop(): Promise<void>
}

interface Entry {
  version: number
  /** Undefined if it was deleted. */
  values: Readonly<Record<string, unknown>> | undefined
}

interface Reply {
  readonly status: number
  readonly body?: object
  readonly location?: string
}

const errors = (status: number, ...said: string[]): Reply => ({ status, body: { errors: said } })

export async function startTestVault({ tls = false, lease = 3_600 } = {}): Promise<TestVault> {
  const certificate = tls ? await selfSigned() : undefined
  const entries = new Map<string, Entry>()
  const signedIn = new Set<string>()
  const asked: string[] = []
  const token = `hvs.${randomBytes(18).toString('base64url')}`
  const user = { user: 'sluice', password: randomBytes(12).toString('hex') }
  const silent = new Set<IncomingMessage>()

  const listener: RequestListener = async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://vault').pathname)
    const method = request.method ?? ''
    asked.push(`${method} ${path}`)
    vault.before?.(method, path)
    if (vault.state === 'silent') return void silent.add(request)
    const body = method === 'POST' ? await json(request) : undefined
    const { status, body: said, location } = reply(method, path, body, request.headers['x-vault-token'])
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) })
    response.end(said && JSON.stringify(said))
  }

  const reply = (method: string, path: string, body: unknown, given: unknown): Reply => {
    if (vault.state === 'sealed') return errors(503, 'Vault is sealed')
    if (typeof vault.state === 'object') return { status: 307, location: `${vault.state.redirect}${path}` }
    const [, login] = /^\/v1\/auth\/userpass\/login\/(.+)$/.exec(path) ?? []
    if (login !== undefined) return signIn(login, body)
    if (given === undefined) return errors(403, 'missing client token')
    const known = given === token || signedIn.has(String(given))
    if (!known || (vault.readOnly && method !== 'GET'))
      return errors(403, '1 error occurred:\n\t* permission denied\n\n')
    const [, kind, place = ''] = /^\/v1\/kv\/(data|metadata)\/(.+)$/.exec(path) ?? []
    if (kind === undefined) return errors(404, `no handler for route "${path.slice(4)}". route entry not found.`)
    return kind === 'data' ? data(method, place, body) : metadata(method, place)
  }

  const signIn = (name: string, body: unknown): Reply => {
    const right = name === user.user && (body as { password?: unknown }).password === user.password
    if (!right) return errors(400, 'invalid username or password')
    const made = `hvs.${randomBytes(18).toString('base64url')}`
    signedIn.add(made)
    const auth = { client_token: made, policies: ['default'], lease_duration: lease, renewable: true }
    return { status: 200, body: { ...envelope, auth } }
  }

  const data = (method: string, place: string, body: unknown): Reply => {
    const entry = entries.get(place)
    if (method === 'GET') {
      if (!entry) return errors(404)
      const shown = { data: entry.values ?? null, metadata: about(entry) }
      return { status: entry.values ? 200 : 404, body: { ...envelope, data: shown } }
    }
    const { data: values, options } = body as { data: Entry['values']; options?: { cas?: number } }
    if (options?.cas !== undefined && options.cas !== (entry?.version ?? 0))
      return errors(400, 'check-and-set parameter did not match the current version')
    return { status: 200, body: { ...envelope, data: about(write(place, values)) } }
  }

  const metadata = (method: string, place: string): Reply => {
    if (method !== 'DELETE') return errors(405, 'unsupported operation')
    entries.delete(place)
    return { status: 204 }
  }

  const write = (place: string, values: Entry['values']): Entry => {
    const entry = { version: (entries.get(place)?.version ?? 0) + 1, values }
    entries.set(place, entry)
    return entry
  }

  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener)
  server.listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const vault: TestVault = {
    address: tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    authority: certificate?.cert ?? '',
    token,
    user,
    at: path => entries.get(path)?.values,
    put: (path, values) => void write(path, values),
    deleteNewest: path => {
      const entry = entries.get(path)
      if (entry) entry.values = undefined
    },
    asked,
    state: 'open',
    readOnly: false,
    revokeTokens: () => signedIn.clear(),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return vault
}

const envelope = {
  request_id: '00000000-0000-0000-0000-000000000000',
  lease_id: '',
  renewable: false,
  lease_duration: 0,
  data: null,
  wrap_info: null,
  warnings: null,
  auth: null,
}

const about = ({ version, values }: Entry) => ({
  created_time: '2026-01-01T00:00:00.000000Z',
  custom_metadata: null,
  deletion_time: values ? '' : '2026-01-01T00:00:01.000000Z',
  destroyed: false,
  version,
})
