import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pageFor, readPages } from '../../src/platform/http/static-pages.ts'

export interface PageServer {
  readonly address: string
  stop(): void
}

/** Serves a folder with `index.html` as the service serves its web application, headers included, and nothing else. */
export async function servePages(folder: string): Promise<PageServer> {
  const pages = readPages(folder)
  if (!pages) throw new Error(`${folder} has no index.html`)
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/', headers } = request
    const answer = pageFor(pages, { method, path: url, headers }, () => false)
    response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
