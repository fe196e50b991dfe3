import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { ended, shop } from '../support/changes.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type CommandLine, newCommandLine } from './command-line.ts'

const web = '/projects/shop/environments/live/assets/front'

let service: TestService
let door: Awaited<ReturnType<typeof doorTo>>
let cli: CommandLine

before(async () => {
  service = await startTestService({ spares: 0 })
  await shop(service, { 'web/actions.yaml': "actions: { release: { description: x, run: 'true' } }" })
  door = await doorTo(service.address)
  const login = { description: 'cli', expires_at: '2099-01-01T00:00:00Z' }
  const made = await service.as('admin').post('/api/tokens', login)
  cli = await newCommandLine({ SLUICE_URL: door.url, SLUICE_TOKEN: made.body.meta.token })
})
after(async () => {
  door.close()
  await service.stop()
  await cli.remove()
})

/** A proxy in front of the service that can cut the connection of a request at the moment of its response. */
async function doorTo(address: string) {
  const { hostname, port } = new URL(address)
  const through = new Set<Socket>()
  let toCut: string | undefined
  const server = createServer(from => {
    const to = connect(Number(port), hostname)
    for (const socket of [from, to]) {
      through.add(socket)
      socket.on('error', () => {}).once('close', () => through.delete(socket))
    }
    let isCut = false
    from.on('data', bytes => {
      if (toCut !== undefined && bytes.toString('latin1').startsWith(toCut)) {
        isCut = true
        toCut = undefined
      }
      to.write(bytes)
    })
    to.on('data', bytes => (isCut ? from.destroy() : from.write(bytes)))
    from.on('close', () => to.destroy())
    to.on('close', () => from.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Drops the response to the next matching request, which the service has executed by then. */
    cutNext: (method: string) => {
      toCut = `${method} `
    },
    hasCut: () => toCut === undefined,
    close: () => {
      server.close()
      for (const socket of through) socket.destroy()
    },
  }
}

test('a change whose answer is lost is made once, and the command tells its id', async () => {
  const admin = service.as('admin')
  door.cutNext('POST')
  const ran = await cli.run(['changes', 'create', web, 'release'])
  assert.deepEqual([ran.status, ran.stderr, door.hasCut()], [0, '', true])
  const changes = (await admin.get('/api/changes')).body.data as { id: string }[]
  assert.deepEqual(
    changes.map(({ id }) => id),
    [ran.stdout.trim()],
  )
  assert.equal((await ended(admin, ran.stdout.trim())).attributes.status_code, 'success')
})

test('what may be done twice is not asked for again, and whoever asked is told that it may be done', async () => {
  const admin = service.as('admin')
  const name = async () => (await admin.get('/api/projects/shop')).body.data.attributes.name
  door.cutNext('PATCH')
  const updated = await cli.run(['update', 'project', '/projects/shop', 'name=The shop'])
  assert.deepEqual([updated.status, updated.stdout, door.hasCut()], [1, '', true])
  assert.match(updated.stderr, /PATCH \/api\/projects\/shop may have been processed: check before you retry\.\n$/)
  assert.equal(await name(), 'The shop')

  door.cutNext('POST')
  const made = await cli.run(['create', 'token', 'description=lost', 'expires_at=2099-01-01T00:00:00Z'])
  assert.deepEqual([made.status, made.stdout, door.hasCut()], [1, '', true])
  assert.match(made.stderr, /POST \/api\/tokens may have been processed/)
  const tokens = (await admin.get('/api/tokens?filter[description_eq]=lost')).body.data
  assert.equal(tokens.length, 1)
})
