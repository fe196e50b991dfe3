import type { Readable } from 'node:stream'
import type { Actor } from '../actor.ts'
import type { Surroundings } from '../commands/command.ts'
import { checkRights } from '../commands/replay.ts'
import { Failure, type Fault, missing } from '../failure.ts'
import { readParameters } from '../jsonapi/parameters.ts'
import type { Query } from '../jsonapi/query-string.ts'
import { type Picked, readAsListed } from '../jsonapi/read.ts'
import type { Registry } from '../jsonapi/registry.ts'
import { readFields } from '../jsonapi/shape.ts'
import type { AnyLive } from '../live/live.ts'
import type { LiveStreams } from '../live/live-streams.ts'
import { atTheEnd, readPosition, writePosition } from '../live/position.ts'
import type { ViewContext } from '../view-context.ts'
import { checkAcceptOfStream, eventStream } from './accept.ts'

export interface LiveAnswering {
  readonly database: Surroundings['database']
  /** Database used by the one reader of all streams, for all callers. */
  readonly unshared: Surroundings['database']
  readonly keyring: Surroundings['keyring']
  readonly registry: Registry
  readonly streams: LiveStreams
}

export interface LiveRequest {
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly actor: Actor
  readonly authenticate: () => Promise<Actor>
}

interface LiveReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Readable
}

/**
 * Opens a live stream. Status 204 if the client has everything: the only response after which a browser does not
 * reconnect.
 */
export async function answerLive(live: AnyLive, around: LiveAnswering, asked: LiveRequest): Promise<LiveReply> {
  checkAcceptOfStream(asked.headers['accept'])
  const faults: Fault[] = []
  const query = readParameters(asked.query, { shows: 'document', own: live.parameters ?? {} }, faults)
  const fields = readFields(around.registry, asked.query, faults)
  if (faults.length) throw new Failure(faults as [Fault, ...Fault[]])

  const { database, unshared, keyring, registry, streams } = around
  const { params, path } = asked
  const contextOf = (of: Surroundings['database'], actor: Actor): ViewContext => ({
    database: of,
    actor,
    params,
    query,
    attributes: {},
  })
  const context = contextOf(database, asked.actor)
  const found = await findFor(live, context)
  const position = readPosition(keyring, path, asked.headers['last-event-id'])
  if (position === atTheEnd) return { status: 204, headers: {} }
  if (asked.method === 'HEAD') return { status: 200, headers }
  const feed = await live.open(found, context, position)
  const body = streams.open({
    actor: asked.actor,
    feed,
    listed: actor => (type: string, picked: Picked) =>
      readAsListed(registry, type, picked, { actor, database: unshared }, fields),
    idOf: text => writePosition(keyring, path, text),
    again: async () => {
      const actor = await asked.authenticate()
      await findFor(live, contextOf(unshared, actor))
      return actor
    },
  })
  return { status: 200, headers, body }
}

/** @throws Failure `missing` or `forbidden` for a caller who may not read it */
async function findFor(live: AnyLive, context: ViewContext) {
  const found = await live.find(context)
  if (!found) throw missing()
  checkRights(context.actor, found, () => live.needs(found, context))
  return found
}

const headers = {
  'content-type': eventStream,
  'cache-control': 'no-store',
  // A proxy that buffers responses would hold the stream back.
  'x-accel-buffering': 'no',
  // A pipelined request on this connection would wait for the stream's end.
  connection: 'close',
}
