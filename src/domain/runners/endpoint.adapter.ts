import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Keyring } from '#platform/crypto/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Log } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { CoalescedRun } from '#platform/jobs/coalesced-run.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { closeCodes, type Hello, limits, protocolVersion, runnerSocketPath } from '#protocol/runner-protocol.ts'
import { LogWriter } from '../logs/index.ts'
import { Leases } from './leases.tx.ts'
import { readMessage } from './messages.ts'
import { reconcile } from './reconcile.ts'
import { beginSession, markGone, runnersToStop } from './runner.store.ts'
import type { RunnerWork } from './runner-work.port.ts'
import { authenticateRunner } from './secret.tx.ts'
import { noteMasked, secretsToMask } from './secrets-to-mask.store.ts'
import { RunnerSession, type SessionParts } from './session.adapter.ts'
import { retireSpares } from './spare.store.ts'
import { giveWork } from './spare-work.tx.ts'
import type { Spares } from './spares.jobs.ts'
import { noteMaskedTexts, textsToMask } from './texts-to-mask.store.ts'

export interface RunnerEndpointOptions {
  readonly server: Server
  readonly database: Database
  readonly work: RunnerWork
  readonly spares: Spares
  readonly keyring: Keyring
  readonly log: Log
  /** SLUICE_API_URL of steps. Read at each hello: a free port is only known after listening. */
  readonly apiUrl: () => string
}

export interface RunnerEndpoint {
  /** Steps that the connected runners hold at the moment. */
  runningSteps(): number
  /** Stops every connected runner, and those that connect from now on; waits until they have reported and ended. */
  stopRunners(within: number): Promise<void>
  /** Closes the connections; runners keep running and reconnect. */
  close(): Promise<void>
}

const supportedVersions = new Set([protocolVersion, protocolVersion - 1])
/**
 * Number of runners for which steps are claimed at once: each needs a database connection, and results and requests
 * need some as well.
 */
const mostClaiming = 4
const givingSteps = 'give steps'

/** The service's side of the runners' protocol, on the server that serves everything else. */
export function attachRunnerEndpoint(options: RunnerEndpointOptions): RunnerEndpoint {
  return new Endpoint(options)
}

