import type { FrameWriter } from './body-output.ts'
import type { Exit, Program, Root } from './executor-protocol.ts'
import { type End, type KeeperPlace, type Keeping, startKeeping } from './keeper.ts'

/** A body while it runs, and after. */
export interface RunningBody {
  readonly root: Root
  readonly ended: Promise<Exit & { alone: boolean }>
  /** Resolves with the bytes that it wrote when all of them have been handed on. Asked when it has ended. */
  settled(): Promise<number>
  /** Nothing of it is to be ended any more. */
  free(): void
}

/** The keepers under which scripts run: as many as run at once, and those that have run wait for more. */
export class Scripts {
  readonly #place: KeeperPlace
  readonly #frames: FrameWriter
  readonly #idle: Keeping[] = []

  constructor(place: KeeperPlace, frames: FrameWriter) {
    this.#place = place
    this.#frames = frames
  }

  /** Has one ready before the first script asks for it. */
  async warm(): Promise<void> {
    this.#idle.push(await startKeeping(this.#place, this.#frames))
  }

  async start(channel: number, program: Program): Promise<RunningBody> {
    const keeper = this.#takeIdle() ?? (await startKeeping(this.#place, this.#frames))
    const ended = keeper.run(program)
    keeper.output.begin(channel)
    return new RunningScript(keeper, ended, () => this.#idle.push(keeper))
  }

  #takeIdle(): Keeping | undefined {
    for (let keeper = this.#idle.pop(); keeper; keeper = this.#idle.pop()) if (keeper.usable) return keeper
    return undefined
  }
}

class RunningScript implements RunningBody {
  readonly ended: Promise<End>
  readonly #keeper: Keeping
  readonly #giveBack: () => void
  #alone = false

  constructor(keeper: Keeping, ended: Promise<End>, giveBack: () => void) {
    this.#keeper = keeper
    this.#giveBack = giveBack
    this.ended = ended.then(end => {
      this.#alone = end.alone && end.code === 0
      return end
    })
  }

  get root(): Root {
    return this.#keeper.root
  }

  async settled(): Promise<number> {
    const { output } = this.#keeper
    await (this.#alone ? output.emptied() : output.closed())
    const { written } = output
    output.between()
    return written
  }

  free(): void {
    if (this.#alone && this.#keeper.usable) this.#giveBack()
    else this.#keeper.leave()
  }
}
