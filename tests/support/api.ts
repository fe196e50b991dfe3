import { randomBytes } from 'node:crypto'
import { fromJson } from '../../json/from-json.ts'
import { type Catalogue, catalogue, recorder } from '../../src/domain/events/index.ts'
import type { Actor, Rights } from '../../src/platform/actor.ts'
import { type Keyring, openKeyring } from '../../src/platform/crypto/index.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import type { Domain, Log, Runtime } from '../../src/platform/domain.ts'
import { failure } from '../../src/platform/failure.ts'
import { buildServer, type HttpServer } from '../../src/platform/http/server.ts'
import type { StaticPages } from '../../src/platform/http/static-pages.ts'
import { enqueue } from '../../src/platform/jobs/job-queue.ts'
import { answersOf, type CheckAnswer } from './answers.ts'
import { type TestDatabase, testDatabase } from './database.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape
  readonly body: any
}

export interface Sending {
  readonly headers?: Record<string, string>
  /** The body as it is; otherwise `attributes` in an envelope. */
  readonly raw?: string | Uint8Array
  readonly attributes?: object
}

export interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, attributes?: object, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, attributes?: object, headers?: Record<string, string>): Promise<Answer>
  put(path: string, attributes?: object, headers?: Record<string, string>): Promise<Answer>
  delete(path: string, headers?: Record<string, string>): Promise<Answer>
  send(method: string, path: string, sending?: Sending): Promise<Answer>
}

export interface TestApi {
  readonly server: HttpServer
  readonly address: string
  readonly database: Database
  readonly testDatabase: TestDatabase
  /** Lines that the service logged. */
  readonly logged: readonly { level: string; about: object; line: string }[]
  /** Client of one of `users`, by name. Every response is checked against the OpenAPI document. */
  as(username: string): Client
  /** Client without credentials. */
  readonly stranger: Client
  stop(): Promise<void>
}

/** Dependencies for building domains. `record` accepts the types of the service's catalogue. */
export interface Made extends Pick<Runtime, 'database' | 'record' | 'enqueue'> {
  readonly keyring: Keyring
}

export interface TestApiOptions {
  /** The domains, or a function that builds them if they need the keyring or a start of their own. */
  readonly domains: readonly Domain[] | ((made: Made) => readonly Domain[] | Promise<readonly Domain[]>)
  /** Types of events of the test's own domains, in addition to the catalogue. */
  readonly events?: Catalogue
  /** Users who may sign in, with their rights. Ids are derived from the names. */
  readonly users: Readonly<Record<string, Rights>>
  /** Additions to the migrated schema, before the service connects. */
  readonly prepare?: (database: TestDatabase) => Promise<void>
  /** Pages of the web application. */
  readonly pages?: StaticPages | undefined
}

/** The HTTP interface of some domains on a database of their own. Rights are fixed; everything else is real. */
export async function startTestApi({
  domains: given,
  events,
  users,
  prepare,
  pages,
}: TestApiOptions): Promise<TestApi> {
  const test = await testDatabase()
  await prepare?.(test)
  const database = openDatabase({ url: test.appUrl, name: 'test', size: 6 })
  const keyring = await openKeyring({ database, rootKey: randomBytes(32) })
  const domains =
    typeof given === 'function' ? await given({ database, keyring, enqueue, record: recorder(catalogue) }) : given
  const logged: { level: string; about: object; line: string }[] = []
  const log = Object.fromEntries(
    (['info', 'warn', 'error'] as const).map(level => [
      level,
      (about: object, line: string) => void logged.push({ level, about, line }),
    ]),
  ) as unknown as Log
  const stopping = new AbortController()
  const runtime: Runtime = {
    database,
    log,
    record: recorder({ ...catalogue, ...events }),
    enqueue,
    stopping: stopping.signal,
  }
  const server = await buildServer({
    domains,
    runtime,
    keyring,
    authenticate: async ({ headers, remoteAddress }) => actorOf(users, headers.authorization, remoteAddress),
    interfaceVersion: '2026-11-21 (1a2b3c4)',
    pages,
  })
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  const check = answersOf(server.openApi)

  return {
    server,
    address,
    database,
    testDatabase: test,
    logged,
    as: username => clientOf(address, check, basic(username)),
    stranger: clientOf(address, check, undefined),
    stop: async () => {
      stopping.abort()
      await server.stop()
      await database.end()
      await test.drop()
    },
  }
}

const basic = (username: string) => basicOf(username, 'secret')

export const basicOf = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** A fixed id for each name, so that a test can refer to the owner of a record. */
export const userIdOf = (username: string): string =>
  `00000000-0000-7000-8000-${Buffer.from(username).toString('hex').padEnd(12, '0').slice(0, 12)}`

function actorOf(
  users: TestApiOptions['users'],
  authorization: string | undefined,
  remoteAddress: string | null,
): Actor {
  const [username = ''] = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64')
    .toString()
    .split(':')
  const rights = users[username]
  if (!rights) throw failure('unauthenticated', 'Sign in with a user name and a password.')
  return { userId: userIdOf(username), username, rights, via: 'basic', remoteAddress }
}

/**
 * Client of a service; every response is checked against its OpenAPI document. `authorization`: the header's whole
 * value.
 */
export function clientOf(address: string, check: CheckAnswer, authorization: string | undefined): Client {
  const send = async (method: string, path: string, sending: Sending = {}): Promise<Answer> => {
    const body = sending.raw ?? (sending.attributes && JSON.stringify({ data: { attributes: sending.attributes } }))
    const answered = await fetch(`${address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(authorization && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/vnd.api+json' }),
        ...sending.headers,
      },
      ...(body !== undefined && { body: body as string }),
    })
    const text = await answered.text()
    const contentType = answered.headers.get('content-type')
    const parsed = /[/+]json/.test(contentType ?? '') && text !== '' ? fromJson(text) : undefined
    const { status, headers } = answered
    if (method !== 'HEAD')
      check({ method, path: path.split('?')[0]!, query: path.split('?')[1], status, contentType, body: parsed })
    return { status, headers, text, body: parsed }
  }
  const withBody = (method: string) => (path: string, attributes?: object, headers?: Record<string, string>) =>
    send(method, path, { ...(attributes && { attributes }), ...(headers && { headers }) })
  return {
    get: (path, headers) => send('GET', path, headers ? { headers } : {}),
    post: withBody('POST'),
    patch: withBody('PATCH'),
    put: withBody('PUT'),
    delete: (path, headers) => send('DELETE', path, headers ? { headers } : {}),
    send,
  }
}
