import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Actor } from '../actor.ts'
import type { Surroundings } from '../commands/command.ts'
import type { Domain, Runtime } from '../domain.ts'
import { failure, missing } from '../failure.ts'
import type { FairShare, RequestShare } from '../fair-share.ts'
import { bugDocument, errorDocument } from '../jsonapi/errors.ts'
import { extendResources } from '../jsonapi/extend.ts'
import { isUuid } from '../jsonapi/kinds.ts'
import { parseQueryString } from '../jsonapi/query-string.ts'
import { registry } from '../jsonapi/registry.ts'
import { LiveStreams, type LiveTimes, usualTimes } from '../live/live-streams.ts'
import { eventStream, jsonApi } from './accept.ts'
import { type Answering, answer, type Reply } from './answers.ts'
import { apiDocsPage } from './api-docs.ts'
import { answerBrokenRequest } from './broken-requests.ts'
import { compressed } from './compression.ts'
import { openApiDocument } from './openapi.ts'
import { addOtherMethods, noSuchRoute } from './other-methods.ts'
import { addressOf, trustOf } from './proxies.ts'
import type { RequestMetrics } from './request-metrics.ts'
import { type Route, routesOf } from './routes.ts'
import { securityHeaders } from './security-headers.ts'
import { silentConnections } from './silent-connections.ts'
import { pageFor, placeholderPages, type StaticPages } from './static-pages.ts'
import { translate } from './translate.ts'
import { type LimitsOfUser, UserLimits, usualLimits } from './user-limits.ts'

/** Identifies the caller. Throws `Failure` unauthenticated or too-many-requests. */
export type Authenticate = (request: {
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string | null
  /** Host that the client called: the header Host, or the one that a trusted proxy reports. */
  readonly host: string
  readonly method: string
  /** Whether the request is to begin a session (`Command.signsIn`). */
  readonly signsIn: boolean
}) => Promise<Actor>

export interface ServerOptions {
  readonly domains: readonly Domain[]
  readonly runtime: Runtime
  readonly keyring: Surroundings['keyring']
  readonly authenticate: Authenticate
  /** `2026-11-21 (1a2b3c4)`: date and build of the interface, `info.version` of the OpenAPI document. */
  readonly interfaceVersion: string
  /** Times of live streams; where absent, `usualTimes`. */
  readonly liveTimes?: LiveTimes
  /** Shares the connections to the database between users. Absent: first come, first served, by `runtime`'s. */
  readonly fairShare?: FairShare
  /** Limits of one user; where absent, `usualLimits`. */
  readonly limits?: LimitsOfUser
  /** Addresses and networks of reverse proxies that are trusted to report where a request comes from. Default: none. */
  readonly trustedProxies?: readonly string[]
  /** Milliseconds for which a client may leave a response unread before its connection is closed. Default: a minute. */
  readonly unreadTimeoutMilliseconds?: number
  /** Paths at which a connection may be taken over for another protocol (the runners' socket). Default: none. */
  readonly upgradesAt?: readonly string[]
  /** Counter of requests. */
  readonly metrics?: RequestMetrics
  /** Pages of the web application, served at `/`. Default: a page that leads to the documentation of the API. */
  readonly pages?: StaticPages | undefined
  /** Adds routes outside of the API (the runners' archive, metrics), before the server is closed for additions. */
  readonly mount?: (server: FastifyInstance) => Promise<void>
}

export interface HttpServer {
  /** The HTTP server, for connections outside of the API: the runners' socket. */
  readonly fastify: FastifyInstance
  readonly openApi: object
  /** Live streams that are open now. */
  liveStreams(): number
  /** Listens, and returns the address: `http://127.0.0.1:7890`. */
  listen(where: { host: string; port: number }): Promise<string>
  /** Stops accepting, ends live streams, finishes running requests for at most 10 s, then closes every connection. */
  stop(): Promise<void>
}

const defaultBodyLimit = 1024 * 1024
const defaultUnreadTimeout = 60_000
const stopWithin = 10_000

