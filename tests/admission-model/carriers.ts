import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../src/platform/db/database.ts'
import { sql } from '../../src/platform/db/sql.ts'
import type { Order, Setting, Told } from './carrier.ts'

type State = 'under way' | 'halted' | 'over'

/** A deed that a process was ordered to do. */
export class Task {
  readonly order: Order
  readonly carrier: Carrier
  state: State = 'under way'
  answer: unknown
  error: string | undefined

  constructor(order: Order, carrier: Carrier) {
    this.order = order
    this.carrier = carrier
  }
}

class Carrier {
  readonly child: ChildProcess
  readonly isReady: Promise<unknown>
  readonly tasks = new Map<number, Task>()

  constructor(setting: Setting) {
    this.child = fork(join(import.meta.dirname, 'carrier.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.isReady = once(this.child, 'message')
    this.child.send(setting)
    void this.isReady.then(() => this.child.on('message', (told: Told) => this.#hear(told)))
  }

  #hear(told: Told): void {
    if (told.is === 'ready') return
    const task = this.tasks.get(told.number)!
    task.state = told.is === 'halted' ? 'halted' : 'over'
    if (told.is === 'done') task.answer = told.answer
    if (told.is === 'failed') task.error = told.error
    if (task.state === 'over') this.tasks.delete(told.number)
  }

  async kill(): Promise<void> {
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
    // The tables show whether its effect was committed.
    for (const task of this.tasks.values()) task.state = 'over'
  }
}

/** Processes that work on one database, and a spare one that replaces a killed process. */
export class Carriers {
  readonly #setting: Setting
  readonly #observer: Database
  readonly #all: Carrier[]
  #spare: Carrier
  #orders = 0
  #killed: number[] = []

  private constructor(setting: Setting, observer: Database, all: Carrier[]) {
    this.#setting = setting
    this.#observer = observer
    this.#all = all
    this.#spare = new Carrier(setting)
  }

  static async start(count: number, setting: Setting, observer: Database): Promise<Carriers> {
    const all = Array.from({ length: count }, () => new Carrier(setting))
    await Promise.all(all.map(({ isReady }) => isReady))
    return new Carriers(setting, observer, all)
  }

  get count(): number {
    return this.#all.length
  }

  order(process: number, order: Omit<Order, 'number'>): Task {
    const carrier = this.#all[process % this.#all.length]!
    const task = new Task({ ...order, number: ++this.#orders }, carrier)
    carrier.tasks.set(task.order.number, task)
    carrier.child.send(task.order)
    return task
  }

  goOn(task: Task): void {
    task.state = 'under way'
    task.carrier.child.send({ goOn: task.order.number })
  }

  /** Another process takes its place. */
  async kill({ carrier }: Task): Promise<void> {
    const place = this.#all.indexOf(carrier)
    if (place < 0) return
    this.#killed.push(carrier.child.pid!)
    await carrier.kill()
    await this.#spare.isReady
    this.#all[place] = this.#spare
    this.#spare = new Carrier(this.#setting)
  }

  /** Waits until each task is over, halted, or waiting for a lock of a halted one. */
  async settled(tasks: readonly Task[]): Promise<void> {
    for (;;) {
      const moving = tasks.filter(({ state }) => state === 'under way')
      if (moving.length === 0) return
      if (tasks.some(({ state }) => state === 'halted') && (await this.#waitingForLocks()) >= moving.length) return
      await pause(4)
    }
  }

  async #waitingForLocks(): Promise<number> {
    const row = await this.#observer.one(sql<{ number: number }>`
      select count(*)::int as number
        from pg_stat_activity
       where datname = current_database() and application_name like 'carrier %' and wait_event_type = 'Lock'`)
    return row!.number
  }

  /** PostgreSQL has noticed that the killed processes are dead: none of their transactions is open. */
  async theDeadAreGone(): Promise<void> {
    const names = this.#killed.map(pid => `carrier ${pid}`)
    while (names.length > 0) {
      const left = await this.#observer.rows(sql`
        select from pg_stat_activity where datname = current_database() and application_name = any(${names})`)
      if (left.length === 0) break
      await pause(4)
    }
    this.#killed = []
  }

  async end(): Promise<void> {
    await Promise.all([...this.#all, this.#spare].map(carrier => carrier.kill()))
  }
}
