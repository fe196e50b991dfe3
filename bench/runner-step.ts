import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Header } from 'tar'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Body, FromRunner, Result, StepToRun, ToRunner } from '#protocol/runner-protocol.ts'
import { openProcessDriver } from '../src/domain/runners/index.ts'
import { ensureSystemUsers } from '../src/platform/db/embedded/system-users.ts'
import { cpuTimeOf } from './cpu-time.ts'
import { bareMessages, bareScripts } from './floors.ts'
import { print, round, spreadOf } from './report.ts'

/**
 * Measures a runner alone: the time for a light step, from the message that assigns it to the message that it is done,
 * and the processor time that each of its processes uses for one. The service is a stub within this process that
 * acknowledges a result with the next step, in one write, like the service.
 */
const programSteps = Number(process.env['SLUICE_BENCH_STEPS'] ?? 3_000)
const scriptSteps = Math.ceil(programSteps / 10)
/** Steps before the measurement, until everything is compiled and every process has started. */
const warmUp = 300

const files = {
  'actions.ts': "import { action } from '@sluice/actions'\naction('nothing', {}, () => {})\n",
}
/** Context of a step in a small installation. */
const context = {
  context: {
    change: { id: randomUUID(), name: 'many' },
    step: { name: 'nothing' },
    parents: {},
    api_token: 'x'.repeat(60),
  },
  properties: { project: {}, environment: {}, asset: { port: 8080 }, change: {} },
  converged: { port: 8080, hosts: ['a', 'b', 'c'] },
}

const log = { info: () => {}, warn: console.error, error: console.error }
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-runner-'))
chmodSync(folder, 0o711)
const users = await ensureSystemUsers()
const server = createServer((_, response) => response.end(archive(files)))
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const runners = openProcessDriver({
  folder: join(folder, 'runners'),
  serviceUrl: () => url,
  hide: [],
  log: log as never,
  ...(users && { runAs: users.runner }),
})
const runnerId = randomUUID()
const dialled = once(sockets, 'connection')
try {
  await runners.start({
    id: runnerId,
    options: { sandbox: process.env['SLUICE_BENCH_SANDBOX'] !== 'no' } as never,
    secret: 'a secret',
  })
  const [socket] = (await dialled) as [WebSocket]
  await welcomed(socket)
  const nothing: Body = { action: 'nothing', module: 'actions.ts' }
  const script: Body = { action: 'script', run: 'true', interpreter: ['bash', '-euo', 'pipefail'], env: {} }
  await steps(socket, nothing, warmUp)
  const program = await steps(socket, nothing, programSteps)
  await steps(socket, script, warmUp / 10)
  const scripts = await steps(socket, script, scriptSteps)
  await print({
    bench: 'runner-step',
    figures: {
      'step of a program that does nothing, ms': spreadOf(program.times),
      'of that the least, ms': round(Math.min(...program.times)),
      ...cpu('CPU of a program’s step, ms', program.cpu),
      'step run: "true", ms': spreadOf(scripts.times),
      'of that: the least, ms': round(Math.min(...scripts.times)),
      ...cpu('CPU of a script’s step, ms', scripts.cpu),
    },
    floors: {
      'bare message over a WebSocket and back, ms': spreadOf(await bareMessages(500)),
      'bare bash, ms': spreadOf(await bareScripts(100)),
    },
    targets: {
      'step of a program, p50, ms': { value: spreadOf(program.times).p50, atMost: 0.35 },
      'CPU of a program’s step, all processes, ms': { value: sum(program.cpu), atMost: 0.4 },
    },
  })

  async function steps(to: WebSocket, body: Body, count: number) {
    const pids = processesOf(runnerId)
    const before = new Map([...pids].map(([pid, name]) => [pid, { name, used: cpuTimeOf([pid]) }]))
    const times: number[] = []
    let acked: number | undefined
    for (let done = 0; done < count; done++) {
      const step = stepOf(body)
      const from = performance.now()
      const result = resultOf(to, step.stepId)
      say(to, ...(acked === undefined ? [] : [{ type: 'ack', seq: acked } as const]), { type: 'run', step })
      const { outcome, errorMessage, seq: number } = await result
      times.push(performance.now() - from)
      if (outcome !== 'success') throw new Error(String(errorMessage))
      acked = number
    }
    say(to, { type: 'ack', seq: acked! })
    const used: Record<string, number> = {}
    for (const [pid, name] of processesOf(runnerId))
      used[name] = (used[name] ?? 0) + (cpuTimeOf([pid]) - (before.get(pid)?.used ?? 0)) / count
    return { times, cpu: used }
  }
} finally {
  await runners.kill(runnerId, [])
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
}

function stepOf(body: Body): StepToRun {
  const attempt = { stepId: randomUUID(), attempt: 1, fence: 1 }
  const apiToken = `slt_${randomUUID()}${randomUUID()}`
  return { ...attempt, bodies: [body], folder: '', context, files: [], env: {}, secrets: [], apiToken }
}

/** Sends messages in one write. */
function say(socket: WebSocket, ...messages: ToRunner[]): void {
  const { _socket: line } = socket as unknown as { _socket: { cork(): void; uncork(): void } }
  line.cork()
  for (const message of messages) socket.send(JSON.stringify(message))
  line.uncork()
}

function resultOf(socket: WebSocket, stepId: string): Promise<Result> {
  return new Promise(resolve => {
    const hear = (data: unknown) => {
      const message = JSON.parse(String(data)) as FromRunner
      if (message.type !== 'result' || message.stepId !== stepId) return
      socket.off('message', hear)
      resolve(message)
    }
    socket.on('message', hear)
  })
}

function welcomed(socket: WebSocket): Promise<void> {
  return new Promise(resolve => {
    socket.on('message', data => {
      const { type } = JSON.parse(String(data)) as FromRunner
      if (type === 'alive') say(socket, { type: 'alive' })
      if (type !== 'hello') return
      const commit = 'c'.repeat(40)
      say(socket, { type: 'welcome', session: 1, acked: 0, commit, apiUrl: url, drop: [] })
      resolve()
    })
  })
}

/** Processes with the runner's mark: the name of each one's program by process id. */
function processesOf(id: string): Map<number, string> {
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return new Map(
    all.flatMap(pid => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`SLUICE_RUNNER_ID=${id}`)) return []
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        const program = /(supervisor|executor|module-host)\.[jt]s|sluice-keeper|bwrap/.exec(command)
        return [[Number(pid), program?.[1] ?? program?.[0] ?? 'others'] as const]
      } catch {
        // It has ended meanwhile.
        return []
      }
    }),
  )
}

function cpu(what: string, used: Readonly<Record<string, number>>): Record<string, number> {
  const named = Object.entries(used).map(([name, each]) => [`${what}: ${name}`, round(each)])
  return { [what]: round(sum(used)), ...Object.fromEntries(named) }
}

function sum(used: Readonly<Record<string, number>>): number {
  return Object.values(used).reduce((all, each) => all + each, 0)
}

function archive(contents: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(contents).flatMap(([path, text]) => {
    const header = Buffer.alloc(512)
    const size = Buffer.byteLength(text)
    new Header({ path, type: 'File', mode: 0o644, size }).encode(header)
    const body = Buffer.alloc(Math.ceil(size / 512) * 512)
    body.write(text)
    return [header, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1_024)])
}