/** The HTTP interface of all domains: every list, show, command and view that they declare, and nothing else. */
export async function buildServer(options: ServerOptions): Promise<HttpServer> {
  const resources = extendResources(options.domains)
  const routes = routesOf(options.domains, resources)
  const { database, record, enqueue, log } = options.runtime
  const { keyring } = options
  const unshared = options.fairShare?.unshared ?? database
  const streams = new LiveStreams({ database: unshared, log, times: options.liveTimes ?? usualTimes })
  const answering = {
    ...{ database, unshared, unhurried: database, record, enqueue, log, keyring },
    ...{ resources, registry: registry(resources), streams },
  }
  const openApi = openApiDocument(routes, resources, options.interfaceVersion)

  const server = fastify({
    logger: false,
    bodyLimit: defaultBodyLimit,
    requestTimeout: 60_000,
    trustProxy: trustOf(options.trustedProxies ?? []),
    // A list of 1,000 ids in a filter is a URL of 60 KB.
    http: { maxHeaderSize: 128 * 1024, shouldUpgradeCallback: upgradesOnly(options.upgradesAt ?? []) },
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 1_000, caseSensitive: true, querystringParser: () => ({}) },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      // No hook runs for these.
      options.metrics?.begins(request, reply)
      return sendError(options, error, request, reply) as never
    },
  })
  // Bodies are read by the routes, whatever their media type: it is checked against what the route takes.
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.decorateRequest('actor', null)
  // The first hook of all, so that authentication is within the measured time.
  server.addHook('onRequest', (request, reply, done) => {
    options.metrics?.begins(request, reply)
    done()
  })
  server.addHook('onSend', async (request, reply) => {
    for (const [name, value] of Object.entries(securityHeaders(request.url))) {
      if (!reply.hasHeader(name)) reply.header(name, value)
    }
  })
  const endSilentConnections = silentConnections(server.server)
  // At a stop, once no new requests are accepted: streams would last forever.
  server.addHook('preClose', async () => {
    await streams.end()
    endSilentConnections()
  })
  server.setErrorHandler((error, request, reply) => sendError(options, error, request, reply))
  servePages(server, options.pages ?? placeholderPages)
  addDocumentation(server, openApi, options.interfaceVersion)
  const limits = new UserLimits(options.limits ?? usualLimits)
  addOtherMethods(server, [...routes, ...documentation])
  for (const route of routes) addRoute(server, route, answering, options, limits)
  await options.mount?.(server)
  await server.ready()

  return {
    fastify: server,
    openApi,
    liveStreams: () => streams.size,
    listen: where => server.listen(where),
    stop: async () => {
      const timer = setTimeout(() => server.server.closeAllConnections(), stopWithin)
      await server.close()
      clearTimeout(timer)
    },
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
  }
}

function addRoute(
  server: FastifyInstance,
  route: Route,
  answering: Answering,
  options: ServerOptions,
  limits: UserLimits,
): void {
  const open = route.kind === 'view' && route.view.public === true
  const limit = bodyLimitOf(route)
  const signsIn = route.kind === 'command' && route.command.signsIn === true
  server.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    ...(limit !== undefined && { bodyLimit: limit }),
    // Authenticated before the body is read: a client that is not signed in sends none.
    onRequest: async request => {
      request.actor = open ? nobody(addressOf(request)) : await resolveActor(options, request, signsIn)
      if (request.actor.userId !== null) limits.admit(request.actor.userId, request.raw.socket)
    },
    handler: async (request, answered) => {
      const { path, query } = splitUrl(request.url)
      const asked = {
        method: request.method,
        path,
        params: await namedByCodes(options, checkedParams(request.params as Record<string, string>)),
        query: parseQueryString(query),
        headers: request.headers as Record<string, string | undefined>,
        bodyBytes: (request.body as Uint8Array | undefined) ?? new Uint8Array(),
        actor: request.actor!,
        authenticate: () => resolveActor(options, request, signsIn),
      }
      const share = options.fairShare?.of(asked.actor)
      const reply = await answer(route, share ? sharing(route, answering, share) : answering, asked)
      const packed = isCompressed(route) ? await compressed(reply, asked.headers) : reply
      return send(
        answered,
        share ? timed(packed, share) : packed,
        options.unreadTimeoutMilliseconds ?? defaultUnreadTimeout,
      )
    },
  })
}

