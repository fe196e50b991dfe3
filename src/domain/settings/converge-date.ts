import Type from 'typebox'
import type { Queries } from '#platform/db/database.ts'
import { sql } from '#platform/db/sql.ts'
import { failure } from '#platform/failure.ts'
import { kinds } from '#platform/jsonapi/kinds.ts'

const form = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)(Z|[+-]\d\d:?\d\d))?$/

/** The query parameter of every converged view. */
export const convergeDateParameter = {
  converge_date: {
    schema: Type.String(),
    describe: 'An ISO 8601 date (its end in UTC) or date-time: everything as it then was.',
  },
} as const

/**
 * The instant that `converge_date` means: a date-time as it says, a bare date its end in UTC, the
 * future now (undefined). Before the node was made there is nothing to converge: 422.
 */
export async function instantOf(
  queries: Queries,
  value: string | string[] | undefined,
  node: { readonly created_at: string; readonly path: string },
): Promise<string | undefined> {
  if (value === undefined) return undefined
  const text = String(value)
  const parts = form.exec(text)
  const refused = (detail: string) => failure('invalid', detail, { source: { parameter: 'converge_date' } })
  if (!parts || kinds.time.read(timeOf(parts)) === undefined)
    throw refused('converge_date should be an ISO 8601 date, or a date-time with Z or an offset.')
  // A query string turns the + of an offset into a space before it comes here; that is no instant, and is refused above.
  const instant =
    parts[2] === undefined ? sql`(${parts[1]}::date + 1)::timestamp at time zone 'UTC'` : sql`${text}::timestamptz`
  const found = (await queries.one(sql<{ at: string; early: boolean; future: boolean }>`
    select at, at < ${node.created_at}::timestamptz as early, at >= sluice_now() as future from (select ${instant} as at) asked`))!
  if (found.early)
    throw refused(`${node.path} was made at ${node.created_at}; before that there is nothing to converge.`)
  return found.future ? undefined : found.at
}

/** The same in the one form in which times are written, which tells whether there is such a time. */
function timeOf([, day = '', time, zone = '']: readonly (string | undefined)[]): string {
  return time === undefined ? day : `${day}T${time}${zone.replace(/^(.\d\d)(\d\d)$/, '$1:$2')}`
}
