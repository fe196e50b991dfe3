import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { create } from 'tar'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  type Attempt,
  type FromRunner,
  type Hello,
  type LogCategory,
  type LogChunk,
  labelsHeader,
  limits,
  type Result,
  type RunnerStart,
  type StepToRun,
  type ToRunner,
} from '#protocol/runner-protocol.ts'
import { endAll, findMarked } from '../../runner/sandbox/processes.ts'
import { supervise } from '../../runner/supervisor/supervise.ts'
import type { SupervisorOptions } from '../../runner/supervisor/supervisor-options.ts'
import { compiledCode } from './compiled-code.ts'

type LogLine = [at: string, category: LogCategory, message: string]

/**
 * The service's side of the protocol, for tests of a runner alone: a real server, which a test can make unresponsive.
 */
export class RunnerService {
  readonly runnerId = randomUUID()
  readonly folder: string
  readonly heard: FromRunner[] = []
  readonly hellos: Hello[] = []
  /** Secrets that it was ordered to mask. */
  readonly masked: string[] = []
  /** Texts that it was asked to mask, as its logs would show them. */
  readonly maskedTexts: string[][] = []
  readonly artefacts = new Map<string, Buffer>()
  /** Labels of uploaded files that have some, by path. */
  readonly labels = new Map<string, unknown>()
  /** Digests of archives that runners have reported, as `<name>/<sha256>`. */
  readonly kept: Set<string>
  /** False: messages are received and not acknowledged. */
  acknowledging = true
  /** False: the lease is not renewed. */
  renewing = true
  /** Attempts that the runner is ordered to drop, or to report as lost, at its next hello. */
  acked = 0
  drop: Attempt[] = []
  archive: Promise<Buffer>
  archivesAsked = 0
  /** Artefacts whose upload has begun. */
  artefactsBegun = 0
  /** Awaited before an upload is read. */
  reading: Promise<unknown> = Promise.resolve()
  #server = createServer()
  #port = 0
  #sockets = new WebSocketServer({ noServer: true })
  #socket: WebSocket | undefined
  #news: (() => void)[] = []
  #unsaid: ToRunner[] = []
  #secret = randomUUID()
  #session = 0

  constructor(files: Record<string, string> = {}, below = tmpdir(), kept = new Set<string>()) {
    this.kept = kept
    this.folder = mkdtempSync(join(below, 'sluice-runner-'))
    this.archive = archiveOf(join(this.folder, 'repository'), { 'README.md': 'an example', ...files })
    // Permissions as set by the service: other users pass through, and see nothing.
    chmodSync(this.folder, 0o711)
  }

