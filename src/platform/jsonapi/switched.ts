import { type Sql, sql } from '../db/sql.ts'
import { failure } from '../failure.ts'
import { truth } from './kinds.ts'

/** A named filter that is on or off (`filter[mine]=true`): off is the opposite; a word that is neither is refused. */
export function switched(value: string, condition: Sql): Sql<boolean> {
  const on = truth(value)
  if (on === undefined) throw failure('wrong-kind', 'This filter is on (true) or off (false).')
  return on ? sql<boolean>`(${condition})` : sql<boolean>`(${condition}) is not true`
}
