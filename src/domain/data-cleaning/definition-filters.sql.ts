import { theService } from '#platform/actor.ts'
import { type Sql, sql } from '#platform/db/sql.ts'
import { Failure, type Fault } from '#platform/failure.ts'
import { readFilters } from '#platform/jsonapi/filters.ts'
import type { Query } from '#platform/jsonapi/query-string.ts'
import type { Resource } from '#platform/jsonapi/resource.ts'

const pointer = (name: string) =>
  `/data/attributes/filters${name === '' ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`}`

const fault = (name: string, detail: string): Fault => ({
  code: 'invalid',
  detail,
  source: { pointer: pointer(name) },
})

type Filters = Readonly<Record<string, unknown>>

/** Faults in the filters of a definition, as attributes of a body. */
export const filterFaults = (resource: Resource, filters: Filters): Fault[] => read(resource, filters).faults

/**
 * The condition of the filters: `{"status_code_eq": "success"}` is `filter[status_code_eq]=success` of the list.
 *
 * @throws Failure if they are not filters of that list (any more)
 */
export function conditionOf(resource: Resource, filters: Filters): Sql<boolean> {
  const { condition, faults } = read(resource, filters)
  const [first, ...others] = faults
  if (first) throw new Failure([first, ...others])
  return condition
}

/** Attributes only: a clean-up has no caller for `mine` and `waiting_for_me`. */
function read({ named: _, ...resource }: Resource, filters: Filters): { condition: Sql<boolean>; faults: Fault[] } {
  const query: Record<string, string | string[]> = Object.create(null)
  const faults: Fault[] = []
  for (const [name, value] of Object.entries(filters)) {
    const text = Array.isArray(value) && value.every(isPlain) ? value.map(String) : isPlain(value) && String(value)
    if (name === 'sorts') faults.push(fault(name, 'What is removed has no order.'))
    else if (text === false) faults.push(fault(name, 'Write a text, a number, true or false, or a list of these.'))
    else query[`filter[${name}]`] = text
  }
  const wrong: Fault[] = []
  const condition = readFilters(resource, query as Query, theService, wrong)?.condition
  const named = wrong.map(({ detail, source }) =>
    fault(/^filter\[(.*)\]$/s.exec(source?.parameter ?? '')?.[1] ?? '', detail),
  )
  return { condition: condition ?? sql<boolean>`true`, faults: [...faults, ...named] }
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
