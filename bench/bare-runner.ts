import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { WebSocket } from 'ws'
import {
  closeCodes,
  type FromRunner,
  limits,
  protocolVersion,
  type Result,
  type ToRunner,
} from '#protocol/runner-protocol.ts'
import { asset, type Installation, withClient } from './installation.ts'

export interface BareRunners {
  /** Ids of the changes, in the order of their creation. */
  readonly ids: readonly string[]
  /** Resolves when each change has received its first step. */
  readonly running: Promise<unknown>
  /** Resolves when all changes have ended. */
  readonly ended: Promise<unknown>
  /** The connections of silent runners. */
  leave(): void
}

/**
 * Changes whose runners are connections of this process that report each step as done at the moment they receive it:
 * the rest of a step is the service and its database. `silent`: they report nothing. `slots`: maximum number of changes
 * at once; default: all of them. `urls`: the service processes that the runners dial, in turn.
 */
export async function changesWithBareRunners(
  { sluice, ownerUrl, url }: Pick<Installation, 'sluice' | 'ownerUrl' | 'url'>,
  {
    action,
    count,
    silent = false,
    slots = count,
    urls = [url],
  }: { action: string; count: number; silent?: boolean; slots?: number; urls?: readonly string[] },
): Promise<BareRunners> {
  await limitRunners(ownerUrl, 0)
  const ids: string[] = []
  for (let made = 0; made < count; made++) ids.push((await sluice.create(`${asset}/changes`, { action })).id)
  // They connect before the service needs any, so that it starts none.
  const known = await withClient(ownerUrl, client => insertRunners(client, ids))
  const runners = known.map((runner, at) => new BareRunner(urls[at % urls.length]!, runner, silent))
  await limitRunners(ownerUrl, slots)
  return {
    ids,
    running: Promise.all(runners.map(({ running }) => running.promise)),
    ended: Promise.all(runners.map(({ ended }) => ended.promise)),
    leave: () => {
      for (const runner of runners) runner.leave()
    },
  }
}

interface Runner {
  id: string
  secret: string
}

async function insertRunners(client: pg.Client, activityIds: readonly string[]): Promise<Runner[]> {
  const inserted: Runner[] = []
  for (const activityId of activityIds) {
    const { rows } = await client.query(
      `insert into runners (activity_id, kind, status, started_at) values ($1, 'process', 'starting', sluice_now())
       returning id`,
      [activityId],
    )
    const { id } = rows[0] as { id: string }
    const secret = `${id}.${randomBytes(32).toString('base64url')}`
    const sha = createHash('sha256').update(secret).digest()
    await client.query('update runners set secret_sha = $1 where id = $2', [sha, id])
    inserted.push({ id, secret })
  }
  return inserted
}

class BareRunner {
  readonly running = Promise.withResolvers<void>()
  readonly ended = Promise.withResolvers<void>()
  readonly #socket: WebSocket
  readonly #alive: NodeJS.Timeout
  readonly #silent: boolean
  #seq = 0

  constructor(url: string, { id: runnerId, secret }: Runner, silent: boolean) {
    this.#silent = silent
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/runner/session`, {
      headers: { authorization: `Bearer ${secret}` },
      perMessageDeflate: false,
    })
    const about = { protocol: protocolVersion, runnerId, pid: process.pid, pidStarted: 0, host: 'bench' }
    this.#socket.on('open', () => this.#say({ type: 'hello', ...about, holding: [], reported: [] }))
    this.#socket.on('message', data => this.#hear(JSON.parse(String(data)) as ToRunner))
    this.#socket.on('error', error => this.ended.reject(error))
    this.#socket.on('close', code => this.#closed(code))
    this.#alive = setInterval(() => this.#say({ type: 'alive' }), limits.aliveMilliseconds)
  }

  leave(): void {
    this.ended.resolve()
    this.#socket.terminate()
  }

  #hear(message: ToRunner): void {
    if (message.type === 'run') {
      this.running.resolve()
      if (!this.#silent) this.#say(doneWith(message.step, ++this.#seq))
    }
    if (message.type === 'stop') this.#socket.close(closeCodes.ended)
  }

  #say(message: FromRunner): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  #closed(code: number): void {
    clearInterval(this.#alive)
    if (code === closeCodes.ended) this.ended.resolve()
    else this.ended.reject(new Error(`the connection of a runner was closed with ${code}`))
  }
}

const doneWith = (
  { stepId, attempt, fence }: { stepId: string; attempt: number; fence: number },
  seq: number,
): Result => ({
  type: 'result',
  seq,
  stepId,
  attempt,
  fence,
  outcome: 'success',
  exitCode: 0,
  errorMessage: null,
  startedAt: '2026-11-21T00:00:00.000000Z',
  finishedAt: '2026-11-21T00:00:00.000000Z',
  propertiesDiffs: {},
  artefacts: [],
})

/** Sets the limit of runners; admission reads it within a second. */
const limitRunners = (ownerUrl: string, slots: number): Promise<void> =>
  withClient(ownerUrl, async (client: pg.Client) => {
    await client.query("update slot_pools set configured_limit = $1 where pool = 'runner'", [slots])
  })
