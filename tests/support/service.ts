import assert from 'node:assert/strict'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../client/sluice.ts'
import { inconsistencies } from '../../src/domain/steps/index.ts'
import type { Config } from '../../src/main/config.ts'
import { type Service, startService } from '../../src/main/service.ts'
import { type Database, openDatabase } from '../../src/platform/db/database.ts'
import { mainSite } from '../../src/platform/site.ts'
import { processesNaming } from '../main-job/process-table.ts'
import { answersOf, type CheckAnswer } from './answers.ts'
import { basicOf, type Client, clientOf } from './api.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { type TestFile, type TestRepository, testRepository } from './git-repository.ts'
import { keepRunnersTogether } from './kept-runners.ts'
import { unexpectedErrors } from './unexpected-errors.ts'

/** A rule in a request. */
export interface TestRule {
  readonly path: string
  readonly read?: boolean
  readonly update?: boolean
  readonly execute?: boolean
  readonly delete?: boolean
}

export interface TestServiceOptions {
  /** Users besides `admin`, with the rules of each. */
  readonly users?: Readonly<Record<string, readonly TestRule[]>>
  readonly config?: Partial<Config>
  /** Number of spare runners; default as in production. 0 if hardly anything runs: each is several processes. */
  readonly spares?: number
  /** Errors that the test provokes in the service's log; any other unexpected error fails it. */
  readonly provokes?: readonly RegExp[]
}

/** The whole service in this process, on a database and a data folder of its own, with runners of its own. */
export interface TestService {
  readonly address: string
  /** The test's own connection to the tables, for state that no request returns. */
  readonly database: Database
  readonly testDatabase: TestDatabase
  readonly dataDir: string
  /** Lines that the service logged. */
  readonly logged: readonly string[]
  /** Content of `/api/openapi.json`. */
  readonly openApi: OpenApi
  /** Client of `admin`, or of one of `users`. Every response is checked against the OpenAPI document. */
  as(username: string): Client
  /** Client with a token. */
  bearer(token: string): Client
  /** Client without credentials. */
  readonly stranger: Client
  /** Creates a user with these rules, in a policy of their own. */
  addUser(username: string, rules: readonly TestRule[]): Promise<void>
  /** A repository that is removed with the service. */
  repository(files: Record<string, TestFile>): Promise<TestRepository>
  /**
   * Another process of the same installation, on an address of its own and optionally with another configuration or
   * connection to the database; stop it before the service.
   */
  beside(role: Config['role'], more?: Partial<Config>, on?: Addresses): Promise<Service>
  /** Stops it, and keeps the data; running steps continue if `keepRunners` is set. */
  halt(how: { keepRunners: boolean }): Promise<void>
  /**
   * Starts it again on the same data, at the same address, optionally with another configuration (`more`) or database.
   */
  startAgain(more?: Partial<Config>, on?: Addresses): Promise<void>
  /**
   * Ends everything, and asserts that no process of a runner is left, all counters are consistent, and no unexpected
   * error was logged (`unexpectedErrors`).
   */
  stop(): Promise<void>
}

type Addresses = Pick<TestDatabase, 'appUrl' | 'ownerUrl'>

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Description of a method of a path in the document, as far as tests need it. */
export interface Operation {
  readonly operationId: string
  /** Empty: open to everyone. */
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>
}

/** Every user's password, including that of `admin`. */
export const passwordOf = (username: string): string => `the password of ${username}`

