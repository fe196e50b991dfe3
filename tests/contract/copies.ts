import assert from 'node:assert/strict'
import { compile, type Sql } from '../../src/platform/db/sql.ts'
import type { Resource } from '../../src/platform/jsonapi/resource.ts'
import { awkwardTexts } from './awkward-texts.ts'
import { comparable } from './list-grammar.ts'
import { candidates, type Owner, suffix, type TableColumn, tableColumns, uniqueColumns } from './table-columns.ts'

/** Rows that a test has added next to a record. */
export interface Copies {
  /** Adds this number of copies and returns their ids. */
  add(count: number): Promise<string[]>
  /** Deletes them again, except from append-only tables. */
  remove(ids: readonly string[]): Promise<void>
  /** Deletes everything that was added. */
  undo(): Promise<void>
}

/** A table that contains a row of each copy. */
interface Source {
  readonly table: string
  /** The column with the original's id, and in a copy its own. */
  readonly key: string
  /** Columns that lists show, filter and sort by: these differ between copies. */
  readonly vary: ReadonlySet<string>
  /** Condition over the copy's number `n`, if not every copy has a row. */
  readonly only?: string
}

/** Append-only tables: PostgreSQL refuses to change or delete rows. */
const written = new Set(['events'])

/**
 * Copies of a record, as rows of the tables that its resource reads from. Every column shown by a list takes on all
 * values that its table allows: nulls, microseconds, mixed case, `%`, `_`, quotes. The allowed values are found by
 * trying, so that a new resource or column is copied without a declaration here.
 *
 * @param original the record's id
 * @param kept columns that keep the original's values
 */
export async function copiesOf(
  owner: Owner,
  resource: Resource,
  original: string,
  kept: readonly string[] = [],
): Promise<Copies> {
  const sources: (Source & { statement: string })[] = []
  const ids = await newIds(owner, tried)
  await owner.query('begin')
  for (const { vary, ...found } of await sourcesOf(owner, resource, original)) {
    const source = { ...found, vary: new Set([...vary].filter(each => !kept.includes(each))) }
    const statement = insertion(source, await valuesOf(owner, source, original, ids))
    sources.push({ ...source, statement })
    // Later tables may refer to it.
    await owner.query(statement, [original, ids, 0])
  }
  await owner.query('rollback')

  const all: string[] = []
  const remove = async (ids: readonly string[]) => {
    for (const { table, key } of sources.toReversed()) {
      if (!written.has(table)) await owner.query(`delete from ${table} where ${key} = any($1::uuid[])`, [ids])
    }
  }
  return {
    add: async count => {
      const ids = await newIds(owner, count)
      const from = all.length
      all.push(...ids)
      for (const { statement } of sources) await owner.query(statement, [original, ids, from])
      return ids
    },
    remove,
    undo: () => remove(all),
  }
}

const newIds = async (owner: Owner, count: number): Promise<string[]> =>
  (await owner.query('select array_agg(sluice_uuid7()) as ids from generate_series(1, $1::int)', [count])).rows[0].ids

const textOf = (fragment: Sql): string => compile(fragment).text.replaceAll('"', '')

/** `nodes n join templates t on …` → alias to table. */
const tablesIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/(?:^\s*|\bjoin\s+\(?\s*)(\w+)\s+(\w+)/g)].map(([, table = '', alias = '']) => [alias, table]),
  )

/** `t.id = h.template_id` → the columns of h by which rows of those aliases are found. */
const naming = (text: string, alias: string, aliases: readonly string[]): string[] =>
  [...text.matchAll(new RegExp(`\\b(\\w+)\\.id = ${alias}\\.(\\w+)`, 'g'))].flatMap(([, other = '', name = '']) =>
    aliases.includes(other) ? [name] : [],
  )

async function sourcesOf(owner: Owner, resource: Resource, original: string): Promise<Source[]> {
  const from = textOf(resource.from)
  const tables = tablesIn(from)
  const [main = ''] = textOf(resource.id).split('.')
  const shown = comparable(resource)
    .map(([, { sql }]) => (sql ? textOf(sql) : ''))
    .join('\n')
  const columnsOf = (alias: string) =>
    [...shown.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))].map(([, name = '']) => name)
  const shownOf = (aliases: Iterable<string>) => [...aliases].filter(alias => columnsOf(alias).length > 0)

  const own: Source[] = []
  // The row that owns the id before those that share it (an activity, then the change).
  for (const alias of new Set([main, ...tables.keys()])) {
    const table = tables.get(alias) ?? ''
    if (own.some(each => each.table === table) || !(await holds(owner, table, 'id', original))) continue
    const others = shownOf(tables.keys()).filter(each => tables.get(each) !== table)
    own.push({ table, key: 'id', vary: new Set([...columnsOf(alias), ...naming(from, alias, others)]) })
  }
  assert.ok(own.length > 0, `${resource.type}: none of ${[...tables.values()]} has the row ${original}`)

  const joined: Source[] = []
  for (const join of Object.values(resource.joins ?? {}).map(textOf)) {
    const aliases = tablesIn(join)
    if (shownOf(aliases.keys()).length === 0) continue
    for (const [alias, table] of aliases) {
      const key = new RegExp(`\\b${alias}\\.(\\w+) = ${main}\\.id\\b`).exec(join)?.[1]
      if (!key || !(await holds(owner, table, key, original))) continue
      joined.push({ table, key, vary: new Set(naming(join, alias, shownOf(aliases.keys()))), only: 'made.n % 5 > 0' })
    }
  }
  return [...own, ...joined]
}

