import { setImmediate as turn } from 'node:timers/promises'
import type { Tx } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { LiveKeyring } from './keyring.ts'

/** The sealed columns of a table, and what each is bound to. Every domain lists its own (`Domain.sealed`). */
export interface SealedTable {
  readonly table: string
  /** The primary key: columns with their types. */
  readonly key: Readonly<Record<string, 'uuid' | 'text'>>
  /** Sealed columns, each with the `aad` that `seal` was given for it, from the row's key and `binding`. */
  readonly columns: Readonly<Record<string, (row: Row) => string>>
  /** Columns besides the key that `aad` needs. */
  readonly binding?: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every sealed table
type Row = Readonly<Record<string, any>>

/** Position of a walk through a table: the key after which it continues, as text; null at its beginning. */
export type ResealPlace = readonly string[] | null

export interface Resealed {
  /** Null: the table has been walked to its end. */
  readonly place: ResealPlace
  readonly resealed: number
  /** Rows locked by others; they are visited again. */
  readonly skipped: number
}

const rowsLookedAt = 1_000
const mostRows = 100
/** Maximum number of bytes opened together; one row may be larger. */
const mostBytes = 2 * 1024 * 1024

/**
 * Reseals a range of a table: the rows that are not sealed under the current key. In the key's order, so that an
 * interrupted walk can be continued. Locked rows are skipped, so that it neither waits nor makes others wait. Rows that
 * change meanwhile are sealed with the new key by the writer.
 */
export async function resealBatch(
  tx: Tx,
  keyring: Pick<LiveKeyring, 'reseal'>,
  table: SealedTable,
  sealsWith: number,
  place: ResealPlace,
): Promise<Resealed> {
  const looked = await look(tx, table, sealsWith, place)
  const chosen: typeof looked = []
  let last = looked.at(-1)
  let bytes = 0
  for (const row of looked) {
    if (!row.old) continue
    bytes += row.bytes
    if (chosen.length > 0 && (bytes > mostBytes || chosen.length === mostRows)) {
      last = chosen.at(-1)
      break
    }
    chosen.push(row)
  }
  const isEnd = looked.length < rowsLookedAt && last === looked.at(-1)
  const next = isEnd ? null : last!.place
  if (chosen.length === 0) return { place: next, resealed: 0, skipped: 0 }
  const held = await hold(
    tx,
    table,
    chosen.map(row => row.place),
  )
  await write(tx, keyring, table, held)
  return { place: next, resealed: held.length, skipped: chosen.length - held.length }
}

const columnsOf = ({ columns }: SealedTable) => Object.keys(columns)
const keyOf = ({ key }: SealedTable) => Object.keys(key)
const list = (parts: readonly Sql[]) => sql.join([...parts], sql`, `)

interface ResealCandidate {
  readonly place: readonly string[]
  readonly old: boolean
  readonly bytes: number
}

async function look(tx: Tx, table: SealedTable, sealsWith: number, place: ResealPlace): Promise<ResealCandidate[]> {
  const key = list(keyOf(table).map(column => sql.ref(column)))
  const current = Buffer.alloc(4)
  current.writeUInt32BE(sealsWith)
  const columns = columnsOf(table).map(column => sql.ref(column))
  const after =
    place === null
      ? sql`true`
      : sql`(${key}) > (${list(Object.values(table.key).map((type, at) => sql`${place[at]}::text::${sql.raw(type)}`))})`
  const rows = await tx.rows(sql<ResealCandidate>`
    select array[${list(keyOf(table).map(column => sql`${sql.ref(column)}::text`))}] as place,
           ${sql.join(
             columns.map(column => sql`coalesce(substring(${column} from 2 for 4) <> ${current}, false)`),
             sql` or `,
           )} as old,
           (${sql.join(
             columns.map(column => sql`coalesce(octet_length(${column}), 0)`),
             sql` + `,
           )})::int as bytes
      from ${sql.table(table.table)}
     where ${after} and (${sql.join(
       columns.map(column => sql`${column} is not null`),
       sql` or `,
     )})
     order by ${key}
     limit ${rowsLookedAt}`)
  return rows
}

async function hold(tx: Tx, table: SealedTable, places: readonly (readonly string[])[]): Promise<Row[]> {
  const wanted = Object.entries(table.key).map(
    ([, type], at) => sql`${places.map(place => place[at]!)}::text[]::${sql.raw(type)}[]`,
  )
  const names = keyOf(table)
  const own = [...names, ...columnsOf(table), ...(table.binding ?? [])].map(column => sql.ref(`t.${column}`))
  return tx.rows(sql<Row>`
    select ${list([...new Set(own)])}
      from ${sql.table(table.table)} t
      join unnest(${list(wanted)}) as wanted (${list(names.map(name => sql.ref(name)))})
        on ${sql.join(
          names.map(name => sql`${sql.ref(`t.${name}`)} = ${sql.ref(`wanted.${name}`)}`),
          sql` and `,
        )}
       for no key update of t skip locked`)
}

async function write(tx: Tx, keyring: Pick<LiveKeyring, 'reseal'>, table: SealedTable, rows: readonly Row[]) {
  const sealed = new Map<string, (Buffer | null)[]>(columnsOf(table).map(column => [column, []]))
  for (const row of rows) {
    for (const [column, nameOf] of Object.entries(table.columns)) {
      const bytes: Buffer | null = row[column]
      const name = nameOf(row)
      sealed.get(column)!.push(bytes && keyring.reseal(bytes, name))
    }
    // A megabyte of documents takes milliseconds: other work runs in between.
    await turn()
  }
  if (rows.length === 0) return
  const names = keyOf(table)
  const given = [
    ...Object.entries(table.key).map(
      ([column, type]) => sql`${rows.map(row => String(row[column]))}::text[]::${sql.raw(type)}[]`,
    ),
    ...[...sealed.values()].map(values => sql`${values}::bytea[]`),
  ]
  const columns = columnsOf(table)
  await tx.count(sql`
    update ${sql.table(table.table)} t
       set ${list(columns.map(column => sql`${sql.ref(column)} = ${sql.ref(`given.${column}`)}`))}
      from unnest(${list(given)}) as given (${list([...names, ...columns].map(name => sql.ref(name)))})
     where ${sql.join(
       names.map(name => sql`${sql.ref(`t.${name}`)} = ${sql.ref(`given.${name}`)}`),
       sql` and `,
     )}`)
}
