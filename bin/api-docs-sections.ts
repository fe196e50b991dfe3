import type { Need } from '../src/platform/actor.ts'
import { attributesOfBody, type Route } from '../src/platform/http/routes.ts'
import type { Column, Kind, Resource } from '../src/platform/jsonapi/resource.ts'
import { needsOfRoutes } from './api-docs-pages.ts'
import { code, rowOf, schemaInWords } from './schema-in-words.ts'

/** Section of docs/api about one type of record. */
export function resourceSection(resource: Resource, routes: readonly Route[]): string {
  const { type, describe, columns, relationships = {}, named = {}, included = [] } = resource
  const { default: usual, maximum } = resource.limit ?? { default: 100, maximum: 10_000 }
  const limits =
    resource.lists.length > 0 ? `A list has ${usual} records where no limit is given, at most ${maximum}.` : undefined
  const filters = Object.entries(named).map(([name, { describe: what }]) => `\`filter[${name}]\` (${what})`)
  return paragraphs([
    `## ${type}`,
    describe,
    routesTable(routes),
    ...bodies(routes),
    '| attribute | value | lists | what it is |\n|---|---|---|---|',
    Object.entries(columns)
      .map(([name, column]) => rowOf([code(name), valuesOf(column), inLists(resource, column), column.describe]))
      .join('\n'),
    Object.keys(relationships).length > 0 ? '| relationship | to | what it is |\n|---|---|---|' : undefined,
    Object.entries(relationships)
      .map(([name, { kind, type: to, describe: what }]) => {
        const target = to === 'any' ? 'records of several types' : code(to)
        return rowOf([code(name), `${kind === 'many' ? 'many: ' : ''}${target}`, what])
      })
      .join('\n'),
    [
      limits,
      filters.length > 0 ? `Named filters: ${filters.join(', ')}.` : undefined,
      included.length > 0
        ? `A show includes ${included.map(code).join(', ')} where \`include\` says nothing.`
        : undefined,
    ]
      .filter(Boolean)
      .join(' '),
    example(resource),
  ])
}

const kinds: Readonly<Record<Kind, string>> = {
  text: 'text',
  integer: 'integer',
  number: 'number',
  boolean: '`true`, `false`',
  time: 'time',
  id: 'id',
  json: 'array or object',
  opaque: 'object, encrypted',
}

const valuesOf = ({ kind, schema, nullable }: Column): string =>
  (schema ? schemaInWords(schema) : kinds[kind]).replace(/( or `null`)?$/, nullable ? ' or `null`' : '')

/** Joins parts of a page with a blank line between them, except between the head and the rows of a table. */
const paragraphs = (parts: readonly (string | undefined)[]): string =>
  parts
    .filter(part => part)
    .join('\n\n')
    .replaceAll(/(\|---\|)\n\n/g, '$1\n')

function inLists({ lists }: Resource, { kind, showOnly }: Column): string {
  if (lists.length === 0) return '–'
  if (showOnly) return 'not shown'
  if (kind === 'opaque') return 'shown'
  return kind === 'json' ? 'filtered' : 'filtered, sorted'
}

/** Table of routes, with one row for each operation, however many paths lead to it. */
export function routesTable(routes: readonly Route[]): string {
  const rows = [...Map.groupBy(routes, nameOf).values()].map(same => {
    const paths = same.map(({ method, path }) => code(`${method} ${path.replace(/:([A-Za-z_]+)/g, '{$1}')}`))
    const [route] = same as [Route]
    const parameters = Object.entries(ownParameters(route)).map(
      ([name, { describe, required }]) => `${code(name)}${required ? ' (needed)' : ''}: ${describe}`,
    )
    return rowOf([paths.join('<br>'), [summaryOf(route), ...parameters].join('<br>'), needsOf(route), eventOf(route)])
  })
  return ['| request | what | needs | event |', '|---|---|---|---|', ...rows].join('\n')
}

const nameOf = (route: Route): string => {
  if (route.kind === 'command') return route.command.name
  if (route.kind === 'view') return route.view.name
  return route.kind === 'live' ? route.live.name : route.kind
}

function ownParameters(
  route: Route,
): Readonly<Record<string, { readonly describe: string; readonly required?: true }>> {
  if (route.kind === 'command') return route.command.parameters ?? {}
  if (route.kind === 'view') return route.view.parameters ?? {}
  if (route.kind === 'live') return route.live.parameters ?? {}
  return (route.kind === 'list' ? route.list.parameters : route.show.parameters) ?? {}
}

function summaryOf(route: Route): string {
  if (route.kind === 'command') return route.command.summary
  if (route.kind === 'view') return route.view.summary
  if (route.kind === 'live') return `${route.live.summary} (server-sent events).`
  return route.kind === 'list' ? 'List.' : 'Show.'
}

const eventOf = (route: Route): string =>
  route.kind === 'command' && route.command.event ? code(route.command.event) : '–'

