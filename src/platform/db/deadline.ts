import type pg from 'pg'

/** Ends the statements of a backend for one pool, on a connection of its own. */
export interface BackendControl {
  /** Cancels its statement, as Ctrl-C does in psql. */
  cancel(pid: number): Promise<void>
  /** Terminates it. */
  terminate(pid: number): Promise<void>
}

/** Milliseconds that a backend has to react to a cancellation before it is terminated. */
const obeysWithin = 1_000

/** Thrown to the caller of a transaction at its deadline; with the SQLSTATE of a statement that was cancelled. */
export class DeadlinePassed extends Error {
  readonly code = '57014'
  constructor(milliseconds: number) {
    super(`the transaction took longer than ${milliseconds} ms`)
    this.name = 'DeadlinePassed'
  }
}

/**
 * Deadline of one transaction on one connection. PostgreSQL checks its own `statement_timeout` only between the rows of
 * a plan and in a few loops, so a backend may not react for minutes: the caller gets its error all the same, and the
 * connection stays in use until the backend has reacted or is gone.
 */
export class Deadline {
  readonly #milliseconds: number
  readonly #control: BackendControl
  #pid: number | undefined
  #over = false
  #ended: Promise<void> | undefined
  #deaf: NodeJS.Timeout | undefined

  constructor(milliseconds: number, control: BackendControl) {
    this.#milliseconds = milliseconds
    this.#control = control
  }

  /** The backend of the connection, as it reports itself: behind a pooler the protocol reports another pid. */
  readonly works = (pid: number): void => {
    this.#pid = pid
    if (this.#over) this.#stop(pid)
  }

  /** Whether the deadline has passed. */
  get isOver(): boolean {
    return this.#over
  }

  /** @throws DeadlinePassed once it has passed: then nothing more is sent */
  check(): void {
    if (this.#over) throw new DeadlinePassed(this.#milliseconds)
  }

  /** The outcome of `running`, or a rejection at the deadline while it continues. */
  async race<T>(running: Promise<T>): Promise<T> {
    running.catch(() => {})
    let timer: NodeJS.Timeout | undefined
    const passed = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#pass()
        reject(new DeadlinePassed(this.#milliseconds))
      }, this.#milliseconds)
    })
    try {
      return await Promise.race([running, passed])
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Resolves when a running cancellation has finished. Await it before the connection is used again: the cancellation
   * would hit the next statement instead.
   */
  async settled(): Promise<void> {
    clearTimeout(this.#deaf)
    await this.#ended
  }

  #pass(): void {
    this.#over = true
    if (this.#pid !== undefined) this.#stop(this.#pid)
  }

  #stop(pid: number): void {
    this.#ended = this.#control.cancel(pid).catch(() => {})
    this.#deaf = setTimeout(() => {
      this.#ended = this.#control.terminate(pid).catch(() => {})
    }, obeysWithin)
  }
}

/** Controls backends of the same role by SQL, through a pool that opens its connection when the first is overdue. */
export function backendControl(pool: pg.Pool): BackendControl {
  const tell = async (what: string, pid: number) => void (await pool.query(`select ${what}($1)`, [pid]))
  return {
    cancel: pid => tell('pg_cancel_backend', pid),
    terminate: pid => tell('pg_terminate_backend', pid),
  }
}
