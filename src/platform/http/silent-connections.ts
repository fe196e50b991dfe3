import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Connections without a request: browsers and fetch open them ahead of a request that may never come. Node does not
 * count them as idle, so a stop would wait for each of them until its limit.
 *
 * @returns a function that ends them, and from then on each new one
 */
export function silentConnections(server: Server): () => void {
  const silent = new Set<Socket>()
  let ending = false
  server.on('connection', socket => {
    if (ending) return void socket.destroy()
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  const speaks = ({ socket }: { socket: Socket }) => void silent.delete(socket)
  server.prependListener('request', speaks)
  server.prependListener('upgrade', speaks)
  return () => {
    ending = true
    for (const socket of silent) if (socket.bytesRead === 0) socket.destroy()
  }
}
