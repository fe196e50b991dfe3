import type { Resource } from '../jsonapi/resource.ts'
import { pluralOf } from '../jsonapi/type-names.ts'
import type { Route } from './routes.ts'
import type { Schema } from './schemas.ts'

/** Grouping and descriptions of operations in the OpenAPI document. */

export const documentationTag = 'openapi'

/** The collection that a route is about: commands and views are named after it, lists and shows after their records. */
export const tagOf = (route: Route): string =>
  route.kind === 'list' || route.kind === 'show'
    ? pluralOf(route.resource.type)
    : route.operationId.slice(0, route.operationId.lastIndexOf('.')).replace(/\..*$/, '')

export function tagsOf(routes: readonly Route[], resources: readonly Resource[]): Schema[] {
  const described = new Map(resources.map(({ type, describe }) => [pluralOf(type), describe]))
  const names = [...new Set(routes.map(tagOf)), documentationTag].sort()
  return names.map(name => ({
    name,
    description: described.get(name) ?? `Operations on ${name.replaceAll('_', ' ')}.`,
  }))
}

export function summaryOf(route: Route): string {
  if (route.kind === 'command') return route.command.summary
  if (route.kind === 'view') return route.view.summary
  if (route.kind === 'live') return route.live.summary
  return route.kind === 'list' ? `List: ${route.resource.describe}` : route.resource.describe
}

/** Details beyond the summary: the form of the response, and what is left out. */
export function descriptionOf(route: Route): string {
  switch (route.kind) {
    case 'list': {
      const { default: usual, maximum } = route.resource.limit ?? { default: 100, maximum: 10_000 }
      const filters = route.list.plain
        ? 'It is neither filtered nor sorted.'
        : 'Filtered and sorted by any of its attributes.'
      return `The records that the caller may read, ${usual} at a time unless \`limit\` says otherwise, ${maximum} at most; \`links.next\` leads on. ${filters} As CSV with \`download\`, or for \`Accept: text/csv\`.${route.resource.plainText ? ' As plain text, a line for each record, for `Accept: text/plain`, or with `download` and a name that ends in `.log` or `.txt`.' : ''}`
    }
    case 'show':
      return 'One record, with what is shown on single records only. 404 when there is none, or the caller may not read it.'
    case 'command':
      return `${route.command.summary} ${route.command.event ? `Recorded as the event \`${route.command.event}\`, in the same transaction.` : 'It is recorded by the events of what it does.'}`
    case 'view':
      return route.view.describe ?? `${route.view.summary} Nothing is changed by asking.`
    case 'live':
      return `${route.live.summary} A stream of server-sent events, which resumes behind \`Last-Event-ID\`; the rights of its reader are checked again every 10 s.`
  }
}
