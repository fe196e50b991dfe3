import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'
import { WebSocket, WebSocketServer } from 'ws'
import { timed } from './report.ts'

/** Durable commits of one small row each, one after the other, on a warm connection. */
export async function bareCommits(client: pg.Client, count: number): Promise<number[]> {
  await client.query('create table if not exists bare_commit (id bigserial primary key, said text not null)')
  const insert = { name: 'bare_commit', text: 'insert into bare_commit (said) values ($1)', values: ['a step ended'] }
  for (let warm = 0; warm < 20; warm++) await client.query(insert)
  const times: number[] = []
  for (let done = 0; done < count; done++) times.push(await timed(() => client.query(insert)))
  return times
}

/** A small message over a WebSocket and one back, both ends in this process. */
export async function bareMessages(count: number): Promise<number[]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  server.on('connection', peer => peer.on('message', data => peer.send(String(data))))
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`)
  await once(socket, 'open')
  const times: number[] = []
  for (let sent = 0; sent < count; sent++) {
    times.push(
      await timed(() => {
        socket.send('a step is handed over')
        return once(socket, 'message')
      }),
    )
  }
  socket.close()
  server.close()
  return times
}

/** Minimum cost of any runner of scripts: bash started and ended, and nothing else. */
export async function bareScripts(count: number): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done++)
    times.push(await timed(() => once(spawn('bash', ['-euo', 'pipefail', '-c', 'true'], { stdio: 'ignore' }), 'exit')))
  return times
}
