import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Two sockets that are connected to each other. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sockets-'))
  const server = createServer().listen(join(folder, 'socket'))
  await once(server, 'listening')
  const one = connect(join(folder, 'socket'))
  const [other] = (await once(server, 'connection')) as [Socket]
  server.close()
  rmSync(folder, { recursive: true })
  return [one, other]
}
