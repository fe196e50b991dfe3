import type { Query } from '#client/sluice.ts'
import { shellWord } from './words.ts'

/**
 * Command that lists what a page shows: `sluice list activities --filter status_code_in=running,queued --sort -created_at`.
 *
 * @param type records, as `sluice list` takes them
 * @param query query of the API for the page's list; what concerns only the page, such as its fields, is left out
 * @param parent node above the records: `/projects/bank`
 */
export function listCommand(type: string, query: Query, parent?: string): string {
  const words = ['list', type, ...(parent === undefined ? [] : [parent]), ...Object.entries(query).flatMap(optionsOf)]
  return ['sluice', ...words.map(shellWord)].join(' ')
}

function optionsOf([name, value]: [string, Query[string]]): string[] {
  const values = [value].flat()
  const filter = /^filter\[(.+?)\](\[\])?$/.exec(name)?.[1]
  if (filter === undefined || values.length === 0) return []
  if (filter === 'sorts') return values.flatMap(each => sortsOf(String(each)))
  if (filter === 'm') return values.includes('or') ? ['--any'] : []
  // One option is enough for the values of a list, and repeating it makes a list of any other predicate.
  if (/_(not_)?in$/.test(filter)) return ['--filter', `${filter}=${values.join(',')}`]
  return values.flatMap(each => ['--filter', each === true ? filter : `${filter}=${each}`])
}

/** `created_at desc, id` becomes `--sort -created_at --sort id`. */
const sortsOf = (sorts: string): string[] =>
  sorts.split(/\s*,\s*/).flatMap(each => {
    const [attribute = '', direction] = each.split(' ')
    return ['--sort', direction === 'desc' ? `-${attribute}` : attribute]
  })
