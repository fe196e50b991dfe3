import type { Query } from '../client/sluice.ts'
import { WrongUsage } from './wrong-usage.ts'

/** Filter, sort and limit options of a list command. */
export interface ListQueryOptions {
  filter?: string[] | undefined
  any?: boolean | undefined
  sort?: string[] | undefined
  limit?: string | undefined
  query?: string[] | undefined
}

/**
 * Converts options to query parameters: `--filter name_cont=web` becomes `filter[name_cont]=web`, repeated with the same
 * name it becomes a list of values; `--filter active` becomes `filter[active]=true`; `--sort -created_at` sorts descending.
 */
export function queryFrom({ filter = [], any, sort = [], limit, query = [] }: ListQueryOptions): Query {
  const filters = new Map<string, string[]>()
  for (const each of filter) {
    const [name, value] = nameAndValue(each, 'true')
    filters.set(name, [...(filters.get(name) ?? []), value])
  }
  const sorts = sort.map(each => (each.startsWith('-') ? `${each.slice(1)} desc` : each))
  return {
    ...Object.fromEntries(query.map(each => nameAndValue(each))),
    ...Object.fromEntries(
      [...filters].map(([name, values]) =>
        values.length > 1 || /_(not_)?in$/.test(name) || /_(any|all)$/.test(name)
          ? [`filter[${name}][]`, values.flatMap(value => (/_in$/.test(name) ? value.split(',') : [value]))]
          : [`filter[${name}]`, values[0]!],
      ),
    ),
    ...(any && { 'filter[m]': 'or' }),
    ...(sorts.length > 0 && { 'filter[sorts][]': sorts }),
    ...(limit !== undefined && { limit }),
  }
}

function nameAndValue(text: string, usual?: string): [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  if (at < 0 && usual !== undefined && text !== '') return [text, usual]
  throw new WrongUsage(`"${text}" should be name=value.`)
}
