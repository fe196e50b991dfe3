import type { Sql } from '../db/sql.ts'
import type { Column, Kind } from './resource.ts'

/** Columns as a resource with many of them states them: `status_code: column.text(sql`…`, 'Its status.')`. */
const of =
  (kind: Kind, more: Partial<Column> = {}) =>
  (sql: Sql, describe: string): Column => ({ kind, sql, describe, ...more })

const long = { long: true } as const
const nullable = { nullable: true } as const

/** Column with one of a few values, which filters by a value must name. */
const oneOf = (sql: Sql, values: readonly string[], describe: string): Column => ({
  kind: 'text',
  sql,
  describe,
  values,
})

export const column = {
  oneOf,
  text: of('text'),
  textOrNull: of('text', nullable),
  /** Text of any length. */
  longText: of('text', long),
  longTextOrNull: of('text', { ...long, ...nullable }),
  integer: of('integer'),
  integerOrNull: of('integer', nullable),
  boolean: of('boolean'),
  time: of('time'),
  timeOrNull: of('time', nullable),
  id: of('id'),
  json: of('json'),
  opaque: of('opaque'),
} as const
