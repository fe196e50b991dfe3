import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql as tag,
} from 'kysely'

/**
 * SQL written as SQL: values become parameters, only fragments made by this tag are spliced in, and the row's type is
 * stated where the columns are (`sql<{ id: string }>`...). Building one costs about a microsecond.
 */
export const sql = tag

/** A statement or a fragment of one; `Row` is what it answers. */
export type Sql<Row = unknown> = RawBuilder<Row>

/** Fragments joined by a separator that is itself SQL: `join(conditions, ' and ')`. */
export const join = (fragments: readonly Sql[], separator: string): Sql => sql.join(fragments, sql.raw(separator))

export const raw = (text: string): Sql => sql.raw(text)

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: db => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** The text with $1… and its values, as the driver takes them. */
export function compile(query: Sql): { text: string; values: readonly unknown[] } {
  const compiled = query.compile(compiler)
  return { text: compiled.sql, values: compiled.parameters }
}
