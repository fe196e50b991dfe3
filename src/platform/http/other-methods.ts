import type { FastifyInstance } from 'fastify'
import { Failure, failure } from '../failure.ts'
import { formOf, type Method, type Route } from './routes.ts'

const ours: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Answers OPTIONS with the methods of each path in Allow, and other methods with 405 and the same header. */
export function addOtherMethods(server: FastifyInstance, routes: readonly Pick<Route, 'method' | 'path'>[]): void {
  const paths = [...Map.groupBy(routes, route => formOf(route.path))].map(([form, ofPath]) => {
    const known = new Set<string>(ofPath.map(({ method }) => method))
    const allow = [...(known.has('GET') ? ['HEAD'] : []), ...known, 'OPTIONS'].sort().join(', ')
    return { form: form.split('/'), url: ofPath[0]!.path, known, allow }
  })
  for (const { url, known, allow } of paths) {
    server.route({ method: 'OPTIONS', url, handler: (_, reply) => reply.status(204).header('allow', allow).send() })
    const others = ours.filter(each => !known.has(each)).flatMap(each => (each === 'GET' ? ['GET', 'HEAD'] : each))
    server.route({
      method: others,
      url,
      handler: request => {
        throw notAllowed(request.method, allow)
      },
    })
  }
  const taken = new Set<string>([...ours, 'HEAD', 'OPTIONS'])
  // Other methods that Node knows (TRACE, QUERY, PROPFIND …) have no route, and are handled when they arrive.
  server.addHook('onRequest', ({ method, url }, _, done) => {
    if (taken.has(method)) return done()
    const segments = url.replace(/\?.*$/s, '').split('/')
    const path = paths.find(({ form }) => isOfForm(form, segments))
    done(path ? notAllowed(method, path.allow) : noSuchRoute())
  })
}

export const noSuchRoute = (): Failure =>
  failure('no-such-route', 'There is no such path. GET /api/openapi.json lists all.')

const notAllowed = (method: string, allow: string): Failure =>
  new Failure([{ code: 'method-not-allowed', detail: `${method} is not for this path: ${allow}.` }], { allow })

const isOfForm = (form: readonly string[], segments: readonly string[]): boolean =>
  form.length === segments.length && form.every((each, at) => each === segments[at] || (each === ':' && segments[at]))
