import Type from 'typebox'
import type { Queries } from '#platform/db/database.ts'
import { failure } from '#platform/failure.ts'
import { plusHint, readTime } from '#platform/jsonapi/times.ts'
import { placed } from './converge-date.store.ts'

/** The query parameter of every converged view. */
export const convergeDateParameter = {
  converge_date: {
    schema: Type.String(),
    describe: 'ISO 8601 date (its end in UTC) or date-time (UTC without an offset): returns everything as of then.',
  },
} as const

/**
 * The instant of `converge_date`: a date-time as given (UTC without an offset), a bare date its end in UTC, the future
 * now (undefined). Before the node was created there is nothing to converge: 422.
 */
export async function instantOf(
  queries: Queries,
  value: string | string[] | undefined,
  node: { readonly created_at: string; readonly path: string },
): Promise<string | undefined> {
  if (value === undefined) return undefined
  const text = String(value)
  const refused = (detail: string) => failure('invalid', detail, { source: { parameter: 'converge_date' } })
  const time = readTime(inUsualForm(text))
  if (!time) {
    const detail =
      'converge_date should be an ISO 8601 date or date-time, with Z, an offset, or without (then it is UTC).'
    throw refused(`${detail}${plusHint(text)}`)
  }
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const found = await placed(queries, isDay ? { endOf: text } : { at: time }, node.created_at)
  if (found.early)
    throw refused(`${node.path} was made at ${node.created_at}; before that there is nothing to converge.`)
  return found.future ? undefined : found.at
}

/** Many tools also write a space between day and time, and an offset without a colon. */
const inUsualForm = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d) (?=\d\d:)/, '$1T').replace(/(T.*[+-]\d\d)(\d\d)$/, '$1:$2')
