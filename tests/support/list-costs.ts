import pg from 'pg'
import type { Database, Queries, StatementOptions, Tx } from '../../src/platform/db/database.ts'
import { compile, type Sql, sql } from '../../src/platform/db/sql.ts'
import type { PlanNode } from './list-plans.ts'

/** Plan of a prepared statement: custom (for the given values) or generic. */
type PlanMode = 'custom' | 'generic'

/** Work of PostgreSQL for one statement. */
export interface StatementCost {
  readonly mode: PlanMode
  /** Pages of 8 KiB read from tables and indexes, from memory or from disk. */
  readonly pages: number
  readonly rows: number
  readonly milliseconds: number
  readonly text: string
  readonly plan: MeasuredNode
}

interface MeasuredNode extends PlanNode {
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly 'Actual Rows': number
}

/**
 * A database that measures each statement of a transaction after it has run it. Statements that the service plans for their
 * values are measured with these; all others with both plans, because PostgreSQL may choose either.
 */
export function measuring(database: Database, costs: StatementCost[]): Database {
  const measured = (tx: Tx) => ({
    rows: async <Row>(query: Sql<Row>, how?: StatementOptions) => {
      // Settings of the transaction for this statement are applied before the measurement.
      const rows = await tx.rows(query, how)
      const custom = await costOf(tx, query, 'custom')
      costs.push(custom)
      costs.push(how?.plannedAnew ? { ...custom, mode: 'generic' } : await costOf(tx, query, 'generic'))
      return rows
    },
  })
  return {
    ...database,
    // Without the time limits of lists: each statement runs three times here, on a machine that others may be using.
    transaction: (work, { deadline: _, statementTimeout: __, ...options } = {}) =>
      database.transaction(tx => {
        const { rows } = measured(tx)
        return inTurn(rows, each => work({ ...tx, rows: each, one: async (query, how) => (await each(query, how))[0] }))
      }, options),
  }
}

type Rows = Queries['rows']

/** Statements that are sent together are measured one after the other, because each has its own settings. */
function inTurn<T>(rows: Rows, work: (rows: Rows) => Promise<T>): Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work(<Row>(query: Sql<Row>, how?: StatementOptions) => {
    const mine = last.then(() => rows(query, how))
    last = mine.catch(() => {})
    return mine
  })
}

let measurements = 0

async function costOf(tx: Queries, query: Sql, mode: PlanMode): Promise<StatementCost> {
  const { text, values } = compile(query)
  const run = (statement: string) => tx.rows(sql<Record<string, unknown>>`${sql.raw(statement)}`, { plannedAnew: true })
  await run(`set local plan_cache_mode = force_${mode}_plan`)
  const name = `measured_${++measurements}`
  await run(`prepare ${name} as ${text}`)
  const given = values.length ? `(${values.map(literal).join(', ')})` : ''
  const [told] = await run(`explain (analyze, buffers, timing off, format json) execute ${name}${given}`)
  await run(`deallocate ${name}`)
  await run('set local plan_cache_mode = auto')
  const [{ Plan: plan, 'Execution Time': milliseconds }] = told!['QUERY PLAN'] as [
    { Plan: MeasuredNode; 'Execution Time': number },
  ]
  const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  return { mode, pages, rows: plan['Actual Rows'], milliseconds, text, plan }
}

/** Converter of values that the driver exports without a type. */
const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } }

function literal(value: unknown): string {
  const prepared = utils.prepareValue(value)
  if (prepared === null) return 'null'
  if (Buffer.isBuffer(prepared)) return `'\\x${prepared.toString('hex')}'`
  return pg.escapeLiteral(String(prepared))
}
