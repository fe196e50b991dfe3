import type { TSchema } from 'typebox'
import type { AnyCommand } from '../commands/command.ts'
import type { AnyView, Domain } from '../domain.ts'
import type { ListRoute, Resource, ShowRoute } from '../jsonapi/resource.ts'
import type { AnyLive } from '../live/live.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One endpoint as data: what the server answers and what the OpenAPI document describes. */
export type Route = { readonly method: Method; readonly path: string; readonly operationId: string } & (
  | { readonly kind: 'list'; readonly resource: Resource; readonly list: ListRoute }
  | { readonly kind: 'show'; readonly resource: Resource; readonly show: ShowRoute }
  | { readonly kind: 'command'; readonly command: AnyCommand }
  | { readonly kind: 'view'; readonly view: AnyView }
  | { readonly kind: 'live'; readonly live: AnyLive }
)

/**
 * The routes of all domains. A route without rights, two routes of the same method and path, and a response of an
 * unknown type are errors at start.
 */
export function routesOf(domains: readonly Domain[], resources: readonly Resource[]): Route[] {
  const routes = [
    ...resources.flatMap(routesOfResource),
    ...domains.flatMap(domain => (domain.commands ?? []).flatMap(routesOfCommand)),
    ...domains.flatMap(domain => (domain.views ?? []).flatMap(routesOfView)),
    ...domains.flatMap(domain => (domain.live ?? []).map(routeOfLive)),
  ]
  checkRoutes(routes, resources)
  return routes
}

const routesOfResource = (resource: Resource): Route[] => [
  ...resource.lists.map((list, index): Route => {
    const operationId = `${resource.type}.list${index ? `_${index + 1}` : ''}`
    return { kind: 'list', method: 'GET', path: list.path, operationId, resource, list }
  }),
  ...resource.shows.map((show, index): Route => {
    const operationId = `${resource.type}.show${index ? `_${index + 1}` : ''}`
    return { kind: 'show', method: 'GET', path: show.path, operationId, resource, show }
  }),
]

const routesOfCommand = (command: AnyCommand): Route[] =>
  command.paths.map((path, index) => ({
    kind: 'command',
    method: command.method,
    path,
    operationId: `${command.name}${index ? `_${index + 1}` : ''}`,
    command,
  }))

const routesOfView = (view: AnyView): Route[] =>
  view.paths.map((path, index) => ({
    kind: 'view',
    method: view.method,
    path,
    operationId: `${view.name}${index ? `_${index + 1}` : ''}`,
    view,
  }))

const routeOfLive = (live: AnyLive): Route => ({
  kind: 'live',
  method: 'GET',
  path: live.path,
  operationId: live.name,
  live,
})

/** The path with unnamed parameters: two paths of the same form are the same path. */
export const formOf = (path: string): string => path.replace(/:[A-Za-z_]+/g, ':')

function checkRoutes(routes: readonly Route[], resources: readonly Resource[]): void {
  const seen = new Map<string, Route>()
  const ids = new Map<string, Route>()
  for (const route of routes) {
    const key = `${route.method} ${formOf(route.path)}`
    const twin = seen.get(key)
    if (twin) throw new Error(`${twin.operationId} and ${route.operationId} are both ${key}`)
    seen.set(key, route)
    if (ids.has(route.operationId)) throw new Error(`two routes are called ${route.operationId}`)
    ids.set(route.operationId, route)
    if (!route.path.startsWith('/')) throw new Error(`the path ${route.path} of ${route.operationId} has no / in front`)
    if (!hasRights(route)) throw new Error(`${route.operationId} (${key}) says nothing about rights`)
    const answers = route.kind === 'command' ? route.command.answers : undefined
    if (answers !== undefined && !resources.some(({ type }) => type === answers)) {
      throw new Error(`${route.operationId} answers a ${answers}, and there is no such resource`)
    }
  }
}

function hasRights(route: Route): boolean {
  if (route.kind === 'command') return typeof route.command.needs === 'function'
  if (route.kind === 'view') return typeof route.view.needs === 'function'
  if (route.kind === 'live') return typeof route.live.needs === 'function'
  return Boolean(route.resource.rights)
}

/** Schema of data.attributes, where the route takes a body. */
export function attributesOfBody(route: Route): TSchema | undefined {
  if (route.kind === 'command') return route.command.attributes
  return route.kind === 'view' ? route.view.attributes : undefined
}
