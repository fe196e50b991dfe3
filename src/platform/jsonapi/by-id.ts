import { type Sql, sql } from '../db/sql.ts'
import { failure } from '../failure.ts'
import { isUuid } from './kinds.ts'

/**
 * A named filter by the id of another record (`filter[for_change]=…`).
 *
 * @param column column with that id
 * @param of the other record in words: `a change`
 */
export function byId(value: string, column: Sql, of: string): Sql<boolean> {
  if (!isUuid(value)) throw failure('wrong-kind', `The value is the id of ${of}, a UUID.`)
  return sql<boolean>`${column} = ${value}::uuid`
}
