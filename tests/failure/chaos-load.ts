import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../support/dice.ts'
import { Refused } from './asking.ts'
import type { Workflow } from './chaos-runs.ts'
import { environment } from './project.ts'
import type { FailureWorld } from './world.ts'

/** Deed on a running change or run. */
type Deed = 'nothing' | 'continue' | 'cancel' | 'pause'

/** A change by its action, or a run by its workflow. */
type Kind = { readonly deed: Deed; readonly retry?: true } & (
  | { readonly action: string; readonly alone?: true; readonly workflow?: never }
  | { readonly workflow: Workflow; readonly action?: never; readonly alone?: never }
)

/**
 * Kinds of activities; more entries make a kind more frequent. With `retry`, it is retried until it succeeds; `alone`:
 * each step has a runner of its own.
 */
const kinds: readonly Kind[] = [
  ...Array<Kind>(4).fill({ action: 'tree', deed: 'nothing' }),
  ...Array<Kind>(6).fill({ action: 'short', deed: 'nothing' }),
  ...Array<Kind>(2).fill({ action: 'growing', deed: 'nothing', retry: true }),
  ...Array<Kind>(2).fill({ action: 'retried', deed: 'nothing', retry: true }),
  { action: 'keeping', deed: 'nothing' },
  { action: 'waiting', deed: 'nothing' },
  { action: 'asking', deed: 'continue' },
  { action: 'asking', deed: 'continue' },
  { action: 'short', deed: 'cancel' },
  { action: 'tree', deed: 'cancel' },
  { action: 'growing', deed: 'cancel', retry: true },
  { action: 'short', deed: 'pause' },
  { action: 'tree', deed: 'pause' },
  ...Array<Kind>(2).fill({ action: 'tree', deed: 'nothing', alone: true }),
  { action: 'growing', deed: 'nothing', retry: true, alone: true },
  { action: 'asking', deed: 'continue', alone: true },
  { action: 'tree', deed: 'cancel', alone: true },
  { action: 'tree', deed: 'pause', alone: true },
  { workflow: 'pair', deed: 'nothing', retry: true },
  { workflow: 'nest', deed: 'nothing', retry: true },
  { workflow: 'pair', deed: 'pause' },
  { workflow: 'pair', deed: 'cancel', retry: true },
]

/** Maximum number of unfinished ones: more would only wait for slots, and test nothing further. */
const atOnce = 40

/** A change or a run in progress. */
interface Activity {
  readonly id: string
  readonly type: 'change' | 'workflow_run'
}

/** Creates changes and runs, evenly over the given time, one after the other if they would pile up. */
export class Load {
  readonly #world: FailureWorld
  readonly #dice: Dice
  readonly #open = new Set<Promise<void>>()
  readonly made: Promise<void>
  #failure: Error | undefined
  /** Counts of the activities requested so far. */
  readonly sums = { changes: 0, runs: 0, retries: 0 }

  get begun(): number {
    return this.sums.changes + this.sums.runs
  }

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
      const one: Promise<void> = this.#one(number)
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

  /** The first ones are one of each kind. */
  async #one(number: number): Promise<void> {
    const kind = kinds[number < kinds.length ? number : this.#dice(kinds.length)]!
    const when = this.#dice(3_000)
    let activity = await this.#begin(kind)
    await this.#deeds[kind.deed](activity, when)
    let status = await this.#end(activity)
    for (let tries = 0; kind.retry && status !== 'success' && tries < 5; tries += 1) {
      activity = await this.#retry(activity)
      status = await this.#end(activity)
    }
  }