class Endpoint implements RunnerEndpoint {
  readonly #options: RunnerEndpointOptions
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: limits.messageBytes, perMessageDeflate: false })
  readonly #sessions = new Map<string, RunnerSession>()
  readonly #leases: Leases
  readonly #parts: SessionParts
  /** The activities whose steps cannot be given to their runners. */
  readonly #backoff = new RetryBackoff()
  readonly #failed = (err: unknown) => this.#options.log.warn({ err }, 'polling for runner work failed; retrying')
  readonly #news = new CoalescedRun(() => this.#sendNews(), this.#failed)
  readonly #letGo = new CoalescedRun(() => this.#stopLetGo(), this.#failed)
  readonly #toMask = new CoalescedRun(() => this.#tellToMask(), this.#failed)
  readonly #lookAtSpares = () => void giveWork(this.#options, this.#sessions).catch(this.#failed)
  readonly #lookAtAll = () => {
    this.#news.request()
    this.#letGo.request()
    this.#toMask.request()
    this.#lookAtSpares()
  }
  /** Query that each hint triggers, which costs one statement for all connected runners. */
  readonly #hinted = Object.entries({
    steps: this.#news.request,
    cancel: this.#news.request,
    let_go: this.#letGo.request,
    secrets_to_mask: this.#toMask.request,
    texts_to_mask: this.#toMask.request,
    spares: this.#lookAtSpares,
  })
  readonly #poll: NodeJS.Timeout
  readonly #upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) =>
    void this.#admit(request, socket, head)
  #closing = false
  /** Whether runners end with the service. */
  #stopping = false
  /** Number of runners whose session is about to begin. */
  #greeting = 0
  #closed = false

  constructor(options: RunnerEndpointOptions) {
    const { database, work, log, server } = options
    this.#options = options
    this.#leases = new Leases(database, log)
    const writer = new LogWriter(database)
    this.#parts = { database, work, log, writer, backoff: new RetryBackoff(), closing: () => this.#closing }
    server.on('upgrade', this.#upgrade)
    for (const [hint, look] of this.#hinted) database.hints.on(hint, look)
    this.#poll = setInterval(this.#lookAtAll, 1_000)
  }

  runningSteps(): number {
    return [...this.#sessions.values()].reduce((sum, { steps }) => sum + steps, 0)
  }

  async stopRunners(within: number): Promise<void> {
    this.#closing = true
    this.#stopping = true
    for (const session of this.#sessions.values()) session.stop()
    const deadline = performance.now() + within
    while (this.#sessions.size + this.#greeting > 0 && performance.now() < deadline)
      await new Promise(resolve => setTimeout(resolve, 20))
  }

  async close(): Promise<void> {
    this.#closing = true
    // Clients that connect until the server stops listening are refused: a server never ends while a connection is not
    // accepted.
    this.#closed = true
    for (const [hint, look] of this.#hinted) this.#options.database.hints.off(hint, look)
    clearInterval(this.#poll)
    this.#leases.close()
    // 1012: the service restarts. Runners reconnect by themselves.
    for (const socket of this.#sockets.clients) socket.close(1012)
    await new Promise(resolve => this.#sockets.close(resolve))
  }

  async #admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy())
    if (request.url?.split('?')[0] !== runnerSocketPath) return refuse(socket, 404)
    if (this.#closed) return refuse(socket, 503)
    try {
      const runner = await authenticateRunner(this.#options.database, request.headers.authorization)
      if (typeof runner === 'number') return refuse(socket, runner)
      this.#sockets.handleUpgrade(request, socket, head, client => this.#converse(client, runner.id))
    } catch (error) {
      this.#options.log.warn({ err: error }, 'runner connection could not be accepted; the runner reconnects')
      refuse(socket, 503)
    }
  }

  /** The first message is a hello; all others are for the session that it begins. */
  #converse(client: WebSocket, runnerId: string): void {
    let session: RunnerSession | undefined
    let greeted = false
    const begun = (its: RunnerSession) => {
      session = its
    }
    client.on('error', error => this.#options.log.warn({ err: error, runner: runnerId }, 'runner connection broke'))
    client.on('close', code => session && void this.#left(session, code))
    client.on('message', data => {
      const message = readMessage(String(data))
      if (!message || (message.type === 'hello') === greeted) client.close(closeCodes.misunderstood)
      else if (message.type === 'hello') void this.#greet(client, runnerId, message, begun)
      else if (message.type === 'alive') session && this.#leases.renew(session)
      else if (message.type === 'masked')
        // If it cannot be stored, the runner is asked once more, and confirms again.
        void noteMasked(this.#options.database, runnerId, message.id).catch(this.#failed)
      else if (message.type === 'masked_texts')
        void noteMaskedTexts(this.#options.database, this.#options.keyring, runnerId, message).catch(this.#failed)
      else session?.take(message)
      greeted = true
    })
  }

  async #greet(
    client: WebSocket,
    runnerId: string,
    hello: Hello,
    begun: (session: RunnerSession) => void,
  ): Promise<void> {
    if (hello.runnerId !== runnerId || !supportedVersions.has(hello.protocol))
      return client.close(closeCodes.misunderstood)
    this.#greeting += 1
    try {
      await this.#begin(client, runnerId, hello, begun)
    } catch (error) {
      this.#options.log.warn(
        { err: error, runner: runnerId },
        'runner session could not be opened; the runner reconnects',
      )
      client.close(1011)
    } finally {
      this.#greeting -= 1
    }
  }

  async #begin(
    client: WebSocket,
    runnerId: string,
    hello: Hello,
    begun: (session: RunnerSession) => void,
  ): Promise<void> {
    const { database, work } = this.#options
    const { host, pid, pidStarted: started, protocol } = hello
    const runner = await database.transaction(tx => beginSession(tx, runnerId, { host, pid, started, protocol }))
    if (!runner) return client.close(closeCodes.gone)
    failpoint('session-begun')
    const spare = runner.of === 'nothing'
    const running = spare ? [] : await work.running(database, runnerId)
    const commit = spare ? null : await work.commit(database, runner)
    const { drop, lost, held } = reconcile(running, hello)
    const session = new RunnerSession(client, runner, held, this.#parts)
    this.#sessions.get(runnerId)?.close(closeCodes.superseded)
    this.#sessions.set(runnerId, session)
    // Before the welcome: messages that the runner sends after it are for this session.
    begun(session)
    session.send({
      type: 'welcome',
      session: runner.session,
      acked: runner.acked,
      commit,
      apiUrl: this.#options.apiUrl(),
      drop,
    })
    if (spare && !this.#options.spares.came(runnerId))
      await retireSpares(database, [runnerId], 'it stood ready for another process')
    if (this.#stopping) return session.stop()
    await this.#isolateFailure(session, () => session.runAgain(lost))
    this.#lookAtAll()
  }

  async #left(session: RunnerSession, code: number): Promise<void> {
    const { runner } = session
    if (this.#sessions.get(runner.id) !== session) return
    this.#sessions.delete(runner.id)
    this.#options.spares.left(runner.id)
    if (code !== closeCodes.ended) return
    failpoint('runner-left')
    // It has sent everything. Another runner does the further work of its activity.
    const { database, work, log } = this.#options
    const reason = 'it was stopped'
    await database
      .transaction(async tx => {
        const held = await markGone(tx, runner.id, 'ended')
        if (held?.activityId) await work.resolveLost(tx, { ...held, runnerId: runner.id, reason })
      })
      .catch(error =>
        log.warn(
          { err: error, runner: runner.id },
          'end of a runner could not be recorded; it will be detected as missing',
        ),
      )
  }

  /** Sends the news to all connected runners: steps to stop, and steps to start. */
  async #sendNews(): Promise<void> {
    const { database, work } = this.#options
    if (this.#sessions.size === 0) return
    const postponed = new Set(this.#backoff.postponed())
    const isPostponed = ({ runner }: RunnerSession) => runner.of !== 'nothing' && postponed.has(runner.activityId)
    for (const session of this.#sessions.values())
      if (!isPostponed(session)) await this.#isolateFailure(session, () => session.makeSure())
    const runners = [...this.#sessions.values()].map(({ runner }) => runner)
    const told = await work.news(database, runners)
    for (const { runnerId, cancel } of told) {
      if (cancel.length > 0) failpoint('cancel-before-sent')
      for (const { reason, ...attempt } of cancel) this.#sessions.get(runnerId)?.cancel(attempt, reason)
    }
    const queued = told.flatMap(({ runnerId, queued }) => (queued && this.#sessions.get(runnerId)) || [])
    await this.#claimFor(queued.filter(session => !isPostponed(session)))
  }

  async #stopLetGo(): Promise<void> {
    const all = [...this.#sessions.keys()]
    if (all.length === 0) return
    for (const id of await runnersToStop(this.#options.database, all)) this.#sessions.get(id)?.stop()
  }

  async #tellToMask(): Promise<void> {
    const { database, keyring } = this.#options
    const all = [...this.#sessions.keys()]
    if (all.length === 0) return
    // Secrets first: a text that is masked next may contain one.
    for (const { runnerId, ...message } of await secretsToMask(database, keyring, all))
      this.#sessions.get(runnerId)?.send(message)
    for (const { runnerId, ...message } of await textsToMask(database, keyring, all))
      this.#sessions.get(runnerId)?.send(message)
  }

  /**
   * Claims steps for sessions in small groups: when many changes begin at the same moment, the last of them waits for a
   * few others and not for all.
   */
  async #claimFor(sessions: RunnerSession[]): Promise<void> {
    const claim = async (session: RunnerSession) => {
      if (!(await session.claim())) this.#news.request()
      if (session.runner.of !== 'nothing') this.#backoff.succeeded(session.runner.activityId, givingSteps)
    }
    const claimNext = async () => {
      for (let next = sessions.shift(); next !== undefined; next = sessions.shift()) {
        const session = next
        await this.#isolateFailure(session, () => claim(session))
      }
    }
    const claiming = await Promise.allSettled(Array.from({ length: mostClaiming }, claimNext))
    const failed = claiming.find(({ status }) => status === 'rejected')
    if (failed) throw (failed as PromiseRejectedResult).reason
  }

  /** Isolates a failure: it concerns one runner, and the others get their work. */
  async #isolateFailure({ runner }: RunnerSession, give: () => Promise<void>): Promise<void> {
    try {
      await give()
    } catch (error) {
      if (runner.of === 'nothing') throw error
      const { log, work } = this.#options
      await work.deferred(runner, error, { backoff: this.#backoff, doing: givingSteps, log })
    }
  }
}

const reasons: Record<number, string> = {
  401: 'Unauthorized',
  404: 'Not Found',
  410: 'Gone',
  503: 'Service Unavailable',
}

function refuse(socket: Duplex, status: number): void {
  // Nothing reads from this connection, so the end of the other side would not be noticed.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
