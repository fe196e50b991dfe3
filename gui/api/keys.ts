import type { Query } from '#client/sluice.ts'

/** Keys of the query cache: the path of the API that was read, so that live records find their place by their link. */

export const recordKey = (path: string, query?: Query) =>
  query === undefined ? (['record', path] as const) : (['record', path, query] as const)

export const listKey = (path: string, query?: Query) =>
  query === undefined ? (['list', path] as const) : (['list', path, query] as const)
