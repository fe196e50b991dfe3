import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { leadsToReader } from './connection-errors.ts'
import { type Connections, connectionsOf, gathering, held, openPool, type Send } from './connections.ts'
import { type BackendControl, backendControl, Deadline } from './deadline.ts'
import { ExternalCalls } from './external-call.ts'
import type { Gate } from './gate.ts'
import { together } from './pipeline.ts'
import type { Sql } from './sql.ts'
import { prepared, StatementNames } from './statement-names.ts'

/** Executor of statements: the pool itself (each statement on its own) or one transaction. */
export interface Queries {
  rows<Row>(query: Sql<Row>, how?: StatementOptions): Promise<Row[]>
  /** The first row, or undefined when there is none. */
  one<Row>(query: Sql<Row>, how?: StatementOptions): Promise<Row | undefined>
  /** The number of rows that an insert, update or delete touched. */
  count(query: Sql): Promise<number>
  /**
   * Calls an external system (a vault), once for a whole transaction: the transaction is rolled back, so that nothing
   * waits for its locks or its connection meanwhile, and starts again with the result. `key` must therefore identify
   * the call by values that the next attempt reads again. Outside a transaction the call is made at once.
   */
  external<T>(key: string, ask: () => Promise<T>): Promise<T>
}

export interface StatementOptions {
  /**
   * Plans the statement for its actual values, at each execution: which index a list is read from depends on how many
   * records a value has, and a generic plan suits only the average value.
   */
  plannedAnew?: true
  /**
   * Turns sequential scans off for the statement. All rows that it reads are found by keys, so no table has to be read
   * whole, whatever the statistics say: once a few parents have thousands of children, PostgreSQL considers a
   * sequential scan per row the cheapest plan of a subselect.
   */
  byKeys?: true
}

export interface Tx extends Queries {
  /**
   * A statement, already sent, whose result the transaction does not need: COMMIT is sent behind it, in the same round
   * trip. If it fails, PostgreSQL turns that COMMIT into a rollback, and the transaction throws its error.
   */
  withCommit(answer: Promise<unknown>): void
  /**
   * Notifies listeners on `channel`, once this transaction has committed, that there may be changes. Only a hint.
   * `here`: in this process alone.
   */
  hint(channel: string, to?: { here: true }): void
  /** Work that is rolled back when it throws, while the transaction around it continues. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

export interface TransactionOptions {
  /** Milliseconds a statement may take. Default 30,000 (lists 5,000, workers 60,000). */
  statementTimeout?: number
  /** Makes the transaction read-only, with one snapshot: all of its statements see the database as of the first one. */
  readOnly?: boolean
  /**
   * Milliseconds after which the transaction fails for the caller, counted from when it has its connection: it throws
   * 57014, whatever its backend does, which is cancelled, and terminated if it does not react; it has no parallel
   * workers. Only for reads: the outcome of a COMMIT would be unknown.
   */
  deadline?: number
  /**
   * Fails a transaction that needs an external call (`external`) with an error for which `needsExternalCall` is true.
   */
  forbidExternalCalls?: true
}

