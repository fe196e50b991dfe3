import type pg from 'pg'
import { awkwardTexts } from './awkward-texts.ts'

/** One connection as the tables' owner. */
export interface Owner {
  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  query(text: string, values?: readonly unknown[]): Promise<pg.QueryResult<any>>
}

/** A column of a table, with its constraints. */
export interface TableColumn {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  /** Columns that it is generated from; it cannot be written itself. */
  readonly generatedFrom?: readonly string[]
  /** Values of its check constraint. */
  readonly words?: readonly string[]
  /** The table that it references. */
  readonly references?: string
  /** Whether it begins or ends a period that may not overlap others. */
  readonly rangeEnd?: 'from' | 'to'
}

export async function tableColumns(owner: Owner, table: string): Promise<TableColumn[]> {
  const { rows } = await owner.query(
    `select a.attname as name, format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type, not a.attnotnull as nullable,
            a.attidentity = 'a' as identity, a.attgenerated <> '' as generated,
            pg_get_expr(d.adbin, d.adrelid) as expression,
            (select c.confrelid::regclass::text from pg_constraint c
              where c.conrelid = a.attrelid and c.contype = 'f' and c.conkey = array[a.attnum]) as "references",
            (select string_agg(pg_get_constraintdef(c.oid), ' ') from pg_constraint c
              where c.contype = 'c' and (c.conrelid = a.attrelid and c.conkey = array[a.attnum]
                                         or c.contypid = t.oid and t.typtype = 'd')) as checks,
            (select string_agg(pg_get_constraintdef(c.oid), ' ') from pg_constraint c
              where c.conrelid = a.attrelid and c.contype = 'x') as exclusions
       from pg_attribute a
       join pg_type t on t.oid = a.atttypid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
      order by a.attnum`,
    [table],
  )
  return rows.map(row => {
    const words = /= ANY \(\(?ARRAY\[(.*?)\]/.exec(row.checks ?? '')?.[1]
    const [, from, to] = /tstzrange\((\w+), (\w+)\)/.exec(row.exclusions ?? '') ?? []
    return {
      name: row.name,
      type: row.type,
      nullable: row.nullable,
      ...((row.identity || row.generated) && { generatedFrom: namesIn(row.expression) }),
      ...(words && { words: [...words.matchAll(/'(.*?)'::text/g)].map(([, word = '']) => word) }),
      ...(row.references && { references: row.references }),
      ...(row.name === from && { rangeEnd: 'from' as const }),
      ...(row.name === to && { rangeEnd: 'to' as const }),
    }
  })
}

const namesIn = (expression: string | null): string[] => [...(expression ?? '').matchAll(/\b[a-z_]+\b/g)].map(String)

/** Selects for each unique index the column that makes rows differ: a text if there is one. */
export async function uniqueColumns(
  owner: Owner,
  table: string,
  columns: readonly TableColumn[],
): Promise<Set<string>> {
  const { rows } = await owner.query(
    `select pg_get_indexdef(i.indexrelid) as definition from pg_index i where i.indrelid = $1::regclass and i.indisunique`,
    [table],
  )
  const found = rows.flatMap(({ definition }: { definition: string }) => {
    const [, indexed = '', where = ''] = /USING \w+ (.*?)(?: WHERE (.*))?$/s.exec(definition) ?? []
    const within = columns.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(indexed))
    // Copied periods have ended.
    const aboutPeriods = columns.some(({ name, rangeEnd }) => rangeEnd !== undefined && where.includes(name))
    if (aboutPeriods || within.some(({ name }) => name === 'id')) return []
    const ofType = (type: string) => within.findLast(each => each.type === type && !each.words && !each.generatedFrom)
    const integer = within.findLast(({ type }) => /int/.test(type))
    return [ofType('text') ?? integer ?? ofType('bytea') ?? within.findLast(({ references }) => references)]
  })
  return new Set(found.flatMap(column => (column ? [column.name] : [])))
}

export interface Candidate {
  readonly column: TableColumn
  readonly unique: boolean
  /** Value of the column in the copied row. */
  readonly sample: unknown
}

const quoted = (texts: readonly string[]) => `array[${texts.map(each => `$txt$${each}$txt$`).join(', ')}]`

const oneOf = (texts: readonly string[]) => `(${quoted(texts)})[1 + n % ${texts.length}]`

/**
 * Values that a column might accept, as SQL over a copy's number, the most interesting first.
 *
 * @param accepts whether the table accepts a value
 */
export async function candidates(
  { column: { type, nullable, words, rangeEnd }, unique, sample }: Candidate,
  accepts: (value: string) => Promise<boolean>,
): Promise<string[]> {
  if (rangeEnd !== undefined || (unique && type !== 'text')) return []
  const some = (value: string) => (nullable ? [`case when n % 4 > 0 then ${value} end`, value] : [value])
  if (words) {
    const taken: string[] = []
    for (const word of words) if (await accepts(`$txt$${word}$txt$`)) taken.push(word)
    return taken.length ? some(oneOf(taken)) : []
  }
  if (type === 'text') {
    const full = awkwardTexts.filter(each => each !== '')
    const tame = full.filter(each => !/[:/\n]/.test(each))
    const texts = [awkwardTexts, full, tame].map(oneOf)
    const all = [...texts, `'/' || ${oneOf(full)}`]
    return unique ? all.map(each => `${each} || ${suffix}`) : all.flatMap(some)
  }
  if (type === 'timestamp with time zone')
    return some(`'2026-01-02T03:04:05.123456Z'::timestamptz + make_interval(secs => (n % 50) * 0.000001)`)
  if (type === 'boolean') return ['n % 2 = 0', 'n % 2 = 1'].flatMap(some)
  if (/^(smallint|integer|bigint)$/.test(type)) return [...some('n % 7 - 3'), ...some('n % 7'), ...some('60 + n % 7')]
  if (/^(double precision|numeric|real)$/.test(type)) return some('(n % 13) / 4.0 - 1')
  if (type === 'text[]') return some(textArrays)
  if (type === 'jsonb') return some(Array.isArray(sample) ? jsonArrays : jsonObjects)
  return []
}

const textArrays = `case n % 4 when 0 then '{}' when 1 then array['o''hara', 'a%b'] when 2 then array['b'] else array['A_b'] end`
const jsonArrays = `case n % 4 when 0 then '[]' when 1 then '["b"]' when 2 then '["o''hara", "a%b"]'
                               else jsonb_build_array('t' || n % 3) end::jsonb`
const jsonObjects = `case n % 4 when 0 then '{}' when 1 then '{"a": 1}' when 2 then '{"b": {"c": "o''hara"}}'
                                else jsonb_build_object('n', n % 3) end::jsonb`

/**
 * Equal for a code and the path that ends in it; with both cases, and with wildcards of LIKE. Two resources may have
 * rows in one table, so copies of two originals must not have the same name.
 */
export const suffix = `(array['-N', '_n', 'x'])[1 + n % 3] || n || right(made.id::text, 5)`