function needsOf(route: Route): string {
  const known = needsOfRoutes[nameOf(route)]
  if (known) return known
  if (route.kind === 'list' || route.kind === 'show')
    return 'path' in route.resource.rights ? 'read on each record' : 'records that one may see'
  if (route.kind === 'view' && route.view.public) return 'nothing'
  const { needs } = route.kind === 'command' ? route.command : route.kind === 'view' ? route.view : route.live
  const words = needsInWords(needs as (...given: never[]) => readonly Need[])
  if (words === undefined)
    throw new Error(
      `what ${nameOf(route)} needs is more than names: bin/api-docs-pages.ts has to say it (needsOfRoutes)`,
    )
  return words
}

/**
 * The rights that a route needs, in words: its function is called with proxies that return their own names. Undefined
 * if it decides something, or calls something: then a name is not enough.
 */
function needsInWords(needs: (...given: never[]) => readonly Need[]): string | undefined {
  if (/\?|&&|\|\||\bif\b|actor|=>[^[]*\w\(|\.map\(/.test(String(needs))) return undefined
  const asked = (needs as (...given: unknown[]) => readonly Need[])(named(''), named(''))
  const words = asked.map(({ right, path }) =>
    `${right} on \`${path}\``.replace('{readPath}', '{path}').replace('{collectionPath}', '{path of the list}'),
  )
  return words.length > 0 ? [...new Set(words)].join(', ') : undefined
}

/** Proxy with this name as its text, which has every member, named the same way. */
const named = (name: string): unknown =>
  new Proxy(
    {},
    { get: (_, member) => (typeof member === 'symbol' || member === 'toString' ? () => `{${name}}` : named(member)) },
  )

/** Attributes of request bodies, one table for each. */
function bodies(routes: readonly Route[]): string[] {
  return [...Map.groupBy(routes, nameOf).values()].flatMap(([route]) => {
    const rows = [...rowsOf(attributesOfBody(route!) as Members | undefined), ...otherMembers(route!)]
    if (rows.length === 0) return []
    const patched =
      route!.kind === 'command' && route!.command.patches ? ', or a merge patch or JSON Patch of `data`' : ''
    return [
      `Attributes in the body of ${code(`${route!.method} ${shortPath(route!.path)}`)}${patched}:`,
      ['| attribute | needed | value | |', '|---|---|---|---|', ...rows].join('\n'),
    ]
  })
}

interface Members {
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
}

const rowsOf = ({ properties = {}, required = [] }: Members = {}, within = ''): string[] =>
  Object.entries(properties).map(([name, each]) => {
    const { description = '' } = each as { description?: string }
    return rowOf([code(`${within}${name}`), required.includes(name) ? 'yes' : '', schemaInWords(each), description])
  })

/** Further members of `data` in a body, under the name of the member that contains them. */
function otherMembers(route: Route): string[] {
  if (route.kind !== 'command') return []
  const { meta, relationships = [] } = route.command
  const related = relationships.map(name => rowOf([code(`relationships.${name}`), '', 'type and id of a record', '']))
  return [...related, ...rowsOf(meta as Members | undefined, 'meta.')]
}

/**
 * Shortens a path to its last parts. It stays whole if it consists of them: "/api/changes" is another request than
 * "…/changes" of a node.
 */
function shortPath(path: string): string {
  const last = /(\/[^/:]+(\/:[^/]+)?)$/.exec(path)![1]!
  return `${path === `/api${last}` ? '/api' : '…'}${last}`.replace(/:(\w+)/, '{$1}')
}

/** Values for the path parameters in examples. */
const places: Readonly<Record<string, string>> = {
  project_code: 'shop',
  environment_code: 'live',
  asset_code: 'front',
  agent_code: 'watcher',
  template_id: 'web',
  version: '1.0',
  workflow_code: 'release',
  username: 'admin',
}
const idNames: Readonly<Record<string, string>> = { changes: 'CHANGE_ID', steps: 'STEP_ID' }

/** Example of a list, filtered and sorted, or else of a show, as a curl command. */
function example({ lists, shows, columns }: Resource): string | undefined {
  const route = lists[0] ?? shows[0]
  if (!route) return undefined
  const path = route.path
    .replace(/(\w+)\/:id\b/, (_, of) => `${of}/$${idNames[of] ?? `${of.toUpperCase()}_ID`}`)
    .replace(/:([A-Za-z_]+)/g, (_, name) => places[name] ?? `$${name.toUpperCase()}`)
  const options: string[] = []
  for (const [name, { required }] of Object.entries(route.parameters ?? {}))
    if (required) options.push(`${name}=$${name.toUpperCase()}`)
  if (lists[0] && !lists[0].plain) {
    const [text] = Object.entries(columns).find(([, each]) => each.kind === 'text' && !each.showOnly) ?? []
    const [sorted] = Object.entries(columns).find(([, each]) => each.kind === 'time' && !each.showOnly) ?? []
    if (text) options.push(`filter[${text}_present]=1`)
    if (sorted) options.push(`filter[sorts]=${sorted} desc`)
    options.push('limit=10')
  }
  const lines = [
    `curl --get --user "$SLUICE_USER" "$SLUICE${path}"`,
    ...options.map(each => `  --data-urlencode "${each}"`),
  ]
  return ['```console', `$ ${lines.join(' \\\n')}`, '```'].join('\n')
}
