import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { passwords } from '../../src/domain/users/index.ts'
import { assemble } from '../../src/main/domains.ts'
import { openKeyring, rootKeys } from '../../src/platform/crypto/index.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import type { Domain, Runtime } from '../../src/platform/domain.ts'
import { aroundOf } from '../support/jobs.ts'
import type { TestService } from '../support/service.ts'
import { Killed, Life, mortal } from './mortal.ts'

/** A job in the queue. */
export interface Queued {
  readonly id: string
  readonly name: string
  readonly payload: object
}

interface Parts {
  readonly life: Life
  readonly runtime: Runtime
  readonly errors: unknown[]
  readonly begin: () => Promise<readonly Domain[]>
  readonly close: () => Promise<unknown>
}

/** A process of the service whose loops and jobs run only when the test calls them. */
export class Process {
  private readonly life: Life
  private readonly runtime: Runtime
  private readonly begin: () => Promise<readonly Domain[]>
  private readonly close: () => Promise<unknown>
  /** Errors logged by the process. */
  private readonly errors: unknown[]
  /** Domains of the process, with their caches. */
  private domains: readonly Domain[] = []

  private constructor(of: Parts) {
    this.life = of.life
    this.runtime = of.runtime
    this.begin = of.begin
    this.close = of.close
    this.errors = of.errors
  }

  static async open({ testDatabase, dataDir: ofService, address }: TestService): Promise<Process> {
    const dataDir = await mkdtemp(join(tmpdir(), 'sluice-process-'))
    await copyFile(join(ofService, 'root.key'), join(dataDir, 'root.key'))
    const life = new Life()
    const opened = openDatabase({ url: testDatabase.appUrl, name: 'a process', size: 6 })
    const database = mortal(opened, life)
    const errors: unknown[] = []
    const log = { info: () => {}, warn: () => {}, error: (about: object) => void errors.push(about) }
    const rootKey = rootKeys({ given: undefined, next: undefined, file: join(dataDir, 'root.key'), database })
    const keyring = await openKeyring({ database, rootKey })
    const config: Parameters<typeof assemble>[0]['config'] = {
      authorities: undefined,
      dataDir,
      gitProtocols: ['file'],
      privateAddresses: [],
      settingOverrides: {},
      passedOn: { PATH: process.env['PATH'] ?? '' },
      role: 'worker',
    }
    const parts = { config, database, keyring, log, passwords: passwords(), apiUrl: () => address }
    const made = new Process({
      life,
      errors,
      runtime: { ...aroundOf(database), log },
      begin: async () => (await assemble(parts)).domains,
      close: async () => {
        await opened.end()
        await rm(dataDir, { recursive: true, force: true })
      },
    })
    made.domains = await made.begin()
    return made
  }

  /** Runs a loop until it finds nothing more to do. */
  async loop(name: string): Promise<void> {
    const loop = this.domains.flatMap(({ loops = [] }) => loops).find(each => each.name === name)
    while (await loop!.run(this.runtime));
  }

  async run({ name, payload }: Queued): Promise<void> {
    const job = this.domains.flatMap(({ jobs = [] }) => jobs).find(each => each.name === name)
    await job!.run(payload as never, this.runtime)
  }

  /** Work during which it may be killed: restarted it does it again. No other failure is allowed. */
  async does(work: (of: Process) => Promise<void>, diesAt?: number): Promise<void> {
    this.life.begins(diesAt)
    this.errors.length = 0
    try {
      await work(this)
      this.life.goesOn()
      assert.deepEqual(this.errors, [])
    } catch (error) {
      if (!isKilling(error)) throw error
      this.life.begins(undefined)
      this.domains = await this.begin()
      await this.does(work)
    }
  }

  stop = () => this.close()
}

const isKilling = (error: unknown): boolean =>
  error instanceof Killed || (error instanceof Error && error.cause !== undefined && isKilling(error.cause))
