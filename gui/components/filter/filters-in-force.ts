import { filters as texts } from '../../messages/filters.ts'
import { dateTime } from '../time/format.ts'

/** Words for a filter of an address: its name, and how its value is said if not by itself. */
interface FilterWords {
  readonly label: string
  readonly value?: (value: string) => string
}

/** Filters of a page by their search parameters, in the order in which they are listed. */
export type WordsOfFilters<Search> = { readonly [Name in keyof Search]?: FilterWords }

/** Changed search parameters; an undefined one is removed. */
export type Changes<Search> = { readonly [Name in keyof Search]?: Search[Name] | undefined }

export interface FilterInForce<Search> {
  readonly key: string
  /** `Status: error`, or the name alone for a filter that is on or off. */
  readonly text: string
  /** Change of the address that removes it. */
  readonly without: Changes<Search>
}

/** Filters that an address holds, in words; each value of a list is one of its own. */
export function filtersInForce<Search extends object>(
  search: Search,
  words: WordsOfFilters<Search>,
): readonly FilterInForce<Search>[] {
  const given = search as Readonly<Record<string, unknown>>
  return Object.entries<FilterWords | undefined>(words).flatMap(([name, filter]) => {
    const value = given[name]
    if (filter === undefined || value === undefined) return []
    const without = (rest: unknown) => ({ [name]: rest }) as Changes<Search>
    if (value === true) return [{ key: name, text: filter.label, without: without(undefined) }]
    const { label, value: said = String } = filter
    return [value].flat().map(each => ({
      key: `${name} ${each}`,
      text: texts.valued(label, said(String(each))),
      without: without(withoutOne(value, each)),
    }))
  })
}

const withoutOne = (value: unknown, one: unknown): unknown =>
  Array.isArray(value) && value.length > 1 ? value.filter(each => each !== one) : undefined

/** Says a time as the rows of lists do. */
export const timeWords = (label: string): FilterWords => ({ label, value: time => dateTime(time) })
