import type { Attempt, Numbered } from '#protocol/runner-protocol.ts'
import type { ProcessName, RunnerKind, RunnerOptions } from './runner.ts'

/** Permanent name of a runner on its host: number and start of a process, id of a container. */
export interface RunnerName {
  readonly host: string
  readonly ref: string
}

interface RunnerToBegin {
  readonly id: string
  readonly options: RunnerOptions
  /** Proves to the service that a connection is this runner's. */
  readonly secret: string
}

/** A runner as the database records it. */
export interface RecordedRunner {
  readonly id: string
  /** Host on which it runs; null before its start. */
  readonly host: string | null
  /** Name by which its driver knows it; null until its start was recorded or it has connected. */
  readonly ref: string | null
  /** The service process that began to start it, on the same host. */
  readonly starter: Pick<ProcessName, 'pid' | 'started'> | null
  /** Folder of its files on its host; null if its driver keeps none. */
  readonly folder: string | null
}

/** State of a runner as its driver knows it. */
export type Observed =
  /** Runner that is being started. */
  | { readonly is: 'coming' }
  | { readonly is: 'alive' }
  /** Runner that has ended. Processes that it started may still run until `kill`. */
  | { readonly is: 'ended'; readonly why: string }
  /** Runner that was never started, and never will be. */
  | { readonly is: 'gone'; readonly why: string }
  /** The driver cannot tell: the runner is on another host, or its host does not answer. It may be alive. */
  | { readonly is: 'unknown'; readonly why: string }

/**
 * Starts, observes and ends runners of one kind on one host. The connection to the service shows that a runner is
 * alive; only its driver can tell that it is dead, and an unreachable one is not dead. Drivers find runners by their
 * ids, never by patterns of names. `tests/contract/runner-drivers` holds each driver to this contract.
 */
export interface RunnerDriver {
  readonly kind: RunnerKind
  /** Service processes with the same host see the same runners. */
  readonly host: string
  /** Folder that contains a folder named by its id for each runner; null if the driver keeps no files. */
  readonly folder: string | null
  /**
   * Starts a runner that outlives this process. Idempotent by its id: if it runs already, its name is returned.
   *
   * @returns undefined when it has ended already
   * @throws when it could not be started; nothing of it runs then
   */
  start(runner: RunnerToBegin): Promise<RunnerName | undefined>
  /** State of each of the runners. */
  observe(runners: readonly RecordedRunner[]): Promise<ReadonlyMap<string, Observed>>
  /**
   * Kills the runner and everything that it and the given attempts have started.
   *
   * @returns `dead` once nothing of it is left; `unreachable` when its host does not answer, and it may be alive
   * @throws when a process of it does not end
   */
  kill(runnerId: string, running: readonly Attempt[]): Promise<'dead' | 'unreachable'>
  /** Messages that it had written but not sent. */
  unsent(runner: RecordedRunner): Promise<readonly Numbered[]>
  /** The last lines of its own log, for an operator. */
  complaints(runner: RecordedRunner): Promise<string>
  /** Sets the address that runners use when they next try to connect. */
  announce(): void
  /**
   * Makes one runner of this host, which another service process may have started, connect here.
   *
   * @throws when it cannot be reached
   */
  takeOver(runner: RecordedRunner): void
  /** Ids of the runners that have left files. */
  leftovers(): Promise<readonly string[]>
  /** Removes the files of a runner that has ended. */
  remove(runnerId: string): Promise<'removed' | { readonly stays: string }>
}

/** The drivers of this service process, by kind. */
export type RunnerDrivers = ReadonlyMap<RunnerKind, RunnerDriver>