/**
 * Whether responses of a route may be compressed. Those of commands are small, and may contain a new token beside values
 * of the request, whose length a listener could learn the token from (BREACH).
 */
const isCompressed = (route: Route): boolean =>
  route.kind === 'list' || route.kind === 'show' || (route.kind === 'view' && !route.view.uncompressed)

/**
 * Databases for requests of a route. Lists and views use other connections than commands: however many lists wait, an
 * approval gets through.
 */
function sharing(route: Route, answering: Answering, share: RequestShare): Answering {
  if (route.kind === 'command') return { ...answering, database: share.commands }
  const reserved = route.kind === 'view' && (route.view.public || route.view.reserved)
  return { ...answering, database: reserved ? answering.unshared : share.lists, unhurried: share.unhurried }
}

/** Adds the time that the database took, and the time of waiting for a turn, until the response began. */
function timed(reply: Reply, share: RequestShare): Reply {
  const { database, waiting } = share.spent()
  const timing = `db;dur=${database.toFixed(1)}, wait;dur=${waiting.toFixed(1)}`
  return { ...reply, headers: { ...reply.headers, 'server-timing': timing } }
}

/**
 * Filter that accepts upgrades only on these paths. Elsewhere a request to upgrade is ignored, as HTTP specifies: curl
 * --http2 and Java's client send one with an ordinary request, and Node would pass that request too to a handler of any
 * upgrade.
 */
const upgradesOnly =
  (paths: readonly string[]) =>
  ({ url = '' }: IncomingMessage): boolean =>
    paths.includes(splitUrl(url).path)

function bodyLimitOf(route: Route): number | undefined {
  if (route.kind === 'command') return route.command.bodyLimit
  return route.kind === 'view' ? route.view.bodyLimit : undefined
}

const resolveActor = ({ authenticate }: ServerOptions, request: FastifyRequest, signsIn: boolean): Promise<Actor> => {
  const { headers, host, method } = request
  return authenticate({ headers, remoteAddress: addressOf(request), host, method, signsIn })
}

function splitUrl(url: string): { path: string; query: string } {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

/**
 * Checks path parameters. `:id` is always a UUID in the form that PostgreSQL writes: any other text is the id of no
 * record, and reaches no SQL.
 */
function checkedParams(params: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(params)) {
    if (value.includes('\0')) throw failure('nul-character', 'U+0000 has no place in a path.')
    // A "/" behind a list would be a record without a name.
    if (value === '')
      throw failure('no-such-route', 'There is no such path: a part of it is empty. Is its last "/" too much?')
    if (name === 'id' && !isUuid(value)) throw missing()
  }
  return params['id'] === undefined ? params : { ...params, id: params['id'].toLowerCase() }
}

/** The parameters in the form of paths, where some of them name a record by its id. */
async function namedByCodes(
  { domains, runtime }: ServerOptions,
  params: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  if (!Object.entries(params).some(([name, value]) => name !== 'id' && isUuid(value))) return params
  let named = params
  for (const domain of domains) named = (await domain.namedByIds?.(runtime.database, named)) ?? named
  return named
}

/** Actor of a request that needs no sign-in. */
const nobody = (remoteAddress: string | null): Actor => ({
  userId: null,
  username: 'anonymous',
  rights: {
    superuser: false,
    may: () => false,
    visible: () => {
      throw new Error('a public view lists nothing')
    },
  },
  via: 'basic',
  remoteAddress,
})

function send(reply: FastifyReply, { status, headers, body }: Reply, unreadTimeoutMilliseconds: number): FastifyReply {
  reply.status(status).headers(headers)
  // Live streams have a timeout of their own: they are silent for longer while nothing happens.
  if (headers['content-type'] !== eventStream)
    reply.raw.setTimeout(unreadTimeoutMilliseconds, () => void reply.raw.destroy())
  if (body instanceof Readable && reply.request.method === 'HEAD') {
    // Reading the body to its end would be useless, and the idle connection would be closed meanwhile.
    body.destroy()
    return reply.send()
  }
  if (body instanceof Uint8Array) freeOnceSent(reply, body)
  return reply.send(body)
}

