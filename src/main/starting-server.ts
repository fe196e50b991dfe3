import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { leaseHeader } from '#protocol/runner-protocol.ts'

/** Server that answers on the service's port while the service starts and migrates. */
export interface StartingServer {
  /** The port that it listens on: the requested one, or the free one that was found for port 0. */
  readonly port: number
  /** Stops listening; the service listens on the same port right afterwards. */
  close(): Promise<void>
}

export interface StartingServerOptions {
  readonly host: string
  readonly port: number
  /** Path at which runners connect. */
  readonly runnersAt: string
  /** Whether the lease of the runner that presents these credentials is renewed, so that the start counts as contact. */
  readonly renewLease: (authorization: string | undefined) => Promise<boolean>
}

/**
 * Listens early, so that runners are not considered lost during a long start (a crash recovery of PostgreSQL, a
 * migration), and clients and load balancers get a 503 with the reason instead of a refused connection.
 *
 * @returns undefined when the port cannot be listened on: the service itself reports that when it tries.
 */
export async function openStartingServer(options: StartingServerOptions): Promise<StartingServer | undefined> {
  const server = createServer((_request, response) => {
    response.writeHead(503, { ...headers, 'content-type': 'application/vnd.api+json' }).end(starting)
  })
  server.on('upgrade', (request, socket) => {
    socket.on('error', () => socket.destroy())
    const isRunner = request.url?.split('?')[0] === options.runnersAt
    const renewed = isRunner ? options.renewLease(request.headers.authorization) : Promise.resolve(false)
    void renewed.then(answer => refuse(socket, answer))
  })
  const port = await listen(server, options)
  if (port === undefined) return undefined
  return {
    port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const headers = { 'retry-after': '1', connection: 'close' }

const starting = JSON.stringify({
  errors: [
    {
      status: '503',
      code: 'unavailable',
      title: 'Not possible in the current state',
      detail: 'The service is starting. Try again in a moment.',
    },
  ],
})

function listen(server: Server, { host, port }: StartingServerOptions): Promise<number | undefined> {
  return new Promise(resolve => {
    server.once('error', () => resolve(undefined))
    server.listen({ host, port }, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : undefined)
    })
  })
}

function refuse(socket: Duplex, renewed: boolean): void {
  socket.once('finish', () => socket.destroy())
  const lease = renewed ? `${leaseHeader}: renewed\r\n` : ''
  socket.end(
    `HTTP/1.1 503 Service Unavailable\r\n${lease}Retry-After: 1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  )
}
