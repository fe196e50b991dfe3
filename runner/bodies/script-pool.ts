import type { Take } from './body-output.ts'
import { startSupervisor } from './process-supervisor.ts'
import type { End, ProcessSupervisor, Program, Root, SupervisorPlace } from './supervised-program.ts'

/** A body while it runs, and after. */
export interface RunningBody {
  readonly root: Root
  readonly ended: Promise<End>
  /** Whether what it leaves running ends with it, as in a sandbox. */
  readonly endsWhatIsLeft: boolean
  /** Resolves when all that it wrote has been handed on. Asked when it has ended. */
  settled(): Promise<unknown>
  /** Releases its process: nothing of the body has to be ended any more. */
  free(): void
}

/** Error for a body whose step was stopped while it waited for a process: it must not start afterwards. */
export const noLongerWanted = 'stopped before it began'

/** The keepers under which scripts run: as many as run at once, and those that have run wait for more. */
export class ScriptPool {
  readonly #place: SupervisorPlace
  readonly #idle: ProcessSupervisor[] = []

  constructor(place: SupervisorPlace) {
    this.#place = place
  }

  /** Starts a process before the first script needs one. */
  async warm(): Promise<void> {
    this.#idle.push(await startSupervisor(this.#place))
  }

  async start(program: Program, take: Take, isWanted = () => true): Promise<RunningBody> {
    const keeper = this.#takeIdle() ?? (await startSupervisor(this.#place))
    const giveBack = () => this.#idle.push(keeper)
    try {
      if (!isWanted()) throw new Error(noLongerWanted)
      const ended = keeper.run(program)
      keeper.output.begin(take)
      return new RunningScript(keeper, ended, giveBack, this.#place.sandbox.length > 0)
    } catch (error) {
      giveBack()
      throw error
    }
  }

  /** Ends the idle processes. */
  end(): void {
    for (const keeper of this.#idle.splice(0)) keeper.leave()
  }

  #takeIdle(): ProcessSupervisor | undefined {
    for (let keeper = this.#idle.pop(); keeper; keeper = this.#idle.pop()) if (keeper.usable) return keeper
    return undefined
  }
}

class RunningScript implements RunningBody {
  readonly ended: Promise<End>
  readonly endsWhatIsLeft: boolean
  readonly #keeper: ProcessSupervisor
  readonly #giveBack: () => void
  #alone = false

  constructor(keeper: ProcessSupervisor, ended: Promise<End>, giveBack: () => void, sandboxed: boolean) {
    this.#keeper = keeper
    this.endsWhatIsLeft = sandboxed
    this.#giveBack = giveBack
    this.ended = ended.then(end => {
      this.#alone = end.alone && end.code === 0
      return end
    })
  }

  get root(): Root {
    return this.#keeper.root
  }

  async settled(): Promise<void> {
    const { output } = this.#keeper
    await (this.#alone ? output.emptied() : output.closed())
    output.between()
  }

  free(): void {
    if (this.#alone && this.#keeper.usable) this.#giveBack()
    else this.#keeper.leave()
  }
}
