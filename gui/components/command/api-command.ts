import type { Query } from '#client/sluice.ts'
import { shellWord } from './words.ts'

/** Command that reads what is no record of `sluice types`, such as a report: `sluice api GET /api/summary`. */
export function apiCommand(path: string, query: Query = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map(each => `${name}=${encodeURIComponent(String(each))}`),
  )
  return `sluice api GET ${shellWord([path, ...(parameters.length > 0 ? [parameters.join('&')] : [])].join('?'))}`
}