export interface Database extends Queries {
  /**
   * One transaction. After serialization failures and deadlocks `work` runs again, up to five times with a growing
   * pause, so `work` may have no effects except on `tx`. A connection lost at COMMIT is thrown, never retried: whether
   * the commit happened must be read from the data.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * One statement as a transaction of its own, in one round trip and on separate connections, two at a time. Planned
   * once, and by keys. It must itself refuse what may not be committed. Retried and thrown like a transaction.
   */
  atOnce<Row>(query: Sql<Row>): Promise<Row[]>
  /**
   * The database behind a gate: each transaction and each single statement waits for `gate` before it takes a
   * connection.
   */
  through(gate: Gate): Database
  /** Notifies this process at once, and others within milliseconds if they receive hints (`listenForHints`). */
  readonly hints: EventEmitter
  /** Current connections: those of transactions, and those of `atOnce`. */
  connections(): { readonly transactions: Connections; readonly atOnce: Connections }
  end(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** Maximum number of connections. Default 10. */
  size?: number
  /** Name of the connections in pg_stat_activity. */
  name: string
  /** Sends hints of committed transactions beyond this process. */
  notify?: (channel: string) => void
  /** Emitter of this process's hints, if it has more than one database object for the same database. */
  hints?: EventEmitter
}

const retryable = new Set(['40001', '40P01'])

/**
 * Planner settings for statements that find a few rows by their keys: plans are made once, and a bitmap costs more to
 * start than the lookups of so few rows.
 */
const plansByKeys = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off', 'enable_bitmapscan=off']

/**
 * Connections for statements that are a transaction each, in addition to the pool's. More of them would only slow each
 * down.
 */
const mostAtOnce = 2

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options, options.size ?? 10)
  const onceEach = openPool(options, mostAtOnce, ...plansByKeys)
  const supervisor = openPool({ ...options, name: `${options.name} supervisor` }, 1)
  const hints = options.hints ?? new EventEmitter().setMaxListeners(0)
  const statements = new StatementNames()
  const control = backendControl(supervisor)

  const announce = (channels: Channels) => {
    for (const [channel, everywhere] of channels) {
      hints.emit(channel)
      if (everywhere) options.notify?.(channel)
    }
  }

  /** Queries that run each statement by itself; one with `byKeys` needs a transaction for its settings. */
  const alone = (transaction: Database['transaction']): Queries => {
    const queries = queriesOn(statement => pool.query(statement), statements)
    const rows: Queries['rows'] = (query, how) =>
      how?.byKeys ? transaction(tx => tx.rows(query, how), { readOnly: true }) : queries.rows(query, how)
    return { ...queries, rows, one: async (query, how) => (await rows(query, how))[0] }
  }

  const database = (gate: Gate | undefined): Database => {
    const transaction: Database['transaction'] = (work, how) => {
      const outside = new ExternalCalls()
      const attempt = () =>
        retrying(() => once({ pool, gate, control, statements, outside, announce }, work, how ?? {}))
      return how?.forbidExternalCalls ? attempt() : outside.runWithCalls(attempt)
    }
    return {
      ...(gate ? singly(transaction) : alone(transaction)),
      hints,
      transaction,
      // A statement outside BEGIN and COMMIT is an implicit transaction, which ends before its response.
      atOnce: query => {
        const statement = prepared(query, statements)
        return retrying(() => onceEach.query(statement).then(({ rows }) => rows))
      },
      through: database,
      connections: () => ({ transactions: connectionsOf(pool), atOnce: connectionsOf(onceEach) }),
      end: async () => void (await Promise.all([pool.end(), onceEach.end(), supervisor.end()])),
    }
  }
  return database(undefined)
}

/** Queries that run each statement as a read-only transaction: it waits for the gate, and has a deadline. */
function singly(transaction: Database['transaction']): Queries {
  const how = { readOnly: true, deadline: singleStatementDeadline }
  return {
    rows: (query, options) => transaction(tx => tx.rows(query, options), how),
    one: (query, options) => transaction(tx => tx.one(query, options), how),
    count: query => transaction(tx => tx.count(query), how),
    external: (_, ask) => ask(),
  }
}

/** Deadline of a single statement in milliseconds: half a second beyond its own `statement_timeout`. */
const singleStatementDeadline = 30_500

/** Channels, each with whether other processes are notified as well. */
type Channels = ReadonlyMap<string, boolean>

function queriesOn(send: Send, statements: StatementNames): Queries {
  const run = (query: Sql, how?: StatementOptions) => send(prepared(query, statements, how))
  return {
    rows: async <Row>(query: Sql<Row>, how?: StatementOptions) => (await run(query, how)).rows as Row[],
    one: async <Row>(query: Sql<Row>, how?: StatementOptions) => (await run(query, how)).rows[0] as Row | undefined,
    count: async query => (await run(query)).rowCount ?? 0,
    external: (_, ask) => ask(),
  }
}

interface Transacting {
  readonly pool: pg.Pool
  readonly gate: Gate | undefined
  readonly control: BackendControl
  readonly statements: StatementNames
  readonly outside: ExternalCalls
  readonly announce: (channels: Channels) => void
}

async function once<T>(
  transacting: Transacting,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const { pool, gate, control } = transacting
  const leaveGate = await gate?.enter()
  let running: Promise<T>
  try {
    const client = await pool.connect()
    const deadline = options.deadline === undefined ? undefined : new Deadline(options.deadline, control)
    running = onConnection(client, transacting, work, options, deadline)
    if (leaveGate) running.then(leaveGate, leaveGate)
    return await (deadline ? deadline.race(running) : running)
  } catch (error) {
    if (!running!) leaveGate?.()
    throw error
  }
}

