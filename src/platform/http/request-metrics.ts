import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import { eventStream } from './accept.ts'

/** Metrics of the requests of a process, by route as declared and never by path, so that their number stays bounded. */
export class RequestMetrics {
  readonly registry = new Registry()
  readonly #answered = new Counter({
    name: 'sluice_http_requests_total',
    help: 'Requests that have ended, by how they were answered',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  })
  readonly #took = new Histogram({
    name: 'sluice_http_request_duration_seconds',
    help: 'How long requests took, live streams excepted',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  })

  /** Counts the request once it has ended, also when the client has disconnected. */
  begins(request: FastifyRequest, reply: FastifyReply): void {
    const began = performance.now()
    reply.raw.once('close', () => {
      const of = { method: methodOf(request.method), route: routeOf(request) }
      this.#answered.inc({ ...of, status: statusOf(reply) })
      // A stream lasts as long as its client listens, which says nothing about the service.
      if (reply.getHeader('content-type') !== eventStream) this.#took.observe(of, (performance.now() - began) / 1_000)
    })
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const methodOf = (method: string): string => (methods.has(method) ? method : 'other')

/** `/api/changes/:id`; "none" for a path without a route. */
const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions?.url ?? 'none'

const statusOf = ({ raw }: FastifyReply): string =>
  raw.headersSent ? `${Math.floor(raw.statusCode / 100)}xx` : 'aborted'
