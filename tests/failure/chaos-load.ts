import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from './random-kills.ts'
import { environment, type FailureWorld, Refused } from './world.ts'

/** What is done to a change while it runs. */
type Deed = 'nothing' | 'continue' | 'cancel' | 'pause'

/** Changes of every kind that there is, each as often as it stands here. */
const kinds: readonly { readonly action: string; readonly deed: Deed }[] = [
  ...Array(4).fill({ action: 'tree', deed: 'nothing' }),
  ...Array(6).fill({ action: 'short', deed: 'nothing' }),
  { action: 'keeping', deed: 'nothing' },
  { action: 'waiting', deed: 'nothing' },
  { action: 'asking', deed: 'continue' },
  { action: 'asking', deed: 'continue' },
  { action: 'short', deed: 'cancel' },
  { action: 'tree', deed: 'cancel' },
  { action: 'short', deed: 'pause' },
  { action: 'tree', deed: 'pause' },
]

/** At most so many that have not ended: the rest would only wait for slots, and tell nothing more. */
const atOnce = 40

/** Makes so many changes, evenly over the time given, one after the other where they would pile up. */
export class Load {
  readonly #world: FailureWorld
  readonly #dice: Dice
  readonly #open = new Set<Promise<void>>()
  readonly made: Promise<void>
  #failure: Error | undefined

  constructor(world: FailureWorld, dice: Dice, { changes, minutes }: { changes: number; minutes: number }) {
    this.#world = world
    this.#dice = dice
    this.made = this.#make(changes, (minutes * 60_000) / changes)
    this.made.catch(() => {})
  }

  async #make(changes: number, every: number): Promise<void> {
    const began = performance.now()
    for (let number = 0; number < changes && !this.#failure; number += 1) {
      await pause(Math.max(0, began + number * every - performance.now()))
      while (this.#open.size >= atOnce) await Promise.race(this.#open)
      const one: Promise<void> = this.#one()
        .catch((error: Error) => this.#fail(error))
        .finally(() => this.#open.delete(one))
      this.#open.add(one)
    }
    await Promise.all(this.#open)
    if (this.#failure) throw this.#failure
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }

  async #one(): Promise<void> {
    const dice = this.#dice
    const { action, deed } = kinds[dice(kinds.length)]!
    const places = [...this.#world.assets, environment]
    const [on, restart, when] = [places[dice(places.length)]!, dice(2) === 0, dice(3_000)]
    const id = await this.#world.change({ action, on, restart })
    if (deed !== 'nothing') await pause(when)
    if (deed === 'continue') await this.#letGoOn(id)
    if (deed === 'cancel') {
      this.#world.expected.set(id, { ends: ['success', 'cancelled'], undisturbed: true })
      await this.#unlessEnded('DELETE', `/api/changes/${id}`)
    }
    if (deed === 'pause') {
      await this.#unlessEnded('POST', `/api/changes/${id}/pause`)
      await pause(when)
      await this.#unlessEnded('POST', `/api/changes/${id}/resume`)
    }
    while ((await this.#statusOf(id)) !== 'ended') await pause(500)
  }

  /** Answers what its input step asks, once it does. */
  async #letGoOn(id: string): Promise<void> {
    for (;;) {
      const waiting = (await this.#world.ask('GET', `/api/changes/${id}/steps?filter[status_code_eq]=waiting`)) as {
        data: { id: string }[]
      }
      const [step] = waiting.data
      if (step) return this.#unlessEnded('POST', `/api/steps/${step.id}/continue`, { input_arguments: { what: 7 } })
      if ((await this.#statusOf(id)) === 'ended') return
      await pause(500)
    }
  }

  async #statusOf(id: string): Promise<'ended' | 'open'> {
    const { data } = (await this.#world.ask('GET', `/api/changes/${id}`)) as {
      data: { attributes: { finished_at: string | null } }
    }
    return data.attributes.finished_at === null ? 'open' : 'ended'
  }

  /** What was done at the first of two tries, of which the answer was lost, is refused at the second. */
  async #unlessEnded(method: string, path: string, attributes: object = {}): Promise<void> {
    try {
      await this.#world.ask(method, path, { attributes })
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 409) throw error
    }
  }
}
