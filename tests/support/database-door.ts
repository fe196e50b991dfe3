import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy in front of a database. */
export interface DatabaseDoor {
  readonly url: string
  /** Ends the next connection right when PostgreSQL reports that it is ready. */
  endNext(): void
  /** Ends all connections, and accepts none until it is opened. */
  shut(): void
  open(): Promise<void>
  /** Drops all data, while connections stay open: like a network that loses every packet. */
  hold(): void
  close(): void
}

export async function doorTo(databaseUrl: string): Promise<DatabaseDoor> {
  const url = new URL(databaseUrl)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  const dial = () => (folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, url.hostname))
  const through = new Set<Socket>()
  let isToEnd = false
  let isHeld = false
  const server = createServer(from => {
    const to = dial()
    const ends = isToEnd
    isToEnd = false
    for (const socket of [from, to]) {
      through.add(socket)
      socket.on('error', () => {}).once('close', () => through.delete(socket))
    }
    from.on('data', bytes => to.write(bytes)).on('close', () => to.destroy())
    to.on('close', () => from.destroy())
    to.on('data', bytes => {
      if (!ends || !bytes.subarray(-ready.length).equals(ready)) return void from.write(bytes)
      from.end(Buffer.concat([bytes, ended]))
    })
    if (isHeld) for (const socket of [from, to]) socket.pause()
  })
  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const shut = () => {
    server.close()
    for (const socket of through) socket.destroy()
  }
  return {
    url: url.href,
    shut,
    open: async () => {
      isHeld = false
      await listen(Number(url.port))
    },
    hold: () => {
      isHeld = true
      for (const socket of through) socket.pause()
    },
    endNext: () => {
      isToEnd = true
    },
    close: shut,
  }
}

/** ReadyForQuery, outside of any transaction. */
const ready = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** ErrorResponse: its length, which includes itself, and fields that each begin with a letter and end with a NUL. */
const ended = errorResponse('SFATAL', 'C57P01', 'Mterminating connection due to unexpected postmaster exit')

function errorResponse(...fields: string[]): Buffer {
  const said = Buffer.from(`${fields.map(field => `${field}\0`).join('')}\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(4 + said.length, 1)
  return Buffer.concat([head, said])
}
