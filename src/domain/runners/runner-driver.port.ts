import type { Attempt, Numbered } from '#protocol/runner-protocol.ts'
import type { ProcessName, RunnerKind, RunnerOptions } from './runner.ts'

/** Names a runner for good on its host: of a process its number and start, of a container its id. */
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
  /** Host on which it runs; null before it was begun. */
  readonly host: string | null
  /** Name that its driver knows it by; null until its start was recorded or it has connected. */
  readonly ref: string | null
  /** The service process that began to start it, on the same host. */
  readonly starter: Pick<ProcessName, 'pid' | 'started'> | null
  /** Folder of its files on its host; null where its driver keeps none. */
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
 * Starts, observes and ends runners of one kind on one host. A runner is known to be alive by its connection to the
 * service; that it is dead is for its driver to say, and an unreachable one is not dead. Drivers find runners by their
 * ids, never by patterns of names. `tests/contract/runner-drivers` holds each driver to this contract.
 */
export interface RunnerDriver {
  readonly kind: RunnerKind
  /** Service processes with the same host see the same runners. */
  readonly host: string
  /** Folder below which each runner has one named by its id; null where the driver keeps no files. */
  readonly folder: string | null
  /**
   * Starts a runner that outlives this process. Idempotent by its id: where it runs already, its name is returned.
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
   * @throws when something of it does not end
   */
  kill(runnerId: string, running: readonly Attempt[]): Promise<'dead' | 'unreachable'>
  /** Messages that it had written to be sent. */
  unsent(runner: RecordedRunner): Promise<readonly Numbered[]>
  /** The last lines of its own log, for an operator. */
  complaints(runner: RecordedRunner): Promise<string>
  /** Tells runners, when they next try to connect, the address at which the service listens. */
  announce(): void
  /**
   * Tells one runner of this host, which another service process may have started, to connect here.
   *
   * @throws when it cannot be reached
   */
  takeOver(runner: RecordedRunner): void
  /** Ids of the runners that something is left of. */
  leftovers(): Promise<readonly string[]>
  /** Removes what is left of a runner that has ended. */
  remove(runnerId: string): Promise<'removed' | { readonly stays: string }>
}

/** The drivers of this service process, by kind. */
export type RunnerDrivers = ReadonlyMap<RunnerKind, RunnerDriver>