/** Deprecation warnings of libraries. */
const deprecations: string[] = []
process.on('warning', ({ name, message }) => {
  if (name === 'DeprecationWarning') deprecations.push(message)
})

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const test = await testDatabase()
  const database = openDatabase({ url: test.appUrl, name: 'test', size: 4 })
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-service-'))
  // Steps run as a user of their own, who passes through to their folders.
  await chmod(dataDir, 0o711)
  await keepRunnersTogether(dataDir)
  const repositories: TestRepository[] = []
  const spares = options.spares !== undefined && { settingOverrides: { RUNNER__SPARES: String(options.spares) } }
  const logged: string[] = []
  const start = (port: number, more: Partial<Config> = {}, { appUrl, ownerUrl }: Addresses = test) =>
    startService({
      config: { ...usual, ...spares, ...options.config, dataDir, port, ...more },
      appUrl,
      ownerUrl,
      logTo: { write: line => void logged.push(line) },
    })
  let service: Service | undefined = await start(0)
  const { address } = service
  const openApi = (await (await fetch(`${address}/api/openapi.json`)).json()) as OpenApi
  const check: CheckAnswer = answersOf(openApi)
  const as = (username: string) => clientOf(address, check, basicOf(username, passwordOf(username)))
  const halt = async (how: { keepRunners: boolean }) => {
    await service?.stop(how)
    service = undefined
  }

  const whole: TestService = {
    address,
    database,
    testDatabase: test,
    dataDir,
    logged,
    openApi,
    as,
    bearer: token => clientOf(address, check, `Bearer ${token}`),
    stranger: clientOf(address, check, undefined),
    addUser: (username, rules) => addUser(as('admin'), username, rules),
    repository: async files => {
      const made = await testRepository(files)
      repositories.push(made)
      return made
    },
    beside: async (role, more, on) => {
      const ofOther = await mkdtemp(join(tmpdir(), 'sluice-beside-'))
      await copyFile(join(dataDir, 'root.key'), join(ofOther, 'root.key'))
      const other = await start(0, { role, dataDir: ofOther, ...more }, on)
      return {
        ...other,
        stop: async how => {
          await other.stop(how)
          // Its runners may be writing their last messages.
          await rm(ofOther, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
        },
      }
    },
    halt,
    startAgain: async (more, on) => {
      service = await start(Number(new URL(address).port), more, on)
    },
    stop: async () => {
      // After a test that failed while there was no service, only this ends the runners.
      if (!service) endProcesses(dataDir)
      await halt({ keepRunners: false })
      const left = await withoutProcesses(dataDir)
      const wrong = await inconsistencies(database)
      await database.end()
      await test.drop()
      await Promise.all(repositories.map(repository => repository.remove()))
      await rm(dataDir, { recursive: true, force: true })
      assert.deepEqual(left, [])
      assert.deepEqual(wrong, [])
      assert.deepEqual(unexpectedErrors(logged, options.provokes), [])
      assert.deepEqual(deprecations, [])
    },
  }
  for (const [username, rules] of Object.entries(options.users ?? {})) await whole.addUser(username, rules)
  return whole
}

const usual: Omit<Config, 'dataDir' | 'port'> = {
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  host: '127.0.0.1',
  adminPassword: passwordOf('admin'),
  role: 'all',
  site: mainSite,
  gitProtocols: ['file', 'http'],
  privateAddresses: ['127.0.0.0/8'],
  authorities: undefined,
  smtpServer: undefined,
  mailFrom: undefined,
  runnerUser: undefined,
  rateLimit: undefined,
  trustedProxies: [],
  metricsToken: undefined,
  metricsAddresses: undefined,
  logLevel: 'info',
  rootKey: undefined,
  nextRootKey: undefined,
  settingOverrides: {},
  passedOn: { PATH: process.env['PATH'] ?? '' },
  demo: false,
  exit: false,
  stopRunners: false,
  resetPassword: undefined,
  help: false,
}

/** Waits for the last processes of runners to end, and kills remaining ones, which are returned. */
export async function withoutProcesses(dataDir: string): Promise<string[]> {
  const gone = () => processesNaming(dataDir).length === 0
  await until('runners end', async () => gone(), Boolean, { seconds: 10, pause: 25 }).catch(() => {})
  return endProcesses(dataDir)
}

function endProcesses(dataDir: string): string[] {
  return processesNaming(dataDir).map(({ pid, command }) => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    return command
  })
}

async function addUser(admin: Client, username: string, rules: readonly TestRule[]): Promise<void> {
  const made = await admin.post('/api/users', { username, password: passwordOf(username) })
  assert.equal(made.status, 201, made.text)
  if (rules.length === 0) return
  const name = `what ${username} may do`
  const policy = { name, authorisation_rules: rules, assignments: [{ username }] }
  const granted = await admin.post('/api/authorisation_policies', policy)
  assert.equal(granted.status, 201, granted.text)
}