async function holds(owner: Owner, table: string, column: string, id: string): Promise<boolean> {
  const { rows } = await owner.query(
    `select exists (select from pg_class c join pg_attribute a on a.attrelid = c.oid
                     where c.oid = to_regclass($1) and c.relkind in ('r', 'p') and a.attname = $2) as known`,
    [table, column],
  )
  if (!rows[0].known) return false
  return (await owner.query(`select from ${table} where ${column} = $1`, [id])).rowCount! > 0
}

const insertion = ({ table, key, only }: Source, values: ReadonlyMap<string, string>): string => `
  insert into ${table} (${[...values.keys()].map(name => `"${name}"`).join(', ')})
  select ${[...values.values()].join(', ')}
    from ${table} r, (select id, at + $3::int as n from unnest($2::uuid[]) with ordinality as u (id, at)) made
   where r.${key} = $1${only ? ` and ${only}` : ''}`

/** Number of copies that shows whether a value is allowed: twice the number of awkward texts. */
const tried = awkwardTexts.length * 2

/** Content of each column of a copy, as SQL over the original `r` and the copy's number `n`. */
async function valuesOf(owner: Owner, source: Source, original: string, ids: readonly string[]) {
  const columns = await tableColumns(owner, source.table)
  const stored = columns.filter(({ generatedFrom }) => generatedFrom === undefined)
  const isAccepted = async (values: ReadonlyMap<string, string>) => {
    await owner.query('savepoint trial')
    try {
      await owner.query(insertion(source, values), [original, ids, 0])
      return true
    } catch (error) {
      // Refused by a constraint of the table; any other error is a fault of the test.
      if (!/^23/.test((error as { code: string }).code)) throw error
      return false
    } finally {
      await owner.query('rollback to savepoint trial')
    }
  }
  const distinct = await uniqueColumns(owner, source.table, columns)
  const plain = (unique: ReadonlySet<string>) =>
    new Map(stored.map(column => [column.name, plainly(column, source, unique.has(column.name))]))
  // A copy keeps the original's subject if its table allows it.
  const scattered = new Set(stored.filter(each => each.references && distinct.has(each.name)).map(({ name }) => name))
  const together = plain(new Set([...distinct].filter(each => !scattered.has(each))))
  let values = (await isAccepted(together)) ? together : plain(distinct)
  const { rows } = await owner.query(`select * from ${source.table} where ${source.key} = $1`, [original])
  const wanted = withSources(source.vary, columns)
  for (const column of stored) {
    const { name } = column
    if (!wanted.has(name) || name === source.key) continue
    const having = (value: string) => new Map([...values, [name, value]])
    const candidate = { column, unique: distinct.has(name), sample: rows[0][name] }
    for (const value of await candidates(candidate, each => isAccepted(having(each)))) {
      if (!(await isAccepted(having(value)))) continue
      values = having(value)
      break
    }
  }
  return values
}

/** The columns that a generated column is computed from differ instead. */
function withSources(vary: ReadonlySet<string>, columns: readonly TableColumn[]): Set<string> {
  const all = new Set(vary)
  for (const { name, generatedFrom } of columns) {
    if (vary.has(name)) for (const each of generatedFrom ?? []) all.add(each)
  }
  return all
}

/** Unique references: a step of a workflow run creates one activity. */
const ofOne = new Set(['workflow_step_id'])

function plainly(column: TableColumn, { key, vary }: Source, unique: boolean): string {
  const { name, type, nullable, rangeEnd, references } = column
  if (name === key) return 'made.id'
  if (ofOne.has(name)) return 'null'
  // Earlier than all existing times, one second each, so that no two periods overlap.
  if (rangeEnd !== undefined)
    return `'2020-01-01Z'::timestamptz + make_interval(secs => n + ${rangeEnd === 'to' ? 1 : '(n % 7) * 0.000001'})`
  if (name === 'id') return 'sluice_uuid7()'
  if (type === 'uuid' && references && (unique || vary.has(name))) {
    const any = `(select each.ids[1 + n % cardinality(each.ids)]
                    from (select array_agg(t.id order by t.id) as ids from ${references} t) each)`
    return nullable ? `case when n % 4 > 0 then ${any} end` : any
  }
  // A project is its own project.
  if (type === 'uuid') return `case when r."${name}" = r.${key} then made.id else r."${name}" end`
  if (!unique) return `r."${name}"`
  if (type === 'text') return `r."${name}" || ${suffix}`
  if (type === 'bytea') return `sha256(convert_to(made.id::text, 'UTF8'))`
  return `r."${name}" + n`
}