const largeBody = 256 * 1_024

/**
 * Releases the memory of a large response as soon as it is sent. Otherwise a few of them make the garbage collector
 * scan the whole heap: every fourth response of 2.5 MB then took 50 ms more, and delayed the requests behind it.
 */
function freeOnceSent(reply: FastifyReply, { buffer, byteLength }: Uint8Array): void {
  // A smaller buffer may share its memory with others.
  if (byteLength >= largeBody && buffer instanceof ArrayBuffer) reply.raw.once('close', () => buffer.transfer(0))
}

/** Serves pages where the service has no route. Every first segment of a route is reserved, with all paths below it. */
function servePages(server: FastifyInstance, pages: StaticPages): void {
  const reserved = new Set<string>()
  server.addHook('onRoute', ({ url }) => void reserved.add(url.split('/')[1] ?? ''))
  server.setNotFoundHandler((request, reply) => {
    const { path } = splitUrl(request.url)
    const page = pageFor(pages, { method: request.method, path, headers: request.headers }, segment =>
      reserved.has(segment),
    )
    if (!page) throw noSuchRoute()
    return reply.status(page.status).headers(page.headers).send(page.body)
  })
}

const documentation = ['/api/openapi.json', '/api-docs'].map(path => ({ method: 'GET' as const, path }))

function addDocumentation(server: FastifyInstance, openApi: object, interfaceVersion: string): void {
  const add = (url: string, type: string, text: string) =>
    server.route({ method: ['GET', 'HEAD'], url, handler: (_, reply) => reply.type(type).send(text) })
  add('/api/openapi.json', 'application/json', JSON.stringify(openApi))
  add('/api-docs', 'text/html; charset=utf-8', apiDocsPage(openApi, interfaceVersion))
}

async function sendError(
  { runtime }: ServerOptions,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const reads = ['GET', 'HEAD'].includes(request.method)
  const bodyLimit = request.routeOptions?.bodyLimit ?? defaultBodyLimit
  const failed = translate(error, { reads, bodyLimit })
  if (failed) {
    reply.status(failed.status).headers(failed.headers).type(jsonApi)
    if (failed.status === 401 && !failed.headers['www-authenticate'] && !isOfScript(request))
      reply.header('www-authenticate', 'Basic realm="sluice", charset="UTF-8"')
    return reply.send(Buffer.from(JSON.stringify(errorDocument(failed.faults))))
  }
  const id = randomUUID()
  const { path } = splitUrl(request.url)
  runtime.log.error(
    { err: error, error_id: id, method: request.method, path },
    'request failed with an unexpected error',
  )
  await recordBug(runtime, request, path, id)
  return reply
    .status(500)
    .type(jsonApi)
    .send(Buffer.from(JSON.stringify(bugDocument(id))))
}

/**
 * Whether a request was made by a script of a page, and not by the browser itself. If such a request is answered with
 * `WWW-Authenticate: Basic`, Chromium shows a password dialog, and the script waits until it is closed. RFC 9110 wants
 * the header in every 401, and all other requests get it. (The fetch of Node sends Sec-Fetch-Mode too, and does not use
 * the header.)
 */
function isOfScript({ headers }: FastifyRequest): boolean {
  const mode = headers['sec-fetch-mode']
  return mode !== undefined && String(mode).trim().toLowerCase() !== 'navigate'
}

async function recordBug(runtime: Runtime, request: FastifyRequest, path: string, id: string): Promise<void> {
  const event = {
    type: 'error:api:controller:unhandled',
    actor: request.actor ?? { userId: null, username: 'system' },
    attributes: { request_method: request.method, request_path: path, error_id: id },
  }
  try {
    await runtime.database.transaction(tx => runtime.record(tx, event))
  } catch (failed) {
    runtime.log.error({ err: failed, error_id: id }, 'event for an unexpected error could not be recorded')
  }
}
