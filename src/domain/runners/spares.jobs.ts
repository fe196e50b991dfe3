import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '#platform/db/database.ts'
import type { JsonObject } from '#platform/documents/document.ts'
import type { Loop, Runtime } from '#platform/domain.ts'
import type { SettingsReader } from '../settings/index.ts'
import { markSpareGone, recordName, setSecret } from './runner.store.ts'
import { type ProcessName, type RunnerOptions, runnerOptions, spareKind } from './runner.ts'
import type { RunnerDriver, RunnerDrivers } from './runner-driver.port.ts'
import { newSecret } from './secret.tx.ts'
import { insertSpare, retireSpares, sparesAsStored, unendedSpares } from './spare.store.ts'

export interface SparesOptions {
  readonly drivers: RunnerDrivers
  readonly self: ProcessName
  readonly settings: Pick<SettingsReader, 'global'>
  readonly site: string
}

/**
 * The spare runners of this process: started and connected before they are needed, so that a change need not wait for
 * two processes to start (docs/adr/0025). They belong to this process: it starts them, they connect to it, only it
 * assigns them, and they end with it. Those that a killed process left in the same folder are ended by the next one.
 */
export class Spares {
  /** Ids of those started here, until they are assigned or have ended. */
  readonly #own = new Set<string>()
  /** Spares with a connection. */
  readonly #ready = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false
  #alone = false
  #failures = 0
  #notBefore = 0

  /** Spares that can be assigned now: `wantRunner` takes one of them. */
  ready(): readonly string[] {
    return [...this.#ready]
  }

  /** Registers a runner without work that has said hello. False: it belongs to another process, and must end. */
  came(id: string): boolean {
    if (!this.#own.has(id) || this.#closed) return false
    this.#ready.add(id)
    return true
  }

  /** Removes a spare that was given work, or whose connection broke. */
  left(id: string): void {
    this.#ready.delete(id)
  }

  /** Keeps the number of spares of the setting `runner.spares`. */
  loop(options: SparesOptions): Loop {
    return {
      name: 'keep spare runners',
      // Not on a hint: nothing is urgent here.
      every: 1_000,
      hints: [],
      run: runtime => {
        const turn = this.#keep(options, runtime)
        this.#turn = turn.catch(() => {})
        return turn
      },
    }
  }

  /**
   * Ends all spares that have not been assigned; resolves when none is left. Those with a connection end by themselves
   * `within`.
   */
  async end({ drivers }: Pick<SparesOptions, 'drivers'>, database: Database, within: number): Promise<void> {
    this.#closed = true
    await this.#turn
    const driver = drivers.get(spareKind)
    if (!driver) return
    await this.#endForeign(driver, database)
    const ending = await retireSpares(database, [...this.#own], 'the service stops')
    database.hints.emit('let_go')
    const deadline = performance.now() + within
    await Promise.all(
      ending.map(async id => {
        const heard = this.#ready.has(id)
        while (heard && performance.now() < deadline && !(await isGone(database, id))) await wait(10)
        if (await isGone(database, id)) return
        await driver.kill(id, [])
        await markSpareGone(database, id, 'it was stopped')
      }),
    )
  }

  async #keep(options: SparesOptions, runtime: Runtime): Promise<boolean> {
    const driver = options.drivers.get(spareKind)
    if (this.#closed || !driver) return false
    const { database } = runtime
    await this.#endForeign(driver, database)
    const { data } = await options.settings.global(database)
    const wish = desiredSpares(data)
    const kept: string[] = []
    const surplus: string[] = []
    for (const { id, of, status, options: its } of await sparesAsStored(database, [...this.#own])) {
      if (of !== 'nothing' || status === 'stopping' || status === 'gone')
        this.#drop(id, of === 'nothing' && status === 'gone')
      else if (kept.length < wish.number && isDeepStrictEqual(its, wish.options)) kept.push(id)
      else surplus.push(id)
    }
    if (surplus.length > 0) await this.#retire(database, surplus)
    if (kept.length >= wish.number || performance.now() < this.#notBefore) return false
    await this.#start(driver, options, runtime, wish.options)
    return false
  }

  /** Ends spares of other processes, once: from then on each spare that is ready in this folder is this process's. */
  async #endForeign(driver: RunnerDriver, database: Database): Promise<void> {
    if (this.#alone) return
    const reason = 'it stood ready for another process'
    const left = await unendedSpares(database, driver.host, await driver.leftovers())
    await retireSpares(database, left, reason)
    // A spare that was assigned meanwhile is no longer one.
    for (const id of await unendedSpares(database, driver.host, left)) {
      await driver.kill(id, [])
      await markSpareGone(database, id, reason)
    }
    this.#alone = true
  }

  /** Drops a spare. After one that ended by itself the next one starts later: its cause may persist. */
  #drop(id: string, endedByItself: boolean): void {
    this.#own.delete(id)
    this.#ready.delete(id)
    this.#failures = endedByItself ? this.#failures + 1 : 0
    const wait = endedByItself ? Math.min(1_000 * 2 ** this.#failures, 60_000) : settlingMilliseconds
    this.#notBefore = performance.now() + wait
  }

  async #retire(database: Database, ids: readonly string[]): Promise<void> {
    for (const id of await retireSpares(database, ids, 'not needed any more')) {
      this.#own.delete(id)
      this.#ready.delete(id)
    }
    // The processes with their connections notify them.
    database.hints.emit('let_go')
  }

  async #start(
    driver: RunnerDriver,
    { self, site }: SparesOptions,
    { database, log }: Runtime,
    options: RunnerOptions,
  ): Promise<void> {
    const { id, secret } = await database.transaction(async tx => {
      const made = await insertSpare(tx, {
        site,
        kind: driver.kind,
        starter: self,
        folder: driver.folder,
        options,
      })
      const { secret, sha256 } = newSecret(made)
      await setSecret(tx, made, sha256)
      return { id: made, secret }
    })
    this.#own.add(id)
    try {
      const name = await driver.start({ id, options, secret })
      if (name) await recordName(database, id, name)
    } catch (error) {
      log.warn({ err: error, runner: id }, 'spare runner could not be started; retrying later')
      await markSpareGone(database, id, (error as Error).message)
    }
  }
}

const isGone = async (database: Database, id: string) => (await sparesAsStored(database, [id]))[0]?.status === 'gone'

/**
 * Pause after a spare was assigned: starting the next one needs the processor that the change needs for its first
 * steps, which take precedence.
 */
const settlingMilliseconds = 1_000

/** Number of spares, and their options: those of a change with global settings only. */
const desiredSpares = (settings: JsonObject): { number: number; options: RunnerOptions } => ({
  number: Number(settings['runner.spares'] ?? 1),
  options: runnerOptions(settings),
})
