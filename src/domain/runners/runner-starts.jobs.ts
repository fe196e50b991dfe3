import type { Database } from '#platform/db/database.ts'
import type { Loop, Runtime } from '#platform/domain.ts'
import { failpoint } from '#platform/failpoints.ts'
import { RetryBackoff } from '#platform/jobs/retry-backoff.ts'
import { neverCame } from './lost-runners.jobs.ts'
import { type RunnerToStart, recordName, setSecret, takeWanted, unheardRunners, wantAgain } from './runner.store.ts'
import type { ProcessName } from './runner.ts'
import type { RunnerDriver, RunnerDrivers, RunnerName } from './runner-driver.port.ts'
import type { RunnerWork } from './runner-work.port.ts'
import { newSecret } from './secret.tx.ts'

export interface RunnerStartsOptions {
  readonly work: RunnerWork
  readonly drivers: RunnerDrivers
  /** Service process that is recorded with the runners that it starts. */
  readonly self: ProcessName
  readonly site: string
}

interface Wanted {
  readonly runner: RunnerToStart
  readonly secret: string
}

const atOnce = 10

/**
 * Starts of requested runners by this process. When the service stops and its runners with it, no further one is
 * started, and those that have not connected yet are ended.
 */
export class RunnerStarts {
  /** Back-off of activities and tasks whose runners could not be started. */
  readonly backoff = new RetryBackoff()
  #turn: Promise<unknown> = Promise.resolve()
  #closed = false

  loop(options: RunnerStartsOptions): Loop {
    return {
      name: 'start runners',
      every: 1_000,
      hints: ['runners'],
      run: runtime => {
        const turn = this.#startAll(options, runtime)
        this.#turn = turn.catch(() => {})
        return turn
      },
    }
  }

  /**
   * Starts no further runners and kills those that this process has started and that have not connected yet:
   * nothing could tell them to stop later. They have no steps, and their work is given to other runners.
   */
  async end({ drivers, self }: Pick<RunnerStartsOptions, 'drivers' | 'self'>, database: Database): Promise<void> {
    this.#closed = true
    await this.#turn
    for (const { kind, ...runner } of await unheardRunners(database, self))
      if ((await drivers.get(kind)?.kill(runner.id, [])) === 'dead') await wantAgain(database, runner)
  }

  async #startAll(options: RunnerStartsOptions, runtime: Runtime): Promise<boolean> {
    let more = false
    for (const driver of options.drivers.values()) if (await this.#startWanted(driver, options, runtime)) more = true
    return more
  }

  async #startWanted(
    driver: RunnerDriver,
    { work, self, site }: RunnerStartsOptions,
    runtime: Runtime,
  ): Promise<boolean> {
    if (this.#closed) return false
    const taken = await this.#take(driver, { self, site }, runtime.database)
    for (const each of taken) {
      try {
        if (this.#closed) await wantAgain(runtime.database, each.runner)
        else await this.#start(each, { work, driver }, runtime)
      } catch (error) {
        // The rest of the batch is already claimed; without this catch it would stay `starting` until its deadline.
        runtime.log.error(
          { err: error, runner: each.runner.id },
          'runner did not start; retrying when its start is overdue',
        )
      }
    }
    return taken.length === atOnce
  }

  #take(
    { kind, folder }: RunnerDriver,
    { self: starter, site }: Pick<RunnerStartsOptions, 'self' | 'site'>,
    database: Database,
  ): Promise<Wanted[]> {
    const except = this.backoff.postponed()
    return database.transaction(async tx => {
      const wanted = await takeWanted(tx, { site, kind, limit: atOnce, starter, folder, except })
      const withSecrets = wanted.map(runner => ({ runner, ...newSecret(runner.id) }))
      for (const { runner, sha256 } of withSecrets) await setSecret(tx, runner.id, sha256)
      return withSecrets
    })
  }

  async #start(
    { runner, secret }: Wanted,
    { work, driver }: { readonly work: RunnerWork; readonly driver: RunnerDriver },
    runtime: Runtime,
  ): Promise<void> {
    const { database, log } = runtime
    let name: RunnerName | undefined
    try {
      failpoint('runner-taken')
      name = await driver.start({ ...runner, secret })
      failpoint('runner-spawned')
    } catch (error) {
      log.error({ err: error, runner: runner.id }, 'runner could not be started')
      return neverCame({ work, starts: this.backoff }, runtime, runner, (error as Error).message)
    }
    // A runner that ended at once is detected as missing.
    if (!name) return
    await recordName(database, runner.id, name).catch(error =>
      // It runs, and must not be started once more: its first message records its start.
      log.warn({ err: error, runner: runner.id }, 'name of a started runner could not be recorded'),
    )
  }
}