  async listen(): Promise<void> {
    this.#server = createServer(async (request, response) => {
      if (request.headers.authorization !== `Bearer ${this.#secret}`) return response.writeHead(401).end()
      if (request.url?.startsWith('/runner/archive/')) {
        this.archivesAsked += 1
        for (const tell of this.#news.splice(0)) tell()
        return response.end(await this.archive)
      }
      const [, digest] = /^\/runner\/dependencies\/(\w+\/\w+)$/.exec(request.url!) ?? []
      if (digest !== undefined) {
        if (request.method === 'PUT') this.kept.add(digest)
        return response.writeHead(this.kept.has(digest) ? 204 : 404).end()
      }
      this.artefactsBegun += 1
      for (const tell of this.#news.splice(0)) tell()
      await this.reading
      const bytes = await buffer(request).catch(() => undefined)
      // Its sender has aborted it.
      if (bytes === undefined) return
      const hash = createHash('sha256').update(bytes).digest('hex')
      if (hash !== request.headers['sluice-sha256']) return response.writeHead(422).end('another hash')
      this.artefacts.set(decodeURIComponent(request.url!), bytes)
      const labels = request.headers[labelsHeader]
      if (labels !== undefined)
        this.labels.set(
          decodeURIComponent(request.url!),
          JSON.parse(Buffer.from(String(labels), 'base64url').toString()),
        )
      return response.end()
    })
    this.#server.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, client => this.#connected(client))
    })
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  /** Stops like a killed service: connections break, nothing listens any more. */
  async vanish(): Promise<void> {
    this.#socket?.terminate()
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  #connected(client: WebSocket): void {
    client.on('message', data => this.#hear(client, JSON.parse(String(data)) as FromRunner))
  }

  #hear(client: WebSocket, message: FromRunner): void {
    if (message.type === 'hello') {
      this.hellos.push(message)
      this.#socket = client
      client.once('close', () => {
        if (this.#socket === client) this.#socket = undefined
      })
      this.say({
        type: 'welcome',
        session: ++this.#session,
        acked: this.acked,
        commit: 'c'.repeat(40),
        apiUrl: this.url,
        drop: this.drop,
      })
      for (const each of this.#unsaid.splice(0)) this.say(each)
    } else if (message.type === 'alive') {
      if (this.renewing) client.send(JSON.stringify({ type: 'alive' }))
    } else if (message.type === 'masked') this.masked.push(message.id)
    else if (message.type === 'masked_texts') this.maskedTexts.push(message.texts)
    else {
      this.heard.push(message)
      if (this.acknowledging) this.say({ type: 'ack', seq: message.seq })
    }
    for (const tell of this.#news.splice(0)) tell()
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** A message without a connection is sent once there is one. */
  say(message: ToRunner): void {
    if (this.#socket) this.#socket.send(JSON.stringify(message))
    else this.#unsaid.push(message)
  }

  close(code: number): void {
    this.#socket?.close(code)
  }

  run(step: Partial<StepToRun> & { run?: string }): StepToRun {
    const { run = 'true', ...rest } = step
    const whole: StepToRun = {
      stepId: randomUUID(),
      attempt: 1,
      fence: 1,
      bodies: [body(run)],
      folder: '',
      context: {},
      files: [],
      env: {},
      secrets: [],
      apiToken: 'the-token-of-the-attempt',
      ...rest,
    }
    this.say({ type: 'run', step: whole })
    return whole
  }

  /** Runs it to its end. */
  async finish(
    step: Partial<StepToRun> & { run?: string },
  ): Promise<{ result: Result; lines: LogLine[]; text: string[] }> {
    const { stepId } = this.run(step)
    const result = await this.result(stepId)
    const lines = this.lines(stepId)
    return {
      result,
      lines,
      text: lines.filter(([, category]) => category !== 'runner').map(([, , message]) => message),
    }
  }

  result(stepId: string): Promise<Result> {
    return this.until(() => this.heard.find((each): each is Result => each.type === 'result' && each.stepId === stepId))
  }

  /** Every line of the step in order, each message once. */
  lines(stepId: string): LogLine[] {
    const chunks = new Map(
      this.heard.flatMap(each =>
        each.type === 'log' && each.stepId === stepId ? [[each.firstSeq, linesOf(each)]] : [],
      ),
    )
    return [...chunks].toSorted(([a], [b]) => a - b).flatMap(([, lines]) => lines)
  }

  /** The messages in the runner's spool on disk. */
  spool(): unknown[] {
    const folder = join(this.folder, 'spool')
    return readdirSync(folder)
      .toSorted()
      .flatMap(name => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .map(line => JSON.parse(line))
  }

  /** Waits for messages from the runner until the predicate has a result. */
  async until<T>(ask: () => T | undefined | false): Promise<T> {
    for (;;) {
      const answer = ask()
      if (answer) return answer
      await new Promise<void>(resolve => void this.#news.push(resolve))
    }
  }

  start(more: Partial<RunnerStart> = {}): RunnerStart {
    return {
      secret: this.#secret,
      host: 'here',
      silenceSeconds: 60,
      sandbox: false,
      hide: [],
      addressFiles: [join(this.folder, 'address')],
      ...more,
    }
  }

  /** A runner inside of this process, with shorter times if given. */
  supervise(
    times: Partial<SupervisorOptions['limits']> = {},
    start: Partial<RunnerStart> = {},
  ): ReturnType<typeof supervise> {
    const { runnerId, url: serviceUrl, folder } = this
    const usual = { ...limits, silenceMilliseconds: 60_000, hangMilliseconds: 30_000, longestPause: 200 }
    return supervise({ runnerId, serviceUrl, folder, start: this.start(start), limits: { ...usual, ...times } })
  }

  /** A runner as started by the service. Its log goes to `output`, a descriptor. */
  spawn(start: Partial<RunnerStart> = {}, output?: number): { pid: number; exit: Promise<unknown> } {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../runner/supervisor.ts')], {
      detached: true,
      env: {
        ...compiledCode,
        SLUICE_RUNNER_ID: this.runnerId,
        SLUICE_RUNNER_URL: this.url,
        SLUICE_RUNNER_FOLDER: this.folder,
      },
      stdio: ['pipe', output ?? 'ignore', output ?? 'inherit'],
    })
    child.stdin!.end(JSON.stringify(this.start(start)))
    return { pid: child.pid!, exit: once(child, 'exit') }
  }

  /** Ends every process with this runner's mark, except this one. */
  async tidy(): Promise<void> {
    // A runner that found the tree on its host has requested no archive, which may still be being packed.
    await this.archive.catch(() => {})
    await endAll(() => this.processes(), 0)
    await this.vanish()
    rmSync(this.folder, { recursive: true, force: true })
  }

  processes(environment: string[] = []) {
    return findMarked({
      environment: [`SLUICE_RUNNER_ID=${this.runnerId}`, ...environment],
      roots: [],
    })
  }
}

export const body = (run: string, interpreter = ['bash', '-euo', 'pipefail']) => ({
  action: 'act',
  run,
  interpreter,
  env: {},
})

async function archiveOf(folder: string, files: Record<string, string>): Promise<Buffer> {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return buffer(create({ cwd: folder, portable: true }, ['.']) as never)
}

function linesOf({ runs, text }: LogChunk): LogLine[] {
  const messages = text.split('\n')[Symbol.iterator]()
  return runs.flatMap(([count, at, category]) =>
    Array.from({ length: count }, (): LogLine => [at, category, messages.next().value!]),
  )
}
