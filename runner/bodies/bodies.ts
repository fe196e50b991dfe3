import { whyRefused } from '../sandbox/sandbox.ts'
import { type Hide, Intake, type Take } from './body-output.ts'
import { ModuleHosts } from './module-hosts.ts'
import type { ModuleJob } from './module-protocol.ts'
import { hasSubreaper } from './process-supervisor.ts'
import { type RunningBody, ScriptPool } from './script-pool.ts'
import type { Program, SupervisorPlace } from './supervised-program.ts'

export type WhatRuns = { program: Program } | { module: ModuleJob }

/** The processes that bodies of steps run in, in a sandbox where there is one. */
export class Bodies {
  readonly #intake = new Intake()
  readonly #place: SupervisorPlace
  readonly #complain: (line: string) => void
  #opened: Promise<Opened> | undefined

  constructor(place: Omit<SupervisorPlace, 'intake'>, complain: (line: string) => void) {
    this.#place = { ...place, intake: this.#intake }
    this.#complain = complain
  }

  /** Starts the first process for scripts before one is needed. */
  begin(): void {
    // A body that needs it asks again, and gets the error.
    this.#open().catch(error => this.#complain(String(error)))
  }

  /** Starts a process for programs as well, for a runner that has the time. */
  warm(): void {
    this.#open()
      .then(({ modules }) => modules.warm())
      .catch(error => this.#complain(String(error)))
  }

  /** @throws where it is not wanted any more when there is a process for it */
  async start(what: WhatRuns, take: Take, hide: Hide, isWanted?: () => boolean): Promise<RunningBody> {
    const { scripts, modules } = await this.#open()
    return 'program' in what
      ? scripts.start(what.program, take, isWanted)
      : modules.start(what.module, take, hide, isWanted)
  }

  /** Pauses and resumes reading the output of bodies. */
  hold(on: boolean): void {
    this.#intake.hold(on)
  }

  /** Ends the idle processes, once no body runs any more. */
  async end(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    opened?.scripts.end()
    await opened?.modules.end()
  }

  #open(): Promise<Opened> {
    this.#opened ??= open(this.#place, this.#complain).catch(error => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }
}

interface Opened {
  readonly scripts: ScriptPool
  readonly modules: ModuleHosts
}

/** Opens the pools of processes, without the sandbox if it is refused: only the start of a process in it shows that. */
async function open(place: SupervisorPlace, complain: (line: string) => void): Promise<Opened> {
  const scripts = new ScriptPool(place)
  const failure =
    hasSubreaper() &&
    (await scripts.warm().then(
      () => undefined,
      error => error as Error,
    ))
  const looked = place.sandbox.length > 0 && (failure || !hasSubreaper())
  const refused = looked ? await whyRefused(place.sandbox, place) : undefined
  if (failure && refused === undefined) throw failure
  if (refused === undefined) return { scripts, modules: new ModuleHosts(place) }
  complain(`bubblewrap is installed but cannot be used here, so steps run without it: ${refused}`)
  return open({ ...place, sandbox: [] }, complain)
}
