import { Readable } from 'node:stream'
import type { Actor } from '../actor.ts'
import type { AnyCommand, Surroundings } from '../commands/command.ts'
import { checkRights } from '../commands/replay.ts'
import { runCommand } from '../commands/run-command.ts'
import type { AnyView, Log } from '../domain.ts'
import { Failure, type Fault, missing } from '../failure.ts'
import { readBody } from '../jsonapi/body.ts'
import { contentDisposition } from '../jsonapi/csv.ts'
import { narrow } from '../jsonapi/document.ts'
import { releaseBytes } from '../jsonapi/document-bytes.ts'
import { etagOfList, noneMatches } from '../jsonapi/etag.ts'
import { readParameters } from '../jsonapi/parameters.ts'
import type { Query } from '../jsonapi/query-string.ts'
import { type ListAnswer, readList, readOne } from '../jsonapi/read.ts'
import type { Registry } from '../jsonapi/registry.ts'
import type { ListRoute, Resource, ShowRoute } from '../jsonapi/resource.ts'
import { readFields, readShape } from '../jsonapi/shape.ts'
import type { ViewContext } from '../view-context.ts'
import { checkAccept, checkEncoding, type DownloadForm, jsonApi, listForm, preferredType } from './accept.ts'
import { answerLive, type LiveAnswering } from './live-answer.ts'
import type { Route } from './routes.ts'

/** A request as the answers need it. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bodyBytes: Uint8Array
  readonly actor: Actor
  /** Authenticates the caller of these headers now: streams do so again while they last. */
  readonly authenticate: () => Promise<Actor>
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | Readable
}

export interface Answering extends Surroundings, LiveAnswering {
  /** The database of this request for what is read once its answer has begun. */
  readonly unhurried: Surroundings['database']
  readonly registry: Registry
  readonly log: Log
}

/** The answer to a request of this route. */
export function answer(route: Route, around: Answering, asked: Asked): Promise<Reply> {
  switch (route.kind) {
    case 'list':
      return answerList(route.resource, route.list, around, asked)
    case 'show':
      return answerShow(route.resource, route.show, around, asked)
    case 'command':
      return answerCommand(route.command, around, asked)
    case 'view':
      return answerView(route.view, around, asked)
    case 'live':
      return answerLive(route.live, around, asked)
  }
}

async function answerList(resource: Resource, list: ListRoute, around: Answering, asked: Asked): Promise<Reply> {
  const { download } = asked.query
  const named = { download: download?.toString(), hasText: resource.plainText !== undefined }
  const form = listForm(asked.headers['accept'], named)
  const query = form === 'document' || download !== undefined ? asked.query : asFile(asked, form)
  const found = await readList(resource, list, { ...around, ...asked, query, ...(form === 'text' && { asText: true }) })
  const vary = 'Accept'
  if ('bytes' in found) return listDocument(found, { vary, known: asked.headers['if-none-match'] })
  const body = Readable.from(found.lines)
  body.on('error', error => around.log.error({ err: error, path: asked.path }, 'a download broke off'))
  const headers = {
    'content-type': form === 'text' ? 'text/plain; charset=utf-8' : 'text/csv; charset=utf-8',
    'content-disposition': contentDisposition(found.fileName),
    vary,
  }
  return { status: found.status, headers, body }
}

/** A page of a list as a document; 304 for a client that has the very same bytes. */
function listDocument(
  { status, bytes }: ListAnswer,
  { vary, known }: { vary: string; known: string | undefined },
): Reply {
  const etag = etagOfList(bytes)
  if (!noneMatches(known, etag)) return { status, headers: { 'content-type': jsonApi, etag, vary }, body: bytes }
  releaseBytes(bytes)
  return { status: 304, headers: { etag, vary } }
}

const fileEnding = { csv: 'csv', text: 'log' } as const