async function onConnection<T>(
  client: pg.PoolClient,
  { statements, outside, announce }: Transacting,
  work: (tx: Tx) => Promise<T>,
  options: TransactionOptions,
  deadline: Deadline | undefined,
): Promise<T> {
  const gathered = gathering(client)
  let cause: unknown
  const send: Send = statement => {
    const answer = gathered(statement)
    answer.catch(error => {
      if (!isAborted(error)) cause = error
    })
    return answer
  }
  const channels = new Map<string, boolean>()
  const late: Promise<unknown>[] = []
  const queries = queriesOn(deadline ? inTime(send, deadline) : send, statements)
  let depth = 0
  let byKeys = false
  const setByKeys = (wanted: boolean) => {
    if (byKeys === wanted) return
    byKeys = wanted
    // Any fault of the connection is reported by the statement behind it as well.
    send(`set local enable_seqscan = ${wanted ? 'off' : 'on'}`).catch(() => {})
  }
  const rows: Queries['rows'] = (query, how) => {
    setByKeys(how?.byKeys ?? false)
    return queries.rows(query, how)
  }
  const tx: Tx = {
    ...queries,
    rows,
    one: async (query, how) => (await rows(query, how))[0],
    count: query => {
      setByKeys(false)
      return queries.count(query)
    },
    external: (key, ask) => outside.answer(key, ask),
    withCommit: answer => {
      answer.catch(() => {})
      late.push(answer)
    },
    hint: (channel, to) => void channels.set(channel, channels.get(channel) || !to?.here),
    savepoint: async inner => {
      const name = `s${++depth}`
      const before = late.length
      const byKeysBefore = byKeys
      let isSet = false
      const begun = send(`savepoint ${name}`).then(() => {
        isSet = true
      })
      try {
        // Both have ended before the caller continues, even if the savepoint could not be made.
        const [, result] = await together([begun, (async () => inner())()])
        // Failures in here are rolled back here, and not only detected at the COMMIT.
        await Promise.all(late.slice(before))
        await send(`release savepoint ${name}`)
        return result
      } catch (error) {
        late.length = before
        // Settings are rolled back too.
        byKeys = byKeysBefore
        if (isSet) await send(`rollback to savepoint ${name}`)
        throw error
      }
    },
  }
  const { leave, broke } = held(client)
  try {
    // `set local` only: no setting outlives the transaction.
    const begun = send(beginOf(options)).then(answers => {
      if (deadline) deadline.works((answers as unknown as pg.QueryResult[]).at(-1)!.rows[0].pid)
    })
    begun.catch(() => {})
    const [result] = await Promise.all([work(tx), begun])
    if (options.readOnly && !late.length) {
      // The results are valid, whatever happens to the end of the transaction, so it is not awaited. The next user of
      // this connection sends behind it and would notice, as the pool does, that it is broken.
      const committed = send('commit')
      committed.catch(() => {})
      // A cancellation that is already sent may hit the commit.
      if (deadline?.isOver) await committed.catch(broke)
      return result
    }
    const ended = Promise.all([send('commit'), ...late])
    const [{ command }] = await ended
    if (command !== 'COMMIT') throw new Error('a statement failed unnoticed, and its transaction was rolled back')
    announce(channels)
    return result
  } catch (error) {
    await send('rollback').catch(broke)
    // The first failure has the reason: later statements only report that the transaction is aborted.
    const failed = (await Promise.allSettled(late)).flatMap(answer =>
      answer.status === 'rejected' ? answer.reason : [],
    )
    const why = [...failed, error].find(each => !isAborted(each)) ?? cause ?? error
    if (leadsToReader(why)) broke(why as Error)
    throw why
  } finally {
    await deadline?.settled()
    leave()
  }
}

const inTime =
  (send: Send, deadline: Deadline): Send =>
  async statement => {
    deadline.check()
    return send(statement)
  }

/** Statements that begin a transaction. They return the backend's pid when it may have to be cancelled. */
function beginOf(options: TransactionOptions): string {
  return [
    `begin${options.readOnly ? ' isolation level repeatable read read only' : ''}`,
    `set local statement_timeout = ${options.statementTimeout ?? 30_000}`,
    // The leader of parallel workers waits for them, and nothing can cancel it meanwhile; starting them takes ten
    // milliseconds, where the planner assumes one; and they use the processors of all other work.
    ...(options.deadline === undefined
      ? []
      : ['set local max_parallel_workers_per_gather = 0', 'select pg_backend_pid() as pid']),
  ].join('; ')
}

const isAborted = (error: unknown): boolean => (error as { code?: unknown }).code === '25P02'

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 5 || !retryable.has(String((error as { code?: unknown }).code))) throw error
      await new Promise(resolve => setTimeout(resolve, attempt * attempt * (5 + Math.random() * 10)))
    }
  }
}