  async #begin({ action, workflow, alone }: Kind): Promise<Activity> {
    if (workflow !== undefined) return this.#run(workflow)
    this.sums.changes += 1
    const places = [...this.#world.assets, environment]
    const [on, restart] = [places[this.#dice(places.length)]!, this.#dice(2) === 0]
    const wish = {
      action,
      on,
      restart,
      alone: alone === true,
      ...(action === 'retried' && { overrides: { mark: randomUUID() } }),
    }
    const id = await this.#world.change(wish)
    if (action === 'retried') this.#expect(id, 'error')
    return { id, type: 'change' }
  }

  async #run(workflow_code: Workflow): Promise<Activity> {
    this.sums.runs += 1
    const { assets } = this.#world
    const first = this.#dice(assets.length)
    const second = (first + 1 + this.#dice(assets.length - 1)) % assets.length
    const on = [first, second].map(at => assets[at]!.replace('/api', ''))
    const attributes = { parent_path: '/projects/w', workflow_code, property_overrides: { on } }
    return this.#made('workflow_run', { attributes })
  }

  /** Retries it. The possible outcomes of a change are known; those of a run depend on its changes. */
  async #retry({ id, type }: Activity): Promise<Activity> {
    this.sums.retries += 1
    const again = await this.#made(type, {
      attributes: { retry: true },
      relationships: { [type]: { data: { type, id } } },
    })
    if (type === 'change') {
      this.#world.expected.set(again.id, { ends: ['success'], undisturbed: true })
      // The previous runner was lost before the step that fails once.
      if (this.#world.expected.get(id)!.ends.includes('error')) this.#expect(again.id, 'error')
    }
    return again
  }

  async #made(type: Activity['type'], given: { attributes: object; relationships?: object }): Promise<Activity> {
    const asked = this.#world.ask('POST', `/api/${type}s`, { key: randomUUID(), ...given })
    return { id: ((await asked) as { data: { id: string } }).data.id, type }
  }

  #expect(id: string, end: string): void {
    const { ends, undisturbed } = this.#world.expected.get(id)!
    this.#world.expected.set(id, { ends: [...ends, end], undisturbed })
  }

  readonly #deeds: Readonly<Record<Deed, (activity: Activity, when: number) => Promise<void>>> = {
    nothing: async () => {},
    continue: async ({ id }, when) => {
      await pause(when)
      await this.#letGoOn(id)
    },
    cancel: async ({ id, type }, when) => {
      await pause(when)
      if (type === 'change') this.#expect(id, 'cancelled')
      await this.#unlessEnded('DELETE', `/api/${type}s/${id}`)
    },
    pause: async ({ id, type }, when) => {
      await pause(when)
      await this.#unlessEnded('POST', `/api/${type}s/${id}/pause`)
      await pause(when)
      await this.#unlessEnded('POST', `/api/${type}s/${id}/resume`)
    },
  }

  /** Outcome, once it has ended. */
  async #end(activity: Activity): Promise<string> {
    for (;;) {
      const { finished_at, status_code } = await this.#standing(activity)
      if (finished_at !== null) return status_code
      await pause(500)
    }
  }

  /** Answers its input step, once it asks. */
  async #letGoOn(id: string): Promise<void> {
    for (;;) {
      const waiting = (await this.#world.ask('GET', `/api/changes/${id}/steps?filter[status_code_eq]=waiting`)) as {
        data: { id: string }[]
      }
      const [step] = waiting.data
      if (step) return this.#unlessEnded('POST', `/api/steps/${step.id}/continue`, { input_arguments: { what: 7 } })
      if ((await this.#standing({ id, type: 'change' })).finished_at !== null) return
      await pause(500)
    }
  }

  async #standing({ id, type }: Activity): Promise<{ finished_at: string | null; status_code: string }> {
    const answer = await this.#world.ask('GET', `/api/${type}s/${id}`)
    return (answer as { data: { attributes: { finished_at: string | null; status_code: string } } }).data.attributes
  }

  /** If the response to a first attempt was lost, the second attempt is refused. */
  async #unlessEnded(method: string, path: string, attributes: object = {}): Promise<void> {
    try {
      await this.#world.ask(method, path, { attributes })
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 409) throw error
    }
  }
}