/** The query of a request that asks for a file by its Accept header: the file is named after the list. */
const asFile = ({ path, query }: Asked, form: DownloadForm): Query => ({
  ...query,
  download: `${path.slice(path.lastIndexOf('/') + 1)}.${fileEnding[form]}`,
})

async function answerShow(resource: Resource, show: ShowRoute, around: Answering, asked: Asked): Promise<Reply> {
  checkAccept(asked.headers['accept'])
  const { text, etag } = await readOne(resource, show, { ...around, ...asked })
  if (noneMatches(asked.headers['if-none-match'], etag)) return { status: 304, headers: { etag } }
  return jsonText(200, text, { etag })
}

async function answerCommand(command: AnyCommand, around: Answering, asked: Asked): Promise<Reply> {
  checkAccept(asked.headers['accept'])
  const faults: Fault[] = []
  const resource = command.answers === undefined ? undefined : around.registry.get(command.answers)
  const shows = resource ? 'records' : 'document'
  const query = readParameters(asked.query, { shows, own: command.parameters ?? {} }, faults)
  const shape = resource && readShape(around.registry, resource, true, query, faults)
  throwIfAny(faults)
  checkEncoding(asked.headers['content-encoding'])
  const body = readBody(asked.headers['content-type'], asked.bodyBytes, command)
  const idempotencyKey = asked.method === 'POST' ? asked.headers['idempotency-key'] : undefined
  const ifMatch = asked.headers['if-match']
  const ifNoneMatch = asked.method === 'PUT' ? asked.headers['if-none-match'] : undefined
  const incoming = { ...asked, query, body, shape, idempotencyKey, ifMatch, ifNoneMatch }
  const done = await runCommand(around, command, asked.actor, incoming)
  return done.body ? json(done.status, done.body, done.headers) : { status: done.status, headers: done.headers }
}

async function answerView(view: AnyView, around: Answering, asked: Asked): Promise<Reply> {
  const faults: Fault[] = []
  const query = readParameters(asked.query, { shows: 'document', own: view.parameters ?? {} }, faults)
  const fields = readFields(around.registry, asked.query, faults)
  throwIfAny(faults)
  checkEncoding(asked.headers['content-encoding'])
  const takes = view.attributes ? { attributes: view.attributes } : {}
  const body = readBody(asked.headers['content-type'], asked.bodyBytes, takes)
  const { actor, params } = asked
  const form = view.mediaTypes && preferredType(asked.headers['accept'], view.mediaTypes)
  const mediaType = form ?? view.mediaType
  const request = { actor, params, query, attributes: body.attributes }
  const context: ViewContext = { database: around.database, ...request, ...(form && { mediaType: form }) }
  const found = await view.find(context)
  if (!found && body.invalid.length && !Object.keys(params).length) throwIfAny(body.invalid)
  if (!found) throw missing()
  checkRights(actor, found, () => view.needs(found, context))
  throwIfAny(body.invalid)
  const { body: made, status = 200, headers = {} } = await view.run(found, context)
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const lower = {
    ...(mediaType && { 'content-type': mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType }),
    ...(form && { vary: 'Accept' }),
    ...Object.fromEntries(given),
  }
  const etag = lower['etag']
  if (etag && noneMatches(asked.headers['if-none-match'], etag)) return { status: 304, headers: { etag } }
  const shown = typeof made === 'function' ? await made(fields) : made
  if (shown instanceof Uint8Array || shown instanceof Readable) return { status, headers: lower, body: shown }
  return json(status, narrow(shown, fields), lower)
}

function throwIfAny(faults: readonly Fault[]): void {
  if (faults.length) throw new Failure(faults as [Fault, ...Fault[]])
}

const json = (status: number, body: object, headers: Reply['headers'] = {}): Reply =>
  jsonText(status, JSON.stringify(body), headers)

const jsonText = (status: number, text: string, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { 'content-type': jsonApi, ...headers },
  // As bytes: to a text Fastify would add a charset, which JSON:API's media type does not have.
  body: Buffer.from(text),
})
