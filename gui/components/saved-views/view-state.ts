import { defaultParseSearch, defaultStringifySearch } from '@tanstack/react-router'

/** What a saved view keeps of a list: filters, sorting and columns, as search parameters of its page. */
export type ViewState = Readonly<Record<string, unknown>>

/** Query string of a state; the same for the same state, whatever the order of its parts. */
export function queryOf(state: ViewState): string {
  const parts = Object.entries(state)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return defaultStringifySearch(Object.fromEntries(parts)).replace(/^\?/, '')
}

export const stateOf = (query: string): ViewState => defaultParseSearch(query)

/** Whether two states show the same. A view without columns, such as one of another client, fits any. */
export const isSameState = (current: ViewState, view: ViewState): boolean =>
  queryOf(current) === queryOf({ ...(current['columns'] !== undefined && { columns: current['columns'] }), ...view })

/** Value of the search parameter `saved`, if it has the form of an id. */
export const savedId = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? value : undefined
