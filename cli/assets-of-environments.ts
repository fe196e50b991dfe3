import type { Resource } from '../client/sluice.ts'
import type { Terminal } from './terminal.ts'

/** So many environments are asked, and of those that hold assets so many are named. */
const mostAsked = 1_000
const mostNamed = 5

/**
 * The list of a project's assets holds those right under it. Whoever looks for one of an environment there is told where
 * it is, in a table only: a script has said what it wants.
 */
export async function tellOfEnvironments({ sluice, format, say }: Terminal, path: string): Promise<void> {
  const project = /^(\/api\/projects\/[^/]+)\/assets$/.exec(path)?.[1]
  if (!project || format !== 'table') return
  const query = { 'fields[environment]': 'code,children', 'filter[sorts]': 'code', limit: mostAsked }
  const { data } = await sluice.document<{ data: Resource<{ code: string }>[] }>(`${project}/environments`, query)
  const holding = data.filter(({ relationships }) => [relationships?.['children']?.data ?? []].flat().length > 0)
  if (holding.length === 0) return
  const named = holding.slice(0, mostNamed).map(({ attributes }) => attributes.code)
  const more = holding.length > mostNamed ? `, and ${holding.length - mostNamed} more` : ''
  const environment = `${project.replace('/api', '')}/environments/${holding.length === 1 ? named[0] : '<code>'}`
  say(`Environments have assets of their own (${named.join(', ')}${more}): sluice list assets ${environment}`)
}
