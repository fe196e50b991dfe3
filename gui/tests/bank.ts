import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Change } from '#client/generated/api.ts'
import { connect, Refused, type Resource, type Sluice, startSession, until } from '#client/sluice.ts'
import type { Command, Report } from './server-messages.ts'

/** A project of a running service, with its people. */
export interface TestBank {
  readonly address: string
  /** Code and path of the project. */
  readonly code: string
  readonly path: string
  /** Name of the user in the part of `ann` (operates the project) or `bob` (reads it and approves); others as they are. */
  username(person: string): string
  /** API client of a person, to prepare and to look behind the page. */
  as(person: string): Sluice
  /** Creates a change in the environment `test`; the asset is `front` unless given. */
  change(action: string, options?: { asset?: string; attributes?: object; as?: string }): Promise<Resource<Change>>
  /** Waits until a change has a status. */
  reaches(id: string, status: string): Promise<Resource<Change>>
  /** Ends the service as a crash would, and starts it again at the same address. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Lets every agent look as one that runs: no request starts one yet. */
  runAgents(): Promise<void>
  /** Ends the runners of all activities as a crash would. */
  loseRunners(): Promise<void>
}

/** A whole service in a process of its own. */
export interface TestServer {
  readonly address: string
  /** The project `bank`; with the name of a spec file one like it, `bank-1` say, made when it is first asked for. */
  bank(file?: string): Promise<TestBank>
  /** Cookie of a session of a user, started once. */
  session(username: string): Promise<SessionCookie>
  /** Cancels what a test has left in progress, and waits until it has ended. */
  endWork(): Promise<void>
  stop(): Promise<void>
}

interface SessionCookie {
  readonly name: string
  readonly value: string
}

export const passwordOf = (username: string): string => `the password of ${username}`

/** Starts the program `test-server.ts`. */
export async function startTestServer(): Promise<TestServer> {
  const child = fork(join(import.meta.dirname, 'test-server.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const { address } = (await messageOf(child)) as { address: string }
  const send = (command: Command) => carryOut(child, command)
  const made = new Map<string, Promise<string>>()
  const sessions = new Map<string, Promise<SessionCookie>>()
  return {
    address,
    bank: async file => {
      const number = String(made.size + 1)
      const make = () => send(`make ${number}`).then(() => `-${number}`)
      return bankAt(address, file === undefined ? '' : await firstTime(made, file, make), send)
    },
    session: username => firstTime(sessions, username, () => startCookieSession(address, username)),
    endWork: () => endWork(connect(address, { user: 'admin', password: passwordOf('admin') })),
    stop: async () => {
      await send('stop')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

function firstTime<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

async function startCookieSession(address: string, username: string): Promise<SessionCookie> {
  const { headers } = await startSession(address, { user: username, password: passwordOf(username) })
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(headers.getSetCookie()[0] ?? '') ?? []
  return { name, value }
}

async function carryOut(child: ChildProcess, command: Command): Promise<void> {
  child.send(command)
  for (;;) {
    const report = (await messageOf(child)) as Report
    if ('done' in report && report.done === command) return
  }
}

async function endWork(admin: Sluice): Promise<void> {
  const active = () => admin.list('/api/activities', { 'filter[active]': true, limit: 100 })
  const left = await active()
  for (const { links } of left) await admin.remove(links!['target']!).catch(unlessEnded)
  if (left.length > 0) await until('what was in progress has ended', active, ({ length }) => length === 0)
}

/** An activity may end before it is cancelled. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof Refused && error.status === 409)) throw error
}

/** The next message; fails if the program ends first. */
const messageOf = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const stopListening = () => child.off('message', onMessage).off('exit', onExit)
    const onMessage = (message: unknown) => {
      stopListening()
      resolve(message)
    }
    const onExit = (code: number | null) => {
      stopListening()
      reject(new Error(`The test server ended with ${code}`))
    }
    child.on('message', onMessage).on('exit', onExit)
  })

function bankAt(address: string, suffix: string, send: (command: Command) => Promise<void>): TestBank {
  const code = `bank${suffix}`
  const username = (person: string) => (['ann', 'bob'].includes(person) ? `${person}${suffix}` : person)
  const as = (person: string) => connect(address, { user: username(person), password: passwordOf(username(person)) })
  return {
    address,
    code,
    path: `/projects/${code}`,
    username,
    as,
    change: (action, { asset = 'front', attributes = {}, as: person = 'ann' } = {}) =>
      as(person).create<Change>(`/api/projects/${code}/environments/test/assets/${asset}/changes`, {
        action,
        ...attributes,
      }),
    reaches: (id, status) =>
      until(
        `change ${id} is ${status}`,
        () => as('admin').show<Change>(`/api/changes/${id}`),
        ({ attributes }) => attributes.status_code === status,
      ),
    kill: () => send('kill'),
    start: () => send('start'),
    runAgents: () => send('run agents'),
    loseRunners: () => send('lose runners'),
  }
}
